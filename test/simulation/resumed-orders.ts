import type { BrokerId } from '../../src/domain/broker.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { Composed } from '../../src/compose.ts';
import { sendingNow, sentOrder } from './sent-order.ts';
import { HOOK_KEYS } from './signal-hooks.ts';

export interface ResumedOrders {
  /** The order of a signal that a request places on nobody's behalf, as `caller/key`; null where it is of none. */
  readonly leaves: (broker: BrokerId, request: HttpRequest) => string | null;
}

const CALLERS: ReadonlySet<string> = new Set(HOOK_KEYS.map(({ id }) => id));

/** Names the orders of signals over which a process was stopped: the next one goes on with them. */
export function createResumedOrders({
  last,
  isPlayed,
}: {
  /** The gateway that is up, or was last; null before the first. */
  readonly last: () => Composed | null;
  readonly isPlayed: boolean;
}): ResumedOrders {
  const left = new Set<string>();
  return {
    leaves(broker, request) {
      const state = isPlayed ? last()?.execution.state : undefined;
      if (state === undefined) return null;
      const sending = sendingNow(state, broker).filter(
        ({ attempt, order }) => CALLERS.has(order.caller) && !left.has(attempt.id),
      );
      const found = sentOrder(sending, request.body ?? '');
      if (found === undefined) return null;
      left.add(found.attempt.id);
      const whole = state.orders.get(found.order.parentId ?? found.order.id) ?? found.order;
      return `${whole.caller}/${whole.idempotencyKey}`;
    },
  };
}
