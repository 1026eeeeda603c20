import { describe, expect, it } from 'vitest';
import { createCeiling, createLimiter } from '../../src/platform/call-limits.ts';
import { LIMIT_MARGIN_MS, type LimitWindow } from '../../src/platform/limit-windows.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const SECOND = 1_000 + LIMIT_MARGIN_MS;

function bench(...windows: LimitWindow[]) {
  const time = new VirtualTime(0);
  const limiter = createLimiter(time, time, windows);
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

describe('a limit of two a second', () => {
  const two = { count: 2, perMs: 1_000 };

  it('allows two calls at once, and the next one after a second and a margin', async () => {
    const { time, ask, log } = bench(two);
    void [ask(5_000), ask(5_000), ask(5_000), ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, 0, SECOND, SECOND, 2 * SECOND]);
  });

  it('counts in a rolling second, not in seconds of the clock', async () => {
    const { time, ask, log } = bench(two);
    void ask(0);
    await time.advance(900);
    void ask(0);
    await time.advance(50);
    void [ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, 900, SECOND, 900 + SECOND]);
  });

  it('never allows a third call within any second, however the calls come', async () => {
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

  it('refuses a call at once that will not wait', async () => {
    const { time, ask, log } = bench(two);
    void [ask(0), ask(0), ask(0)];
    await time.advance(0);
    expect(log).toEqual([0, 0, null]);
    expect(time.pending).toBe(0);
  });

  it('serves calls in the order in which they came', async () => {
    const { time, limiter } = bench({ count: 1, perMs: 1_000 });
    const served: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) {
      void limiter.acquire(60_000).then(() => served.push(name));
    }
    await time.advance(60_000);
    expect(served).toEqual(['a', 'b', 'c', 'd']);
  });

  it(
    'lets no call overtake the waiting ones, also at the moment at which a place becomes ' + 'free',
    async () => {
      const { time, ask, log } = bench({ count: 1, perMs: 1_000 });
      // Set first, so that it fires before the waiting call is served.
      time.after(SECOND, () => void ask(0));
      void [ask(0), ask(5_000)];
      await time.advance(5_000);
      expect(log).toEqual([0, SECOND, null]);
    },
  );
});

