import type { RowStatus } from '../../domain/order.ts';

/** On the way to the exchange, at the exchange, or being changed: all of them may still fill. */
const WORKING: ReadonlySet<string> = new Set([
  'PUT ORDER REQ RECEIVED',
  'VALIDATION PENDING',
  'OPEN PENDING',
  'OPEN',
  'MODIFY VALIDATION PENDING',
  'MODIFY PENDING',
  'MODIFIED',
  'NOT MODIFIED',
  'TRIGGER PENDING',
  'CANCEL PENDING',
  'AMO REQ RECEIVED',
  'MODIFY AMO REQ RECEIVED',
]);

/** `CANCELLED AMO` is not in the broker's documentation; client programs handle it. */
const CANCELLED: ReadonlySet<string> = new Set(['CANCELLED', 'CANCELLED AMO', 'LAPSED']);

/**
 * Reads a row's status (docs/spec/statuses.md). `filled` is the row's filled quantity, null where
 * it has none. The broker says that its list is not complete: any other status is unrecognised.
 */
export function rowStatus(raw: string, filled: number | null): RowStatus {
  const status = raw.trim().toUpperCase();
  if (status === 'COMPLETE') return 'filled';
  const some = filled !== null && filled > 0;
  if (CANCELLED.has(status)) return some ? 'partial' : 'cancelled';
  if (status === 'REJECTED') return some ? 'partial' : 'rejected';
  return WORKING.has(status) ? 'working' : 'unrecognised';
}
