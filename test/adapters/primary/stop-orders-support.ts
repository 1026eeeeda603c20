import { success } from './support.ts';

/** The terms of a stop order, and what the brokerage answers to its smart order. */
export const stop = { orderType: 'SL', price: 1480, triggerPrice: 1490 } as const;
export const created = success({
  order_data: [{ order_id: 'GTT-7', order_status: 'CREATED', child_order_details: null }],
});
export const taken = success({ order_id: 'GTT-7', order_status: 'MODIFIED' });
