import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import { textOf, worth, ZERO } from '../../domain/money.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import type {
  AppliedLimits,
  AppliedSet,
  LimitByInstrument,
  OrderLimits,
} from '../../domain/order-limits.ts';
import { type Scheduler, sleep } from '../../platform/clock.ts';
import { type EpochMs, type OrderId, plus, type TradingDay } from '../../units/branded.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { lastBookDay } from '../order/order-day.ts';
import type { OrderRecord } from '../order/order.ts';
import { type NamedInstrument, toldFor } from './preflight.ts';
import type { OrdersAhead, OutgoingOrder } from './reduce-only.ts';

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

/** Limits and whose they are. */
export interface LimitSet {
  readonly key: AppliedSet['key'];
  readonly limits: OrderLimits;
}

/** The limits on the orders of a caller: those of the settings, and those of its key. */
export function limitSets(
  { keys }: Pick<ExecutionState, 'keys'>,
  settings: OrderLimits,
  caller: string,
): readonly LimitSet[] {
  const key = keys.get(caller);
  const all = [
    { key: null, limits: settings },
    ...(key ? [{ key: { id: caller, name: key.name }, limits: key.limits }] : []),
  ];
  return all.filter(({ limits }) => hasLimits(limits));
}

/**
 * The limits that hold for an order of an instrument, which is null where no list knows it; null where none
 * does. Resolves within PRICE_MS.
 */
export async function limitsFor(
  { scheduler, lastPrice }: LimitParts,
  sets: readonly LimitSet[],
  { orderType }: Pick<OrderTerms, 'orderType'>,
  {
    named,
    instrument,
  }: { readonly named: NamedInstrument; readonly instrument: Instrument | null },
): Promise<AppliedLimits | null> {
  if (sets.length === 0) return null;
  const applied = {
    lastPrice: null,
    sets: sets.map(({ key, limits }) => ({
      ...{ key, value: limits.value, perMinute: limits.perMinute },
      quantity: limitOf(limits.quantity, named),
      openOrders: limitOf(limits.openOrders, named),
    })),
  };
  const isValued = sets.some(({ limits }) => limits.value !== null);
  if (!isValued || instrument === null || needsPrice(orderType)) return applied;
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
  for (const set of order.limits?.sets ?? []) {
    const reason =
      overQuantity(order, set) ??
      overValue(order, set) ??
      overOpenOrders(state, order, set) ??
      overMinute(state, order, set);
    if (reason !== null) return reason;
  }
  return null;
}

/** The name of a limit: the setting's, or the field's of a key. */
const named = (key: AppliedSet['key'], setting: string, field: string): string =>
  key === null ? setting : `${field} of the key ${key.name}`;

function overQuantity(
  { terms: { instrument, quantity: own }, besides }: OutgoingOrder,
  { key, quantity: most }: AppliedSet,
): string | null {
  const quantity = own + (besides?.quantity ?? 0);
  if (most === null || quantity <= most) return null;
  return (
    `the quantity ${quantity} of ${instrument}${withSlices(besides)} is above ${most}, the most that ` +
    `${named(key, 'APP_MAX_ORDER_QUANTITY', 'maxOrderQuantity')} allows in one order: send a smaller order`
  );
}

function overValue(
  { terms, limits, besides }: OutgoingOrder,
  { key, value: most }: AppliedSet,
): string | null {
  if (most === null) return null;
  const { instrument, quantity, orderType } = terms;
  const limit = named(key, 'APP_MAX_ORDER_VALUE', 'maxOrderValue');
  const price = valuedAt(terms, limits?.lastPrice ?? null);
  const others = besides === undefined ? ZERO : besides.value;
  if (price === null || others === null) {
    return (
      `the value of this ${orderType} order cannot be compared with ${limit}, because no ` +
      `price of ${instrument} is known: send it with a price, or again once there are quotes`
    );
  }
  const value = worth(price, quantity).plus(others);
  if (value.lte(most)) return null;
  return (
    `the value of ${quantity} ${instrument} at ${price}${withSlices(besides)} is ₹${textOf(value)}, above ₹${most}, the most ` +
    `that ${limit} allows in one order: send a smaller order`
  );
}

