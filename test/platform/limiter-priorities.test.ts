import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLimiter, type Priority, PRIORITIES } from '../../src/platform/call-limits.ts';
import { LIMIT_MARGIN_MS } from '../../src/platform/limit-windows.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const WINDOW = 1_000 + LIMIT_MARGIN_MS;
const COUNT = 10;
const SPARE = 4;
const CALLERS = { spare: () => SPARE, mostWaiting: 18 };

interface Asked {
  readonly priority: Priority;
  readonly at: number;
  /** Null for one that got no place. */
  granted: number | null;
  settled: boolean;
}

function bench() {
  const time = new VirtualTime(0);
  const limits = [{ count: COUNT, perMs: 1_000 }];
  const limiter = createLimiter(time, time, limits, undefined, CALLERS);
  const calls: Asked[] = [];
  const ask = (priority: Priority, waitMs = 5_000): Asked => {
    const call: Asked = { priority, at: time.elapsed(), granted: null, settled: false };
    calls.push(call);
    void limiter.acquire(waitMs, priority).then((granted) => {
      call.settled = true;
      if (granted) call.granted = time.elapsed();
    });
    return call;
  };
  return { time, limiter, ask, calls };
}

describe('calls that callers ask for', () => {
  it('leave places for what watches orders, however many there are', async () => {
    const { time, ask } = bench();
    for (let call = 0; call < 120; call += 1) ask('caller');
    await time.advance(1);
    const watching = [ask('watch'), ask('watch'), ask('way_out'), ask('watch')];
    await time.advance(1);
    expect(watching.map(({ at, granted }) => granted === at)).toEqual([true, true, true, true]);
  });

  it('wait for three seconds at most, and the rest is refused at once', async () => {
    const { time, ask, calls } = bench();
    for (let call = 0; call < 120; call += 1) ask('caller');
    await time.advance(0);
    expect(calls.filter(({ settled, granted }) => settled && granted === null)).toHaveLength(96);
    await time.advance(5_000);
    const granted = calls.flatMap((call) => call.granted ?? []);
    expect([granted.length, Math.max(...granted)]).toEqual([24, 3 * WINDOW]);
  });

  it('are served after those that wait for something more urgent', async () => {
    const { time, ask, calls } = bench();
    for (let call = 0; call < COUNT; call += 1) ask('watch');
    ask('caller');
    for (let call = 0; call < COUNT; call += 1) ask('watch');
    ask('way_out');
    await time.advance(5_000);
    const [first, ...rest] = calls.slice(COUNT).map(({ granted }) => granted);
    expect([first, rest[0], rest.at(-2), rest.at(-1)]).toEqual([
      2 * WINDOW,
      WINDOW,
      2 * WINDOW,
      WINDOW,
    ]);
  });
});

describe('whatever is asked, and whenever', () => {
  const step = fc.record({
    priority: fc.constantFrom(...PRIORITIES),
    afterMs: fc.constantFrom(0, 0, 1, 40, 300, 1_100),
    times: fc.integer({ min: 1, max: 12 }),
  });

  it('keeps to the limit, serves by priority and then by arrival, and starves no watch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const { time, ask, calls } = bench();
        for (const { priority, afterMs, times } of steps) {
          await time.advance(afterMs);
          for (let call = 0; call < times; call += 1) ask(priority);
        }
        await time.advance(60_000);
        const granted = calls.flatMap((call) => call.granted ?? []).sort((one, two) => one - two);
        for (const [place, at] of granted.entries()) {
          const next = granted[place + COUNT];
          if (next !== undefined) expect(next - at).toBeGreaterThanOrEqual(WINDOW);
        }
        for (const call of calls) {
          if (call.granted === null) continue;
          const { granted: left, at, priority } = call;
          // Nothing less urgent leaves while it waits, and nothing equal that came later.
          const overtook = calls.filter(
            (other) =>
              other.granted !== null &&
              other.granted > at &&
              other.granted < left &&
              (PRIORITIES.indexOf(other.priority) > PRIORITIES.indexOf(priority) ||
                (other.priority === priority && other.at > at)),
          );
          expect(overtook).toEqual([]);
          const urgent = calls.filter(
            (other) => other.priority !== 'caller' && other.at <= at && other.at > at - 3 * WINDOW,
          );
          if (priority !== 'caller' && urgent.length <= SPARE) expect(left).toBe(at);
        }
      }),
      { numRuns: 60 },
    );
  });
});
