import { DAY_MS, MINUTE_MS } from '../kernel/ist.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Instrument } from '../exchange/instrument.ts';
import { tickOf } from '../exchange/instrument.ts';
import type { Level } from '../exchange/depth.ts';
import type { Call, Route } from '../kernel/routes.ts';
import type { PrimarySettings } from '../kernel/settings.ts';
import type { Reply } from '../kernel/wire.ts';
import { jsonReply, textReply } from '../kernel/wire.ts';
import { invalid } from './place.ts';
import { badRequest, primarySuccess, rupees } from './refusal.ts';

const minutes = [1, 2, 3, 4, 5, 10, 15, 30, 60, 120, 180, 240];

/**
 * Width of a candle, and the widest window of a call: a wider one is cut short without an error.
 */
const intervals = new Map<string, { width: number; most: number }>([
  ...minutes.map((count): [string, { width: number; most: number }] => [
    `${count}minute`,
    { width: count * MINUTE_MS, most: (count < 60 ? 7 : 15) * DAY_MS },
  ]),
  ['1day', { width: DAY_MS, most: 366 * DAY_MS }],
  ['1week', { width: 7 * DAY_MS, most: 366 * DAY_MS }],
  ['1month', { width: 30 * DAY_MS, most: 366 * DAY_MS }],
]);

/** One unknown code fails the whole batch. */
function codesOf(exchange: Exchange, call: Call, most: number): [string, Instrument][] {
  const codes = (call.query.get('scrip-codes') ?? '').split(',').filter((code) => code !== '');
  if (codes.length === 0 || codes.length > most) throw badRequest('Invalid scrip codes or mode');
  return codes.map((code) => {
    const instrument = exchange.listing.byScripCode(code);
    if (!instrument) throw badRequest('Invalid scrip codes or mode');
    return [code, instrument];
  });
}

const sideOf = ({ price, quantity, orders }: Level): Record<string, number> => ({
  price: rupees(price),
  quantity,
  orders,
});

const none = { price: 0, quantity: 0, orders: 0 };

function depthRows(exchange: Exchange, instrument: Instrument, at: number): unknown[] {
  const { bids, asks } = exchange.book.depth(instrument, at);
  return [0, 1, 2, 3, 4].map((step) => ({
    buy: sideOf(bids[step] ?? none),
    sell: sideOf(asks[step] ?? none),
  }));
}

const total = (levels: readonly Level[]): string =>
  indian(levels.reduce((sum, level) => sum + level.quantity, 0));

function fullQuote(exchange: Exchange, code: string, instrument: Instrument, at: number): unknown {
  const day = exchange.prices.day(instrument, at);
  const { bids, asks } = exchange.book.depth(instrument, at);
  const change = day.last - day.previousClose;
  const [bid, ask] = [bids[0], asks[0]];
  const isIndex = instrument.kind === 'index';
  return {
    live_price: rupees(day.last),
    day_open: rupees(day.open),
    day_high: rupees(day.high),
    day_low: rupees(day.low),
    prev_close: rupees(day.previousClose),
    day_change: rupees(change),
    day_change_percentage: Math.round((change / day.previousClose) * 10_000) / 100,
    volume: isIndex ? 0 : day.volume,
    ...(bid && !isIndex ? { best_bid_price: rupees(bid.price) } : {}),
    ...(ask && !isIndex ? { best_ask_price: rupees(ask.price) } : {}),
    '52week_high': rupees(instrument.basePaise * 1.12),
    '52week_low': rupees(instrument.basePaise * 0.81),
    upper_circuit: rupees(day.upperBand),
    lower_circuit: rupees(day.lowerBand),
    // Nested once more by scrip code, as seen live.
    ...(isIndex
      ? {}
      : {
          market_depth: {
            [code]: {
              aggregate: { total_buy: total(bids), total_sell: total(asks) },
              depth: depthRows(exchange, instrument, at),
            },
          },
        }),
  };
}

/** Numbers as text with Indian commas: "5,82,909". */
function indian(value: number): string {
  const [whole = '0', part] = String(value).split('.');
  const last = whole.slice(-3);
  const rest = whole.slice(0, -3).replace(/\B(?=(\d{2})+$)/g, ',');
  return `${rest ? `${rest},` : ''}${last}${part ? `.${part}` : ''}`;
}

function marketQuote(exchange: Exchange, instrument: Instrument, at: number): unknown {
  const { bids, asks } = exchange.book.depth(instrument, at);
  const text = (level: Level | undefined): Record<string, string> => ({
    price: indian(rupees(level?.price ?? 0)),
    quantity: indian(level?.quantity ?? 0),
    orders: indian(level?.orders ?? 0),
  });
  return {
    aggregate: { total_buy: total(bids), total_sell: total(asks) },
    depth: [0, 1, 2, 3, 4].map((step) => ({ buy: text(bids[step]), sell: text(asks[step]) })),
  };
}

