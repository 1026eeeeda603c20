import type { EventSubject } from '../../events/event-log.ts';
import { messageOf } from '../../platform/values.ts';
import type { OrderId } from '../../units/branded.ts';
import { decideTold } from '../journal/decide-notes.ts';
import { type OrderRecord, statusOf } from '../order/order.ts';
import type { SubmitParts } from '../submit/place-command.ts';
import type { BasketOutcome, CheckedItem } from './basket.ts';

/** Tells of a basket when its first order is about to leave, and when the last one was answered. */
export interface BasketEvents {
  begun(items: readonly CheckedItem[], ordered: boolean): void;
  /** `outcomes` by the items. */
  over(items: readonly CheckedItem[], outcomes: readonly BasketOutcome[], ordered: boolean): void;
}

type Ready = Extract<CheckedItem, { kind: 'ready' }>;

interface BasketOrderTold {
  /** Null for one that was there before, until the basket is over. */
  readonly clientOrderId: string | null;
  /** Null where none was made, and before the basket is over. */
  readonly orderId: OrderId | null;
  readonly status: string | null;
  /** Why it was not placed. */
  readonly reason: string | null;
}

/**
 * `basket.updated` (docs/events.md). The journal has the orders of a basket and not the basket: where the
 * gateway ends in the middle of one, nothing says that it is over. No order waits for these events.
 */
export function createBasketEvents({ writer, clock, log }: SubmitParts): BasketEvents {
  const { state } = writer;

  function tell(
    status: 'begun' | 'over',
    items: readonly CheckedItem[],
    ordered: boolean,
    orders: readonly BasketOrderTold[],
  ): void {
    const ready = items.filter((item): item is Ready => item.kind === 'ready');
    // One whose orders all were there before sends nothing.
    if (ready.length === 0) return;
    const basket = { status, ordered, orders };
    const about = subjectOf(ready);
    writer
      .submit((current) =>
        decideTold(current, {
          ...{ type: 'basket.updated', data: { basket }, about, at: clock.now() },
        }),
      )
      .catch((error: unknown) => {
        log.warn('an event of a basket could not be written', { reason: messageOf(error) });
      });
  }

  return {
    begun(items, ordered) {
      const orders = items.map((item): BasketOrderTold => {
        const key = item.kind === 'ready' ? item.command.idempotencyKey : null;
        return { clientOrderId: key, orderId: null, status: null, reason: null };
      });
      tell('begun', items, ordered, orders);
    },
    over(items, outcomes, ordered) {
      const nowOf = (order: OrderRecord): OrderRecord => state.orders.get(order.id) ?? order;
      const orders = outcomes.map((outcome, index): BasketOrderTold => {
        const item = items[index];
        const asked = item?.kind === 'ready' ? item.command.idempotencyKey : null;
        if (outcome.kind !== 'placed') {
          const reason =
            outcome.kind === 'failed'
              ? messageOf(outcome.error)
              : outcome.kind === 'kept'
                ? outcome.reason
                : null;
          return { clientOrderId: asked, orderId: null, status: null, reason };
        }
        const order = nowOf(outcome.result.order);
        const { id: orderId, idempotencyKey: clientOrderId } = order;
        return { clientOrderId, orderId, status: statusOf(order), reason: null };
      });
      tell('over', items, ordered, orders);
    },
  };
}

/** The key that asked, and the broker where all orders go to one. */
function subjectOf(ready: readonly Ready[]): EventSubject {
  const [first] = ready;
  const brokers = new Set(ready.map(({ command }) => command.candidates[0]?.broker));
  const [broker] = brokers;
  return {
    ...(first === undefined ? {} : { caller: first.command.caller }),
    ...(brokers.size === 1 && broker !== undefined ? { broker } : {}),
  };
}