describe('a call that gave up waiting', () => {
  it('is refused at its deadline', async () => {
    const { time, ask, log } = bench({ count: 1, perMs: 1_000 });
    void [ask(0), ask(5_000), ask(1_300)];
    await time.advance(1_299);
    expect(log[2]).toBe(-1);
    await time.advance(1);
    expect(log[2]).toBeNull();
  });

  it('uses no place: the calls behind it do not wait for it', async () => {
    const { time, ask, log } = bench({ count: 1, perMs: 1_000 });
    void [ask(0), ask(5_000), ask(1_300), ask(5_000), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([0, SECOND, null, 2 * SECOND, 3 * SECOND]);
  });

  it('is refused at once when no place can become free in time', async () => {
    const { time, ask, log } = bench({ count: 1, perMs: 86_400_000 });
    void [ask(0), ask(5_000)];
    await time.advance(0);
    expect(log).toEqual([0, null]);
    expect(time.pending).toBe(0);
  });

  it('leaves no timer behind once it is served', async () => {
    const { time, ask } = bench({ count: 1, perMs: 1_000 });
    void [ask(0), ask(5_000)];
    await time.advance(SECOND);
    expect(time.pending).toBe(0);
  });
});

describe('two limits together', () => {
  it('both hold: ten a second, and fifteen in ten seconds', async () => {
    const { time, ask, log } = bench({ count: 10, perMs: 1_000 }, { count: 15, perMs: 10_000 });
    for (let call = 0; call < 16; call += 1) void ask(60_000);
    await time.advance(60_000);
    expect(log.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(log.slice(10, 15)).toEqual(Array(5).fill(SECOND));
    expect(log[15]).toBe(10_000 + LIMIT_MARGIN_MS);
  });
});

describe('a pause', () => {
  it('makes every call wait until it is over', async () => {
    const { time, limiter, ask, log } = bench({ count: 10, perMs: 1_000 });
    limiter.pause(3_000);
    void [ask(2_999), ask(5_000)];
    await time.advance(5_000);
    expect(log).toEqual([null, 3_000]);
  });

  it('delays the calls that wait already', async () => {
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
  it('is reported for each window, with the number of waiting calls and the pause', async () => {
    const { time, limiter, ask } = bench({ count: 3, perMs: 1_000 }, { count: 4, perMs: 60_000 });
    const left = () => limiter.state().windows.map((window) => window.left);
    expect(left()).toEqual([3, 4]);
    void [ask(0), ask(0)];
    expect(left()).toEqual([1, 2]);
    await time.advance(SECOND);
    expect(left()).toEqual([3, 2]);
    limiter.pause(500);
    expect(limiter.state().pausedMs).toBe(500);
    await time.advance(500);
    expect(limiter.state().pausedMs).toBe(0);
    void [ask(0), ask(0), ask(60_000)];
    expect(left()).toEqual([1, 0]);
    expect(limiter.state().waiting).toBe(1);
    await time.settle(time.advance(60_000));
    expect(limiter.state().waiting).toBe(0);
  });
});

describe('a limit of a hundred thousand a day', () => {
  it('allows exactly that many, and the next one when the first is a day old', async () => {
    const { time, limiter } = bench({ count: 100_000, perMs: 86_400_000 });
    for (let call = 0; call < 100_000; call += 1) {
      if (call % 1_000 === 0) await time.advance(100);
      await limiter.acquire(0);
    }
    expect(limiter.state().windows).toEqual([
      { count: 100_000, perMs: 86_400_000, left: 0, reserved: 0 },
    ]);
    expect(await limiter.acquire(5_000)).toBe(false);
    await time.advance(100 + 86_400_000 + LIMIT_MARGIN_MS - time.elapsed() - 1);
    expect(await limiter.acquire(0)).toBe(false);
    await time.advance(1);
    expect(limiter.state().windows[0]!.left).toBe(1_000);
    for (let call = 0; call < 1_000; call += 1) expect(await limiter.acquire(0)).toBe(true);
    expect(await limiter.acquire(0)).toBe(false);
  });
});

describe('a limit that two limiters share', () => {
  function under(count: number) {
    const time = new VirtualTime(0);
    const ceiling = createCeiling(time, { count, perMs: 1_000 });
    const ten = [{ count: 10, perMs: 1_000 }];
    return {
      time,
      ceiling,
      first: createLimiter(time, time, ten, { ceiling, spare: 0 }),
      second: createLimiter(time, time, ten, { ceiling, spare: 4 }),
    };
  }

  it('counts the calls of both', async () => {
    const { first, second, ceiling, time } = under(12);
    for (let call = 0; call < 8; call += 1) expect(await second.acquire(0)).toBe(true);
    for (let call = 0; call < 4; call += 1) expect(await first.acquire(0)).toBe(true);
    expect(await first.acquire(0)).toBe(false);
    expect(ceiling.state().windows[0]!.left).toBe(0);
    expect(await time.settle(first.acquire(2_000))).toBe(true);
    expect(time.elapsed()).toBe(SECOND);
  });

  it('keeps the places that one of them leaves to the other', async () => {
    const { first, second } = under(10);
    for (let call = 0; call < 6; call += 1) expect(await second.acquire(0)).toBe(true);
    expect(await second.acquire(0)).toBe(false);
    for (let call = 0; call < 4; call += 1) expect(await first.acquire(0)).toBe(true);
  });
});

describe('a step of the wall clock', () => {
  it.each([-3_600_000, 3_600_000])(
    'by %s ms neither blocks calls nor allows more of them',
    async (step) => {
      const { time, ask, log } = bench({ count: 1, perMs: 1_000 });
      void ask(0);
      time.stepWall(step);
      void ask(5_000);
      await time.advance(5_000);
      expect(log).toEqual([0, SECOND]);
    },
  );
});

describe('a way out', () => {
  it('waits ten seconds of a pause at most, and overtakes who has to wait for all of it', async () => {
    const time = new VirtualTime(0);
    const limiter = createLimiter(time, time, [{ count: 10, perMs: 1_000 }]);
    const log: [string, number][] = [];
    const ask = (name: string, wayOut: boolean): void => {
      void limiter.acquire(400_000, wayOut ? 'way_out' : 'caller').then((granted) => {
        if (granted) log.push([name, time.elapsed()]);
      });
    };
    limiter.pause(300_000);
    ask('order', false);
    ask('cancel', true);
    ask('exit', true);
    await time.advance(400_000);
    expect(log).toEqual([
      ['cancel', 10_000],
      ['exit', 10_000],
      ['order', 300_000],
    ]);
  });

  it('waits for a shorter pause, and keeps to the limit', async () => {
    const time = new VirtualTime(0);
    const limiter = createLimiter(time, time, [{ count: 1, perMs: 1_000 }]);
    limiter.pause(2_000);
    const granted: number[] = [];
    for (let call = 0; call < 2; call += 1) {
      void limiter.acquire(10_000, 'way_out').then(() => granted.push(time.elapsed()));
    }
    await time.advance(10_000);
    expect(granted).toEqual([2_000, 2_000 + SECOND]);
  });
});
