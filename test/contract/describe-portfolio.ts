import { describe, expect, it } from 'vitest';
import { attemptFor, placed } from './orders.ts';
import type { Traits } from './under-test.ts';

export function describePortfolio({ make }: Traits): void {
  describe('the account', () => {
    it('shows a position by its canonical name, with signed quantity and prices in rupees', async () => {
      await using under = await make();
      await placed(under, attemptFor(under.infosys));
      const positions = await under.time.settle(under.account.positions());
      const position = positions.find(({ instrument }) => instrument === 'NSE:INFY')!;
      expect(position).toMatchObject({
        product: 'CNC',
        quantity: 10,
        buyQuantity: 10,
        sellQuantity: 0,
      });
      expect(position.averagePrice).toBeCloseTo(1_500, -1);
      // Not every broker gives one with a position.
      expect([1_500, null]).toContain(position.lastPrice);
    });

    it('moves a position by what was bought', async () => {
      await using under = await make();
      const quantity = async (): Promise<number> => {
        const rows = await under.time.settle(under.account.positions());
        return rows.find(({ instrument }) => instrument === 'NSE:INFY')?.quantity ?? 0;
      };
      expect(await quantity()).toBe(0);
      await placed(under, attemptFor(under.infosys));
      expect(await quantity()).toBe(10);
      await placed(under, attemptFor(under.infosys, { quantity: 5 }));
      expect(await quantity()).toBe(15);
    });

    it('shows shares that are held, with all of them in the quantity', async () => {
      await using under = await make();
      await under.holdShares();
      const holdings = await under.time.settle(under.account.holdings());
      expect(holdings).not.toEqual([]);
      for (const holding of holdings) {
        expect(holding.instrument).toMatch(/^NSE:[A-Z]+$/);
        expect(holding.quantity).toBeGreaterThan(0);
        expect(holding.t1Quantity).toBeLessThanOrEqual(holding.quantity);
        expect(holding.averagePrice).toBeGreaterThan(0);
        expect(holding.isin ?? 'INE000000000').toMatch(/^IN[A-Z0-9]{10}$/);
      }
    });

    it('tells its funds in rupees, less after a purchase', async () => {
      await using under = await make();
      const before = await under.time.settle(under.account.funds());
      expect(before.available).toBeGreaterThan(100_000);
      await placed(under, attemptFor(under.infosys));
      await under.time.advance(1_000);
      const after = await under.time.settle(under.account.funds());
      const spent = before.available - after.available;
      expect(spent).toBeGreaterThan(14_000);
      expect(spent).toBeLessThan(16_000);
    });

    it('says whose it is', async () => {
      await using under = await make();
      const profile = await under.time.settle(under.account.profile());
      expect(profile.userId).toMatch(/\S/);
      expect(profile).toHaveProperty('name');
      expect(profile).toHaveProperty('email');
    });
  });
}
