import type { HttpReply } from '../../platform/http.ts';
import { redact, type Redacted } from '../../platform/redaction.ts';

/**
 * A broker's reply without the secrets that it may repeat: in the body, in the reason phrase and in
 * the words of a failed connection. To be applied before a message is read from it, since one that
 * was shortened could hold half a secret.
 */
export function redactedReply(reply: HttpReply, hidden: Redacted): HttpReply {
  if (reply.kind !== 'answered') return { ...reply, message: redact(reply.message, hidden) };
  return {
    ...reply,
    statusText: redact(reply.statusText, hidden),
    body: redactedBody(reply.body, hidden),
  };
}

/**
 * A body without the secrets that it may repeat. In a JSON body, secrets are removed from the decoded
 * texts; nothing else changes, so that a number that equals a code stays a number. Any other body is
 * treated as plain text.
 */
export function redactedBody(body: string, hidden: Redacted): string {
  let decoded: unknown;
  try {
    decoded = JSON.parse(body);
  } catch {
    return redact(body, hidden);
  }
  return JSON.stringify(decoded, (_key, value: unknown) =>
    typeof value === 'string' ? redact(value, hidden) : value,
  );
}

/**
 * The orders of a book without the secrets that a broker may repeat in the words of an order.
 * `shorten` is applied afterwards.
 */
export function redactedReasons<Order extends { readonly reason: string | null }>(
  orders: readonly Order[],
  hidden: Redacted,
  shorten: (reason: string) => string = (reason) => reason,
): readonly Order[] {
  return orders.map((order) => {
    if (order.reason === null) return order;
    const reason = shorten(redact(order.reason, hidden));
    return reason === order.reason ? order : { ...order, reason };
  });
}
