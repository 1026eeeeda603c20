import { describe, expect, it } from 'vitest';
import { createLimiter, LIMIT_MARGIN_MS } from '../../src/platform/call-limits.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const SECOND = 1_000 + LIMIT_MARGIN_MS;

/** Two calls a second. */
function bench() {
  const time = new VirtualTime(0);
  const limiter = createLimiter(time, time, [{ count: 2, perMs: 1_000 }]);
  /** When each call was allowed, in elapsed ms; null for one that gave up. */
  const log: (number | null)[] = [];
  const ask = (waitMs: number): Promise<void> => {
    const place = log.push(-1) - 1;
    return limiter.acquire(waitMs).then((granted) => {
      log[place] = granted ? time.elapsed() : null;
    });
  };
  return { time, limiter, ask, log };
}

describe('a limit on calls that leave some time after they were allowed', () => {
  it('counts a call from when it leaves, where that is later than when it was allowed', async () => {
    const { time, limiter, ask, log } = bench();
    void [ask(5_000), ask(5_000)];
    await time.advance(400);
    limiter.left();
    await time.advance(100);
    limiter.left();
    void [ask(5_000), ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, 0, 400 + SECOND, 500 + SECOND, 400 + 2 * SECOND]);
  });

  it('counts a call that never leaves once, and not for longer', async () => {
    const { time, limiter, ask, log } = bench();
    void [ask(5_000), ask(5_000)];
    await time.advance(7_000);
    // What leaves now is none of the two: theirs is too long ago.
    limiter.left();
    void [ask(5_000), ask(5_000)];
    await time.advance(0);
    expect(log).toEqual([0, 0, 7_000, 7_000]);
  });
});
