import type { MayLeave } from '../../domain/order.ts';
import type { Limiter, Priority } from '../../platform/call-limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { CROWDED, type HttpReply } from '../../platform/http.ts';

export interface Leaving {
  readonly limiter: Limiter;
  readonly priority: Priority | undefined;
  readonly clock: Clock;
  /** How long it waits for further places, all in all, ms. */
  readonly withinMs: number;
  /** Asked first; see HttpRequest. */
  readonly mayLeave: MayLeave | undefined;
}

/**
 * Sends a request that has a place within a rate limit, once. A connection can take seconds to open, so that
 * the place is too old when the request is to be written: where no other is free then, the request is kept
 * back, waits for one, and goes out on a connection of its own again. No byte of it has left before
 * (docs/spec/kite-limits.md, "How the gateway keeps them").
 */
export async function leaveInPlace<Reply extends HttpReply | null>(
  { limiter, priority, clock, withinMs, mayLeave }: Leaving,
  send: (mayLeave: () => boolean) => Promise<Reply>,
): Promise<Reply | HttpReply> {
  const begun = clock.elapsed();
  for (;;) {
    let isCrowded = false;
    const reply = await send(() => {
      if (mayLeave?.() === false) return false;
      isCrowded = !limiter.mayLeave(priority);
      return !isCrowded;
    });
    if (!isCrowded || reply?.kind !== 'not_sent') return reply;
    const waitMs = withinMs - (clock.elapsed() - begun);
    if (await limiter.acquire(waitMs, priority)) continue;
    const message = "the broker's rate limit gave no further permit when the connection was open";
    return { kind: 'not_sent', cause: CROWDED, message };
  }
}
