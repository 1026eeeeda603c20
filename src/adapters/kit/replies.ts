import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerTime } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { CROWDED, HELD_BACK, type HttpReply, type HttpTransport } from '../../platform/http.ts';
import { redact, type Redacted } from '../../platform/redaction.ts';
import { epochMs, type EpochMs } from '../../units/branded.ts';
import { beginningOf, shownWords } from './row-texts.ts';

/** The transport, and the time that the last reply over it has told. */
export interface TimedTransport {
  readonly transport: HttpTransport;
  /** Null until a reply has told a time. */
  readonly brokerTime: () => BrokerTime | null;
}

/**
 * Keeps the time of day that a broker's replies tell in their Date header, to the second. Every whole
 * reply counts, refusals included: whoever answers has a clock.
 */
export function keepBrokerTime(transport: HttpTransport, clock: Clock): TimedTransport {
  let last: BrokerTime | null = null;
  return {
    brokerTime: () => last,
    transport: {
      connectAhead: (target) => transport.connectAhead(target),
      close: () => transport.close(),
      async send(request) {
        const reply = await transport.send(request);
        const at = reply.kind === 'answered' ? Date.parse(reply.headers['date'] ?? '') : NaN;
        if (!Number.isNaN(at)) {
          last = { at: epochMs(at), localAt: clock.now(), receivedAt: clock.elapsed() };
        }
        return reply;
      },
    },
  };
}

/** Why a request did not leave: only a connection that failed says anything about the broker. */
export function unsentReason({
  cause,
}: Extract<HttpReply, { readonly kind: 'not_sent' }>): 'connect' | 'held_back' | 'no_permit' {
  if (cause === CROWDED) return 'no_permit';
  return cause === HELD_BACK ? 'held_back' : 'connect';
}

/**
 * A broker's reply without the secrets that it may repeat: in the body, in the reason phrase and in
 * the words of a failed connection, of which only the beginning is read (row-texts.ts). To be applied
 * before a message is read from it, since one that was shortened could hold half a secret.
 */
export function redactedReply(reply: HttpReply, hidden: Redacted): HttpReply {
  const shown = (words: string): string => redact(beginningOf(words), hidden);
  if (reply.kind !== 'answered') return { ...reply, message: shown(reply.message) };
  return {
    ...reply,
    statusText: shown(reply.statusText),
    body: redactedBody(reply.body, hidden),
  };
}

/**
 * A body without the secrets that it may repeat, from which the words of a failure are read. In a JSON
 * body, secrets are removed from the decoded texts, of which only the beginning is kept; nothing else
 * changes, so that a number that equals a code stays a number. Any other body is treated as plain text.
 */
export function redactedBody(body: string, hidden: Redacted): string {
  let decoded: unknown;
  try {
    decoded = JSON.parse(body);
  } catch {
    return redact(beginningOf(body), hidden);
  }
  return JSON.stringify(decoded, (_key, value: unknown) =>
    typeof value === 'string' ? redact(beginningOf(value), hidden) : value,
  );
}

/**
 * The orders of a book without the secrets that a broker may repeat in the words of an order: in its
 * reason, and in a status that is not known. Only the beginning of a long reason is read; `shorten` is
 * applied afterwards.
 */
export function redactedReasons(
  orders: readonly BrokerOrder[],
  hidden: Redacted,
  shorten: (reason: string) => string = shownWords,
): readonly BrokerOrder[] {
  return orders.map((order) => {
    const { status, rawStatus: word } = order;
    const reason = order.reason && shorten(redact(beginningOf(order.reason), hidden));
    const rawStatus = status === 'unrecognised' ? redact(word, hidden) : word;
    const isSame = reason === order.reason && rawStatus === word;
    return isSame ? order : { ...order, reason, rawStatus };
  });
}

/** No broker means a longer pause: a wrong Retry-After must not stop orders for the day. */
const LONGEST_MS = 300_000;
const WITHOUT_HEADER_MS = 1_000;

/**
 * What a Retry-After header asks for, in ms from `now` (epoch ms): seconds or an HTTP date (RFC
 * 9110, 10.2.3). At most five minutes; null when it is neither.
 */
export function readRetryAfter(header: string | undefined, now: EpochMs): number | null {
  const text = header?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS);
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.min(Math.max(0, at - now), LONGEST_MS);
}

/** How long a rate-limit queue pauses after a 429, ms; null stands for one without Retry-After. */
export function pauseMs(retryAfterMs: number | null): number {
  return retryAfterMs ?? WITHOUT_HEADER_MS;
}
