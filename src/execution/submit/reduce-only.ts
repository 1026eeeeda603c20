import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { UnreadRow } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { Decimal } from '../../domain/money.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { AppliedLimits } from '../../domain/order-limits.ts';
import type { EpochMs, OrderId, TradingDay } from '../../units/branded.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { lastBookDay } from '../order/order-day.ts';
import { fillOf, type OrderRecord } from '../order/order.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import { isContradictory } from '../reconcile/believed-rows.ts';
import type { IsinOf } from '../reconcile/delivered-shares.ts';
import type { BesidePositions } from '../reconcile/beside-positions.ts';
import { heldOf, unclearRowOf, unreadHoldingOf } from '../reconcile/held.ts';
import { mostToFill } from './order-to-change.ts';

/** An order that is about to go to a broker. */
export interface OutgoingOrder {
  readonly broker: BrokerId;
  readonly terms: OrderTerms;
  /** Its own id: it does not count against itself once it is in the state. */
  readonly orderId: OrderId;
  readonly at: EpochMs;
  /** The broker's day, where its clock is known to differ from ours; that of `at` when absent. */
  readonly day?: TradingDay;
  /** `live` when absent. */
  readonly mode?: Mode;
  /** Who asks for it; of an order that is in the state, it may be absent. */
  readonly caller?: string;
  /** The limits that hold for it; null or absent where none does, or where it has passed them. */
  readonly limits?: AppliedLimits | null;
  /** Orders of its basket that go out before it and are not on disk yet; absent where there are none. */
  readonly ahead?: OrdersAhead;
  /** Of a slice that is to be changed, the others of its order, which limits count with it. */
  readonly besides?: OtherSlices;
}

export interface OtherSlices {
  readonly quantity: number;
  /** Rupees; null where a price is not known. */
  readonly value: Decimal | null;
}

/** Orders that limits count although the journal does not have them yet. */
export interface OrdersAhead {
  /** Those of the same mode. */
  readonly ofMinute: number;
  /** Those of the same instrument at the same broker. */
  readonly open: number;
}

/** 1 where an order reduces what is long, -1 where it reduces what is short. */
const signOf = ({ side }: OrderTerms): 1 | -1 => (side === 'SELL' ? 1 : -1);

/**
 * Shares on their way out of (or into) an account by other orders of the same side that are still
 * open: the order that is being looked at may be in the state already.
 */
function openQuantity(
  state: ExecutionState,
  { broker, terms, orderId, at, day = tradingDay(at) }: OutgoingOrder,
  { isinOf, bookAt = null }: Pick<BesidePositions, 'isinOf' | 'bookAt'>,
): number {
  let open = 0;
  // All orders that are not over, not only the watched ones: a disputed order may be working.
  for (const id of state.openOrders) {
    const order = required(state.orders, id, 'order');
    if (order.id === orderId || order.broker !== broker) continue;
    // An order whose day is over no longer counts, even when its outcome was never found.
    if (lastBookDay(order) < day) continue;
    // The slices are counted instead of the order.
    if (order.state.kind === 'sliced') continue;
    if (!isSameShares(terms, order.terms, isinOf)) continue;
    open += mostToFill(state, order, bookAt);
  }
  return open;
}

/**
 * Whether an order does nothing but reduce what the account was last known to have: no more of it than
 * other open orders of the same side leave, ours and those of others, and fills that the positions do
 * not show yet.
 */
export function reducesPosition(
  state: ExecutionState,
  order: OutgoingOrder,
  beside: BesidePositions,
): boolean {
  const { isinOf } = beside;
  const { broker, terms } = order;
  const portfolio = state.portfolios.get(broker);
  // All that is counted below only makes it less.
  if (reducible(state, order, isinOf) < terms.quantity) return false;
  if (unclearRowOf(portfolio, terms, isinOf) !== null) return false;
  return freeToReduce(state, order, beside) >= terms.quantity;
}

/** What an account was last known to have that orders of one side reduce; negative where they open. */
export function reducible(
  state: ExecutionState,
  { broker, terms }: Pick<OutgoingOrder, 'broker' | 'terms'>,
  isinOf: IsinOf,
  of: { readonly most?: boolean } = {},
): number {
  return heldOf(state.portfolios.get(broker), terms, isinOf, of) * signOf(terms);
}

/**
 * The part of it that other open orders of the same side leave, ours and those of others, and fills that the
 * positions do not show yet. An order of ours whose outcome is open counts as filled.
 */
