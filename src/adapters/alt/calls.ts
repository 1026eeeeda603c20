import {
  BrokerError,
  type BrokerFailure,
  isConnectivity,
  notSent,
  type NotSent,
} from '../../domain/outcome.ts';
import type { Clock } from '../../platform/clock.ts';
import { BreakerOpen, createBreaker, guard, isShut } from '../../platform/breaker.ts';
import type { HttpReply } from '../../platform/http.ts';
import { messageOf } from '../../platform/values.ts';
import { readRetryAfter, unsentReason } from '../kit/replies.ts';
import type { RateLimitQueue } from './rate-limits.ts';
import type { EpochMs } from '../../units/branded.ts';

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

/**
 * Reads a reply. `now` is epoch ms, because a Retry-After can be a date. `parse` reads the text of
 * a JSON reply; undefined when it is not JSON. Never throws.
 */
export function readReply(
  reply: HttpReply | null,
  now: EpochMs,
  expected: Expected = 'json',
  parse: (text: string) => unknown = parseKiteJson,
): KiteAnswer {
  if (reply === null) {
    return failed({ kind: 'not_sent', reason: 'not_open', message: 'the SDK made no request' });
  }
  if (reply.kind === 'not_sent') {
    const message = `could not connect: ${reply.message}`;
    return failed({ kind: 'not_sent', reason: unsentReason(reply), message });
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

function httpFailure(reply: Answered, now: EpochMs): BrokerFailure {
  const body = parseKiteJson(reply.body);
  const record = isRecord(body) && body['status'] === 'error' ? body : {};
  const message = textOf(record['message']) ?? `HTTP ${reply.status} ${reply.statusText}`.trim();
  return {
    kind: 'http',
    status: reply.status,
    code: textOf(record['error_type']),
    message,
    retryAfterMs: readRetryAfter(reply.headers['retry-after'], now),
    ...clockAhead(reply, now),
  };
}

/**
 * How far our clock is ahead, by the reply's Date header. Empty without the header, and where the
 * clocks agree.
 */
function clockAhead(reply: Answered, now: EpochMs): { clockAheadMs?: number } {
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

const NO_TOKEN = 'there is no valid access token: log in at /api/altbroker/login';
const BREAKER_OPEN = 'the broker cannot be reached at present: its last calls failed';

export interface GuardedCallsParts {
  readonly clock: Clock;
  readonly accessToken: () => string | null;
}

type Send = (token: string) => Promise<KiteAnswer>;

/** The calls of one part of the broker, behind a breaker of its own. */
export interface GuardedCalls {
  /** Why no call can leave now, or null. Uses up nothing. The breaker does not hold back a way out. */
  blocked(wayOut?: boolean): NotSent | null;
  /** Waits for a permit, at most until the queue's deadline. Rejects only with a BrokerError. */
  read<T>(queue: RateLimitQueue, send: Send, parse: (data: unknown) => T): Promise<T>;
  /** Like read, for a caller that already has its permit. */
  change<T>(send: Send, parse: (data: unknown) => T, wayOut?: boolean): Promise<T>;
  /** Another part of the broker has answered: an open breaker allows one early trial. */
  allowEarly(): void;
}

export function createGuardedCalls({ clock, accessToken }: GuardedCallsParts): GuardedCalls {
  const breaker = createBreaker(clock);

  function blocked(wayOut = false): NotSent | null {
    if (accessToken() === null) return notSent('token', NO_TOKEN);
    if (!wayOut && isShut(breaker, clock)) return notSent('breaker', BREAKER_OPEN);
    return null;
  }

  async function change<T>(send: Send, parse: (data: unknown) => T, wayOut = false): Promise<T> {
    // Checked before the breaker: a missing token says nothing about the connection.
    const token = accessToken();
    if (token === null) throw brokerError({ kind: 'not_sent', reason: 'token', message: NO_TOKEN });
    try {
      return await guard(
        breaker,
        async () => parseAnswer(await send(token), parse),
        isDown,
        wayOut,
      );
    } catch (error) {
      if (!(error instanceof BreakerOpen)) throw error;
      throw brokerError({ kind: 'not_sent', reason: 'breaker', message: BREAKER_OPEN });
    }
  }

  return {
    blocked,
    change,
    allowEarly: breaker.allowEarly,
    async read(queue, send, parse) {
      // The permit comes first, so that the one trial call of a half-open breaker is not spent on
      // waiting.
      const obstacle = blocked();
      if (obstacle) {
        throw brokerError({ kind: 'not_sent', reason: obstacle.cause, message: obstacle.reason });
      }
      await permit(queue);
      return change(send, parse);
    },
  };
}

/** Waits for a permit of the queue. Rejects with a BrokerError when the queue's deadline passes. */
export async function permit(queue: RateLimitQueue): Promise<void> {
  if (await queue.limiter.acquire(queue.deadlineMs, queue.priority)) return;
  const message = `the broker's rate limit gave no permit within ${queue.deadlineMs} ms`;
  throw brokerError({ kind: 'not_sent', reason: 'no_permit', message });
}

/** `parse` throws on data that it cannot read: that is a failure, never an empty answer. */
export function parseAnswer<T>(answer: KiteAnswer, parse: (data: unknown) => T): T {
  if (answer.kind === 'failure') throw brokerError(answer.failure);
  try {
    return parse(answer.data);
  } catch (error) {
    const message = messageOf(error);
    throw brokerError({ kind: 'bad_payload', message }, error);
  }
}

function isDown(error: unknown): boolean {
  return error instanceof BrokerError && isConnectivity(error.failure);
}

function brokerError(failure: BrokerFailure, cause?: unknown): BrokerError {
  return new BrokerError('alt', failure, cause);
}
