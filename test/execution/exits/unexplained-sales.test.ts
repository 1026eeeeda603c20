import { describe, expect, it } from 'vitest';
import type { PlaceAttempt } from '../../../src/domain/order.ts';
import { position } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

/**
 * An account of ten shares of which others sell some without a row in the book. What the positions show of either side's
 * sales is set by the test; `held` is what is really held.
 */
async function soldByNobody({ held: first = 10, before = 0 } = {}) {
  const both = await exitBench({ held: first });
  const { broker, bench, time, fill } = both;
  bench.showsFills = false;
  const at = { ours: 0, others: before, shownOurs: 0, shownOthers: before, isLate: false };
  const show = (): void => {
    if (!at.isLate) at.shownOurs = at.ours;
    const sold = at.shownOurs + at.shownOthers;
    const day = { buyQuantity: first, buyValue: 0, sellQuantity: sold, sellValue: 0 };
    broker.positions = [
      position({
        ...{ product: 'INTRADAY', quantity: first - sold, day },
        ...{ buyQuantity: first, sellQuantity: sold },
      }),
    ];
  };
  const { place } = broker;
  broker.place = (attempt: PlaceAttempt) => {
    const outcome = place(attempt);
    const row = broker.rows.at(-1);
    if (row?.side === 'SELL') at.ours += row.filledQuantity ?? 0;
    show();
    return outcome;
  };
  broker.rows = [];
  show();
  await time.advance(6_000);
  return {
    ...both,
    held: () => first - at.ours - at.others,
    ours: () => at.ours,
    /** Others sell so many, and the positions show it at once. */
    othersSell: (quantity: number) => {
      at.others += quantity;
      at.shownOthers += quantity;
      show();
    },
    /** So many of the first leg fill now. */
    oursFill: (quantity: number) => {
      at.ours += quantity;
      fill('leg-1', quantity);
      show();
    },
    /** The positions lack what our legs sell from now on, or show it. */
    late: (isLate: boolean) => {
      at.isLate = isLate;
      show();
    },
  };
}

describe('an exit of a position of which others sell some that no book row explains', () => {
  it('sells what is left once, where they sold before it and the fill of its leg comes late', async () => {
    const { begin, after, held, late } = await soldByNobody({ before: 4 });
    late(true);
    const { id } = await begin();
    expect((await after(id, 10_000)).over).toBeNull();
    expect(held()).toBe(0);
    late(false);
    expect((await after(id, 8_000)).over).toMatchObject({ end: 'flat', held: 0 });
    expect(held()).toBe(0);
  });

  it('stops where the fill of its leg never shows, and has sold no more than was held', async () => {
    const { begin, after, held, late } = await soldByNobody({ before: 4 });
    late(true);
    const { over } = await after((await begin()).id, 60_000);
    expect(held()).toBe(0);
    expect([over?.end, over?.why]).toEqual(['stopped', 'account_unreadable']);
  });

  it.each([1, 3, 5])(
    'sells the rest once where they sell %i between its legs, and the second fill comes late',
    async (quantity) => {
      const { begin, after, held, othersSell, late, fates } = await soldByNobody();
      fates.push({ kind: 'fills', quantity: 4 });
      const { id } = await begin();
      await after(id, 3_000);
      othersSell(quantity);
      late(true);
      await after(id, 60_000);
      expect(held()).toBe(0);
    },
  );

  it('keeps to what was left over a restart', async () => {
    const { begin, after, held, othersSell, late, fates, trading, time } = await soldByNobody();
    fates.push({ kind: 'fills', quantity: 4 });
    const { id } = await begin();
    await after(id, 3_000);
    othersSell(3);
    late(true);
    await after(id, 9_000);
    expect(held()).toBe(0);
    await trading.restart();
    await time.advance(60_000);
    expect(held()).toBe(0);
  });

  it.each([1, 3])(
    'sells no more than is left where they sell %i while its first fill is not shown',
    async (quantity) => {
      const { begin, after, legs, held, othersSell, oursFill, late, fates } = await soldByNobody();
      fates.push({ kind: 'fills', quantity: 0 });
      late(true);
      const { id } = await begin();
      await after(id, 9_000);
      // The rest of the first leg is cancelled after ten seconds: the second leg follows at once.
      oursFill(4);
      othersSell(quantity);
      await after(id, 9_000);
      late(false);
      await after(id, 60_000);
      expect(legs().length).toBeGreaterThan(1);
      expect(held()).toBe(0);
    },
  );

  it('sells nothing more where they sell all of the rest', async () => {
    const { begin, after, held, ours, othersSell, fates } = await soldByNobody();
    fates.push({ kind: 'fills', quantity: 4 });
    const { id } = await begin();
    await after(id, 3_000);
    othersSell(6);
    const { over } = await after(id, 60_000);
    expect([held(), ours()]).toEqual([0, 4]);
    expect(over).toMatchObject({ end: 'flat', held: 0 });
  });

  it('buys nothing back where they sell more than the rest, and says that it is on the other side', async () => {
    const { begin, after, broker, held, othersSell, fates } = await soldByNobody();
    fates.push({ kind: 'fills', quantity: 4 });
    const { id } = await begin();
    await after(id, 3_000);
    othersSell(8);
    const { over } = await after(id, 60_000);
    expect(held()).toBe(-2);
    expect([over?.end, over?.why, over?.held]).toEqual(['stopped', 'reversed', -2]);
    expect(broker.placed.every(({ terms }) => terms.side === 'SELL')).toBe(true);
  });

  it('is not flat where they sell after its last leg', async () => {
    const { begin, after, late, othersSell, held } = await soldByNobody();
    late(true);
    const { id } = await begin();
    await after(id, 2_000);
    othersSell(10);
    late(false);
    const { over } = await after(id, 60_000);
    expect(held()).toBe(-10);
    expect([over?.end, over?.why, over?.held]).toEqual(['stopped', 'reversed', -10]);
  });
});

describe('an exit beside trades of others that no book row explains', () => {
  it.each([5, 3])(
    'is not flat while the positions may lack what was bought, with %i bought and sold',
    async (turned) => {
      const { broker, begin, after, trading, time } = await exitBench({ held: 0 });
      const show = (bought: number, sold = 0): void => {
        const day = { buyQuantity: turned + bought, buyValue: 0, sellQuantity: turned + sold };
        broker.positions = [
          position({
            ...{ product: 'INTRADAY', quantity: bought - sold },
            ...{ buyQuantity: day.buyQuantity, sellQuantity: day.sellQuantity },
            day: { ...day, sellValue: 0 },
          }),
        ];
      };
      show(0);
      await time.advance(5_000);
      const { place } = broker;
      broker.place = (attempt) => {
        const outcome = place(attempt);
        show(0);
        return outcome;
      };
      await trading.place({ side: 'BUY', quantity: 3, product: 'INTRADAY' });
      await time.advance(1_500);
      show(0);
      const { id } = await begin();
      expect((await after(id, 2_000)).over).toBeNull();
      broker.place = (attempt) => {
        const outcome = place(attempt);
        show(3, 3);
        return outcome;
      };
      show(3);
      expect((await after(id, 12_000)).over).toMatchObject({ end: 'flat' });
      expect(broker.placed.at(-1)?.terms).toMatchObject({ side: 'SELL', quantity: 3 });
    },
  );
});
