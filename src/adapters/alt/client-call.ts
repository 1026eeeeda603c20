import type { BrokerFailure } from '../../domain/failure.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HttpTransport } from '../../platform/http.ts';
import type { Log } from '../../platform/log.ts';
import { redact } from '../../platform/redaction.ts';
import { saysTokenIsDead } from './errors.ts';
import type { RateLimitQueue } from './rate-limits.ts';
import { readReply, type Expected, type KiteAnswer } from './reply.ts';
import { createSdks, type Sdk } from './sdk.ts';
import { createWire } from './sdk-transport.ts';

export interface KiteSettings {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly apiRoot: string;
  readonly loginUrl: string;
  /** Whether orders leave over IPv4 alone (docs/spec/kite-orders.md, "Changing"). */
  readonly ordersOverIpv4: boolean;
}

export interface CallParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly log: Log;
  readonly onDeadToken: (accessToken: string) => void;
  readonly settings: KiteSettings;
}

export interface Call {
  readonly queue: RateLimitQueue;
  readonly token: string | null;
  readonly expected?: Expected;
  /** Replaces `parseKiteJson`. */
  readonly parse?: (text: string) => unknown;
  readonly run: (sdk: Sdk) => Promise<unknown>;
  /** A text that must not appear in a message, besides the token and the secret. */
  readonly secret?: string;
}

/**
 * Makes one call through the SDK: at most one request, once. Never rejects: however the SDK
 * settles, the answer is read from the reply on the wire (docs/spec/kite-sdk.md).
 */
export function createCall(parts: CallParts): (call: Call) => Promise<KiteAnswer> {
  const { transport, clock, log, settings } = parts;
  const sdks = createSdks(settings);

  /** An error of the listener must not change the outcome of the call. */
  function reportDead(token: string): void {
    try {
      parts.onDeadToken(token);
    } catch (error) {
      log.error('a dead token could not be reported', { broker: 'alt', reason: String(error) });
    }
  }

  return async ({ queue, token, expected, parse, run, secret }) => {
    const { deadlineMs, fresh } = queue;
    const ipv4 = queue.addressChecked === true && settings.ordersOverIpv4;
    const wire = createWire(transport, { deadlineMs, fresh, ...(ipv4 ? { ipv4 } : {}) });
    try {
      await sdks.use(token, wire, run);
    } catch {
      // The SDK resolves and rejects with values that are no answer; the reply decides.
    }
    const answer = readReply(wire.reply(), clock.now(), expected, parse);
    if (answer.kind === 'success') return answer;
    const failure = presentable(answer.failure, [settings.apiSecret, token, secret]);
    if (failure.kind === 'http' && failure.status === 429) {
      queue.limiter.pause(failure.retryAfterMs ?? 1_000);
    }
    if (token !== null && saysTokenIsDead(failure)) reportDead(token);
    return { kind: 'failure', failure };
  };
}

const LONGEST_MESSAGE = 300;

/**
 * A proxy or server can repeat what it was sent, at any length, and messages go to logs and
 * callers. Secrets are removed before the text is shortened, which could otherwise leave a part of
 * one.
 */
function presentable(
  failure: BrokerFailure,
  secrets: readonly (string | null | undefined)[],
): BrokerFailure {
  let message = redact(failure.message, { secrets });
  if (message.length > LONGEST_MESSAGE) message = `${message.slice(0, LONGEST_MESSAGE)}…`;
  return { ...failure, message };
}
