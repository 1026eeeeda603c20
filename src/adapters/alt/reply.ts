import type { BrokerFailure } from '../../domain/failure.ts';
import type { HttpReply } from '../../platform/http.ts';
import { readRetryAfter } from '../kit/retry-after.ts';

/** The result of one call, read from the reply on the wire (docs/spec/kite-envelope.md). */
export type KiteAnswer =
  | { readonly kind: 'success'; readonly data: unknown; readonly clockAheadMs?: number }
  | { readonly kind: 'failure'; readonly failure: BrokerFailure };

export type Expected = 'json' | 'csv';

type Answered = Extract<HttpReply, { kind: 'answered' }>;

/**
 * A slow reply and the whole seconds of a Date header can differ by this much between correct
 * clocks.
 */
const CLOCKS_AGREE_MS = 120_000;

/** No broker asks for a longer pause: a wrong Retry-After must not stop orders for the day. */
const LONGEST_RETRY_AFTER_MS = 300_000;

/**
 * Reads a reply. `now` is epoch ms, because a Retry-After can be a date. `parse` reads the text of
 * a JSON reply; undefined when it is not JSON. Never throws.
 */
export function readReply(
  reply: HttpReply | null,
  now: number,
  expected: Expected = 'json',
  parse: (text: string) => unknown = parseKiteJson,
): KiteAnswer {
  if (reply === null) {
    return failed({ kind: 'not_sent', reason: 'not_open', message: 'the SDK made no request' });
  }
  if (reply.kind === 'not_sent') {
    const message = `could not connect: ${reply.message}`;
    return failed({ kind: 'not_sent', reason: 'connect', message });
  }
  if (reply.kind === 'broken') {
    // The message of a deadline is complete by itself.
    const what = reply.cause === 'deadline' ? '' : 'no whole reply: ';
    return failed({ kind: 'transport', message: `${what}${reply.message}` });
  }
  if (reply.status >= 400) return failed(httpFailure(reply, now));
  if (reply.status < 200 || reply.status >= 300) {
    return badPayload(`HTTP ${reply.status}, which the broker does not send`);
  }
  const answer = expected === 'csv' ? readCsv(reply) : readEnvelope(reply, parse);
  return answer.kind === 'success' ? { ...answer, ...clockAhead(reply, now) } : answer;
}

function readCsv(reply: Answered): KiteAnswer {
  if (!contentType(reply).includes('text/csv')) return badPayload('the reply is not CSV');
  return { kind: 'success', data: reply.body };
}

function readEnvelope(reply: Answered, parse: (text: string) => unknown): KiteAnswer {
  if (!contentType(reply).includes('application/json')) return badPayload('the reply is not JSON');
  const body = parse(reply.body);
  if (!isRecord(body)) return badPayload('the reply is not a JSON object');
  const code = textOf(body['error_type']);
  if (code !== null || body['status'] === 'error') {
    const message = textOf(body['message']) ?? 'the broker reports an error without a message';
    return failed({ kind: 'error_body', code, message });
  }
  if (body['status'] !== 'success')
    return badPayload('the reply reports neither success nor an error');
  return { kind: 'success', data: body['data'] };
}

function httpFailure(reply: Answered, now: number): BrokerFailure {
  const body = parseKiteJson(reply.body);
  const record = isRecord(body) && body['status'] === 'error' ? body : {};
  const message = textOf(record['message']) ?? `HTTP ${reply.status} ${reply.statusText}`.trim();
  return {
    kind: 'http',
    status: reply.status,
    code: textOf(record['error_type']),
    message,
    retryAfterMs: retryAfter(reply.headers['retry-after'], now),
    ...clockAhead(reply, now),
  };
}

/**
 * How far our clock is ahead, by the reply's Date header. Empty without the header, and where the
 * clocks agree.
 */
function clockAhead(reply: Answered, now: number): { clockAheadMs?: number } {
  const ahead = now - Date.parse(reply.headers['date'] ?? '');
  return Math.abs(ahead) > CLOCKS_AGREE_MS ? { clockAheadMs: ahead } : {};
}

/**
 * Parses JSON and keeps ids as text. Ids have up to 19 digits; a bare number would lose digits in
 * JavaScript, so its digits are put in quotes first. In valid JSON the pattern matches only keys:
 * within a string, a quote has a backslash before it.
 */
export function parseKiteJson(text: string): unknown {
  // Nearly no reply has one: a search is cheaper than rewriting the whole book.
  const safe = !/id"\s*:\s*\d/.test(text)
    ? text
    : text.replace(/("(?:\w*order_id|trade_id|trigger_id|id)"\s*:\s*)(\d+)(?=\s*[,}])/g, '$1"$2"');
  try {
    return JSON.parse(safe);
  } catch {
    return undefined;
  }
}

function retryAfter(header: string | undefined, now: number): number | null {
  const ms = readRetryAfter(header, now);
  return ms === null ? null : Math.min(ms, LONGEST_RETRY_AFTER_MS);
}

function contentType(reply: Answered): string {
  return (reply.headers['content-type'] ?? '').toLowerCase();
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function badPayload(message: string): KiteAnswer {
  return failed({ kind: 'bad_payload', message });
}

function failed(failure: BrokerFailure): KiteAnswer {
  return { kind: 'failure', failure };
}
