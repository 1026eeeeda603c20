import { describe, expect, it } from 'vitest';
import { attemptFor, AWAY, cancelOf, FURTHER_AWAY, modifyOf, placed, rowOf } from './orders.ts';
import type { Traits } from './under-test.ts';

export function describeChanging({ make, remote }: Traits): void {
  describe('a resting order', () => {
    it('takes a new price and a new quantity', async () => {
      await using under = await make();
      const attempt = attemptFor(under.infosys, { price: AWAY });
      const id = await placed(under, attempt);
      const changes = { price: FURTHER_AWAY, quantity: 12 };
      const outcome = await modifyOf(under, await rowOf(under, id), attempt.terms, changes);
      expect(outcome).toEqual({ kind: 'acknowledged', brokerOrderId: id });
      await under.time.advance(2_000);
      expect(await rowOf(under, id)).toMatchObject({
        status: 'working',
        price: FURTHER_AWAY,
        quantity: 12,
        filledQuantity: 0,
      });
    });

    it('is cancelled with nothing filled', async () => {
      await using under = await make();
      const id = await placed(under, attemptFor(under.infosys, { price: AWAY }));
      const outcome = await cancelOf(under, await rowOf(under, id));
      expect(outcome).toEqual({ kind: 'acknowledged', brokerOrderId: id });
      await under.time.advance(2_000);
      expect(await rowOf(under, id)).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
      expect(await under.time.settle(under.account.positions())).toEqual([]);
    });

    it.skipIf(!remote)('is cancelled and modified with one request each', async () => {
      await using under = await make();
      const attempt = attemptFor(under.infosys, { price: AWAY });
      const row = await rowOf(under, await placed(under, attempt));
      const count = (): number => under.sent.filter(({ method }) => method !== 'GET').length;
      await modifyOf(under, row, attempt.terms, { price: FURTHER_AWAY });
      await under.time.advance(2_000);
      expect(count()).toBe(2);
      await cancelOf(under, row);
      await under.time.advance(60_000);
      expect(count()).toBe(3);
    });
  });

  describe('an order that is over', () => {
    it('is not cancelled: that is refused, and changes nothing', async () => {
      await using under = await make();
      const before = await rowOf(under, await placed(under, attemptFor(under.infosys)));
      expect(await cancelOf(under, before)).toMatchObject({ kind: 'refused' });
      await under.time.advance(2_000);
      expect(await rowOf(under, before.brokerOrderId)).toEqual(before);
    });

    it('is not modified: that is refused, and changes nothing', async () => {
      await using under = await make();
      const attempt = attemptFor(under.infosys, { price: AWAY });
      const resting = await rowOf(under, await placed(under, attempt));
      await cancelOf(under, resting);
      await under.time.advance(2_000);
      const before = await rowOf(under, resting.brokerOrderId);
      const outcome = await modifyOf(under, before, attempt.terms, { price: FURTHER_AWAY });
      expect(outcome).toMatchObject({ kind: 'refused' });
      await under.time.advance(2_000);
      expect(await rowOf(under, before.brokerOrderId)).toEqual(before);
    });
  });
}
