import { describe, expect, it } from 'vitest';
import { attemptFor, AWAY, placed, rowOf } from './orders.ts';
import type { Traits } from './under-test.ts';

export function describePlacing(traits: Traits): void {
  const { make } = traits;
  describe('an order', () => {
    it('is acknowledged with its id, a text, and is then in the book', async () => {
      await using under = await make();
      const id = await placed(under, attemptFor(under.infosys));
      expect(id).toBeTypeOf('string');
      expect(await rowOf(under, id)).toMatchObject({
        brokerOrderId: id,
        instrument: 'NSE:INFY',
        side: 'BUY',
        quantity: 10,
        orderType: 'MARKET',
        product: 'CNC',
        validity: 'DAY',
      });
    });

    it('at the market fills whole', async () => {
      await using under = await make();
      const id = await placed(under, attemptFor(under.infosys));
      const row = await rowOf(under, id);
      expect(row).toMatchObject({ status: 'filled', filledQuantity: 10 });
      expect(row.averagePrice).toBeCloseTo(1_500, -1);
    });

    it('has fills that add up to its quantity and its price', async () => {
      await using under = await make();
      // More than the best level has.
      const id = await placed(under, attemptFor(under.infosys, { quantity: 300 }), 20_000);
      const row = await rowOf(under, id);
      expect(row).toMatchObject({ status: 'filled', filledQuantity: 300 });
      const trades = await under.time.settle(under.trading.trades());
      const fills = trades.filter(
        ({ brokerOrderId, exchangeOrderId }) =>
          brokerOrderId === id ||
          (exchangeOrderId !== null && exchangeOrderId === row.exchangeOrderId),
      );
      const quantity = fills.reduce((sum, fill) => sum + fill.quantity, 0);
      const value = fills.reduce((sum, fill) => sum + fill.quantity * fill.price, 0);
      expect(fills.length).toBeGreaterThan(1);
      expect(quantity).toBe(300);
      expect(value / quantity).toBeCloseTo(row.averagePrice!, 2);
      expect(new Set(fills.map(({ fillId }) => fillId)).size).toBe(fills.length);
      for (const { fillId } of fills) expect(fillId).toBeTypeOf('string');
    });

    it('rests as working, with nothing filled, when its limit is away from the market', async () => {
      await using under = await make();
      const id = await placed(under, attemptFor(under.infosys, { price: AWAY }));
      expect(await rowOf(under, id)).toMatchObject({
        status: 'working',
        filledQuantity: 0,
        orderType: 'LIMIT',
        price: AWAY,
      });
      expect(await under.time.settle(under.trading.trades())).toEqual([]);
    });

    it('that sells what is held is a sale in the book', async () => {
      await using under = await make();
      await placed(under, attemptFor(under.infosys));
      const id = await placed(under, attemptFor(under.infosys, { side: 'SELL', quantity: 4 }));
      expect(await rowOf(under, id)).toMatchObject({ side: 'SELL', filledQuantity: 4 });
      const positions = await under.time.settle(under.account.positions());
      expect(positions.find(({ instrument }) => instrument === 'NSE:INFY')?.quantity).toBe(6);
    });
  });
  describePlacedRow(traits);
}

function describePlacedRow({ make, remote, echoesTags }: Traits): void {
  describe('an order', () => {
    it('has times in epoch ms, of the moment', async () => {
      await using under = await make();
      const before = under.time.now();
      const id = await placed(under, attemptFor(under.infosys));
      const { createdAt, updatedAt } = await rowOf(under, id);
      const [trade] = await under.time.settle(under.trading.trades());
      for (const at of [createdAt, updatedAt, trade!.at]) {
        expect(Number.isInteger(at)).toBe(true);
        // Rows have a grain of a second.
        expect(at).toBeGreaterThan(before - 1_001);
        expect(at).toBeLessThanOrEqual(under.time.now());
      }
    });

    it(echoesTags ? 'carries its tag in the book' : 'carries no tag in the book', async () => {
      await using under = await make();
      const attempt = attemptFor(under.infosys);
      const row = await rowOf(under, await placed(under, attempt));
      expect(row.tags).toEqual(echoesTags ? [attempt.tag] : []);
      expect(under.trading.tagging === 'never').toBe(!echoesTags);
    });

    it('is one request, and one order', async () => {
      await using under = await make();
      await placed(under, attemptFor(under.infosys), 60_000);
      expect(under.ordersTaken()).toBe(1);
      if (remote) expect(under.sent.map(({ method }) => method)).toEqual(['POST']);
    });

    it('beyond the funds ends refused, or as a rejected row with nothing filled', async () => {
      await using under = await make();
      const attempt = attemptFor(under.infosys, { quantity: 99_999 });
      const outcome = await under.time.settle(under.trading.place(attempt));
      if (outcome.kind === 'acknowledged') {
        await under.time.advance(3_000);
        const row = await rowOf(under, outcome.brokerOrderId);
        expect(row).toMatchObject({ status: 'rejected', filledQuantity: 0 });
        expect(row.reason).toMatch(/funds|margin/i);
      } else {
        expect(outcome).toMatchObject({ kind: 'refused', rejection: 'other' });
      }
      expect(await under.time.settle(under.account.positions())).toEqual([]);
    });
  });
}
