import { GatewayProblem } from '../../domain/problem.ts';
import { plus } from '../../units/branded.ts';
import { required } from '../journal/state.ts';
import { isOver, type OrderRecord, statusOf } from '../order/order.ts';
import { isSameShares } from '../reconcile/book-shares.ts';
import { type IsinOf, unclearRowOf, unreadHoldingOf } from '../reconcile/held.ts';
import { reducible } from '../submit/reduce-only.ts';
import type { ExitParts } from './exit-parts.ts';

/** How long the account may take to be read before an exit begins. */
const ACCOUNT_MS = 3_000;

/**
 * Reads the account, and refuses an exit with a resting order that ends no position, but opens or enlarges one
 * (docs/exits.md). What is not known now is no reason: the exit finds it out before it sends anything.
 */
export function createRefuseOpening(
  parts: Pick<ExitParts, 'accounts' | 'clock' | 'writer'>,
  isinOf: IsinOf,
): (order: OrderRecord) => Promise<void> {
  const { accounts, clock } = parts;
  const { state } = parts.writer;

  return async function refuseOpening({ id, broker, terms }: OrderRecord): Promise<void> {
    const { side, instrument, product } = terms;
    const other = { ...terms, side: side === 'SELL' ? 'BUY' : 'SELL' } as const;
    /** What has made, or may have made, a position that the account does not show yet. */
    const mayBeMissing = (): boolean =>
      accounts.beside({ broker, terms: other, orderId: id }).moved > 0 ||
      hasUncertain(broker, other);
    const reduces = (): boolean => reducible(state, { broker, terms }, isinOf) > 0;
    const now = clock.elapsed();
    const unread = await accounts.refreshForExit({
      ...{ broker, terms: other, since: now, until: plus(now, ACCOUNT_MS) },
      passes: reduces,
    });
    if (unread !== null || reduces() || mayBeMissing()) return;
    const portfolio = state.portfolios.get(broker);
    if (unclearRowOf(portfolio, terms, isinOf) ?? unreadHoldingOf(portfolio, terms)) return;
    const held = side === 'SELL' ? 'long' : 'short';
    throw new GatewayProblem({
      code: 'order_state',
      detail:
        `order ${id} (${side} ${terms.quantity} ${instrument} ${product} at ${broker}) ends no position: ` +
        `nothing ${held} of it is held there, so it would open or enlarge one. Nothing was done. Cancel the ` +
        'order, or exit the position by its instrument and product',
      broker,
      mayHaveExecuted: false,
    });
  };

  function hasUncertain(broker: string, shares: OrderRecord['terms']): boolean {
    return [...state.openOrders]
      .map((id) => required(state.orders, id, 'order'))
      .some(
        (order) =>
          order.broker === broker &&
          !isOver(order) &&
          OUTCOME_OPEN.has(statusOf(order)) &&
          isSameShares(shares, order.terms, isinOf),
      );
  }
}

/** Orders that may have filled without that being known. */
const OUTCOME_OPEN: ReadonlySet<string> = new Set(['sending', 'uncertain', 'disputed']);
