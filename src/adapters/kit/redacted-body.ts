import { redact, type Redacted } from '../../platform/redaction.ts';

/**
 * A broker's reply without the secrets that it may repeat. In a JSON body, secrets are removed from
 * the decoded texts, so that no escape hides one; nothing else changes, so that a number that
 * equals a code stays a number. Any other body is treated as plain text.
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
