import { isObject } from './errors.ts';
import { text } from './schemas.ts';

export interface Acknowledgement {
  readonly brokerOrderId: string;
  /** The id of the order that a smart order will send later, where the reply names it. */
  readonly childOrderId: string | null;
}

/**
 * The order that an acknowledgement names: in `data`, or in the one entry of `data.order_data` for
 * a smart order. Null when it names no order or several: then we cannot tell whether an order
 * exists.
 */
export function readAcknowledgement(data: unknown): Acknowledgement | null {
  if (!isObject(data)) return null;
  const entries: unknown = data.order_data;
  if (entries === undefined) return acknowledged(data);
  if (!Array.isArray(entries) || entries.length !== 1) return null;
  const [entry]: readonly unknown[] = entries;
  return isObject(entry) ? acknowledged(entry) : null;
}

function acknowledged(fields: Record<string, unknown>): Acknowledgement | null {
  const brokerOrderId = text(fields, 'order_id');
  if (brokerOrderId === null) return null;
  const child = fields.child_order_details;
  return { brokerOrderId, childOrderId: isObject(child) ? text(child, 'order_id') : null };
}
