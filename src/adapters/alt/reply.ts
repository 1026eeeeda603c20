import type { BrokerFailure } from '../../domain/failure.ts';
import type { HttpReply } from '../../platform/http.ts';
import { readRetryAfter } from '../kit/retry-after.ts';

/** What one call came to, judged from the reply as it came (docs/spec/kite-envelope.md). */
export type KiteAnswer =
  | { readonly kind: 'success'; readonly data: unknown; readonly clockAheadMs?: number }
  | { readonly kind: 'failure'; readonly failure: BrokerFailure };

export type Expected = 'json' | 'csv';

type Answered = Extract<HttpReply, { kind: 'answered' }>;

/** What a slow reply and the whole seconds of a Date header can make of two clocks that agree. */
const CLOCKS_AGREE_MS = 120_000;

/** A pause that no broker means: a wrong Retry-After must not stop orders for the day. */
const LONGEST_RETRY_AFTER_MS = 300_000;

/**
 * `now` is epoch ms: a Retry-After can be a date. `parse` reads the text of a JSON reply, undefined when
 * it is none. Never throws.
 */
export function readReply(
  reply: HttpReply | null,
  now: number,
  expected: Expected = 'json',
  parse: (text: string) => unknown = parseKiteJson,
): KiteAnswer {
  if (reply === null) {
    return failed({ kind: 'not_sent', reason: 'not_open', message: 'no request was made' });
  }
  if (reply.kind === 'not_sent') {
    const message = `could not connect: ${reply.message}`;
    return failed({ kind: 'not_sent', reason: 'connect', message });
  }
  if (reply.kind === 'broken') {
    // A deadline says so itself.
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
  if (!contentType(reply).includes('text/csv')) return badPayload('not a CSV file');
  return { kind: 'success', data: reply.body };
}

function readEnvelope(reply: Answered, parse: (text: string) => unknown): KiteAnswer {
  if (!contentType(reply).includes('application/json')) return badPayload('not a JSON reply');
  const body = parse(reply.body);
  if (!isRecord(body)) return badPayload('not a JSON object');
  const code = textOf(body['error_type']);
  if (code !== null || body['status'] === 'error') {
    const message = textOf(body['message']) ?? 'the broker reports an error';
    return failed({ kind: 'error_body', code, message });
  }
  if (body['status'] !== 'success') return badPayload('neither success nor error');
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

/** By the answer's Date header. Nothing where there is none, or where the clocks agree. */
function clockAhead(reply: Answered, now: number): { clockAheadMs?: number } {
  const ahead = now - Date.parse(reply.headers['date'] ?? '');
  return Math.abs(ahead) > CLOCKS_AGREE_MS ? { clockAheadMs: ahead } : {};
}

/**
 * Ids have up to 19 digits. One that comes as a bare number would lose digits in JavaScript, so its
 * digits are taken from the text. In valid JSON the pattern can only match a key: within a string,
 * a quote is preceded by a backslash.
 */
export function parseKiteJson(text: string): unknown {
  // Nearly always there is none: a look is cheaper than a rewriting of the whole book.
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
