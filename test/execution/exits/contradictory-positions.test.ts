import { describe, expect, it } from 'vitest';
import type { PlaceAttempt } from '../../../src/domain/order.ts';
import type { Position, Turnover } from '../../../src/domain/portfolio.ts';
import { ALL } from '../closings/support/all.ts';
import { position } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

/** What an account with ten shares shows once so many of them are sold. */
type RowOf = (sold: number) => Partial<Position>;

const dayOf = (sold: number): Turnover => ({
  ...{ buyQuantity: 10, buyValue: 15_000, sellQuantity: sold, sellValue: sold * 1_500 },
});
const traded = (sold: number): Partial<Position> => ({
  ...{ buyQuantity: 10, sellQuantity: sold, day: dayOf(sold) },
});
/** The broker's quantity is behind, and its adapter says so. */
const BEHIND: RowOf = (sold) => ({
  quantity: 10,
  ...traded(sold),
  ...(sold > 0 ? { otherQuantities: [10 - sold] } : {}),
});
const RIGHT: RowOf = (sold) => ({ quantity: 10 - sold, ...traded(sold) });
/** The same without a word of the adapter: only the gateway's own count can tell. */
const UNTOLD: RowOf = (sold) => ({ quantity: 10, ...traded(sold) });

async function heldTen(rowOf: RowOf, product: 'INTRADAY' | 'CNC' = 'INTRADAY') {
  const both = await exitBench({ held: 10 });
  const { broker, bench, time } = both;
  bench.showsFills = false;
  const state = { rowOf, sold: 0 };
  const show = (): void => {
    broker.positions = [position({ product, ...state.rowOf(state.sold) })];
  };
  const { place } = broker;
  broker.place = (attempt: PlaceAttempt) => {
    const outcome = place(attempt);
    const row = broker.rows.at(-1);
    if (row?.side === 'SELL') state.sold += row.filledQuantity ?? 0;
    show();
    return outcome;
  };
  show();
  await time.advance(1_000);
  const sold = (): number => state.sold;
  const change = (next: RowOf): void => {
    state.rowOf = next;
    show();
  };
  return { ...both, sold, change };
}

describe('an exit while the figures of its position contradict one another', () => {
  it('sells what is held once, and ends flat once they agree', async () => {
    const { begin, after, sold, change } = await heldTen(BEHIND);
    const { id } = await begin();
    expect((await after(id, 6_000)).over).toBeNull();
    expect(sold()).toBe(10);
    change(RIGHT);
    expect((await after(id, 5_000)).over).toMatchObject({ end: 'flat' });
    expect(sold()).toBe(10);
  });

  it('stops, and says what contradicts, where they never agree', async () => {
    const { begin, after, sold } = await heldTen(BEHIND);
    const { over } = await after((await begin()).id, 60_000);
    expect(sold()).toBe(10);
    expect(over).toMatchObject({ end: 'stopped', why: 'account_unreadable', held: null });
    expect(over?.detail).toContain('its figures contradict one another');
  });

  it('sells the least that they allow meanwhile', async () => {
    const { begin, after, legs, change } = await heldTen(() => ({
      ...{ quantity: 10, ...traded(4), otherQuantities: [6] },
    }));
    const { id } = await begin();
    await after(id, 3_000);
    expect(legs()[0]?.[1]).toBe(6);
    change((sold) => ({ quantity: 6 - sold, ...traded(4 + sold) }));
    expect((await after(id, 5_000)).over).toMatchObject({ end: 'flat' });
  });

  it('sells nothing by a quantity that is no whole number', async () => {
    const { begin, after, sold } = await heldTen(() => ({ quantity: 10.5 }));
    const { over } = await after((await begin()).id, 60_000);
    expect(sold()).toBe(0);
    expect(over?.detail).toContain('its quantity is no whole number');
  });

  it('is not flat where what was bought shows in one of them alone', async () => {
    const { begin, after, sold, change } = await heldTen(() => ({
      ...{ quantity: 0, ...traded(0), otherQuantities: [10] },
    }));
    const { id } = await begin();
    expect((await after(id, 5_000)).over).toBeNull();
    change(RIGHT);
    expect((await after(id, 5_000)).over).toMatchObject({ end: 'flat' });
    expect(sold()).toBe(10);
  });

  it('takes the larger sale of delivery shares for true', async () => {
    const { broker, begin, after, legs } = await heldTen(
      () => ({ quantity: -4, sellQuantity: 6, otherQuantities: [-6] }),
      'CNC',
    );
    broker.holdings = [
      {
        ...{ instrument: 'NSE:INFY', isin: null, quantity: 10, usedQuantity: 0, t1Quantity: 0 },
        ...{ averagePrice: null, lastPrice: null },
      },
    ];
    await after((await begin({ product: 'CNC' })).id, 3_000);
    expect(legs()[0]?.[1]).toBe(4);
  });
});

