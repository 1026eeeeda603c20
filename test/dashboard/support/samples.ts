import type { Schemas } from '../../../client/index.ts';
import type { Order } from '../../../dashboard/src/pure/orders.ts';

/** An order as the API answers it, with the members that the page looks at. */
export function orderOf(changes: Partial<Order>): Order {
  const order = {
    ...{ id: 'ord_1', clientOrderId: 'k', broker: 'alt', mode: 'live', brokerOrderId: 'B1' },
    ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 10, filledQuantity: 0 },
    ...{ orderType: 'LIMIT', product: 'CNC', price: null, triggerPrice: null },
    ...{ status: 'working', reason: null, parentId: null, external: false },
    createdAt: '2026-11-23T10:00:00+05:30',
    updatedAt: '2026-11-23T10:00:00+05:30',
  };
  return { ...order, ...changes } as Order;
}

export function positionOf(changes: Partial<Schemas['Position']>): Schemas['Position'] {
  const position = { instrument: 'NSE:INFY', product: 'INTRADAY', quantity: 10, pnl: 0, m2m: 0 };
  return { ...position, ...changes } as Schemas['Position'];
}
