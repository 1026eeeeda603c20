import type { BrokerId } from '../domain/broker.ts';
import type { OrderTerms } from '../domain/order.ts';
import { isFinal } from '../domain/order-status.ts';
import type { ExecutionState } from './state.ts';

/**
 * How much of an instrument an account was last known to have: positions and holdings together,
 * negative when short; 0 when nothing is known.
 */
function netQuantity(state: ExecutionState, broker: BrokerId, instrument: string): number {
  const portfolio = state.portfolios.get(broker);
  if (!portfolio) return 0;
  const sum = (rows: readonly { instrument: string; quantity: number }[]): number =>
    rows
      .filter((row) => row.instrument === instrument)
      .reduce((total, row) => total + row.quantity, 0);
  return sum(portfolio.positions) + sum(portfolio.holdings);
}

/** Shares on their way out of (or into) an account by orders of the same side that are still open. */
function openQuantity(state: ExecutionState, broker: BrokerId, terms: OrderTerms): number {
  let open = 0;
  for (const orderId of state.watched) {
    const order = state.orders.get(orderId)!;
    if (order.broker !== broker || isFinal(order.status)) continue;
    if (order.terms.instrument !== terms.instrument || order.terms.side !== terms.side) continue;
    open += order.terms.quantity - (order.filledQuantity ?? 0);
  }
  return open;
}

/** Whether an order does nothing but reduce what the account was last known to have. */
export function reducesPosition(
  state: ExecutionState,
  broker: BrokerId,
  terms: OrderTerms,
): boolean {
  const net = netQuantity(state, broker, terms.instrument);
  const needed = terms.quantity + openQuantity(state, broker, terms);
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
): BrokerId | null {
  const sign = terms.side === 'SELL' ? 1 : -1;
  if (netQuantity(state, broker, terms.instrument) * sign > 0) return null;
  for (const portfolio of state.portfolios.values()) {
    if (portfolio.broker === broker) continue;
    if (netQuantity(state, portfolio.broker, terms.instrument) * sign > 0) return portfolio.broker;
  }
  return null;
}
