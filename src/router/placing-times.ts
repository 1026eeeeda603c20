import type { BrokerId } from '../domain/broker.ts';
import type { OrderTimes } from '../domain/order-times.ts';
import type { AttemptStateKind } from '../execution/order/attempt.ts';
import type { AttemptId, OrderId } from '../units/branded.ts';

/** One request to place an order or a slice of it, and how long each part took. */
export interface PlacingTimes {
  readonly attemptId: AttemptId;
  /** The order, or the slice that was sent. */
  readonly orderId: OrderId;
  readonly broker: BrokerId;
  readonly outcome: AttemptStateKind;
  /** Null where that is not known: it is on its way, or the gateway stopped before the answer. */
  readonly times: OrderTimes | null;
}

export interface OrderTimesRead {
  /** Of an order of the last seven days; throws `unknown_order` for any other. */
  getOrderTimes(id: string): Promise<readonly PlacingTimes[]>;
}
