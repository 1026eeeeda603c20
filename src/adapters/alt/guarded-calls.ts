import { BrokerError, isConnectivity, type BrokerFailure } from '../../domain/failure.ts';
import { notSent, type NotSent } from '../../domain/outcome.ts';
import { createBreaker } from '../../platform/breaker.ts';
import type { Clock } from '../../platform/clock.ts';
import { BreakerOpen, guard, isShut } from '../../platform/guard.ts';
import { messageOf } from '../../platform/thrown.ts';
import type { RateLimitQueue } from './rate-limits.ts';
import type { KiteAnswer } from './reply.ts';

const NO_TOKEN = 'there is no valid access token: log in at /api/altbroker/login';
const BREAKER_OPEN = 'the broker cannot be reached at present: its last calls failed';

export interface GuardedCallsParts {
  readonly clock: Clock;
  readonly accessToken: () => string | null;
}

type Send = (token: string) => Promise<KiteAnswer>;

/** The calls of one part of the broker, behind a breaker of its own. */
export interface GuardedCalls {
  /** Why no call can leave now, or null. Uses up nothing. */
  blocked(): NotSent | null;
  /** Waits for a permit, at most until the queue's deadline. Rejects only with a BrokerError. */
  read<T>(queue: RateLimitQueue, send: Send, parse: (data: unknown) => T): Promise<T>;
  /** Like read, for a caller that already has its permit. */
  change<T>(send: Send, parse: (data: unknown) => T): Promise<T>;
}

export function createGuardedCalls({ clock, accessToken }: GuardedCallsParts): GuardedCalls {
  const breaker = createBreaker(clock);

  function blocked(): NotSent | null {
    if (accessToken() === null) return notSent('token', NO_TOKEN);
    if (isShut(breaker, clock)) return notSent('breaker', BREAKER_OPEN);
    return null;
  }

  async function change<T>(send: Send, parse: (data: unknown) => T): Promise<T> {
    // Checked before the breaker: a missing token says nothing about the connection.
    const token = accessToken();
    if (token === null) throw failed({ kind: 'not_sent', reason: 'token', message: NO_TOKEN });
    try {
      return await guard(breaker, async () => parseAnswer(await send(token), parse), isDown);
    } catch (error) {
      if (!(error instanceof BreakerOpen)) throw error;
      throw failed({ kind: 'not_sent', reason: 'breaker', message: BREAKER_OPEN });
    }
  }

  return {
    blocked,
    change,
    async read(queue, send, parse) {
      // The permit comes first, so that the one trial call of a half-open breaker is not spent on
      // waiting.
      const obstacle = blocked();
      if (obstacle) {
        throw failed({ kind: 'not_sent', reason: obstacle.cause, message: obstacle.reason });
      }
      await permit(queue);
      return change(send, parse);
    },
  };
}

/** Waits for a permit of the queue. Rejects with a BrokerError when the queue's deadline passes. */
export async function permit(queue: RateLimitQueue): Promise<void> {
  if (await queue.limiter.acquire(queue.deadlineMs)) return;
  const message = `the broker's rate limit gave no permit within ${queue.deadlineMs} ms`;
  throw failed({ kind: 'not_sent', reason: 'no_permit', message });
}

/** `parse` throws on data that it cannot read: that is a failure, never an empty answer. */
export function parseAnswer<T>(answer: KiteAnswer, parse: (data: unknown) => T): T {
  if (answer.kind === 'failure') throw failed(answer.failure);
  try {
    return parse(answer.data);
  } catch (error) {
    const message = messageOf(error);
    throw failed({ kind: 'bad_payload', message }, error);
  }
}

function isDown(error: unknown): boolean {
  return error instanceof BrokerError && isConnectivity(error.failure);
}

function failed(failure: BrokerFailure, cause?: unknown): BrokerError {
  return new BrokerError('alt', failure, cause);
}
