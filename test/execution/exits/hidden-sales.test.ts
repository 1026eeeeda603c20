import { describe, expect, it } from 'vitest';
import { position } from '../support/makers.ts';
import { rowAt } from '../support/lying-broker.ts';
import { exitBench } from './support/exit-bench.ts';

const sold = (legs: readonly (readonly unknown[])[]): number =>
  legs.reduce((sum, [, quantity]) => sum + Number(quantity), 0);

/** Bought today, of which some was sold in a way that no row tells; the positions lag behind our own fills. */
async function intraday(bought: number, hidden: number) {
  const bench = await exitBench({ held: bought });
  const { broker, time } = bench;
  bench.bench.showsFills = false;
  const day = { buyQuantity: bought, buyValue: 0, sellQuantity: hidden, sellValue: 0 };
  const of = { product: 'INTRADAY', buyQuantity: bought, sellQuantity: hidden, day };
  broker.positions = [position({ ...of, quantity: bought - hidden })];
  const filled = { status: 'filled', rawStatus: 'COMPLETE', averagePrice: 1_500 } as const;
  const row = {
    brokerOrderId: 'bought',
    side: 'BUY',
    product: 'INTRADAY',
    quantity: bought,
  } as const;
  broker.rows = [rowAt(time, { ...row, ...filled, filledQuantity: bought })];
  await time.advance(30_000);
  return bench;
}

const SALE = { side: 'SELL', orderType: 'LIMIT', price: 1_490 } as const;

describe('an exit right after a sale of ours, whose account nobody had looked at before', () => {
  it.each([10, 7])(
    'sells no more than is left, where others have sold ten without a row: ours %d',
    async (quantity) => {
      const { begin, after, trading, time, legs } = await intraday(30, 10);
      await trading.place({ ...SALE, product: 'INTRADAY', quantity });
      await time.advance(1_200);
      const { id } = await begin();
      await after(id, 4_000);
      expect(sold(legs())).toBeLessThanOrEqual(20);
    },
  );

  it('sells no more than is left, where a carried position shows as many sold on another day', async () => {
    const { begin, after, broker, trading, time, legs, bench } = await exitBench({ held: 30 });
    bench.showsFills = false;
    broker.positions = [
      position({ product: 'MARGIN', quantity: 150, buyQuantity: 225, sellQuantity: 75 }),
    ];
    await time.advance(30_000);
    await trading.place({ ...SALE, product: 'MARGIN', quantity: 75 });
    await time.advance(1_200);
    const { id } = await begin({ product: 'MARGIN' });
    await after(id, 2_000);
    expect(sold(legs())).toBeLessThanOrEqual(150);
  });

  it('sells no more than is left after a restart either', async () => {
    const { begin, after, trading, time, legs } = await intraday(20, 4);
    await trading.place({ ...SALE, product: 'INTRADAY', quantity: 10 });
    await time.advance(500);
    await trading.restart();
    await time.advance(500);
    const { id } = await begin();
    await after(id, 3_000);
    expect(sold(legs())).toBeLessThanOrEqual(16);
  });
});

describe('an exit whose account was looked at before anything of its side had filled', () => {
  it('waits for nothing between legs where every trade has its row', async () => {
    const { begin, after, legs, fates } = await exitBench({ held: 100 });
    fates.push({ kind: 'fills', quantity: 40 }, { kind: 'fills' });
    const { id } = await begin();
    const { over } = await after(id, 16_000);
    expect([over?.end, legs().map(([, quantity]) => quantity)]).toEqual(['flat', [100, 60]]);
  });
});
