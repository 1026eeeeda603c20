import { describe, expect, it } from 'vitest';
import { createLimiter, LIMIT_MARGIN_MS, type LimitWindow } from '../../src/platform/limiter.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const SECOND = 1_000 + LIMIT_MARGIN_MS;

function bench(...windows: LimitWindow[]) {
  const time = new VirtualTime(0);
  const limiter = createLimiter(time, time, windows);
  /** When each was let through, in elapsed ms; null for one that gave up. */
  const log: (number | null)[] = [];
  const ask = (waitMs: number): Promise<void> => {
    const place = log.push(-1) - 1;
    return limiter.acquire(waitMs).then((granted) => {
      log[place] = granted ? time.elapsed() : null;
    });
  };
  return { time, limiter, ask, log };
}

describe('a limit of two a second', () => {
  const two = { count: 2, perMs: 1_000 };

  it('lets two through at once, and the next when a second and a margin have passed', async () => {
    const { time, ask, log } = bench(two);
    void [ask(5_000), ask(5_000), ask(5_000), ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, 0, SECOND, SECOND, 2 * SECOND]);
  });

  it('looks back over a rolling second, not at seconds of the clock', async () => {
    const { time, ask, log } = bench(two);
    void ask(0);
    await time.advance(900);
    void ask(0);
    await time.advance(50);
    void [ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, 900, SECOND, 900 + SECOND]);
  });

  it('never lets a third into any second, however calls come', async () => {
    const { time, ask, log } = bench(two);
    for (let call = 0; call < 60; call += 1) {
      void ask(60_000);
      await time.advance((call * 137) % 400);
    }
    await time.advance(60_000);
    const granted = log.map((at) => at!).sort((left, right) => left - right);
    expect(granted).toHaveLength(60);
    for (const [index, at] of granted.entries()) {
      const third = granted[index + 2];
      if (third !== undefined) expect(third - at).toBeGreaterThanOrEqual(SECOND);
    }
  });

  it('turns one away at once that will not wait', async () => {
    const { time, ask, log } = bench(two);
    void [ask(0), ask(0), ask(0)];
    await time.advance(0);
    expect(log).toEqual([0, 0, null]);
    expect(time.pending).toBe(0);
  });

  it('serves in the order in which they came', async () => {
    const { time, limiter } = bench({ count: 1, perMs: 1_000 });
    const served: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      void limiter.acquire(60_000).then(() => served.push(name));
    }
    await time.advance(60_000);
    expect(served).toEqual(['a', 'b', 'c', 'd']);
  });

  it('lets nobody past those who wait, also in the very moment in which there is room', async () => {
    const { time, ask, log } = bench({ count: 1, perMs: 1_000 });
    // Set first, so that it fires before the one who waits is served.
    time.after(SECOND, () => void ask(0));
    void [ask(0), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, SECOND, null]);
  });
});

describe('one that gave up waiting', () => {
  it('is told at its deadline', async () => {
    const { time, ask, log } = bench({ count: 1, perMs: 1_000 });
    void [ask(0), ask(300)];
    await time.advance(299);
    expect(log[1]).toBe(-1);
    await time.advance(1);
    expect(log[1]).toBeNull();
  });

  it('has taken nothing: those behind it do not wait for it', async () => {
    const { time, ask, log } = bench({ count: 1, perMs: 1_000 });
    void [ask(0), ask(300), ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, null, SECOND, 2 * SECOND]);
  });

  it('leaves no timer behind when it was served', async () => {
    const { time, ask } = bench({ count: 1, perMs: 1_000 });
    void [ask(0), ask(5_000)];
    await time.advance(SECOND);
    expect(time.pending).toBe(0);
  });
});

describe('two limits together', () => {
  it('hold both: ten a second, and fifteen in ten', async () => {
    const { time, ask, log } = bench({ count: 10, perMs: 1_000 }, { count: 15, perMs: 10_000 });
    for (let call = 0; call < 16; call += 1) void ask(60_000);
    await time.advance(60_000);
    expect(log.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(log.slice(10, 15)).toEqual(Array(5).fill(SECOND));
    expect(log[15]).toBe(10_000 + LIMIT_MARGIN_MS);
  });
});

describe('a pause', () => {
  it('keeps everybody waiting until it is over', async () => {
    const { time, limiter, ask, log } = bench({ count: 10, perMs: 1_000 });
    limiter.pause(3_000);
    void [ask(2_999), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([null, 3_000]);
  });

  it('holds up those who wait already', async () => {
    const { time, limiter, ask, log } = bench({ count: 1, perMs: 1_000 });
    void [ask(0), ask(20_000)];
    limiter.pause(10_000);
    await time.advance(20_000);
    expect(log).toEqual([0, 10_000]);
  });

  it('is not shortened by a shorter one', async () => {
    const { time, limiter, ask, log } = bench({ count: 1, perMs: 1_000 });
    limiter.pause(3_000);
    limiter.pause(1);
    void ask(5_000);
    await time.advance(5_000);
    expect(log).toEqual([3_000]);
  });
});

describe('what is left of a limit', () => {
  it('is what the tightest window has, less those who wait', async () => {
    const { time, limiter, ask } = bench({ count: 3, perMs: 1_000 }, { count: 4, perMs: 60_000 });
    expect(limiter.available()).toBe(3);
    void [ask(0), ask(0)];
    expect(limiter.available()).toBe(1);
    await time.advance(SECOND);
    expect(limiter.available()).toBe(2);
    limiter.pause(500);
    expect(limiter.available()).toBe(0);
    await time.advance(500);
    void [ask(0), ask(0), ask(0)];
    expect(limiter.available()).toBe(0);
  });
});

describe('a step of the wall clock', () => {
  it.each([-3_600_000, 3_600_000])('by %s ms neither blocks nor lets through', async (step) => {
    const { time, ask, log } = bench({ count: 1, perMs: 1_000 });
    void ask(0);
    time.stepWall(step);
    void ask(5_000);
    await time.advance(5_000);
    expect(log).toEqual([0, SECOND]);
  });
});
