import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { EpochMs, OrderId, TradingDay } from '../../units/branded.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { lastBookDay } from '../order/order-day.ts';
import { fillOf, type OrderRecord } from '../order/order.ts';

/** An order that is about to go to a broker. */
export interface OutgoingOrder {
  readonly broker: BrokerId;
  readonly terms: OrderTerms;
  /** Its own id: it does not count against itself once it is in the state. */
  readonly orderId: OrderId;
  readonly at: EpochMs;
  /** The broker's day, where its clock is known to differ from ours; that of `at` when absent. */
  readonly day?: TradingDay;
}

/**
 * How much an account was last known to have that an order of these terms could reduce, negative
 * when short: positions of the same product, and for delivery the holdings too. 0 when nothing is
 * known.
 */
function reducible(portfolio: PortfolioRecord | undefined, terms: OrderTerms): number {
  if (!portfolio) return 0;
  const positions = portfolio.positions.filter(
    (row) => row.instrument === terms.instrument && row.product === terms.product,
  );
  const holdings = portfolio.holdings.filter(
    (row) => terms.product === 'CNC' && row.instrument === terms.instrument,
  );
  return [...positions, ...holdings].reduce((sum, row) => sum + row.quantity, 0);
}

/** 1 where an order reduces what is long, -1 where it reduces what is short. */
const signOf = ({ side }: OrderTerms): 1 | -1 => (side === 'SELL' ? 1 : -1);

/** Whether another order moves the same shares the same way. */
export function isAlike(terms: OrderTerms, other: OrderTerms): boolean {
  return (
    other.instrument === terms.instrument &&
    other.product === terms.product &&
    other.side === terms.side
  );
}

/**
 * Shares on their way out of (or into) an account by other orders of the same side that are still
 * open: the order that is being looked at may be in the state already.
 */
function openQuantity(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  ownId: OrderId,
  day: TradingDay,
): number {
  let open = 0;
  // All orders that are not over, not only the watched ones: a disputed order may be working.
  for (const id of state.openOrders) {
    const order = required(state.orders, id, 'order');
    if (order.id === ownId || order.broker !== broker) continue;
    // An order whose day is over no longer counts, even when its outcome was never found.
    if (lastBookDay(order) < day) continue;
    // The slices are counted instead of the order.
    if (order.state.kind === 'sliced') continue;
    if (!isAlike(terms, order.terms)) continue;
    open += order.terms.quantity - (fillOf(order).filledQuantity ?? 0);
  }
  return open;
}

/**
 * Whether an order does nothing but reduce what the account was last known to have: no more of it than
 * other open orders of the same side, and `moved`, leave. `moved` are the shares that our orders of that
 * side have moved since the account was read; they count even where the read may have included them.
 */
export function reducesPosition(
  state: ExecutionState,
  { broker, terms, orderId, at, day = tradingDay(at) }: OutgoingOrder,
  moved: number,
): boolean {
  const held = reducible(state.portfolios.get(broker), terms) * signOf(terms) - moved;
  return held >= terms.quantity + openQuantity(state, broker, terms, orderId, day);
}

/**
 * Whether what is left of an order is no more than its account was last known to hold against it. Other
 * open orders do not count here: of a stop and a target for one position, each reduces it.
 */
export function opposesHeld(state: ExecutionState, order: OrderRecord): boolean {
  const { broker, terms } = order;
  const left = terms.quantity - (fillOf(order).filledQuantity ?? 0);
  return reducible(state.portfolios.get(broker), terms) * signOf(terms) >= Math.max(1, left);
}

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
  { route, moved }: { readonly route: readonly BrokerId[]; readonly moved: number },
): BrokerId | null {
  const sign = signOf(terms);
  const own = state.portfolios.get(broker);
  const isMeant = own?.mode === 'live' || route[0] === broker;
  if (isMeant && reducible(own, terms) * sign - moved > 0) return null;
  for (const portfolio of state.portfolios.values()) {
    if (portfolio.broker === broker || portfolio.mode !== 'live') continue;
    // Accounts outside the trading route are not considered, for example while rehearsing on paper.
    if (!route.includes(portfolio.broker)) continue;
    if (reducible(portfolio, terms) * sign > 0) return portfolio.broker;
  }
  return null;
}
