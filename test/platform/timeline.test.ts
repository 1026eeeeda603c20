import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeline } from '../../src/platform/timeline.ts';

const steps = fc.array(fc.nat(5), { minLength: 100, maxLength: 120 });

describe('a timeline', () => {
  it('says what a plain list of the newest would say', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), steps, (capacity, pauses) => {
        const timeline = createTimeline(capacity);
        const list: number[] = [];
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          timeline.push(now);
          list.push(now);
          const kept = list.slice(-capacity);
          for (let n = 0; n <= capacity + 1; n += 1) {
            expect(timeline.nthNewest(n)).toBe(n === 0 ? undefined : kept[kept.length - n]);
          }
          for (const at of [now - 7, now - 1, now]) {
            expect(timeline.countAfter(at)).toBe(kept.filter((each) => each > at).length);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('of nothing has nothing', () => {
    const timeline = createTimeline(3);
    expect([timeline.nthNewest(1), timeline.countAfter(-1)]).toEqual([undefined, 0]);
  });
});