describe('the legs of an exit', () => {
  it('never sell more in all than was known to be held, whatever the positions show', async () => {
    const { begin, after, sold } = await heldTen(UNTOLD);
    const { over } = await after((await begin()).id, 60_000);
    expect(sold()).toBe(10);
    expect(over).toMatchObject({ end: 'stopped', why: 'account_unreadable', held: null });
    expect(over?.detail).toContain(
      'the legs of this exit sold 10 of NSE:INFY (INTRADAY), all that was',
    );
  });

  it('keep to that over a restart', async () => {
    const { begin, time, sold, trading } = await heldTen(UNTOLD);
    const { id } = await begin();
    await time.advance(5_000);
    await trading.restart();
    await time.advance(60_000);
    expect(sold()).toBe(10);
    const exit = await trading.execution.exits.exit(id);
    expect(exit?.over?.detail).toContain('the legs of this exit sold 10 of NSE:INFY (INTRADAY)');
  });

  it('wait for positions that are behind before they say so', async () => {
    const { begin, after, sold, change } = await heldTen(UNTOLD);
    const { id } = await begin();
    expect((await after(id, 10_000)).over).toBeNull();
    change(RIGHT);
    expect((await after(id, 5_000)).over).toMatchObject({ end: 'flat' });
    expect(sold()).toBe(10);
  });

  it('may sell what orders of the gateway have added since', async () => {
    const { begin, after, sold, change, trading, time, fates, fill } = await heldTen(RIGHT);
    fates.push({ kind: 'fills', quantity: 3 });
    const { id } = await begin();
    await after(id, 2_000);
    expect(sold()).toBe(3);
    await trading.place({ side: 'BUY', quantity: 5, product: 'INTRADAY' });
    change((each) => ({
      ...{ quantity: 15 - each, buyQuantity: 15, sellQuantity: each },
      day: { buyQuantity: 15, buyValue: 0, sellQuantity: each, sellValue: 0 },
    }));
    fill('leg-1', 0);
    await time.advance(30_000);
    expect((await after(id, 30_000)).over).toMatchObject({ end: 'flat' });
    expect(sold()).toBe(15);
  });
});

describe('what other orders of the gateway fill beside the legs', () => {
  /** Fifteen are held once five more were bought. */
  const FIFTEEN: RowOf = (sold) => ({
    ...{ quantity: 15 - sold, buyQuantity: 15, sellQuantity: sold },
    day: { buyQuantity: 15, buyValue: 0, sellQuantity: sold, sellValue: 0 },
  });

  it.each([
    ['is not sold again by them', false],
    ['is not after a restart either', true],
  ])('%s', async (_what, isRestarted) => {
    const { begin, after, sold, trading, fates } = await heldTen(UNTOLD);
    fates.push({ kind: 'fills', quantity: 3 });
    const { id } = await begin();
    await after(id, 2_000);
    await trading.place({ side: 'SELL', quantity: 4, product: 'INTRADAY' });
    if (isRestarted) await trading.restart();
    const { over } = await after(id, 60_000);
    expect(sold()).toBe(10);
    expect(over?.detail).toContain(
      'sold 6 of NSE:INFY (INTRADAY), and other orders of the gateway 4, all that was',
    );
  });

  it('is theirs to sell where it fills while a price is asked for', async () => {
    const { begin, after, sold, change, trading, time, fates, fill, bench } = await heldTen(RIGHT);
    fates.push({ kind: 'fills', quantity: 0 });
    await trading.place({ side: 'BUY', quantity: 5, product: 'INTRADAY' });
    const { quote } = bench;
    let answer: () => void = () => undefined;
    const late = new Promise<typeof quote>((resolve) => (answer = () => resolve(quote)));
    Object.assign(bench, { quote: late });
    const { id } = await begin();
    await time.advance(1_000);
    fill('leg-1', 5);
    change(FIFTEEN);
    await time.advance(10_000);
    Object.assign(bench, { quote });
    answer();
    expect((await after(id, 30_000)).over).toMatchObject({ end: 'flat' });
    expect(sold()).toBe(15);
  });
});

describe('an exit that waits for the positions between its legs', () => {
  it('waits as long each time', async () => {
    const both = await exitBench({ held: 100, settings: { attempts: 6 } });
    const { broker, begin, after, fates, bench, legs } = both;
    bench.showsFills = false;
    const state = { sold: 0, told: 0 };
    /** The quantity is right, and what was sold is told twelve seconds late. */
    const show = (): void => {
      const { sold, told } = state;
      const day = { buyQuantity: 0, buyValue: 0, sellQuantity: told, sellValue: 0 };
      const other = told === sold ? {} : { otherQuantities: [100 - told] };
      const sums = { buyQuantity: 0, sellQuantity: told, day };
      broker.positions = [
        position({ product: 'INTRADAY', quantity: 100 - sold, ...sums, ...other }),
      ];
    };
    const { place } = broker;
    broker.place = (attempt: PlaceAttempt) => {
      const outcome = place(attempt);
      state.sold += broker.rows.at(-1)?.filledQuantity ?? 0;
      show();
      return outcome;
    };
    show();
    for (const quantity of [60, 30]) fates.push({ kind: 'fills', quantity });
    const { id } = await begin();
    for (let wait = 0; wait < 2; wait += 1) {
      await after(id, 24_000);
      state.told = state.sold;
      show();
    }
    await after(id, 6_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 40, 10]);
  });
});

describe('a closing while the figures of a position contradict one another', () => {
  it('names it, and does not end flat', async () => {
    const { trading, time, sold } = await heldTen(() => ({
      ...{ quantity: 0, ...traded(0), otherQuantities: [10] },
    }));
    const begun = trading.execution.closings.begin(ALL);
    await time.advance(10_000);
    const { closing } = await begun;
    expect(closing.unread?.[0]?.reason).toBe('its figures contradict one another');
    expect(sold()).toBe(0);
  });
});
