import { describe, expect, it } from 'vitest';
import type { PlaceAttempt } from '../../../src/domain/order.ts';
import type { UnreadPortfolioRow } from '../../../src/domain/portfolio.ts';
import { position } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

type Rest = Partial<UnreadPortfolioRow>;

/** A hundred shares, bought today, in a row of which what `restOf` makes of the sold ones can be read. */
async function heldHundred(restOf: (sold: number) => Rest) {
  const both = await exitBench({ held: 100 });
  const { broker, bench } = both;
  bench.showsFills = false;
  let sold = 0;
  const show = (): void => {
    broker.positions = [];
    const names = { list: 'positions', instrument: 'NSE:INFY', product: 'INTRADAY' } as const;
    const row = { ...names, quantity: 100 - sold, reason: 'average_price is not a number' };
    broker.unread = [{ ...row, ...restOf(sold) }];
  };
  const { place } = broker;
  broker.place = (attempt: PlaceAttempt) => {
    const before = broker.rows.length;
    const outcome = place(attempt);
    if (broker.rows.length > before) sold += broker.rows.at(-1)?.filledQuantity ?? 0;
    show();
    return outcome;
  };
  show();
  return both;
}

const traded = (sold: number): Rest => ({ traded: { buyQuantity: 100, sellQuantity: sold } });

describe('an exit of a position of which a price cannot be read', () => {
  it('goes on after a part has filled, as its quantities show that', async () => {
    const { begin, after, fates, legs } = await heldHundred(traded);
    fates.push({ kind: 'fills', quantity: 30 });
    const { over } = await after((await begin()).id, 90_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 70]);
    expect(over?.end).toBe('flat');
  });

  it('sells no more than is certainly left, and stops, where nothing tells what it has sold', async () => {
    const { begin, after, fates, legs } = await heldHundred(() => ({}));
    fates.push({ kind: 'fills', quantity: 30 });
    const { over } = await after((await begin()).id, 90_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 40]);
    expect(over).toMatchObject({ end: 'stopped', why: 'account_unreadable' });
  });

  it('sells the least that its quantities allow where they contradict one another', async () => {
    const { begin, after, legs } = await heldHundred(() => ({ otherQuantities: [40] }));
    await after((await begin()).id, 5_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([40]);
  });

  it('sells nothing where they do not say whether anything is held', async () => {
    const { begin, after, legs } = await heldHundred(() => ({ otherQuantities: [0] }));
    const { over } = await after((await begin()).id, 90_000);
    expect(legs()).toEqual([]);
    expect(over).toMatchObject({ end: 'stopped', why: 'account_unreadable' });
  });

  it.each([
    ['once where it comes twice', 100],
    ['nothing where it comes with another quantity too', 60],
  ])('sells %s', async (_what, quantity) => {
    const { begin, after, broker, legs } = await heldHundred(traded);
    broker.positions = [position({ product: 'INTRADAY', quantity, buyQuantity: 100 })];
    await after((await begin()).id, 5_000);
    expect(legs().map(([, each]) => each)).toEqual(quantity === 100 ? [100] : []);
  });
});
