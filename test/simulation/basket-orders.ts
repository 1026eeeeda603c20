import type { BrokerId } from '../../src/domain/broker.ts';
import type { PlaceAttemptRecord } from '../../src/execution/order/attempt.ts';
import type { ExecutionState } from '../../src/execution/journal/state.ts';
import type { OrderRecord } from '../../src/execution/order/order.ts';
import type { Clock } from '../../src/platform/clock.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { Composed } from '../../src/compose.ts';
import type { Asked } from './asked.ts';
import { leavesInTurn, type SentOne } from './checks/baskets.ts';
import { violation, type Violation } from './checks/violation.ts';

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

interface Sending {
  readonly attempt: PlaceAttemptRecord;
  readonly order: OrderRecord;
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
      const sending = sendingNow(state, broker).filter(
        ({ attempt, wanted }) => basket.wanted.includes(wanted) && !left.has(attempt.id),
      );
      const body = request.body ?? '';
      const found =
        sending.find(({ attempt }) => attempt.tagSent && body.includes(attempt.tag)) ??
        sending.find(({ attempt, order }) => !attempt.tagSent && isOf(order, body));
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

function sendingNow(state: ExecutionState, broker: BrokerId): Sending[] {
  return [...state.attempts.values()].flatMap((attempt) => {
    if (attempt.kind !== 'place' || attempt.state.kind !== 'sending') return [];
    const order = state.orders.get(attempt.orderId);
    if (order?.broker !== broker) return [];
    const { caller, idempotencyKey } = state.orders.get(order.parentId ?? order.id) ?? order;
    return [{ attempt, order, wanted: `${caller}/${idempotencyKey}` }];
  });
}

/** By its terms, at a broker that is sent no tag: two equal orders are never on their way there at once. */
function isOf({ terms, scripCode }: OrderRecord, body: string): boolean {
  const { side, quantity, price, triggerPrice } = terms;
  const id = scripCode?.slice(scripCode.indexOf('_') + 1) ?? '';
  const parts = [`"${side}"`, `"${id}"`, `:${quantity}`];
  const prices = [price, triggerPrice].filter((each) => each !== null).map(String);
  return [...parts, ...prices].every((part) => body.includes(part));
}
