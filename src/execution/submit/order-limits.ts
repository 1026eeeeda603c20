import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { textOf, worth } from '../../domain/money.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import type { AppliedLimits, LimitByInstrument, OrderLimits } from '../../domain/order-limits.ts';
import { type Scheduler, sleep } from '../../platform/clock.ts';
import { type EpochMs, type OrderId, plus, type TradingDay } from '../../units/branded.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { lastBookDay } from '../order/order-day.ts';
import type { OrderRecord } from '../order/order.ts';
import { type NamedInstrument, toldFor } from './preflight.ts';
import type { OutgoingOrder } from './reduce-only.ts';

/**
 * Limits on orders (docs/brakes.md): of one order's value and quantity, of the open orders of an
 * instrument, and of the orders of a minute. They never stop a cancel, an order that only reduces a
 * position, or a slice of an order that passed as a whole.
 */

/** How long an order without a price waits for the last price of its instrument. */
const PRICE_MS = 1_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

export interface LimitParts {
  readonly limits: OrderLimits;
  readonly scheduler: Scheduler;
  /** The last known price, rupees; null where none is known. Never rejects. */
  readonly lastPrice: (instrument: Instrument) => Promise<number | null>;
}

/** Whether a limit is set. */
export const hasLimits = ({ value, quantity, openOrders, perMinute }: OrderLimits): boolean =>
  value !== null ||
  perMinute !== null ||
  [quantity, openOrders].some(({ every, named }) => every !== null || named.size > 0);

/**
 * The limits that hold for an order of an instrument, which is null where no list knows it. Resolves within
 * PRICE_MS.
 */
export async function limitsFor(
  { limits, scheduler, lastPrice }: LimitParts,
  { orderType }: Pick<OrderTerms, 'orderType'>,
  named: NamedInstrument,
  instrument: Instrument | null,
): Promise<AppliedLimits> {
  const { value, perMinute } = limits;
  const applied = {
    ...{ value, perMinute, lastPrice: null },
    quantity: limitOf(limits.quantity, named),
    openOrders: limitOf(limits.openOrders, named),
  };
  if (value === null || instrument === null || needsPrice(orderType)) return applied;
  const over = new AbortController();
  try {
    const late = sleep(scheduler, PRICE_MS, over.signal).then(() => null);
    return { ...applied, lastPrice: await Promise.race([lastPrice(instrument), late]) };
  } finally {
    over.abort();
  }
}

/** What names the instrument of an order, also where no list knows it. */
export function nameOf({
  terms,
  segment,
}: Pick<OrderRecord, 'terms' | 'segment'>): NamedInstrument {
  const name = terms.instrument;
  return { name, segment, tradingSymbol: name.slice(name.indexOf(':') + 1) };
}

export const limitOf = (
  { every, named }: LimitByInstrument,
  instrument: NamedInstrument,
): number | null => toldFor(instrument, named) ?? every;

/**
 * The price by which an order is valued: its own; of one at the market the last known price, or its
 * trigger where that is higher. Null where none is known.
 */
export function valuedAt(
  { orderType, price, triggerPrice }: OrderTerms,
  lastPrice: number | null,
): number | null {
  if (needsPrice(orderType)) return price;
  if (!needsTrigger(orderType) || triggerPrice === null) return lastPrice;
  return Math.max(triggerPrice, lastPrice ?? 0);
}

/** Why an order is above a limit, for people; null where it is above none. */
export function limitReached(state: ExecutionState, order: OutgoingOrder): string | null {
  const { limits = null, terms } = order;
  if (limits === null) return null;
  return (
    overQuantity(terms, limits) ??
    overValue(terms, limits) ??
    overOpenOrders(state, order, limits) ??
    overMinute(state, order, limits)
  );
}

function overQuantity(
  { instrument, quantity }: OrderTerms,
  { quantity: most }: AppliedLimits,
): string | null {
  if (most === null || quantity <= most) return null;
  return (
    `the quantity ${quantity} of ${instrument} is above ${most}, the most that APP_MAX_ORDER_QUANTITY ` +
    'allows in one order: send a smaller order'
  );
}

function overValue(terms: OrderTerms, { value: most, lastPrice }: AppliedLimits): string | null {
  if (most === null) return null;
  const { instrument, quantity, orderType } = terms;
  const price = valuedAt(terms, lastPrice);
  if (price === null) {
    return (
      `the value of this ${orderType} order cannot be compared with APP_MAX_ORDER_VALUE, because no ` +
      `price of ${instrument} is known: send it with a price, or again once there are quotes`
    );
  }
  const value = worth(price, quantity);
  if (value.lte(most)) return null;
  return (
    `the value of ${quantity} ${instrument} at ${price} is ₹${textOf(value)}, above ₹${most}, the most ` +
    'that APP_MAX_ORDER_VALUE allows in one order: send a smaller order'
  );
}

function overOpenOrders(
  state: ExecutionState,
  order: OutgoingOrder,
  { openOrders: most }: AppliedLimits,
): string | null {
  if (most === null) return null;
  const { broker, terms, orderId, at, day = tradingDay(at) } = order;
  const { instrument } = terms;
  const open = countOpen(state, { broker, instrument, day }, orderId);
  if (open < most) return null;
  return (
    `${open} orders of ${instrument} are open at ${broker}, and APP_MAX_OPEN_ORDERS allows ${most}: ` +
    'cancel one of them first, or wait until one has ended'
  );
}

function overMinute(
  state: ExecutionState,
  { broker, orderId, at, mode = 'live' }: OutgoingOrder,
  { perMinute: most }: AppliedLimits,
): string | null {
  if (most === null) return null;
  const made = countOfMinute(state, mode, at, orderId);
  if (made < most) return null;
  return (
    `${made} orders were made within the last minute, all callers together, and ` +
    `APP_MAX_ORDERS_PER_MINUTE allows ${most}: wait before you send more to ${broker}`
  );
}

/**
 * How many orders of an instrument are open at an account, disputed and uncertain ones included; one in
 * slices counts once. `except` does not count.
 */
export function countOpen(
  state: ExecutionState,
  of: { readonly broker: BrokerId; readonly instrument: InstrumentName; readonly day: TradingDay },
  except: OrderId | null = null,
): number {
  let open = 0;
  for (const id of state.openOrders) {
    const order = required(state.orders, id, 'order');
    if (id === except || order.parentId !== null || order.broker !== of.broker) continue;
    // An order whose day is over no longer counts, even when its outcome was never found.
    if (order.terms.instrument === of.instrument && lastBookDay(order) >= of.day) open += 1;
  }
  return open;
}

/**
 * How many orders the journal has of the last minute, whatever became of them; those with real money and
 * those on paper are counted apart, and one in slices counts once.
 */
export function countOfMinute(
  state: ExecutionState,
  mode: Mode,
  at: EpochMs,
  except: OrderId | null = null,
): number {
  let made = 0;
  const since = tradingDay(plus(at, -DAY_MS));
  for (const [day, orders] of state.ordersOfDay) {
    if (day < since) continue;
    for (const order of orders.values()) {
      if (order.id === except || order.parentId !== null || order.mode !== mode) continue;
      // An order of a time to come was made before the clock was set back.
      if (Math.abs(at - order.createdAt) < MINUTE_MS) made += 1;
    }
  }
  return made;
}
