import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { OrderRow } from './schemas.ts';

/**
 * Row types of smart orders, which have their own calls to change and cancel. Ids do not tell them
 * apart.
 */
const SMART = /^(OCO|TRIGGER|GTT)/i;
const WAITING = /^(TRIGGER|GTT[ _-]?LIMIT)$/i;

export function isSmartType(type: string | null): boolean {
  return type !== null && SMART.test(type.trim());
}

export type OrderKind = Pick<BrokerOrder, 'orderType' | 'price' | 'triggerPrice'>;

/**
 * A smart order that waits for one trigger is an SL order to callers. The broker returns it as
 * GTT_LIMIT, with its prices in the target's fields (docs/spec/primary-brokerage.md, "Stop
 * orders"). Null for every other row, which keeps its own type.
 */
export function stopKind(row: OrderRow): OrderKind | null {
  if (row.orderType === null || !WAITING.test(row.orderType.trim())) return null;
  const pairs = [row.target, row.stopLoss].filter(
    ({ trigger, limit }) => trigger !== null || limit !== null,
  );
  const [pair] = pairs;
  // With both pairs it is a bracket order, which no caller can have placed here.
  if (pairs.length !== 1 || !pair || pair.trigger === null || pair.limit === null) return null;
  return { orderType: 'SL', price: pair.limit, triggerPrice: pair.trigger };
}
