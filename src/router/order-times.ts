import { GatewayProblem } from '../domain/problem.ts';
import type { Execution } from '../execution/execution.ts';
import { attemptsOfOrder, type ExecutionState } from '../execution/journal/state.ts';
import type { OrderId } from '../units/branded.ts';
import type { OrderReads } from './order-reads.ts';
import type { OrderTimesRead, PlacingTimes } from './placing-times.ts';
import { asProblems } from './problems.ts';

export function createOrderTimesRead({
  execution: { state },
  reads,
}: {
  readonly execution: Pick<Execution, 'state'>;
  readonly reads: Pick<OrderReads, 'ownOrder'>;
}): OrderTimesRead {
  return {
    getOrderTimes: (id) =>
      asProblems(async () => {
        const { id: orderId } = await reads.ownOrder(id);
        if (state.orders.has(orderId)) return placingsOf(state, orderId);
        const detail = `the times of order ${orderId} are not kept: it is older than seven days`;
        throw new GatewayProblem({ code: 'unknown_order', detail });
      }),
  };
}

/** The order's own, then those of its slices, each oldest first. */
function placingsOf(state: ExecutionState, orderId: OrderId): PlacingTimes[] {
  return [orderId, ...(state.slicesOf.get(orderId) ?? [])]
    .flatMap((id) => attemptsOfOrder(state, id))
    .flatMap((attempt) =>
      attempt.kind === 'place'
        ? [
            {
              attemptId: attempt.id,
              orderId: attempt.orderId,
              broker: attempt.broker,
              outcome: attempt.state.kind,
              times: attempt.times ?? null,
            },
          ]
        : [],
    );
}
