import { brokerDay } from '../../sandbox/kernel/ist.ts';
import type { Mishap } from './mishaps.ts';
import type { Taken } from './traffic.ts';
import type { World } from './world.ts';

/** What a broker does with orders of the gateway that have ended. */
export interface AfterTheEnd {
  /** A trade comes for an order of the gateway that was cancelled or has lapsed on the same day. */
  fillLate(mishap: Extract<Mishap, { kind: 'late_fill' }>): void;
  /** The order of the gateway that was cancelled last works again. */
  workAgain(): void;
}

export function createAfterTheEnd(world: () => World): AfterTheEnd {
  /** Orders that were taken, but for those of the second user: nobody may show that user's book again. */
  function takenFromFirst(): readonly Taken[] {
    const { sandbox, taken } = world();
    return taken.filter(({ brokerOrderId }) => !sandbox.otherUser?.order(brokerOrderId));
  }

  function fillLate({
    inRow,
    ofLapsed,
    rowGoneForMs = 0,
  }: Parameters<AfterTheEnd['fillLate']>[0]): void {
    const { sandbox, time, timeline, lateTrades } = world();
    const today = brokerDay(time.now());
    const ended = takenFromFirst().flatMap(({ broker, brokerOrderId }) => {
      const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
      const order = inspector.order(brokerOrderId);
      // No broker trades what its exchange never had, or what ended in a book that is gone.
      const isOfToday = order !== undefined && brokerDay(order.updatedAt) === today;
      const mayTrade = isOfToday && order.exchangeOrderId !== null;
      return mayTrade && order.phase === (ofLapsed ? 'expired' : 'cancelled')
        ? [{ inspector, order }]
        : [];
    });
    const last = ended.at(-1);
    if (!last) return;
    const { orderId, quantity, filledQuantity, limitPaise } = last.order;
    const late = Math.min(4, quantity - filledQuantity);
    if (late <= 0) return;
    const isGone = rowGoneForMs > 0;
    if (isGone) last.inspector.hide(orderId, rowGoneForMs, 'row');
    last.inspector.fillLate(orderId, late, limitPaise, inRow);
    lateTrades.push({ brokerOrderId: orderId, at: time.now(), inRow: inRow && !isGone });
    timeline.note('world', `${late} of ${orderId} fill after its end`);
  }

  function workAgain(): void {
    const { sandbox, timeline, worksAgain } = world();
    const cancelled = takenFromFirst().flatMap(({ broker, brokerOrderId }) => {
      const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
      const order = inspector.order(brokerOrderId);
      return order?.phase === 'cancelled' &&
        order.exchangeOrderId !== null &&
        order.filledQuantity === 0
        ? [{ inspector, order }]
        : [];
    });
    const last = cancelled.sort((one, other) => one.order.updatedAt - other.order.updatedAt).at(-1);
    if (!last) return;
    last.inspector.workAgain(last.order.orderId);
    worksAgain.add(last.order.orderId);
    timeline.note('world', `${last.order.orderId} works again`);
  }

  return { fillLate, workAgain };
}
