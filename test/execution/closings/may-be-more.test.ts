import { describe, expect, it } from 'vitest';
import { exitBench } from '../exits/support/exit-bench.ts';
import { position } from '../support/makers.ts';
import { ALL } from './support/all.ts';

const MINE = { ...ALL, scope: 'mine' } as const;

/** Ten were bought by the key, and the positions show so many of them; what is sold, they show at once. */
async function boughtTen(first: { shown: number; others?: readonly number[] }) {
  const both = await exitBench({ held: 0 });
  const { broker, time, trading, bench } = both;
  bench.showsFills = false;
  broker.positions = [];
  let now = first;
  let sold = 0;
  const show = (): void => {
    const { shown, others } = now;
    const day = { buyQuantity: shown, buyValue: 0, sellQuantity: sold, sellValue: 0 };
    const sums = { buyQuantity: shown, sellQuantity: sold, day };
    const other = others ? { otherQuantities: others.map((each) => each - sold) } : {};
    const row = { quantity: shown - sold, product: 'INTRADAY', ...sums, ...other };
    broker.positions = [position(row)];
  };
  await trading.place({ side: 'BUY', quantity: 10, product: 'INTRADAY' });
  const { place } = broker;
  broker.place = (attempt) => {
    sold += attempt.terms.quantity;
    const outcome = place(attempt);
    now = { shown: 10 };
    show();
    return outcome;
  };
  show();
  await time.advance(2_000);
  const correct = (): void => {
    now = { shown: 10 };
    show();
  };
  return { ...both, correct, sold: () => sold };
}

describe.each([
  ['lacks a part of what it has bought', { shown: 4 }, 4],
  ['contradicts itself', { shown: 10, others: [6] }, 6],
])('a closing of what a key has made, whose row %s', (_what, first, least) => {
  it('closes all of it where the row is right in time', async () => {
    const { trading, time, correct, sold } = await boughtTen(first);
    const { closings } = trading.execution;
    const begun = closings.begin(MINE);
    await time.advance(2_000);
    correct();
    await time.advance(10_000);
    const { closing } = await begun;
    expect((await closings.closing(closing.id))?.over?.end).toBe('flat');
    expect(sold()).toBe(10);
  });

  it('closes what is certain, and says that more may be held', async () => {
    const { trading, time, sold } = await boughtTen(first);
    const { closings } = trading.execution;
    const begun = closings.begin(MINE);
    await time.advance(15_000);
    const { closing } = await begun;
    await time.advance(15_000);
    const ended = await closings.closing(closing.id);
    expect([sold(), ended?.over?.end]).toEqual([least, 'partly_flat']);
    expect(ended?.positions.map(({ status }) => status)).toEqual(['flat', 'kept']);
    expect(ended?.positions[1]?.reason).toContain(`: ${10 - least} more may be held`);
  });
});
