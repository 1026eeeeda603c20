import type { HoldingLine } from '../exchange/holding-line.ts';
import type { PositionLine } from '../exchange/position-line.ts';
import { averageOf, netOf, realisedOf } from '../exchange/position-line.ts';
import { orderMargin } from '../exchange/required-margin.ts';
import { spoilPositions } from '../kernel/position-spoiling.ts';
import { splitPositions } from '../kernel/split-positions.ts';
import type { Call, Route } from '../kernel/routes.ts';
import { jsonOf, recordOf } from '../kernel/routes.ts';
import type { PrimarySettings } from '../kernel/settings.ts';
import type { Reply } from '../kernel/wire.ts';
import type { PrimaryParts } from './place.ts';
import { invalid, paiseOf, textOf, wordOf } from './place.ts';
import { primaryList, primarySuccess, rupees } from './refusal.ts';

const products = { cnc: 'delivery', intraday: 'intraday', margin: 'carry' } as const;

function expiryStamp(expiry: string): string {
  const [year = '', month = '', day = ''] = expiry.split('-');
  return `${month}/${day}/${year} 14:00`;
}

function positionRow(line: PositionLine, product: string, index: number): Record<string, unknown> {
  const { instrument } = line;
  const { option, primary } = instrument;
  const each = (value: number, quantity: number): number =>
    quantity === 0 ? 0 : rupees(value / quantity);
  const orNull = (quantity: number, value: number): number | null =>
    quantity === 0 ? null : value;
  const carried = line.overnight * line.overnightPrice;
  const cfBuy = Math.max(0, line.overnight);
  const cfSell = Math.max(0, -line.overnight);
  return {
    position_id: String(index + 1),
    security_id: primary.securityId,
    symbol: option ? instrument.name : instrument.symbol,
    segment: primary.segment,
    product: product.toUpperCase(),
    exchange: option ? '' : primary.exchange,
    isin: instrument.isin,
    drv_instrument: option ? 'OPTIDX' : '',
    ...(option
      ? {
          drv_expiry_date: expiryStamp(option.expiry),
          drv_option_type: option.right,
          drv_strike_price: option.strike,
        }
      : {}),
    net_qty: netOf(line),
    avg_price: netOf(line) === 0 ? each(line.soldValue, line.sold) : rupees(averageOf(line)),
    buy_qty: line.bought + cfBuy,
    buy_avg: each(line.boughtValue + Math.max(0, carried), line.bought + cfBuy),
    sell_qty: line.sold + cfSell,
    sell_avg: each(line.soldValue + Math.max(0, -carried), line.sold + cfSell),
    realized_profit: rupees(realisedOf(line)),
    day_buy_qty: orNull(line.bought, line.bought),
    day_buy_val: orNull(line.bought, rupees(line.boughtValue)),
    day_sell_qty: orNull(line.sold, line.sold),
    day_sell_val: orNull(line.sold, rupees(line.soldValue)),
    cf_buy_qty: orNull(cfBuy, cfBuy),
    cf_buy_val: orNull(cfBuy, rupees(Math.max(0, carried))),
    cf_sell_qty: orNull(cfSell, cfSell),
    cf_sell_val: orNull(cfSell, rupees(Math.max(0, -carried))),
  };
}

/** New prices come last: fault rules name them by their place. */
const SPOILT_FIELDS = {
  quantity: 'net_qty',
  names: ['symbol', 'security_id', 'isin', 'drv_strike_price'],
  prices: ['avg_price', 'realized_profit', 'day_buy_val', 'day_sell_val', 'cf_buy_val'],
};

const SPLIT_FIELDS = {
  quantity: 'net_qty',
  names: ['security_id', 'drv_strike_price'],
  traded: ['', 'day_'].flatMap((of) =>
    ['buy', 'sell'].flatMap((side) => [`${of}${side}_qty`, `day_${side}_val`]),
  ),
};

const hasDerivatives = (settings: PrimarySettings, call: Call): boolean =>
  settings.derivatives !== false && !call.refusesDerivatives();

/** A question about positions; null for the older form, which has all of them. */
type Question = { readonly segment: string; readonly product: keyof typeof products } | null;

function questionOf(settings: PrimarySettings, call: Call): Question {
  const older = call.olderPositions();
  const segment = call.query.get('segment');
  const product = call.query.get('product');
  if (older === 'ignored' || (older === 'alone' && segment === null)) return null;
  if (segment !== 'equity' && segment !== 'derivative') throw invalid('segment is required');
  if (older === 'alone' && segment === 'equity') throw invalid('Unknown parameter');
  if (product !== 'cnc' && product !== 'intraday' && product !== 'margin') {
    throw invalid('product is required');
  }
  if (segment === 'derivative' && !hasDerivatives(settings, call)) {
    throw invalid('The segment is not enabled for this account.');
  }
  return { segment, product };
}

const PRODUCT_WORDS = { delivery: 'cnc', intraday: 'intraday', carry: 'margin' } as const;