function historical(exchange: Exchange, call: Call): Reply {
  const interval = intervals.get(call.parameters['interval'] ?? '');
  if (!interval) throw invalid('Invalid interval');
  const codes = codesOf(exchange, call, 5);
  const from = Number(call.query.get('start_time') ?? Number.NaN);
  const asked = Number(call.query.get('end_time') ?? Number.NaN);
  if (!Number.isFinite(from) || !Number.isFinite(asked)) throw invalid('Invalid start or end time');
  const to = Math.min(asked, from + interval.most);
  const data: Record<string, unknown> = {};
  for (const [code, instrument] of codes) {
    const candles = exchange.candles(instrument, from, to, interval.width).map((one) => ({
      ts: Math.floor(one.at / 1000),
      o: rupees(one.open),
      h: rupees(one.high),
      l: rupees(one.low),
      c: rupees(one.close),
      v: instrument.kind === 'index' ? 0 : one.volume,
    }));
    // A code without trades is absent.
    if (candles.length > 0) data[code] = { candles };
  }
  return jsonReply(200, { success: true, data });
}

const columns =
  'SECURITY_ID,TRADING_SYMBOL,CUSTOM_SYMBOL,EXCH,SEGMENT,INSTRUMENT_NAME,LOT_UNITS,EXPIRY_DATE,STRIKE_PRICE,OPTION_TYPE,TICK_SIZE,SYMBOL_NAME,EXPIRY_CODE,EXPIRY_FLAG,SEM_EXCH_INSTRUMENT_TYPE,SERIES';

function csvRow(exchange: Exchange, instrument: Instrument, at: number): string[] {
  const { primary, option, lot, name } = instrument;
  const tick = tickOf(instrument, exchange.prices.last(instrument, at)) / 100;
  return [
    primary.securityId,
    primary.tradingSymbol,
    name,
    primary.exchange,
    primary.segment,
    option ? 'OPTIDX' : 'EQUITY',
    lot,
    option?.expiry ?? '',
    option?.strike ?? '',
    option?.right ?? '',
    tick,
    name,
    option ? 0 : '',
    option ? 'M' : '',
    option ? 'OP' : 'ES',
    option ? '' : 'EQ',
  ].map(String);
}

/** How its lists of instruments are. */
type Listed = Pick<PrimarySettings, 'listsIsins' | 'unlisted'>;

function instruments(
  exchange: Exchange,
  { listsIsins = false, unlisted = [] }: Listed,
  call: Call,
): Reply {
  const source = call.query.get('source');
  const kind = { equity: 'share', fno: 'option', index: 'index' }[source ?? ''];
  if (kind === undefined) throw invalid('Invalid source');
  const chosen = exchange.listing.all.filter(
    (one) => one.kind === kind && !unlisted.includes(one.key),
  );
  const lines =
    kind === 'index'
      ? [
          'EXCH,SEGMENT,SECURITY_ID',
          ...chosen.map((one) => `NSE,${one.symbol},${one.primary.securityId}`),
        ]
      : [
          listsIsins ? `${columns},ISIN` : columns,
          ...chosen.map((one) =>
            [...csvRow(exchange, one, call.at), ...(listsIsins ? [one.isin] : [])].join(','),
          ),
        ];
  return textReply(200, 'text/csv', `${lines.join('\n')}\n`);
}

/** Quotes, candles and the instrument list. */
export function marketRoutes(exchange: Exchange, listed: Listed = {}): Route[] {
  const quotes = (
    pattern: string,
    shape: (code: string, instrument: Instrument, at: number) => unknown,
  ): Route => ({
    method: 'GET',
    pattern,
    category: 'quote',
    run(call) {
      const codes = codesOf(exchange, call, 1000);
      return primarySuccess(
        Object.fromEntries(codes.map(([code, one]) => [code, shape(code, one, call.at)])),
      );
    },
  });
  const data = (pattern: string, run: (call: Call) => Reply): Route => ({
    method: 'GET',
    pattern,
    category: 'data',
    run,
  });
  return [
    quotes('/market/quotes/full', (code, one, at) => fullQuote(exchange, code, one, at)),
    quotes('/market/quotes/ltp', (_code, one, at) => ({
      live_price: rupees(exchange.prices.last(one, at)),
    })),
    quotes('/market/quotes/mkt', (_code, one, at) => marketQuote(exchange, one, at)),
    data('/market/historical/:interval', (call) => historical(exchange, call)),
    data('/market/instruments', (call) => instruments(exchange, listed, call)),
  ];
}
