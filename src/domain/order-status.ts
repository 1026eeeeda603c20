/** The status that callers see (docs/orders.md says what each promises). */
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
 * The status of a broker's row, read by the spec's rules: one of five, or `unrecognised` for a
 * status that the broker has not documented.
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

/** Final: no later observation is expected to change it. `disputed` is not: it waits for a person. */
export function isFinal(status: OrderStatus): boolean {
  return FINAL.has(status);
}

export function isFinalRow(status: RowStatus): boolean {
  return status !== 'working' && status !== 'unrecognised';
}
