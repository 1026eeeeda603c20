import { type BrokerFailure, isOpenStatus } from '../../domain/outcome.ts';
import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import type { HttpReply, HttpTransport } from '../../platform/http.ts';
import type { Limiter } from '../../platform/call-limits.ts';
import type { Secret } from '../../platform/secret.ts';
import { redactedReply } from '../kit/replies.ts';
import { failureOf, isObject, readStrict } from './envelope.ts';
import { TOTP_STEP_MS, totpCode } from './totp.ts';
import type { EpochMs } from '../../units/branded.ts';

/** The credentials that the broker's token generator takes. */
export interface TokenCredentials {
  readonly apiKey: Secret;
  readonly mpin: Secret;
  /** The key of the one-time codes. */
  readonly totpSecret: Secret<Uint8Array>;
}

export type Generation =
  | { readonly kind: 'token'; readonly token: string }
  /** The broker refused: sending the same again could lock the account. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing was sent: the rate limit gave no permit. */
  | { readonly kind: 'too_soon' }
  /** Nothing speaks against trying again later. */
  | { readonly kind: 'later'; readonly reason: string };

export interface TokenRequestParts {
  readonly transport: HttpTransport;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly limiter: Limiter;
  readonly baseUrl: string;
  readonly credentials: TokenCredentials;
}

const DEADLINE_MS = 8_000;
/** A code that is about to expire would be invalid by the time it arrives. */
const LEAST_LEFT_OF_CODE_MS = 3_000;
/** The characters that a header can carry unchanged. */
const TOKEN_TEXT = /^[\x21-\x7e]{1,4096}$/;

/** Asks for a token, once. Never rejects. The answer holds no credential but the token. */
export async function requestToken(parts: TokenRequestParts): Promise<Generation> {
  const { transport, clock, scheduler, limiter, credentials } = parts;
  if (!(await limiter.acquire(0))) return { kind: 'too_soon' };
  const left = TOTP_STEP_MS - (clock.now() % TOTP_STEP_MS);
  if (left < LEAST_LEFT_OF_CODE_MS) await sleep(scheduler, left);
  const code = totpCode(credentials.totpSecret.reveal(), clock.now());
  const mpin = credentials.mpin.reveal();
  const apiKey = credentials.apiKey.reveal();
  const reply = await transport.send({
    method: 'POST',
    url: `${parts.baseUrl.replace(/\/+$/, '')}/generate/token`,
    headers: {
      'x-api-key': apiKey,
      accept: 'application/json',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ mpin, totp: code }),
    deadlineMs: DEADLINE_MS,
    fresh: true,
    ipv4: true,
  });
  const answer = read(reply, clock.now());
  if (answer.kind === 'token') return answer;
  // The message is read from a redacted text: one that was shortened could hold half a secret.
  const hidden = { secrets: [apiKey], codes: [mpin, code] };
  const shown = read(redactedReply(reply, hidden), clock.now());
  const reason = shown.kind === 'token' ? 'the reply could not be read' : shown.message;
  return { kind: isRefusal(answer) ? 'refused' : 'later', reason };
}

function read(
  reply: HttpReply,
  now: EpochMs,
): Extract<Generation, { kind: 'token' }> | BrokerFailure {
  return failureOf(reply, now) ?? tokenIn(reply.kind === 'answered' ? reply.body : '');
}

/** At the top level or in `data`. */
function tokenIn(text: string): Extract<Generation, { kind: 'token' }> | BrokerFailure {
  const reading = readStrict(text);
  const found = reading.kind === 'data' ? reading.data : parsed(text);
  if (isObject(found) && typeof found.token === 'string' && TOKEN_TEXT.test(found.token)) {
    // A body that reports a failure is a failure, whatever else it holds.
    if (reading.kind !== 'error_body') return { kind: 'token', token: found.token };
  }
  if (reading.kind !== 'data' && reading.kind !== 'bad_payload') return reading;
  return { kind: 'bad_payload', message: 'the reply to the request for a token has no token' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRefusal(failure: BrokerFailure): boolean {
  if (failure.kind === 'error_body') return true;
  if (failure.kind !== 'http' || failure.ownWords !== true) return false;
  const { status } = failure;
  return status >= 400 && status !== 429 && !isOpenStatus(status);
}