function overOpenOrders(
  state: ExecutionState,
  order: OutgoingOrder,
  { key, openOrders: most }: AppliedSet,
): string | null {
  if (most === null) return null;
  const { broker, terms, orderId, at, day = tradingDay(at), ahead = NONE_AHEAD } = order;
  const { instrument } = terms;
  const caller = key?.id ?? null;
  const open = countOpen(state, { broker, instrument, day, caller }, orderId) + ahead.open;
  if (open < most) return null;
  const limit = named(key, 'APP_MAX_OPEN_ORDERS', 'maxOpenOrders');
  return (
    `${open} orders of ${instrument} are open at ${broker}${withBasket(ahead.open)}, and ${limit} allows ` +
    `${most}: cancel one of them first, or wait until one has ended`
  );
}

function overMinute(
  state: ExecutionState,
  { broker, orderId, at, mode = 'live', ahead = NONE_AHEAD }: OutgoingOrder,
  { key, perMinute: most }: AppliedSet,
): string | null {
  if (most === null) return null;
  const made =
    countOfMinute(state, { mode, at, caller: key?.id ?? null }, orderId) + ahead.ofMinute;
  if (made < most) return null;
  const whose = key === null ? 'all callers together' : `by the key ${key.name}`;
  const limit = named(key, 'APP_MAX_ORDERS_PER_MINUTE', 'maxOrdersPerMinute');
  return (
    `${made} orders were made within the last minute, ${whose}${withBasket(ahead.ofMinute)}, and ` +
    `${limit} allows ${most}: wait before you send more to ${broker}`
  );
}

const NONE_AHEAD: OrdersAhead = { ofMinute: 0, open: 0 };

const withSlices = (besides: OutgoingOrder['besides']): string =>
  besides === undefined ? '' : ', with the other slices of its order,';

const withBasket = (ahead: number): string =>
  ahead === 0 ? '' : `, with the ${ahead} that are before it in its basket`;

/**
 * How many orders of an instrument are open at an account, disputed and uncertain ones included; one in
 * slices counts once. `except` does not count. `caller` null counts those of every caller.
 */
export function countOpen(
  state: ExecutionState,
  of: {
    readonly broker: BrokerId;
    readonly instrument: InstrumentName;
    readonly day: TradingDay;
    readonly caller: string | null;
  },
  except: OrderId | null = null,
): number {
  let open = 0;
  for (const id of state.openOrders) {
    const order = required(state.orders, id, 'order');
    if (id === except || order.parentId !== null || order.broker !== of.broker) continue;
    if (of.caller !== null && order.caller !== of.caller) continue;
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
  of: { readonly mode: Mode; readonly at: EpochMs; readonly caller: string | null },
  except: OrderId | null = null,
): number {
  const { mode, at, caller } = of;
  let made = 0;
  const since = tradingDay(plus(at, -DAY_MS));
  for (const [day, orders] of state.ordersOfDay) {
    if (day < since) continue;
    for (const order of orders.values()) {
      if (order.id === except || order.parentId !== null || order.mode !== mode) continue;
      if (caller !== null && order.caller !== caller) continue;
      // An order of a time to come was made before the clock was set back.
      if (Math.abs(at - order.createdAt) < MINUTE_MS) made += 1;
    }
  }
  return made + triggersOfMinute(state, of, except);
}

/** Triggers count as orders here: each places one, at a time that nobody knows. */
function triggersOfMinute(
  { triggers }: ExecutionState,
  of: { readonly mode: Mode; readonly at: EpochMs; readonly caller: string | null },
  except: string | null,
): number {
  let made = 0;
  for (const { id, mode, caller, createdAt } of triggers.values()) {
    if (id === except || mode !== of.mode) continue;
    if (of.caller !== null && caller !== of.caller) continue;
    if (Math.abs(of.at - createdAt) < MINUTE_MS) made += 1;
  }
  return made;
}
