import type { BrokerId } from '../../domain/broker.ts';
import { type ExecutionState, required } from '../journal/state.ts';
import { lastBookDay } from '../order/order-day.ts';
import type { OrderRecord } from '../order/order.ts';
import type { OrderId, TradingDay } from '../../units/branded.ts';

/** The orders for which a broker's book is read. */
export function createOrdersOfBook(
  state: ExecutionState,
  broker: BrokerId,
  /** Orders that have ended lately. */
  ended: () => OrderId[],
): Record<'watched' | 'disputed', () => OrderRecord[]> & {
  /** See BookReader; `today` is the broker's day. */
  readFor(today: TradingDay): OrderRecord[];
} {
  const ofBroker = (ids: Iterable<OrderId>): OrderRecord[] =>
    [...ids]
      .map((id) => required(state.orders, id, 'order'))
      .filter((order) => order.broker === broker);
  const watched = (): OrderRecord[] => ofBroker(state.watched);
  const disputed = (): OrderRecord[] =>
    ofBroker(state.openOrders).filter((order) => order.state.kind === 'disputed');
  return {
    watched,
    disputed,
    readFor(today) {
      const absent = [...state.absentPlaces].map(
        (id) => required(state.attempts, id, 'attempt').orderId,
      );
      const doubted = [...disputed(), ...ofBroker(absent)].filter(
        (order) => lastBookDay(order) >= today,
      );
      const all = [...watched(), ...doubted, ...ofBroker(ended())];
      return [...new Map(all.map((order) => [order.id, order])).values()];
    },
  };
}
