import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFairQueues } from '../../../src/market-data/live/fair-queues.ts';
import { POLL_MS } from '../../../src/market-data/live/polling.ts';
import { hubBench, many } from './support.ts';

const ROUNDS = 60;

/** Owners, each with the numbers of its items: some items belong to several. */
const ownership = fc.array(fc.uniqueArray(fc.nat(40), { minLength: 1, maxLength: 30 }), {
  minLength: 1,
  maxLength: 8,
});

describe('the rounds of polling', () => {
  it('serve each owner its share, and starve no item of any owner', () => {
    fc.assert(
      fc.property(ownership, fc.integer({ min: 1, max: 20 }), (owners, most) => {
        const ownersOf = (item: number): string[] =>
          owners.flatMap((items, owner) => (items.includes(item) ? `key_${owner}` : []));
        const queues = createFairQueues<number>(ownersOf);
        for (const [owner, items] of owners.entries()) {
          for (const item of items) queues.add(`key_${owner}`, item);
        }
        const served = new Map<number, number>();
        const late: string[] = [];
        for (let round = 1; round <= ROUNDS; round += 1) {
          const chosen = queues.choose(most);
          if (chosen.length > most || new Set(chosen).size < chosen.length) late.push('too many');
          for (const item of chosen) served.set(item, round);
          for (const items of owners) {
            // With fewer places than owners, each has one place in some of the rounds.
            const share = most / owners.length;
            const bound = Math.ceil(items.length / (share < 1 ? share : Math.floor(share)));
            for (const item of items) {
              const waited = round - (served.get(item) ?? 0);
              if (waited >= bound && waited > 0 && round >= bound) late.push(`${item} ${waited}`);
            }
          }
        }
        return late.length === 0;
      }),
      { numRuns: 300 },
    );
  });

  it('give a caller with few instruments the same ages, whatever another caller wants', async () => {
    const ages = async (others: number): Promise<number> => {
      const { time, alt, reader } = hubBench({ places: 0, atOnce: 10 });
      const large = reader('key_large');
      for (const each of many(others, 'L')) large.want(each, 'ltp');
      await time.advance(5 * POLL_MS);
      const small = reader('key_small');
      for (const each of many(5)) small.want(each, 'ltp');
      alt.calls.length = 0;
      await time.advance(20 * POLL_MS);
      const rounds = alt.calls.map((call) => call.filter((name) => name.startsWith('NSE:S')));
      return rounds.filter((names) => names.length === 5).length;
    };
    // Five of ten each round: none of its rounds is lost to the other one's 2,000.
    expect(await ages(2_000)).toBe(20);
  });

  it('poll every instrument of a large caller within the rounds that its share takes', async () => {
    const { time, alt, reader } = hubBench({ places: 0, atOnce: 10 });
    const large = reader('key_large');
    const small = reader('key_small');
    for (const each of many(100, 'L')) large.want(each, 'ltp');
    for (const each of many(5)) small.want(each, 'ltp');
    await time.advance(20 * POLL_MS - 1);
    const polled = new Set(alt.calls.flat());
    expect([alt.calls.length, polled.size]).toEqual([20, 105]);
    expect(Math.max(...alt.calls.map((call) => call.length))).toBe(10);
  });
});
