import { istStamp } from '../kernel/ist.ts';
import type { HoldingLine } from '../exchange/holding-line.ts';
import type { PositionLine } from '../exchange/position-line.ts';
import { averageOf, netOf, realisedOf } from '../exchange/position-line.ts';
import { spoilPositions } from '../kernel/position-spoiling.ts';
import { splitPositions } from '../kernel/split-positions.ts';
import type { Call, Route } from '../kernel/routes.ts';
import type { KiteSettings, UnsellableShares } from '../kernel/settings.ts';
import type { Reply } from '../kernel/wire.ts';
import type { KiteParts } from './place.ts';
import { badInput, kiteSuccess, rupees } from './refusal.ts';

const words = { delivery: 'CNC', intraday: 'MIS', carry: 'NRML' } as const;

const each = (value: number, quantity: number): number =>
  quantity === 0 ? 0 : rupees(value / quantity);

function positionRow(line: PositionLine, last: number, close: number): Record<string, unknown> {
  const net = netOf(line);
  const unrealised = net * (last - averageOf(line));
  const realised = realisedOf(line);
  const carried = line.overnight * line.overnightPrice;
  const buyQuantity = line.bought + Math.max(0, line.overnight);
  const buyValue = line.boughtValue + Math.max(0, carried);
  const sellQuantity = line.sold + Math.max(0, -line.overnight);
  const sellValue = line.soldValue + Math.max(0, -carried);
  return {
    tradingsymbol: line.instrument.symbol,
    exchange: line.instrument.exchange,
    instrument_token: line.instrument.kiteToken,
    product: words[line.product],
    quantity: net,
    overnight_quantity: line.overnight,
    multiplier: 1,
    average_price: rupees(averageOf(line)),
    close_price: line.overnight === 0 ? 0 : rupees(close),
    last_price: rupees(last),
    value: rupees(sellValue - buyValue),
    pnl: rupees(realised + unrealised),
    m2m: rupees(realised + unrealised),
    unrealised: rupees(unrealised),
    realised: rupees(realised),
    buy_quantity: buyQuantity,
    buy_price: each(buyValue, buyQuantity),
    buy_value: rupees(buyValue),
    buy_m2m: rupees(buyValue),
    sell_quantity: sellQuantity,
    sell_price: each(sellValue, sellQuantity),
    sell_value: rupees(sellValue),
    sell_m2m: rupees(sellValue),
    day_buy_quantity: line.bought,
    day_buy_price: each(line.boughtValue, line.bought),
    day_buy_value: rupees(line.boughtValue),
    day_sell_quantity: line.sold,
    day_sell_price: each(line.soldValue, line.sold),
    day_sell_value: rupees(line.soldValue),
  };
}

function holdingRow(
  line: HoldingLine,
  last: number,
  close: number,
  at: number,
  { mtf = 0, collateral = 0 }: UnsellableShares = {},
): Record<string, unknown> {
  // Kite's documentation says that `quantity` includes undelivered shares.
  const all = line.settled + line.t1;
  return {
    tradingsymbol: line.instrument.symbol,
    exchange: line.instrument.exchange,
    instrument_token: line.instrument.kiteToken,
    isin: line.instrument.isin,
    product: 'CNC',
    price: 0,
    quantity: all,
    used_quantity: line.soldToday,
    t1_quantity: line.t1,
    realised_quantity: line.settled,
    authorised_quantity: 0,
    authorised_date: `${istStamp(at).slice(0, 10)} 00:00:00`,
    authorisation: {},
    opening_quantity: all,
    short_quantity: 0,
    collateral_quantity: collateral,
    collateral_type: collateral > 0 ? 'pledge' : '',
    discrepancy: false,
    average_price: rupees(line.averagePrice),
    last_price: rupees(last),
    close_price: rupees(close),
    pnl: rupees((last - line.averagePrice) * all),
    day_change: rupees(last - close),
    day_change_percentage: close === 0 ? 0 : ((last - close) / close) * 100,
    mtf: { quantity: mtf, used_quantity: 0, average_price: 0, value: 0, initial_margin: 0 },
  };
}

function segment(opening: number, live: number, parts: Record<string, number>): unknown {
  const utilised = {
    debits: opening - live,
    exposure: 0,
    m2m_realised: 0,
    m2m_unrealised: 0,
    option_premium: 0,
    payout: 0,
    span: 0,
    holding_sales: 0,
    turnover: 0,
    liquid_collateral: 0,
    stock_collateral: 0,
    delivery: 0,
    ...parts,
  };
  const available = {
    adhoc_margin: 0,
    cash: opening,
    opening_balance: opening,
    live_balance: live,
    collateral: 0,
    intraday_payin: 0,
  };
  return { enabled: true, net: live, available, utilised };
}

