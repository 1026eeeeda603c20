import { describe, expect, it } from 'vitest';
import { exitBench } from '../exits/support/exit-bench.ts';
import { rowAt } from '../support/lying-broker.ts';
import { position } from '../support/makers.ts';
import { ALL } from './support/all.ts';

const MINE = { ...ALL, scope: 'mine' } as const;

/** The account has 100, of which the key has bought 50, and somebody else 50 in the broker's app. */
async function halfIsMine() {
  const both = await exitBench({ held: 0 });
  const { broker, time, trading, bench } = both;
  bench.showsFills = false;
  let sold = 0;
  const show = (): void => {
    const day = { buyQuantity: 100, buyValue: 0, sellQuantity: sold, sellValue: 0 };
    const sums = { buyQuantity: 100, sellQuantity: sold, day };
    broker.positions = [position({ product: 'INTRADAY', quantity: 100 - sold, ...sums })];
  };
  const sell = (quantity: number): void => {
    sold += quantity;
    show();
  };
  const filled = { status: 'filled', rawStatus: 'COMPLETE', averagePrice: 1_500 } as const;
  const theirs = { brokerOrderId: 'theirs', side: 'BUY', product: 'INTRADAY', tags: [] } as const;
  broker.rows = [rowAt(time, { ...theirs, ...filled, quantity: 50, filledQuantity: 50 })];
  show();
  await trading.place({ side: 'BUY', quantity: 50, product: 'INTRADAY' });
  return { ...both, sell, sold: () => sold };
}

/** From now on the positions show what legs sell. */
function countLegs({ broker, sell }: Awaited<ReturnType<typeof halfIsMine>>): void {
  const { place } = broker;
  broker.place = (attempt) => {
    sell(attempt.terms.quantity);
    return place(attempt);
  };
}

describe('a closing of what a key has made', () => {
  it("sells no more than is the key's where its target fills after the closing has begun", async () => {
    const both = await halfIsMine();
    const { broker, time, trading, fates, fill, sell, sold } = both;
    fates.push({ kind: 'fills', quantity: 0 });
    await trading.place({ side: 'SELL', quantity: 50, product: 'INTRADAY', price: 1_600 });
    await time.advance(10_000);
    countLegs(both);
    const { cancel } = broker;
    // The target is faster than its cancel.
    broker.cancel = (brokerOrderId) => {
      broker.cancel = cancel;
      fill(brokerOrderId, 50);
      sell(50);
      return cancel(brokerOrderId);
    };
    const { closings } = trading.execution;
    const { closing } = await time.settle(closings.begin(MINE));
    await time.advance(60_000);
    expect((await closings.closing(closing.id))?.over).not.toBeNull();
    // Today: 100. The key has sold 50 that somebody else had bought, and is short 50 by its own book.
    expect(sold()).toBe(50);
  });

  it('sells it once where two closings of the key are under way at once', async () => {
    const both = await halfIsMine();
    const { time, trading, sold } = both;
    await time.advance(10_000);
    countLegs(both);
    const { closings } = trading.execution;
    const begun = [closings.begin(MINE), closings.begin(MINE)];
    await time.advance(60_000);
    const ended = await Promise.all(
      begun.map(async (each) => (await closings.closing((await each).closing.id))?.over?.end),
    );
    expect(ended).not.toContain(undefined);
    // Today: 100. The second exit waits for the first one, and then sells the 50 that were planned before.
    expect(sold()).toBe(50);
  });
});
