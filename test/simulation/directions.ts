import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import type { BrokerId } from '../../src/domain/broker.ts';
import type { OrderRequest } from '../../src/domain/order.ts';
import { at } from './hours.ts';
import type { Dice } from './dice.ts';
import type { AnyDirectedDay } from './directed-days.ts';
import type { Mishap } from './mishaps.ts';
import type { Favourite, SeedPlan } from './plan.ts';

export const MINUTE_MS = 60_000;
const SECOND_MS = 1_000;

export const clock = (time: string): number => at(6, time);

export const order = (
  changes: Partial<OrderRequest> & Pick<OrderRequest, 'instrument'>,
): OrderRequest => ({
  ...{ side: 'BUY', quantity: 10, orderType: 'MARKET', product: 'INTRADAY', validity: 'DAY' },
  ...{ price: null, triggerPrice: null, amo: false, tag: null, broker: null, mode: null },
  ...changes,
});

const SHARES = ['NSE:INFY', 'NSE:SBIN', 'NSE:ITC'] as const;

/** A limit order at a share of the last price, on the tick and with paise. */
export const limit =
  (
    away: number,
    quantities: readonly number[],
    product: OrderRequest['product'] = 'INTRADAY',
  ): Favourite =>
  (dice, priceOf) => {
    const instrument = dice.pick(SHARES);
    const price = Math.round(priceOf(instrument) * away * 2) / 2 + dice.pick([0.1, 0.2, 0.3]);
    return order({
      ...{ instrument, orderType: 'LIMIT', price: Math.round(price * 10) / 10 },
      ...{ quantity: dice.pick(quantities), product },
    });
  };

/** Buys that rest until the close. */
export const resting = limit(0.97, [5, 10, 50]);

export const sellHeld =
  (instrument: string, quantity: number): Favourite =>
  () =>
    order({ instrument, side: 'SELL', quantity, product: 'CNC' });

/** The directions of some days. */
export type Directions<Name extends AnyDirectedDay> = Readonly<
  Record<Name, (dice: Dice) => Direction>
>;

/** What a directed day has besides what every day has. */
export type Direction = Partial<
  Pick<
    SeedPlan,
    | 'tradingRoute'
    | 'faults'
    | 'crashes'
    | 'mishaps'
    | 'favourite'
    | 'watchful'
    | 'http'
    | 'freezeQuantity'
    | 'pollSeconds'
    | 'remarks'
    | 'hours'
    | 'ordersEach'
    | 'habit'
    | 'hasty'
    | 'undated'
    | 'slowConnections'
    | 'marketAsLimit'
    | 'listsIsins'
    | 'noExchangeId'
    | 'rmsRejects'
    | 'exits'
    | 'baskets'
    | 'impatient'
    | 'rushes'
    | 'unlisted'
    | 'triggers'
    | 'keys'
    | 'closings'
    | 'cancelAlls'
    | 'signals'
    | 'brakes'
  >
>;

/** The paths of a broker, and rules for it. */
export function brokerOf(broker: 'alt' | 'primary') {
  const name: FaultRule['broker'] = broker === 'alt' ? 'kite' : 'primary';
  const path = (kite: string, primary: string): string => (broker === 'alt' ? kite : primary);
  const rule = (
    kind: FaultKind,
    match: FaultRule['match'],
    [from, until]: readonly [string, string],
    rest: Partial<FaultRule> = {},
  ): FaultRule => ({
    ...{ broker: name, kind, from: clock(from), until: clock(until), times: 100_000, ...rest },
    ...(match === undefined ? {} : { match }),
  });
  return {
    route: [broker, 'paper'] as readonly BrokerId[],
    rule,
    placing: { method: 'POST', path: path('/orders/regular', '/order') },
    cancelling:
      broker === 'alt'
        ? { method: 'DELETE', path: '/orders/regular' }
        : { method: 'POST', path: '/order/cancel' },
    modifying:
      broker === 'alt'
        ? { method: 'PUT', path: '/orders/regular' }
        : { method: 'POST', path: '/order/modify' },
    book: { method: 'GET', path: path('/orders', '/order-book') },
    trades: { method: 'GET', path: path('/trades', '/trade-book') },
    portfolio: { method: 'GET', path: '/portfolio' },
  };
}

export const everySeconds = (from: string, count: number, seconds: number): number[] =>
  Array.from({ length: count }, (_, index) => clock(from) + index * seconds * SECOND_MS);

export const handOrders = (times: readonly number[]): Mishap[] =>
  times.map((each) => ({ kind: 'hand_order', at: each, twin: false }));

/** An answer is lost, and the row appears at `shown`. */
export function hidden(
  { rule, placing }: ReturnType<typeof brokerOf>,
  window: readonly [string, string],
  shown: string,
  times = 3,
): FaultRule[] {
  const delayMs = clock(shown) - clock(window[0]);
  return [
    rule('hang_after', placing, window, { times }),
    rule('late_rows', placing, window, { times, params: { delayMs } }),
  ];
}
