import { describe, expect, it } from 'vitest';
import { endOf, readsOf } from './reads.ts';
import type { Traits } from './under-test.ts';

export function describeReadTroubles(traits: Traits): void {
  if (traits.readTroubles.length === 0) return;
  const reads = readsOf(traits);
  describe('a read that fails', () => {
    it.each(traits.readTroubles.map(({ name, strike }) => [name, strike] as const))(
      'rejects with a BrokerError, and never answers nothing, when %s',
      async (_name, strike) => {
        const ends: Record<string, string> = {};
        for (const [name, call] of reads) {
          await using under = await traits.make();
          await strike(under);
          ends[name] = (await endOf(under, call)).split(' ')[0]!;
        }
        expect(ends).toEqual(Object.fromEntries(reads.map(([name]) => [name, 'BrokerError'])));
      },
    );
  });
}
