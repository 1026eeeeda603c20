import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INFY, named, TCS } from '../support.ts';
import { hubBench, linesOf, many } from './support.ts';

type Step =
  | { readonly kind: 'want' | 'unwant'; readonly caller: number; readonly item: number }
  | { readonly kind: 'wait' };

const CALLERS = 4;
const PLACES = 12;

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: stepOf('want') },
  { weight: 3, arbitrary: stepOf('unwant') },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'wait' }) },
);

function stepOf(kind: 'want' | 'unwant'): fc.Arbitrary<Step> {
  return fc.record({ kind: fc.constant(kind), caller: fc.nat(CALLERS - 1), item: fc.nat(30) });
}

describe('the places of a ticker', () => {
  it('are never more than the broker has, and shared evenly by those who want more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 200 }), async (steps) => {
        const { time, feed, reader } = hubBench({ places: PLACES });
        const readers = Array.from({ length: CALLERS }, (_, at) => reader(`key_${at}`));
        const wants = readers.map(() => new Set<string>());
        for (const each of steps) {
          if (each.kind === 'wait') await time.advance(1_000);
          else {
            // Each caller has instruments of its own, so that a share can be counted.
            const name = `NSE:C${each.caller}X${each.item}` as const;
            if (each.kind === 'want') readers[each.caller]!.want(named(name), 'ltp');
            else readers[each.caller]!.unwant(name);
            if (each.kind === 'want') wants[each.caller]!.add(name);
            else wants[each.caller]!.delete(name);
          }
          if (feed.wanted.size > PLACES) return false;
        }
        await time.advance(5_000);
        const held = wants.map(
          (names) => [...names].filter((name) => feed.wanted.has(name)).length,
        );
        const most = Math.max(...held);
        const isShared = held.every((count, at) => count === wants[at]!.size || count >= most - 1);
        const total = wants.reduce((sum, names) => sum + names.size, 0);
        return isShared && feed.wanted.size === Math.min(total, PLACES);
      }),
      { numRuns: 60 },
    );
  });

  it('that one caller has all of are given up for another, and polling takes over there', async () => {
    const { time, feed, reader } = hubBench({ places: 4 });
    const first = reader('key_a');
    for (const each of many(6)) first.want(each, 'ltp');
    for (const at of [0, 1, 2, 3, 4, 5]) feed.send(`NSE:S${at}`, 100);
    await time.advance(0);
    first.told.length = 0;
    const second = reader('key_b');
    second.want(INFY, 'ltp');
    second.want(TCS, 'ltp');
    expect([...feed.wanted.keys()].toSorted()).toEqual(['NSE:INFY', 'NSE:S2', 'NSE:S3', 'NSE:TCS']);
    await time.advance(100);
    expect(linesOf(first.told)[0]).toBe('feed polling alt NSE:S0,NSE:S1');
    second.leave();
    await time.advance(2_000);
    expect(feed.wanted.size).toBe(4);
  });

  it('are one for an instrument, however many callers want it', () => {
    const { feed, reader } = hubBench({ places: 2 });
    for (const caller of ['key_a', 'key_b', 'key_c']) {
      const one = reader(caller);
      one.want(INFY, 'ltp');
      one.want(TCS, 'full');
    }
    expect([...feed.wanted]).toEqual([
      ['NSE:INFY', 'ltp'],
      ['NSE:TCS', 'full'],
    ]);
  });
});