function positions(parts: PrimaryParts, settings: PrimarySettings, call: Call): Reply {
  const question = questionOf(settings, call);
  const kind = question?.segment === 'equity' ? 'share' : 'option';
  const isAsked = ({ instrument, product }: PositionLine): boolean =>
    question === null || (instrument.kind === kind && product === products[question.product]);
  const rowsAsOf = (asOf: number | null): Record<string, unknown>[] =>
    parts.account
      .positions(asOf)
      .filter(isAsked)
      .map((line, index) => positionRow(line, PRODUCT_WORDS[line.product], index));
  const split = call.positionSplit();
  const shown = rowsAsOf(call.accountAsOf());
  const rows =
    split === null
      ? shown
      : splitPositions(shown, rowsAsOf(split.asOf), SPLIT_FIELDS, split.isQuantityBehind);
  const all = spoilPositions(rows, SPOILT_FIELDS, call.positionSpoiling());
  return question === null ? primarySuccess({ net_positions: all }) : primaryList(all);
}

const holdingRow = (line: HoldingLine): Record<string, unknown> => ({
  security_id: line.instrument.primary.securityId,
  symbol: line.instrument.symbol,
  isin: line.instrument.isin,
  total_qty: line.settled + line.t1,
  used_qty: line.soldToday,
  avg_price: rupees(line.averagePrice),
  t1_qty: line.t1,
  t1_avg_price: line.t1 > 0 ? rupees(line.averagePrice) : 0,
  dp_qty: line.settled,
  dp_avg_price: line.settled > 0 ? rupees(line.averagePrice) : 0,
});

function funds(parts: PrimaryParts): Reply {
  const figures = parts.account.funds(parts.orders.working());
  const free = rupees(figures.available);
  return primarySuccess({
    sod_balance: rupees(figures.opening),
    pledge_received: 0,
    pledge_remained: 0,
    detailed_avl_balance: {
      option_sell: free,
      future: free,
      option_buy: free,
      comm_option_buy: 0,
      eq_mis: free,
      eq_cnc: free,
      eq_mtf: free,
    },
    withdrawal_balance: Math.max(0, free),
    funds_added: 0,
    funds_withdrawn: 0,
    realized_pnl: rupees(figures.realised),
    unrealized_pnl: rupees(figures.unrealised),
    brokerage: 0,
    eq_charges: 0,
    fno_charges: 0,
  });
}

/** `GET /margin`, with a JSON body of strings. */
function margin(parts: PrimaryParts, call: Call): Reply {
  const body = recordOf(jsonOf(call.request));
  const segment = wordOf(body, 'segment', ['EQUITY', 'DERIVATIVE']);
  const place = wordOf(body, 'exchange', ['NSE', 'BSE']);
  const side = wordOf(body, 'txnType', ['BUY', 'SELL']);
  const word = wordOf(body, 'product', ['CNC', 'INTRADAY', 'MARGIN']);
  const product = products[word.toLowerCase() as 'cnc' | 'intraday' | 'margin'];
  const instrument = parts.exchange.listing.bySecurity(place, segment, textOf(body, 'securityID'));
  const quantity = Number(textOf(body, 'quantity'));
  if (!instrument || !(quantity > 0)) throw invalid('Invalid securityID or quantity');
  const limit =
    paiseOf(body, 'price') ?? parts.exchange.prices.last(instrument, parts.exchange.clock.now());
  const needed = orderMargin(
    { instrument, side, quantity, product, limit },
    parts.account.positions(),
  );
  const { available } = parts.account.funds(parts.orders.working());
  const gst = 3.6;
  return primarySuccess({
    total_margin: rupees(needed),
    span_margin: 0,
    hedge_benefit: 0,
    exposure_margin: 0,
    available_balance: rupees(available),
    var_margin: 0,
    insufficient_balance: rupees(Math.max(0, needed - available)),
    delivery_margin: product === 'delivery' ? rupees(needed) : 0,
    brokerage: 20,
    charges: {
      stt: 0,
      exchange_charges: 0,
      stamp_duty: 0,
      sebi_turn_over_charges: 0,
      brokerage: 20,
      gst,
      IPFTCharges: 0,
      total_charges: 20 + gst,
    },
  });
}

/** Positions, holdings, funds, profile, margin. */
export function accountRoutes(parts: PrimaryParts, settings: PrimarySettings): Route[] {
  const get = (pattern: string, run: (call: Call) => Reply): Route => ({
    method: 'GET',
    pattern,
    category: 'reading',
    run,
  });
  return [
    get('/portfolio/positions', (call) => positions(parts, settings, call)),
    get('/portfolio/holdings', (call) =>
      primaryList(parts.account.holdings(call.accountAsOf()).map(holdingRow)),
    ),
    get('/funds', () => funds(parts)),
    get('/margin', (call) => margin(parts, call)),
    get('/user/profile', (call) =>
      primarySuccess({
        user_id: settings.clientId,
        email: 'trader@sandbox.example',
        first_name: 'Sandbox',
        last_name: 'Trader',
        demat_id: '1200000000000001',
        is_nse_onboarded: true,
        is_bse_onboarded: true,
        is_nse_fno_onboarded: hasDerivatives(settings, call),
        is_bse_fno_onboarded: false,
        ucc: 'SANDBOX1',
        is_ddpi_active: true,
      }),
    ),
  ];
}
