import { describe, expect, it } from 'vitest';
import { endOf, readsOf } from './reads.ts';
import type { Traits } from './under-test.ts';

export function describeReadTroubles(traits: Traits): void {
  describe('the time at the broker', () => {
    it('is that of its last reply, or that of this computer', async () => {
      await using under = await traits.make();
      const { trading, time } = under;
      await time.settle(trading.orderBook());
      const told = trading.isLocal === true ? time.now() : trading.brokerTime?.()?.at;
      const isKnown = told !== undefined && Math.abs(time.now() - told) <= 1_000;
      expect(isKnown).toBe(traits.remote || trading.isLocal === true);
    });
  });
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
