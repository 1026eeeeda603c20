import type { BrokerId } from '../../src/domain/broker.ts';
import type { ExecutionState } from '../../src/execution/journal/state.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { Composed } from '../../src/compose.ts';
import type { Asked } from './asked.ts';
import { leavesInTurn, type SentOne } from './checks/baskets.ts';
import { violation, type Violation } from './checks/violation.ts';
import { type Sending, sendingNow, sentOrder } from './sent-order.ts';

/** Names the orders of baskets when they leave. */
export interface BasketOrders {
  /**
   * The order of a basket that a request places, as `caller/key`; null where `onBehalf` names no request
   * to place a basket. One such request is about all of its orders.
   */
  readonly leaves: (
    broker: BrokerId,
    request: HttpRequest,
    onBehalf: string,
    sent: readonly SentOne[],
  ) => string | null;
}

interface BasketSending extends Sending {
  /** As `caller/key`: of a slice, that of the whole order. */
  readonly wanted: string;
}

export function createBasketOrders({
  time,
  last,
  asked,
  notice,
}: {
  readonly time: Pick<Clock, 'now'>;
  /** The gateway that is up, or was last; null before the first. */
  readonly last: () => Composed | null;
  readonly asked: Asked;
  readonly notice: (violation: Violation) => void;
}): BasketOrders {
  const left = new Set<string>();
  return {
    leaves(broker, request, onBehalf, sent) {
      const basket = asked.baskets.get(onBehalf);
      const state = last()?.execution.state;
      if (basket === undefined || state === undefined) return null;
      const sending = sendingOf(state, broker).filter(
        ({ attempt, wanted }) => basket.wanted.includes(wanted) && !left.has(attempt.id),
      );
      const body = request.body ?? '';
      const found = sentOrder(sending, body);
      if (found === undefined) {
        notice(violation('S31', `${onBehalf} sends what is none of its orders: ${body}`));
        return null;
      }
      left.add(found.attempt.id);
      const { wanted } = found;
      const leaving = { at: time.now(), wanted, inBasket: onBehalf };
      for (const each of leavesInTurn(basket, leaving, { sent, state })) notice(each);
      return wanted;
    },
  };
}

function sendingOf(state: ExecutionState, broker: BrokerId): BasketSending[] {
  return sendingNow(state, broker).map((each) => {
    const { order } = each;
    const { caller, idempotencyKey } = state.orders.get(order.parentId ?? order.id) ?? order;
    return { ...each, wanted: `${caller}/${idempotencyKey}` };
  });
}
