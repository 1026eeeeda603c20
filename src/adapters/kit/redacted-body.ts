import { redact, type Redacted } from '../../platform/redaction.ts';

/**
 * A broker's reply without what it may repeat of what it was sent. Secrets are taken out of the
 * texts of a JSON body once they are decoded, so that no escape hides one, and nothing else of the
 * body changes: a code that is a number by chance stays one. Any other body is taken as plain text.
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
