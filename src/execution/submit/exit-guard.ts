import type { BrokerId } from '../../domain/broker.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { required, type ExecutionState } from '../journal/state.ts';
import { fillOf } from '../order/order.ts';
import { lastBookDay } from '../order/order-day.ts';

/** Brokers tell the time of a fill to the second. */
const GRAIN_MS = 1_000;

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

/** Whether another order moves the same shares the same way. */
function isAlike(terms: OrderTerms, other: OrderTerms): boolean {
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
  ownId: string,
  day: string,
): number {
  let open = 0;
  // Not the watched ones alone: a disputed order may be working all the same.
  for (const id of state.openOrders) {
    const order = required(state.orders, id, 'order');
    if (order.id === ownId || order.broker !== broker) continue;
    // One that could not be settled when its day was over holds nothing back for ever.
    if (lastBookDay(order) < day) continue;
    // Its slices count, each for itself.
    if (order.state.kind === 'sliced') continue;
    if (!isAlike(terms, order.terms)) continue;
    open += order.terms.quantity - (fillOf(order).filledQuantity ?? 0);
  }
  return open;
}

/** Shares that our own orders of the same side have moved since the account was last read. */
function filledSince(state: ExecutionState, broker: BrokerId, terms: OrderTerms): number {
  const readAt = state.portfolios.get(broker)?.readAt ?? 0;
  let filled = 0;
  for (const fill of state.fillsByTime.since(broker, readAt - GRAIN_MS)) {
    const order = required(state.orders, fill.orderId, 'order');
    if (!isAlike(terms, order.terms)) continue;
    filled += fill.quantity;
  }
  return filled;
}

/** Whether an order, sent at `at`, does nothing but reduce what the account was last known to have. */
export function reducesPosition(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  ownId: string,
  at: number,
): boolean {
  const sign = terms.side === 'SELL' ? 1 : -1;
  const since = filledSince(state, broker, terms);
  // What a fill may have reduced since is counted out, also when the read may have shown it.
  const net = reducible(state.portfolios.get(broker), terms) - sign * since;
  const needed = terms.quantity + openQuantity(state, broker, terms, ownId, tradingDay(at));
  return terms.side === 'SELL' ? net >= needed : -net >= needed;
}

/**
 * The account that an order would have to go to because it has what the order would reduce, when
 * that is not the one it is on its way to; null when there is none. An exit that lands in another
 * account opens a position there and leaves the real one as it was.
 */
export function otherAccountHolding(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
  route: readonly BrokerId[],
): BrokerId | null {
  const sign = terms.side === 'SELL' ? 1 : -1;
  if (reducible(state.portfolios.get(broker), terms) * sign > 0) return null;
  for (const portfolio of state.portfolios.values()) {
    if (portfolio.broker === broker || portfolio.mode !== 'live') continue;
    // An account that the route does not lead to was never meant: a rehearsal on paper, for one.
    if (!route.includes(portfolio.broker)) continue;
    if (reducible(portfolio, terms) * sign > 0) return portfolio.broker;
  }
  return null;
}
