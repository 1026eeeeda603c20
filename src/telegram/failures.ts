import type { TelegramError } from 'telegraf';
import { codeOf, fieldOf } from '../platform/values.ts';
import type { SendResult } from '../platform/messenger.ts';
import { redact } from '../platform/redaction.ts';

export type Failure = Exclude<SendResult, { kind: 'sent' }>;

/**
 * Statuses that a retry cannot correct: a wrong token or chat, or a bot that the user has blocked.
 */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/**
 * Reads telegraf's errors. The client's messages can contain the address, and the address contains
 * the bot's token, so only known words are passed on and never the token.
 */
export function failureOf(error: unknown, token: string): Failure {
  const away = (reason: string, retryAfterMs: number | null = null): Failure => ({
    kind: 'away',
    reason,
    retryAfterMs,
  });
  if (isTelegramError(error)) {
    const { error_code: status, description, parameters } = error.response;
    const said = `HTTP ${status}: ${oneLine(String(description), token)}`;
    if (status === 429) {
      const seconds = Number(parameters?.retry_after ?? 0);
      return away(said, seconds > 0 ? seconds * 1_000 : null);
    }
    return REFUSALS.has(status) ? { kind: 'refused', reason: said } : away(said);
  }
  if (!(error instanceof Error)) return away('it failed');
  if (error.name === 'AbortError') return away('it did not answer in time');
  if (error.message.includes(ELSEWHERE)) return away(ELSEWHERE);
  const code = codeOf(error);
  if (code !== undefined && /^[A-Z_]{2,40}$/.test(code)) {
    return away(`it could not be reached (${code})`);
  }
  return away(
    fieldOf(error, 'type') === 'invalid-json' ? 'its answer could not be read' : 'the call failed',
  );
}

/** Thrown when the service sends the client to another address. */
export const ELSEWHERE = 'it sent us to another address, which was not followed';

function isTelegramError(error: unknown): error is TelegramError {
  if (!(error instanceof Error)) return false;
  return typeof fieldOf(fieldOf(error, 'response'), 'error_code') === 'number';
}

function oneLine(text: string, token: string): string {
  return redact(text, { secrets: [token] })
    .replace(/\s+/g, ' ')
    .slice(0, 200);
}
