import { DAY_MS, MINUTE_MS, istCandleStamp, istStamp, parseIst } from '../kernel/ist.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Instrument } from '../exchange/instrument.ts';
import { tickOf } from '../exchange/instrument.ts';
import type { Level } from '../exchange/depth.ts';
import type { Call, Route } from '../kernel/routes.ts';
import type { Reply } from '../kernel/wire.ts';
import { textReply } from '../kernel/wire.ts';
import { badInput, kiteSuccess, rupees } from './refusal.ts';

/** Width in ms, and the longest span of one call in days. */
const intervals: Record<string, readonly [widthMs: number, days: number]> = {
  minute: [MINUTE_MS, 60],
  '3minute': [3 * MINUTE_MS, 100],
  '5minute': [5 * MINUTE_MS, 100],
  '10minute': [10 * MINUTE_MS, 100],
  '15minute': [15 * MINUTE_MS, 200],
  '30minute': [30 * MINUTE_MS, 200],
  '60minute': [60 * MINUTE_MS, 400],
  day: [DAY_MS, 2000],
};

const levelOf = ({ price, quantity, orders }: Level): Record<string, number> => ({
  price: rupees(price),
  quantity,
  orders,
});

function five(levels: readonly Level[]): Record<string, number>[] {
  const rows = levels.map(levelOf);
  while (rows.length < 5) rows.push({ price: 0, quantity: 0, orders: 0 });
  return rows;
}

const sum = (levels: readonly Level[]): number =>
  levels.reduce((total, level) => total + level.quantity, 0);

function ohlc(exchange: Exchange, instrument: Instrument, at: number): Record<string, unknown> {
  const day = exchange.prices.day(instrument, at);
  return {
    instrument_token: instrument.kiteToken,
    last_price: rupees(day.last),
    ohlc: {
      open: rupees(day.open),
      high: rupees(day.high),
      low: rupees(day.low),
      close: rupees(day.previousClose),
    },
  };
}

/** Of a contract, in units; shares have none, for which the broker writes 0. */
function openInterest({ kind, lot }: Instrument): Record<string, number> {
  const oi = kind === 'option' ? 100 * lot : 0;
  return { oi, oi_day_high: oi, oi_day_low: oi };
}

function full(exchange: Exchange, instrument: Instrument, at: number): Record<string, unknown> {
  const day = exchange.prices.day(instrument, at);
  const timestamp = istStamp(exchange.calendar.marketTime(at));
  const brief = ohlc(exchange, instrument, at);
  if (instrument.kind === 'index') return { ...brief, timestamp, net_change: 0 };
  const { bids, asks } = exchange.book.depth(instrument, at);
  return {
    ...brief,
    timestamp,
    last_trade_time: timestamp,
    last_quantity: 1,
    buy_quantity: sum(bids),
    sell_quantity: sum(asks),
    volume: day.volume,
    average_price: rupees((day.high + day.low + day.last) / 3),
    ...openInterest(instrument),
    net_change: 0,
    lower_circuit_limit: rupees(day.lowerBand),
    upper_circuit_limit: rupees(day.upperBand),
    depth: { buy: five(bids), sell: five(asks) },
  };
}

type Shape = (exchange: Exchange, instrument: Instrument, at: number) => Record<string, unknown>;

function quotes(exchange: Exchange, call: Call, most: number, shape: Shape): Reply {
  const names = call.query.getAll('i');
  if (names.length === 0) throw badInput('Missing `i`.');
  if (names.length > most) throw badInput(`At most ${most} instruments are allowed in a call.`);
  const data: Record<string, unknown> = {};
  for (const name of names) {
    const instrument = exchange.listing.byKey(name) ?? exchange.listing.byKiteToken(Number(name));
    if (instrument) data[name] = shape(exchange, instrument, call.at);
  }
  return kiteSuccess(data);
}

function historical(exchange: Exchange, call: Call): Reply {
  const instrument = exchange.listing.byKiteToken(Number(call.parameters['token']));
  const interval = intervals[call.parameters['interval'] ?? ''];
  if (!instrument) throw badInput('Invalid `instrument_token`.');
  if (interval === undefined) throw badInput('Invalid `interval`.');
  const [width, days] = interval;
  const from = parseIst(call.query.get('from') ?? '');
  const to = parseIst(call.query.get('to') ?? '');
  if (Number.isNaN(from) || Number.isNaN(to)) throw badInput('Invalid `from` or `to` date.');
  if (to - from > days * DAY_MS) throw badInput(`interval exceeds max limit: ${days} days`);
  const candles = exchange
    .candles(instrument, from, to + 1, width)
    .map((one) => [
      istCandleStamp(one.at),
      rupees(one.open),
      rupees(one.high),
      rupees(one.low),
      rupees(one.close),
      instrument.kind === 'index' ? 0 : one.volume,
      ...(call.query.get('oi') === '1' ? [openInterest(instrument)['oi'] ?? 0] : []),
    ]);
  return kiteSuccess({ candles });
}

const columns =
  'instrument_token,exchange_token,tradingsymbol,name,last_price,expiry,strike,tick_size,lot_size,instrument_type,segment,exchange';

function segmentOf(instrument: Instrument): string {
  if (instrument.kind === 'index') return 'INDICES';
  return instrument.kind === 'option' ? 'NFO-OPT' : instrument.exchange;
}

function csvRow(exchange: Exchange, instrument: Instrument, at: number): string {
  const { option } = instrument;
  const tick = tickOf(instrument, exchange.prices.last(instrument, at)) / 100;
  return [
    instrument.kiteToken,
    instrument.exchangeToken,
    instrument.symbol,
    instrument.name,
    0,
    option?.expiry ?? '',
    option?.strike ?? 0,
    instrument.kind === 'index' ? 0 : tick,
    instrument.lot,
    option?.right ?? 'EQ',
    segmentOf(instrument),
    instrument.exchange,
  ].join(',');
}

function instruments(exchange: Exchange, call: Call): Reply {
  const wanted = call.parameters['exchange'];
  const rows = exchange.listing.all
    .filter((one) => wanted === undefined || one.exchange === wanted)
    .map((one) => csvRow(exchange, one, call.at));
  return textReply(200, 'text/csv', `${columns}\n${rows.join('\n')}\n`);
}

/** Quotes, candles and the instrument list. */
export function marketRoutes(exchange: Exchange): Route[] {
  const ltp: Shape = (_exchange, instrument, at) => ({
    instrument_token: instrument.kiteToken,
    last_price: rupees(exchange.prices.last(instrument, at)),
  });
  const get = (pattern: string, category: string, run: (call: Call) => Reply): Route => ({
    method: 'GET',
    pattern,
    category,
    run,
  });
  return [
    get('/quote', 'quote', (call) => quotes(exchange, call, 500, full)),
    get('/quote/ohlc', 'quote', (call) => quotes(exchange, call, 1000, ohlc)),
    get('/quote/ltp', 'quote', (call) => quotes(exchange, call, 1000, ltp)),
    get('/instruments', 'other', (call) => instruments(exchange, call)),
    get('/instruments/:exchange', 'other', (call) => instruments(exchange, call)),
    get('/instruments/historical/:token/:interval', 'historical', (call) =>
      historical(exchange, call),
    ),
  ];
}
