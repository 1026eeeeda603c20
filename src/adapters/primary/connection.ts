import {
  BrokerError,
  isConnectivity,
  type BrokerFailure,
  type NotSentReason,
} from '../../domain/failure.ts';
import type { Clock } from '../../platform/clock.ts';
import { BreakerOpen, guard, isShut } from '../../platform/guard.ts';
import type { HttpRequest, HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import type { Reading } from './envelope.ts';
import { failureOf } from './errors.ts';
import type { Lane } from './lanes.ts';

export interface Call {
  readonly lane: Lane;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON, with a GET too: some of the broker's reads want it. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** In place of the lane's. */
  readonly deadlineMs?: number;
  /** Takes the payload out of a 2xx body. */
  readonly read: (body: string) => Reading;
}

export interface ConnectionParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly log: Log;
  readonly accessToken: () => string | null;
  readonly baseUrl: string;
}

/** Resolves with the payload; rejects with a BrokerError and with nothing else. One request, once. */
export interface Connection {
  exchange(call: Call): Promise<unknown>;
}

/** A 429 without Retry-After, and the longest pause that one may ask for. */
const DEFAULT_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export function createConnection(parts: ConnectionParts): Connection {
  const { transport, clock, log, accessToken } = parts;
  const base = parts.baseUrl.replace(/\/+$/, '');

  function token(): string {
    const value = accessToken();
    if (!value) throw unsent('token', 'there is no access token for the primary brokerage');
    return value;
  }

  async function exchange(call: Call): Promise<unknown> {
    const { lane } = call;
    const deadlineMs = call.deadlineMs ?? lane.deadlineMs;
    token();
    if (isShut(lane.breaker, clock)) throw breakerOpen();
    if (!lane.changes && !(await lane.limiter.acquire(deadlineMs))) {
      throw unsent('no_permit', `the broker's limit left no room within ${deadlineMs} ms`);
    }
    // Again: the token may have died while the permit was waited for.
    const secret = token();
    try {
      return await guard(lane.breaker, () => attempt(call, secret, deadlineMs), isDown);
    } catch (error) {
      throw error instanceof BreakerOpen ? breakerOpen() : error;
    }
  }

  async function attempt(call: Call, secret: string, deadlineMs: number): Promise<unknown> {
    const reply = await transport.send(httpRequest(call, secret, deadlineMs));
    const failure = failureOf(reply, clock.now());
    if (failure) {
      if (failure.kind === 'http' && failure.status === 429) pause(call, failure.retryAfterMs);
      throw new BrokerError('primary', withoutSecret(failure, secret));
    }
    const reading = call.read(reply.kind === 'answered' ? reply.body : '');
    if (reading.kind !== 'data') throw new BrokerError('primary', withoutSecret(reading, secret));
    return reading.data;
  }

  function pause(call: Call, retryAfterMs: number | null): void {
    const ms = Math.min(retryAfterMs ?? DEFAULT_PAUSE_MS, LONGEST_PAUSE_MS);
    call.lane.limiter.pause(ms);
    log.warn('the broker says that its limit is exceeded', {
      broker: 'primary',
      path: call.path,
      ms,
    });
  }

  function httpRequest(call: Call, secret: string, deadlineMs: number): HttpRequest {
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
      fresh: call.lane.changes,
      ...(call.lane.changes ? { ipv4: true } : {}),
    };
  }

  return { exchange };
}

/** Commas stay as they are: lists of hundreds of codes must fit into a URL. */
function queryText(query: Readonly<Record<string, string>> | undefined): string {
  const pairs = Object.entries(query ?? {}).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** A broker's words may repeat the token. Below 8 characters it is none, and would mangle words. */
function withoutSecret<T extends BrokerFailure>(failure: T, secret: string): T {
  if (secret.length < 8) return failure;
  return { ...failure, message: failure.message.replaceAll(secret, '[token]') };
}

function unsent(reason: NotSentReason, message: string): BrokerError {
  return new BrokerError('primary', { kind: 'not_sent', reason, message });
}

function breakerOpen(): BrokerError {
  return unsent('breaker', 'the primary brokerage could not be reached a moment ago');
}

function isDown(error: unknown): boolean {
  return error instanceof BrokerError ? isConnectivity(error.failure) : true;
}
