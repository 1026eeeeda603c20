import { describe, expect, it } from 'vitest';
import { exitBench, quoteAt } from './support/exit-bench.ts';

/** What a program sends on the same crash on which somebody exits: a sale of all, at the market. */
const SALE = {
  side: 'SELL',
  quantity: 100,
  product: 'INTRADAY',
  orderType: 'MARKET',
  price: null,
} as const;

const soldIn = (bench: Awaited<ReturnType<typeof exitBench>>): number =>
  bench.broker.placed.reduce((sum, { terms }) => sum + terms.quantity, 0);

describe('an exit beside an order of the gateway that comes after its look at the account', () => {
  it('sells nothing more where that order was acknowledged while the price was asked for', async () => {
    const both = await exitBench({ held: 100 });
    const { bench, trading, begin, after } = both;
    let isAsked = false;
    Object.defineProperty(bench, 'quote', {
      get() {
        if (isAsked) return quoteAt(1_500);
        isAsked = true;
        // The quote takes as long as another program's order: the broker has that one before the leg is written.
        const order = trading.execution.place({ ...trading.commandOf(SALE), caller: 'another' });
        return order.then(() => quoteAt(1_500));
      },
    });
    const exit = await after((await begin()).id, 60_000);
    expect(soldIn(both)).toBe(100);
    expect(exit.over?.end).toBe('flat');
  });

  it('sells nothing more where that order left while the leg waited for its place within the limits', async () => {
    const both = await exitBench({ held: 100 });
    const { broker, trading, time, begin, after } = both;
    let permits = 0;
    broker.trading.permit = async () => {
      permits += 1;
      if (permits === 1) await new Promise<void>((resolve) => time.after(4_000, resolve));
      return null;
    };
    const { id } = await begin();
    await time.advance(2_000);
    expect([permits, soldIn(both)]).toEqual([1, 0]);
    void trading.execution.place({ ...trading.commandOf(SALE), caller: 'another' });
    const exit = await after(id, 60_000);
    expect(soldIn(both)).toBe(100);
    expect(exit.over?.end).toBe('flat');
  });
});
