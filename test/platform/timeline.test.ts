import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeline } from '../../src/platform/timeline.ts';

const steps = fc.array(fc.nat(5), { minLength: 100, maxLength: 120 });

describe('a timeline', () => {
  it('gives the same answers as a plain list of the newest instants', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), steps, (capacity, pauses) => {
        const timeline = createTimeline(capacity);
        const list: number[] = [];
        // Hundreds of thousands of comparisons: the test collects the differences and asserts once.
        const differences: object[] = [];
        const compare = (call: string, given: unknown, expected: unknown): void => {
          if (given !== expected) differences.push({ call, given, expected, list: [...list] });
        };
        let now = 0;
        for (const pause of pauses) {
          now += pause;
          timeline.push(now);
          list.push(now);
          const kept = list.slice(-capacity);
          for (let n = 0; n <= capacity + 1; n += 1) {
            const expected = n === 0 ? undefined : kept[kept.length - n];
            compare(`nthNewest(${n})`, timeline.nthNewest(n), expected);
          }
          for (const at of [now - 7, now - 1, now]) {
            const expected = kept.filter((each) => each > at).length;
            compare(`countAfter(${at})`, timeline.countAfter(at), expected);
          }
        }
        expect(differences).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('moves an instant to the newest place as a plain list does, and nothing where it has no such one', () => {
    const moves = fc.array(fc.tuple(fc.nat(5), fc.nat(12)), { minLength: 60, maxLength: 80 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), moves, (capacity, steps) => {
        const timeline = createTimeline(capacity);
        let list: number[] = [];
        const differences: object[] = [];
        let now = 0;
        for (const [pause, back] of steps) {
          now += pause;
          timeline.push(now);
          list = [...list, now].slice(-capacity);
          const place = list.indexOf(now - back);
          timeline.move(now - back, now + 1);
          if (place >= 0) list = [...list.toSpliced(place, 1), now + 1];
          now += 1;
          const held = list.map((_, index) => timeline.nthNewest(list.length - index));
          if (held.join() !== list.join()) differences.push({ held, list: [...list] });
        }
        expect(differences).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it('with capacity 0 keeps nothing', () => {
    const timeline = createTimeline(3);
    expect([timeline.nthNewest(1), timeline.countAfter(-1)]).toEqual([undefined, 0]);
  });
});
