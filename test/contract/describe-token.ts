import type { Purpose } from '../../src/domain/order.ts';
import { describe, expect, it } from 'vitest';
import { attemptFor } from './orders.ts';
import { endOf, readsOf } from './reads.ts';
import type { Traits } from './under-test.ts';

/** Skipped for a broker that needs no token. */
export function describeToken(traits: Traits): void {
  describe.skipIf(!traits.remote)('without a token', () => {
    it('says that it is blocked, before anything is tried', async () => {
      await using under = await traits.make();
      expect(under.trading.blocked()).toBeNull();
      under.loseToken();
      expect(under.trading.blocked()).toMatchObject({ kind: 'not_sent', cause: 'token' });
    });

    it('rejects every read as not sent, and sends nothing', async () => {
      await using under = await traits.make();
      under.loseToken();
      const ends: Record<string, string> = {};
      for (const [name, call] of readsOf(traits)) ends[name] = await endOf(under, call);
      expect(new Set(Object.values(ends))).toEqual(new Set(['BrokerError not_sent/token']));
      expect(under.sent).toEqual([]);
    });

    it('places nothing, and knows that', async () => {
      await using under = await traits.make();
      under.loseToken();
      const outcome = await under.time.settle(under.trading.place(attemptFor(under.infosys)));
      expect(outcome).toMatchObject({ kind: 'not_sent', cause: 'token' });
      expect(under.sent).toEqual([]);
    });
  });

  it('is not blocked while nothing is wrong', async () => {
    await using under = await traits.make();
    expect(under.trading.blocked()).toBeNull();
    expect(await under.time.settle(under.trading.permit(0))).toBeNull();
  });

  it.skipIf(!traits.remote)('gives no more permits than the broker takes orders', async () => {
    await using under = await traits.make();
    const granted = async (purpose: Purpose): Promise<number> => {
      for (let count = 0; count <= 10; count += 1) {
        const permit = await under.time.settle(under.trading.permit(0, purpose));
        if (permit === null) continue;
        expect(permit).toMatchObject({ kind: 'not_sent', cause: 'no_permit' });
        return count;
      }
      return Infinity;
    };
    // A fifth is kept for ways out.
    expect([await granted('place'), await granted('way_out')]).toEqual([8, 2]);
    await under.time.advance(1_100);
    expect(await under.time.settle(under.trading.permit(0))).toBeNull();
  });
}
