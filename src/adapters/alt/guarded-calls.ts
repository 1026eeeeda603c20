import { BrokerError, isConnectivity, type BrokerFailure } from '../../domain/failure.ts';
import { notSent, type NotSent } from '../../domain/outcome.ts';
import { createBreaker } from '../../platform/breaker.ts';
import type { Clock } from '../../platform/clock.ts';
import { BreakerOpen, guard, isShut } from '../../platform/guard.ts';
import { messageOf } from '../../platform/thrown.ts';
import type { RateLimitQueue } from './rate-limits.ts';
import type { KiteAnswer } from './reply.ts';

const NO_TOKEN = 'there is no valid access token: log in';
const BREAKER_OPEN = 'the broker could not be reached lately: calls are held back';

export interface GuardedCallsParts {
  readonly clock: Clock;
  readonly accessToken: () => string | null;
}

type Send = (token: string) => Promise<KiteAnswer>;

/** One part of what the broker serves, behind a breaker of its own. */
export interface GuardedCalls {
  /** Why no call could leave now; takes nothing. */
  blocked(): NotSent | null;
  /** Waits for a permit, at most as long as the queue's deadline. Rejects with BrokerError only. */
  read<T>(queue: RateLimitQueue, send: Send, parse: (data: unknown) => T): Promise<T>;
  /** As read, for a caller who has the permit already. */
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
    // Looked at before the breaker: a missing token says nothing of the connection.
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
      // A breaker's one trial must not be spent on waiting, so the permit comes first.
      const obstacle = blocked();
      if (obstacle) {
        throw failed({ kind: 'not_sent', reason: obstacle.cause, message: obstacle.reason });
      }
      await permit(queue);
      return change(send, parse);
    },
  };
}

/** Waits in the queue's queue; rejects with a BrokerError when its deadline passes first. */
export async function permit(queue: RateLimitQueue): Promise<void> {
  if (await queue.limiter.acquire(queue.deadlineMs)) return;
  const message = `no place within the broker's limits in ${queue.deadlineMs} ms`;
  throw failed({ kind: 'not_sent', reason: 'no_permit', message });
}

/** `parse` throws on data that it cannot read: that is a failure, never "nothing". */
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