/** New prices come last: fault rules name them by their place. */
const SPOILT_FIELDS = {
  quantity: 'quantity',
  names: ['tradingsymbol', 'instrument_token'],
  prices: [
    ...['average_price', 'last_price', 'pnl', 'realised', 'unrealised'],
    ...['buy_value', 'sell_value', 'day_buy_value', 'day_sell_value'],
  ],
};

const SPLIT_FIELDS = {
  quantity: 'quantity',
  names: ['tradingsymbol', 'exchange', 'product'],
  traded: ['', 'day_'].flatMap((of) =>
    ['buy', 'sell'].flatMap((side) => [`${of}${side}_quantity`, `${of}${side}_value`]),
  ),
};

/** Profile, funds, positions, holdings. */
export function accountRoutes(parts: KiteParts, settings: KiteSettings): Route[] {
  const { account, orders, exchange } = parts;
  const { unsellable = {} } = settings;
  /** Kite has one row for a share, also where all that is held of it is under MTF or pledged. */
  function held(asOf: number | null): HoldingLine[] {
    const lines = account.holdings(asOf);
    const others = Object.keys(unsellable).flatMap((key): HoldingLine[] => {
      const instrument = exchange.listing.byKey(key);
      if (!instrument || lines.some((line) => line.instrument.key === key)) return [];
      return [{ instrument, settled: 0, t1: 0, averagePrice: 0, soldToday: 0 }];
    });
    return [...lines, ...others];
  }
  const get = (pattern: string, run: (call: Call) => Reply): Route => ({
    method: 'GET',
    pattern,
    category: 'other',
    run,
  });
  function margins(): Record<string, unknown> {
    const funds = account.funds(orders.working());
    const equity = segment(rupees(funds.opening), rupees(funds.available), {
      exposure: rupees(funds.blocked),
      m2m_realised: rupees(funds.realised),
      m2m_unrealised: rupees(funds.unrealised),
    });
    return { equity, commodity: segment(0, 0, {}) };
  }
  return [
    get('/user/profile', () =>
      kiteSuccess({
        user_id: settings.userId,
        user_type: 'individual',
        email: 'trader@sandbox.example',
        user_name: 'Sandbox Trader',
        user_shortname: 'Sandbox',
        broker: 'ZERODHA',
        exchanges: ['NSE', 'NFO', 'BSE'],
        products: ['CNC', 'NRML', 'MIS'],
        order_types: ['MARKET', 'LIMIT', 'SL', 'SL-M'],
        avatar_url: null,
        meta: { demat_consent: 'consent' },
      }),
    ),
    get('/user/margins', () => kiteSuccess(margins())),
    get('/user/margins/:segment', (call) => {
      const data = margins()[call.parameters['segment'] ?? ''];
      if (data === undefined) throw badInput('Invalid segment.');
      return kiteSuccess(data);
    }),
    get('/portfolio/positions', (call) => {
      const rowsOf = (of: readonly PositionLine[]): Record<string, unknown>[] =>
        of.map((line) =>
          positionRow(
            line,
            exchange.prices.last(line.instrument, call.at),
            exchange.prices.bands(line.instrument, call.at).previousClose,
          ),
        );
      const lines = account.positions(call.accountAsOf());
      const split = call.positionSplit();
      const rows =
        split === null
          ? rowsOf(lines)
          : splitPositions(
              rowsOf(lines),
              rowsOf(account.positions(split.asOf)),
              SPLIT_FIELDS,
              split.isQuantityBehind,
            );
      const day = rows.filter((_row, index) => {
        const line = lines[index];
        return line !== undefined && line.bought + line.sold > 0;
      });
      return kiteSuccess({
        net: spoilPositions(rows, SPOILT_FIELDS, call.positionSpoiling()),
        day,
      });
    }),
    get('/portfolio/holdings', (call) =>
      kiteSuccess(
        held(call.accountAsOf()).map((line) =>
          holdingRow(
            line,
            exchange.prices.last(line.instrument, call.at),
            exchange.prices.bands(line.instrument, call.at).previousClose,
            call.at,
            unsellable[line.instrument.key],
          ),
        ),
      ),
    ),
  ];
}
