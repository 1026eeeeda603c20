/** What a caller sees of an order (docs/orders.md has what each status promises). */
export const ORDER_STATUSES = [
  'accepted',
  'sending',
  'working',
  'filled',
  'partial',
  'cancelled',
  'rejected',
  'uncertain',
  'not_sent',
  'disputed',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * What a broker's row says of an order, once read by the spec's rules: the five client states, or a
 * status that nobody has declared.
 */
export type RowStatus =
  'working' | 'filled' | 'partial' | 'cancelled' | 'rejected' | 'unrecognised';

const FINAL: ReadonlySet<OrderStatus> = new Set([
  'filled',
  'partial',
  'cancelled',
  'rejected',
  'not_sent',
]);

/** Final: no later observation is expected to change it. A disputed order waits for a person. */
export function isFinal(status: OrderStatus): boolean {
  return FINAL.has(status);
}

export function isFinalRow(status: RowStatus): boolean {
  return status !== 'working' && status !== 'unrecognised';
}
