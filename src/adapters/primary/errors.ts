import { BrokerError, type BrokerFailure, type RejectionClass } from '../../domain/failure.ts';
import { notSent, refused, uncertain, type Outcome } from '../../domain/outcome.ts';
import type { HttpReply } from '../../platform/http.ts';
import { readRetryAfter } from '../kit/retry-after.ts';

const LONGEST_MESSAGE = 300;

export function badPayload(message: string): BrokerError {
  return new BrokerError('primary', { kind: 'bad_payload', message: clip(message) });
}

/** One line of at most 300 characters. */
export function clip(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= LONGEST_MESSAGE ? line : `${line.slice(0, LONGEST_MESSAGE - 1)}…`;
}

/** How far a request got (docs/spec/primary-brokerage.md); null for a complete 2xx reply. */
export function failureOf(reply: HttpReply, now: number): BrokerFailure | null {
  if (reply.kind === 'not_sent') {
    return { kind: 'not_sent', reason: 'connect', message: clip(reply.message) };
  }
  if (reply.kind === 'broken') return { kind: 'transport', message: clip(reply.message) };
  if (reply.status >= 200 && reply.status < 300) return null;
  const body = parseObject(reply.body);
  const described = body ? describeError(body) : plainText(reply.body);
  return {
    kind: 'http',
    status: reply.status,
    code: body ? errorCode(body) : null,
    message: clip(described ?? `HTTP ${reply.status} ${reply.statusText}`),
    retryAfterMs: readRetryAfter(reply.headers['retry-after'], now),
    ownWords: body !== null && (describeError(body) !== null || errorCode(body) !== null),
  };
}

/** All texts of an error body: the cause may be in `debug_info` alone. */
export function describeError(body: Readonly<Record<string, unknown>>): string | null {
  const nested = isObject(body.error) ? [body.error.msg, body.error.message] : [body.error];
  const texts = [body.message, ...nested, body.debug_info]
    .filter((text): text is string => typeof text === 'string')
    .map((text) => text.trim())
    .filter((text) => text !== '');
  return texts.length === 0 ? null : [...new Set(texts)].join(': ');
}

export function errorCode(body: Readonly<Record<string, unknown>>): string | null {
  for (const code of [body.error_type, body.error_code]) {
    if (typeof code === 'string' && code !== '') return code;
    if (typeof code === 'number') return String(code);
  }
  return null;
}

/** The class of a refusal (HTTP 4xx), by its status first, then by the broker's text. */
export function rejectionClass(
  status: number,
  code: string | null,
  message: string,
): RejectionClass {
  if (status === 429) return 'rate_limited';
  if (status === 401 || status === 403 || code === 'TokenException') return 'auth';
  if (/market orders? (is|are) (blocked|not allowed|not supported)/i.test(message)) {
    return 'market_blocked';
  }
  if (/\btick\b|circuit|price[ -]?band|price ?(within ?)?range/i.test(message)) return 'price';
  if (/(?<!instrument )\btoken\b|authori[sz]ation not sent/i.test(message)) return 'auth';
  return 'other';
}

/**
 * What a failure means for a request that changes something. Only a 4xx with the broker's own error
 * is a refusal (a proxy may answer 408 for an order that was accepted), only a request that never
 * left is `not_sent`, and everything else is uncertain (docs/spec/outcomes.md).
 */
export function outcomeOf(failure: BrokerFailure): Outcome {
  if (failure.kind === 'not_sent') return notSent(failure.reason, failure.message);
  if (failure.kind === 'http' && isRefusal(failure)) {
    const { status, code, message } = failure;
    const rejection = rejectionClass(status, code, message);
    // Another cancel of the order is already under way: the caller may try again later.
    const pending = /^the order is already pending/i.test(message);
    return pending
      ? { kind: 'refused', rejection, reason: message, pending }
      : refused(rejection, message);
  }
  return uncertain(failure);
}

/** Statuses that say that a request took too long, and nothing about its result. */
const TIMED_OUT: ReadonlySet<number> = new Set([408, 425, 499]);

function isRefusal(failure: Extract<BrokerFailure, { kind: 'http' }>): boolean {
  const { status, ownWords } = failure;
  if (status === 429) return true;
  return status >= 400 && status < 500 && ownWords === true && !TIMED_OUT.has(status);
}

/** The broker answered that it does not serve this query, which is not a failure to serve it. */
export function isRefusedQuery(error: unknown): error is BrokerError {
  return (
    error instanceof BrokerError &&
    error.failure.kind === 'http' &&
    [400, 404, 422].includes(error.failure.status)
  );
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** The error page of a proxy is markup, which is not shown to anyone. */
function plainText(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' || trimmed.startsWith('<') ? null : trimmed;
}
