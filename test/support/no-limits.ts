import type { OrderLimits } from '../../src/domain/order-limits.ts';

export const NO_LIMITS: OrderLimits = {
  value: null,
  quantity: { every: null, named: new Map() },
  openOrders: { every: null, named: new Map() },
  perMinute: null,
};