export function freeToReduce(
  state: ExecutionState,
  order: OutgoingOrder,
  beside: BesidePositions,
): number {
  // One that cannot be read may take any quantity.
  if (beside.unread.length > 0) return -Infinity;
  const held = reducible(state, order, beside.isinOf) - beside.moved;
  const free = Math.min(held, beside.left ?? Infinity);
  return free - beside.resting - openQuantity(state, order, beside);
}

/**
 * Why it is not known whether an order only reduces a position, although its account was read; null
 * where it is known. Evidence is missing: a row that cannot be read, or fills that the positions lack.
 */
export function whyUnclear(
  state: ExecutionState,
  order: OutgoingOrder,
  beside: BesidePositions,
): string | null {
  const { broker, terms } = order;
  const portfolio = state.portfolios.get(broker);
  const row =
    unclearRowOf(portfolio, terms, beside.isinOf) ??
    (terms.side === 'SELL' ? unreadHoldingOf(portfolio, terms) : null);
  if (row !== null) {
    return `a row of its ${row.list} that may be of ${terms.instrument} cannot be read: ${row.reason}`;
  }
  const { moved, unread } = beside;
  const most = reducible(state, order, beside.isinOf, { most: true });
  if (isContradictory(portfolio, terms) && most >= terms.quantity) {
    return `the figures of its position of ${terms.instrument} contradict one another`;
  }
  const shown = { ...beside, left: Infinity, moved: 0, unread: [] };
  if (!reducesPosition(state, order, shown)) return null;
  const [hidden] = unread;
  if (hidden) return whatIsUnread(broker, terms, hidden);
  const did = terms.side === 'SELL' ? 'sold' : 'bought';
  if (reducesPosition(state, order, { ...shown, moved })) {
    return (
      `orders of the gateway have ${did} of ${terms.instrument} all but ${Math.max(0, beside.left ?? 0)} of what was ` +
      'known to be held, and its positions show more'
    );
  }
  if ((beside.untold ?? 0) > 0) {
    return `orders placed elsewhere may have ${did} some of ${terms.instrument} before they ended, and do not tell it`;
  }
  return `its positions do not show yet that ${moved} of ${terms.instrument} were ${did}`;
}

/** What a row of the book that cannot be read may take of a position; for people. */
export function whatIsUnread(
  broker: BrokerId,
  { side, instrument }: Pick<OrderTerms, 'side' | 'instrument'>,
  { brokerOrderId, reason }: UnreadRow,
): string {
  const name = brokerOrderId === null ? 'a row without a readable id' : `row ${brokerOrderId}`;
  return (
    `${name} in the order book of ${broker} may be an order that would ${side} any quantity of ${instrument}, ` +
    `and cannot be read: ${reason}`
  );
}

/**
 * Whether what is left of an order is no more than its account was last known to hold against it. Other
 * open orders do not count here: of a stop and a target for one position, each reduces it. A row that
 * cannot be read counts as it was last known.
 */
export function opposesHeld(state: ExecutionState, order: OrderRecord, isinOf: IsinOf): boolean {
  const { broker, terms } = order;
  const left = terms.quantity - (fillOf(order).filledQuantity ?? 0);
  const held = heldOf(state.portfolios.get(broker), terms, isinOf, { earlier: true });
  return held * signOf(terms) >= Math.max(1, left);
}

type Beside = Pick<BesidePositions, 'moved' | 'isinOf'>;

/**
 * The account that an order would have to go to because it has what the order would reduce, when
 * that is not the one it is on its way to; null when there is none. An exit that lands in another
 * account opens a position there and leaves the real one as it was. What a paper account holds counts
 * only where the route begins with it: where it stands in for a live account without a session, an
 * exit of what both hold is the live account's.
 */
export function otherAccountHolding(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  { route, beside }: { readonly route: readonly BrokerId[]; readonly beside: Beside },
): BrokerId | null {
  const { isinOf } = beside;
  const sign = signOf(terms);
  const held = (portfolio: PortfolioRecord | undefined, likely: boolean): number =>
    heldOf(portfolio, terms, isinOf, { earlier: true, likely }) * sign;
  // Accounts outside the trading route are not considered, for example while rehearsing on paper.
  const others = [...state.portfolios.values()].filter(
    (other) => other.broker !== broker && other.mode === 'live' && route.includes(other.broker),
  );
  // Delivery shares that are the same by their symbol alone count where nothing else tells who holds them.
  const certain = others.find((other) => held(other, false) > 0);
  const holder = certain ?? others.find((other) => held(other, true) > 0);
  if (!holder) return null;
  const own = state.portfolios.get(broker);
  const isMeant = own?.mode === 'live' || route[0] === broker;
  return isMeant && held(own, certain === undefined) - beside.moved > 0 ? null : holder.broker;
}
