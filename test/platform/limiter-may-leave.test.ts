import { describe, expect, it } from 'vitest';
import { createLimiter, KEPT_FOR_WAYS_OUT } from '../../src/platform/call-limits.ts';
import { LIMIT_MARGIN_MS } from '../../src/platform/limit-windows.ts';
import { seededRandom } from '../../sandbox/kernel/ports.ts';
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
    expect(limiter.mayLeave()).toBe(true);
    await time.advance(100);
    expect(limiter.mayLeave()).toBe(true);
    void [ask(5_000), ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, 0, 400 + SECOND, 500 + SECOND, 400 + 2 * SECOND]);
  });

  it('lets a call whose place is too old leave where there is another one', async () => {
    const { time, limiter, ask, log } = bench();
    void [ask(5_000), ask(5_000)];
    await time.advance(7_000);
    expect(limiter.mayLeave()).toBe(true);
    void [ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, 0, 7_000, 7_000 + SECOND]);
  });

  it('keeps a call back whose place is too old where others have taken all places since', async () => {
    const { time, limiter, ask } = bench();
    void ask(5_000);
    await time.advance(SECOND);
    void [ask(5_000), ask(5_000)];
    await time.advance(100);
    // Any place is as good as another: the two that may leave are any two of the three.
    expect([limiter.mayLeave(), limiter.mayLeave(), limiter.mayLeave()]).toEqual([
      true,
      true,
      false,
    ]);
    await time.advance(SECOND);
    expect(limiter.mayLeave()).toBe(true);
  });

  it('keeps places free for ways out at the moment of leaving too', async () => {
    const time = new VirtualTime(0);
    const windows = [{ count: 10, perMs: 1_000 }];
    const limiter = createLimiter(time, time, windows, undefined, KEPT_FOR_WAYS_OUT);
    const ask = async (priority: 'caller' | 'way_out'): Promise<boolean> =>
      (await limiter.acquire(0, priority)) && limiter.mayLeave(priority);
    for (let call = 0; call < 8; call += 1) expect(await ask('caller')).toBe(true);
    expect(limiter.mayLeave('caller')).toBe(false);
    expect(limiter.mayLeave('way_out')).toBe(true);
  });

  it.each(['a', 'b', 'c', 'd'])(
    'never lets more leave in a second than it allows, however long each takes (%s)',
    async (seed) => {
      const time = new VirtualTime(0);
      const random = seededRandom(seed);
      const limiter = createLimiter(time, time, [{ count: 10, perMs: 1_000 }]);
      const left: number[] = [];
      const call = async (): Promise<void> => {
        while (await limiter.acquire(8_000)) {
          const takesMs = random.next() < 0.3 ? random.next() * 4_000 : random.next() * 200;
          await new Promise<void>((resolve) => void time.after(takesMs, resolve));
          // One in twenty is given up after all.
          if (random.next() < 0.05) return;
          if (!limiter.mayLeave()) continue;
          left.push(time.elapsed());
          return;
        }
      };
      for (let number = 0; number < 400; number += 1) {
        void call();
        await time.advance(random.next() < 0.1 ? 700 : random.next() * 80);
      }
      await time.advance(20_000);
      const crowded = left.filter((at, index) => (left[index + 10] ?? Infinity) < at + SECOND);
      expect(crowded).toEqual([]);
      expect(left.length).toBeGreaterThan(150);
    },
  );
});
