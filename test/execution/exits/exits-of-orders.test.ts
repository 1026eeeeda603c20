import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { uncertain } from '../../../src/domain/outcome.ts';
import { GatewayProblem } from '../../../src/domain/problem.ts';
import { rowAt } from '../support/lying-broker.ts';
import { exitBench } from './support/exit-bench.ts';

type Bench = Awaited<ReturnType<typeof exitBench>>;

/** An order that rests, and the answer to an exit with it. */
async function exitOf(
  { trading, fates, time, exits, commandOf }: Bench,
  terms: { readonly side: 'BUY' | 'SELL'; readonly quantity: number },
  before: () => void = () => undefined,
): Promise<string> {
  fates.push({ kind: 'fills', quantity: 0 });
  const { id: orderId } = await trading.place({ ...terms, product: 'INTRADAY', price: 1_400 });
  await time.advance(2_000);
  before();
  const answer = exits.begin(commandOf({ orderId })).then(
    ({ exit }) => `begun for ${exit.side}`,
    (error: unknown) => {
      if (!(error instanceof GatewayProblem)) throw error;
      return `${error.fields.code}: ${error.fields.detail}`;
    },
  );
  return time.settle(answer);
}

describe('an exit with an order', () => {
  it.each([
    ['enlarges a long position', 100, { side: 'BUY', quantity: 10 }, 'nothing short'],
    ['enlarges a short position', -100, { side: 'SELL', quantity: 10 }, 'nothing long'],
    ['opens one where none is held', 0, { side: 'BUY', quantity: 10 }, 'nothing short'],
  ] as const)('that %s is refused, and nothing is done', async (_what, held, terms, why) => {
    const bench = await exitBench({ held });
    expect(await exitOf(bench, terms)).toMatch(
      new RegExp(`^order_state: order ord_\\S+ .* ends no position: ${why}.*Cancel the order`),
    );
    await bench.time.advance(10_000);
    expect([bench.broker.cancels, bench.legs().length]).toEqual([[], 1]);
  });

  it('that reduces a position begins, also where it is for more than is held', async () => {
    expect(await exitOf(await exitBench(), { side: 'SELL', quantity: 60 })).toBe('begun for SELL');
    const more = await exitBench({ held: -20 });
    expect(await exitOf(more, { side: 'BUY', quantity: 60 })).toBe('begun for BUY');
  });

  it('goes by a read of this moment, not by what was held a while ago', async () => {
    const bench = await exitBench({ held: 0 });
    const bought = (): void => bench.setHeld(50);
    expect(await exitOf(bench, { side: 'SELL', quantity: 50 }, bought)).toBe('begun for SELL');
  });

  it('begins where the account cannot be read, as other exits do', async () => {
    const bench = await exitBench();
    const fail = (): void => void (bench.broker.isAccountReadable = false);
    expect(await exitOf(bench, { side: 'BUY', quantity: 10 }, fail)).toBe('begun for BUY');
  });

  it('begins where the row of the position cannot be read', async () => {
    const bench = await exitBench();
    const row = { list: 'positions', instrument: 'NSE:INFY', product: 'INTRADAY' } as const;
    const spoil = (): void => {
      bench.broker.positions = [];
      bench.broker.unread = [{ ...row, quantity: null, reason: 'no quantity' }];
    };
    expect(await exitOf(bench, { side: 'BUY', quantity: 10 }, spoil)).toBe('begun for BUY');
  });

  it('begins where the positions do not show yet what has been bought', async () => {
    const bench = await exitBench({ held: 0 });
    bench.bench.showsFills = false;
    await bench.trading.place({ side: 'BUY', quantity: 50, product: 'INTRADAY', price: 1_600 });
    await bench.time.advance(2_000);
    expect(await exitOf(bench, { side: 'SELL', quantity: 50 })).toBe('begun for SELL');
  });

  it('begins where an order that may have opened the position is uncertain', async () => {
    const bench = await exitBench({ held: 0 });
    bench.fates.push({
      ...{ kind: 'uncertain', reason: 'no answer' },
      failure: { kind: 'transport', message: 'no answer' },
    });
    await bench.trading.place({ side: 'BUY', quantity: 50, product: 'INTRADAY', price: 1_600 });
    expect(await exitOf(bench, { side: 'SELL', quantity: 50 })).toBe('begun for SELL');
  });
});

describe('an exit with an order of which nobody knows whether the broker has it', () => {
  /** The broker has it, and it has filled; its row is not in the book yet. */
  async function begun() {
    const bench = await exitBench();
    const { trading, exits, commandOf, time, broker } = bench;
    const { place } = broker;
    let row: BrokerOrder | null = null;
    broker.place = (attempt) => {
      broker.place = place;
      const { side, quantity, product, orderType, price } = attempt.terms;
      row = rowAt(time, {
        ...{ brokerOrderId: 'late-1', side, quantity, product, orderType, price },
        ...{ tags: [attempt.tag], status: 'filled', rawStatus: 'COMPLETE' },
        ...{ filledQuantity: quantity, averagePrice: 1_500 },
      });
      return uncertain({ kind: 'transport', message: 'no reply' });
    };
    const terms = { side: 'SELL', quantity: 60, product: 'INTRADAY', price: 1_400 } as const;
    const { id: orderId } = await time.settle(trading.place(terms));
    const { exit } = await time.settle(exits.begin(commandOf({ orderId })));
    const show = (): void => {
      broker.rows = row === null ? [] : [row];
      bench.setHeld(40);
    };
    return { ...bench, exit, show };
  }

  it('sells nothing beside it, and stops after a while', async () => {
    const { after, legs, exit } = await begun();
    const { over } = await after(exit.id, 120_000);
    expect(over).toMatchObject({ end: 'stopped', why: 'resting_not_cancelled' });
    expect(over?.detail).toContain('has filled is not known');
    expect(legs()).toHaveLength(1);
  });

  it('sells nothing once the book shows that it has filled', async () => {
    const { after, legs, exit, show, time } = await begun();
    await time.advance(3_000);
    show();
    expect((await after(exit.id, 60_000)).over).not.toBeNull();
    expect(legs()).toHaveLength(1);
  });
});
