import {
  BrokerError,
  type BrokerFailure,
  isConnectivity,
  type NotSentReason,
} from '../../domain/outcome.ts';
import type { Clock } from '../../platform/clock.ts';
import { BreakerOpen, guard, isShut } from '../../platform/breaker.ts';
import type { HttpReply, HttpRequest, HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import type { Redacted } from '../../platform/redaction.ts';
import { leaveInPlace } from '../kit/leave-in-place.ts';
import { pauseMs, redactedBody, redactedReply } from '../kit/replies.ts';
import { failureOf, type Reading } from './envelope.ts';
import { saysTokenIsDead } from './refusals.ts';
import type { RateLimitQueue } from './rate-limits.ts';
import type { TokenGenerator } from './token-generator.ts';

/** The longest pause after a 429 that is accepted from this broker. */
const LONGEST_PAUSE_MS = 60_000;

export interface Call<Data> {
  readonly queue: RateLimitQueue;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON, also with a GET: some of the broker's reads require it. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** Replaces the deadline of the queue. */
  readonly deadlineMs?: number;
  /** Sent whatever the breaker says. */
  readonly wayOut?: boolean;
  /** See HttpRequest. */
  readonly mayLeave?: () => boolean;
  /** Called when the request leaves, after any wait for its permit. */
  readonly leaves?: () => void;
  /** Reads the payload from a 2xx body. */
  readonly read: (body: string) => Reading<Data>;
}

export interface ConnectionParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly log: Log;
  /** The token to send with this request. */
  readonly accessToken: () => string | null;
  /** What must not be shown of a reply to a request with this token. */
  readonly hidden: (token: string) => Redacted;
  /** Absent where the gateway cannot renew a token. */
  readonly renewal?: Pick<TokenGenerator, 'fresh' | 'died' | 'absence'>;
  readonly baseUrl: string;
}

/** Sends one request, once. Resolves with the payload, and rejects only with a BrokerError. */
export interface Connection {
  exchange<Data>(call: Call<Data>): Promise<Data>;
  /** Opens a connection for a request that is about to change something. */
  connectAhead(): void;
}

export function createConnection(parts: ConnectionParts): Connection {
  const { transport, clock, log, accessToken, hidden, renewal } = parts;
  const base = parts.baseUrl.replace(/\/+$/, '');

  function present(token: string | null): string {
    if (token) return token;
    const why = renewal?.absence() ?? 'there is no access token for the primary brokerage';
    throw unsent('token', why);
  }

  async function exchange<Data>(call: Call<Data>): Promise<Data> {
    const { queue, wayOut = false } = call;
    const deadlineMs = call.deadlineMs ?? queue.deadlineMs;
    const begun = clock.elapsed();
    // A read waits for a new token. An order is already in the journal and never waits.
    present(renewal && !queue.changes ? await renewal.fresh(deadlineMs) : accessToken());
    if (!wayOut && isShut(queue.breaker, clock)) throw breakerOpen();
    const left = Math.max(0, deadlineMs - (clock.elapsed() - begun));
    if (!queue.changes && !(await queue.limiter.acquire(left, queue.priority))) {
      throw unsent('no_permit', `the broker's rate limit gave no permit within ${deadlineMs} ms`);
    }
    // Read the token again: it may have died while the call waited for its permit.
    const secret = present(accessToken());
    try {
      return await guard(queue.breaker, () => attempt(call, secret, deadlineMs), isDown, wayOut);
    } catch (error) {
      throw error instanceof BreakerOpen ? breakerOpen() : error;
    }
  }

  async function attempt<Data>(
    call: Call<Data>,
    secret: string,
    deadlineMs: number,
  ): Promise<Data> {
    const reply = await send(call, httpRequest(call, secret, deadlineMs));
    const hide = hidden(secret);
    const isWhole = reply.kind === 'answered' && reply.status >= 200 && reply.status < 300;
    const failure = isWhole ? null : failureOf(redactedReply(reply, hide), clock.now());
    if (failure) {
      if (failure.kind === 'http' && failure.status === 429) pause(call, failure.retryAfterMs);
      throw failed(failure, secret);
    }
    const body = reply.kind === 'answered' ? reply.body : '';
    const reading = call.read(body);
    if (reading.kind === 'data') return reading.data;
    const shown = call.read(redactedBody(body, hide));
    throw failed(shown.kind === 'data' ? reading : shown, secret);
  }

  function send(call: Call<unknown>, request: HttpRequest): Promise<HttpReply> {
    const { limiter, changes, deadlineMs: withinMs } = call.queue;
    call.leaves?.();
    if (!changes) return transport.send(request);
    const priority = call.wayOut === true ? 'way_out' : call.queue.priority;
    return leaveInPlace(
      { limiter, priority, clock, withinMs, mayLeave: call.mayLeave },
      (mayLeave) => transport.send({ ...request, ipv4: true, mayLeave }),
    );
  }

  function failed(failure: BrokerFailure, secret: string): BrokerError {
    if (saysTokenIsDead(failure)) renewal?.died(secret);
    return new BrokerError('primary', failure);
  }

  function pause(call: Call<unknown>, retryAfterMs: number | null): void {
    const ms = Math.min(pauseMs(retryAfterMs), LONGEST_PAUSE_MS);
    call.queue.limiter.pause(ms);
    log.warn('the broker says that its rate limit is exceeded', {
      broker: 'primary',
      path: call.path,
      ms,
    });
  }

  function httpRequest(call: Call<unknown>, secret: string, deadlineMs: number): HttpRequest {
    return {
      method: call.method,
      url: `${base}${call.path}${queryText(call.query)}`,
      headers: {
        authorization: secret,
        accept: 'application/json, text/csv',
        ...(call.body ? { 'content-type': 'application/json' } : {}),
      },
      ...(call.body ? { body: JSON.stringify(call.body) } : {}),
      deadlineMs,
      fresh: call.queue.changes,
    };
  }

  return {
    exchange,
    connectAhead: () => transport.connectAhead({ url: base, ipv4: true }),
  };
}

/** Commas are not encoded: lists of hundreds of codes must fit into a URL. */
function queryText(query: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(query ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function unsent(reason: NotSentReason, message: string): BrokerError {
  return new BrokerError('primary', { kind: 'not_sent', reason, message });
}

function breakerOpen(): BrokerError {
  return unsent(
    'breaker',
    'the primary brokerage cannot be reached at present: its last calls failed',
  );
}

function isDown(error: unknown): boolean {
  return error instanceof BrokerError ? isConnectivity(error.failure) : true;
}
