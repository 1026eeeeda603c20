import type { Schemas, StreamedEvent } from '../../../client/index.ts';
import { count, rupees } from './format.ts';

export type Order = Schemas['Order'];
export type Orders = ReadonlyMap<string, Order>;

const OVER: ReadonlySet<Order['status']> = new Set([
  ...(['filled', 'cancelled', 'rejected', 'not_sent'] as const),
]);

export const isOver = ({ status }: Pick<Order, 'status'>): boolean => OVER.has(status);

/**
 * Whether a person can say what became of it: an order that is bound to one at the broker is known, and the gateway refuses any
 * word on what it is (docs/orders.md).
 */
export const canResolve = ({
  status,
  brokerOrderId,
}: Pick<Order, 'status' | 'brokerOrderId'>): boolean =>
  (status === 'uncertain' || status === 'disputed') && brokerOrderId === null;

/** Orders of a list, by id. Slices are shown as their order. */
export function ordersOf(list: readonly Order[]): Orders {
  return new Map(list.filter(({ parentId }) => parentId === null).map((each) => [each.id, each]));
}

/**
 * The orders after an event. A list that was read may already have what the first events after its cursor tell, and an
 * event may come twice: the state that changed later stays.
 */
export function afterEvent(orders: Orders, event: Pick<StreamedEvent, 'data'>): Orders {
  const { order } = event.data;
  if (!order || order.parentId !== null) return orders;
  const known = orders.get(order.id);
  if (known !== undefined && Date.parse(known.updatedAt) > Date.parse(order.updatedAt)) {
    return orders;
  }
  return new Map(orders).set(order.id, order);
}

/** The orders of a read in place of those before; an order that an event changed since stays as the event told it. */
export function afterRead(orders: Orders, list: readonly Order[]): Orders {
  const read = new Map(ordersOf(list));
  for (const [id, known] of orders) {
    const again = read.get(id);
    if (again && Date.parse(known.updatedAt) > Date.parse(again.updatedAt)) read.set(id, known);
  }
  return read;
}

/** Open ones first, then the newest. */
export function listed(orders: Orders): readonly Order[] {
  return [...orders.values()].toSorted(
    (one, other) =>
      Number(isOver(one)) - Number(isOver(other)) ||
      Date.parse(other.createdAt) - Date.parse(one.createdAt),
  );
}

export const openOrders = (orders: Orders): readonly Order[] =>
  listed(orders).filter((order) => !isOver(order));

/** `BUY 10 NSE:INFY CNC LIMIT ₹1,500.00` */
export function termsOf(
  order: Pick<
    Order,
    'side' | 'quantity' | 'instrument' | 'product' | 'orderType' | 'price' | 'triggerPrice'
  >,
): string {
  const { side, quantity, instrument, product, orderType, price, triggerPrice } = order;
  return [
    ...[side, count(quantity), instrument, product, orderType],
    ...(price === null ? [] : [rupees(price)]),
    ...(triggerPrice === null ? [] : [`trigger ${rupees(triggerPrice)}`]),
  ].join(' ');
}

/** What a status means, in words that promise no more than is known. */
export const STATUS_WORDS: Readonly<Record<Order['status'], string>> = {
  accepted: 'accepted, not sent yet',
  sending: 'on its way to the broker',
  working: 'working at the broker',
  filled: 'filled',
  partial: 'partly filled',
  cancelled: 'cancelled',
  rejected: 'rejected',
  uncertain: 'not known yet whether the broker has it',
  not_sent: 'never sent',
  disputed: 'disputed: look at it in the app of the broker',
};
