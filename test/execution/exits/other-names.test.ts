import { describe, expect, it } from 'vitest';
import type { Holding, Position } from '../../../src/domain/portfolio.ts';
import { rowAt } from '../support/lying-broker.ts';
import { instrument, position, terms } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

const AT_NSE = 'NSE:INFY';
const AT_BSE = 'BSE:INFY';
const ISIN = 'INE009A01021';

const holding = (parts: Partial<Holding> = {}): Holding => ({
  ...{ instrument: AT_NSE, isin: ISIN, quantity: 10, usedQuantity: 0, t1Quantity: 0 },
  ...{ averagePrice: null, lastPrice: null },
  ...parts,
});

const delivery = (name: string, quantity: number): Position =>
  position({
    ...{ instrument: name, product: 'CNC', quantity },
    ...(quantity > 0 ? { buyQuantity: quantity } : { buyQuantity: 0, sellQuantity: -quantity }),
  });

interface Account {
  /** That of the list for the name of the exit. */
  readonly isin?: string;
  readonly holdings?: readonly Holding[];
  readonly positions?: readonly Position[];
  readonly of?: string;
}

/** An account whose instrument list has no ISIN, as with the alternative broker alone. */
async function benchWith({ holdings = [holding()], positions = [], of = AT_NSE, isin }: Account) {
  const [exchange = ''] = of.split(':');
  const listed = instrument({ name: of, exchange, isin: isin ?? null });
  const bench = await exitBench({ of: listed });
  bench.bench.showsFills = false;
  bench.broker.holdings = [...holdings];
  bench.broker.positions = [...positions];
  const begin = (cancelExternal = false) => bench.begin({ product: 'CNC', cancelExternal });
  const sold = () => bench.legs().map(([, quantity]) => quantity);
  return { ...bench, begin, sold };
}

describe('an exit of delivery shares whose other exchange no list tells apart', () => {
  it('keeps free what an order placed elsewhere may sell on the other exchange', async () => {
    const { begin, after, broker, time, sold } = await benchWith({});
    const sale = { brokerOrderId: 'x1', instrument: AT_BSE, side: 'SELL', product: 'CNC' } as const;
    broker.rows = [rowAt(time, { ...sale, quantity: 4 })];
    await after((await begin()).id, 10_000);
    expect(sold()).toEqual([6]);
  });

  it('cancels that order where it may', async () => {
    const { begin, after, broker, time, sold } = await benchWith({});
    const sale = { brokerOrderId: 'x1', instrument: AT_BSE, side: 'SELL', product: 'CNC' } as const;
    broker.rows = [rowAt(time, { ...sale, quantity: 4 })];
    await after((await begin(true)).id, 10_000);
    expect([broker.cancels, sold()]).toEqual([['x1'], [10]]);
  });

  it('sells nothing that was sold on the other exchange today', async () => {
    const { begin, after, sold } = await benchWith({ positions: [delivery(AT_BSE, -10)] });
    const exit = await after((await begin()).id, 60_000);
    expect([sold(), exit.over?.end]).toEqual([[], 'flat']);
  });

  it('sells nothing that the holdings say was sold and no position shows', async () => {
    const holdings = [holding({ usedQuantity: 10, soldToday: 10 })];
    const { begin, after, sold } = await benchWith({ holdings });
    const exit = await after((await begin()).id, 60_000);
    expect([sold(), exit.over?.why]).toEqual([[], 'account_unreadable']);
    expect(exit.over?.detail).toMatch(/do not show yet that 10 of NSE:INFY have filled/);
  });

  it.each([AT_NSE, AT_BSE])('counts a sale of the holdings once that %s shows', async (name) => {
    const holdings = [holding({ quantity: 30, soldToday: 10 })];
    const bench = await benchWith({ holdings, positions: [delivery(name, -10)] });
    const { begin, after, broker, time, sold } = bench;
    const sale = { brokerOrderId: 'x1', instrument: name, side: 'SELL', product: 'CNC' } as const;
    const filled = { quantity: 10, filledQuantity: 10, status: 'filled' } as const;
    broker.rows = [rowAt(time, { ...sale, ...filled })];
    await after((await begin()).id, 10_000);
    expect(sold()).toEqual([20]);
  });

  it.each([
    ['do not show it', []],
    ['show a part of it', [delivery(AT_BSE, -4)]],
    ['show it', [delivery(AT_BSE, -6)]],
  ])(
    'sells nothing that a person has sold there where the positions %s',
    async (_how, positions) => {
      const { begin, after, broker, time, sold } = await benchWith({ positions });
      const sale = {
        brokerOrderId: 'x1',
        instrument: AT_BSE,
        side: 'SELL',
        product: 'CNC',
      } as const;
      const filled = { quantity: 6, filledQuantity: 6, status: 'filled' } as const;
      broker.rows = [rowAt(time, { ...sale, ...filled })];
      await after((await begin()).id, 10_000);
      expect(sold()).toEqual([4]);
    },
  );

  it('says under which name they are held rather than flat', async () => {
    const { begin, after, sold } = await benchWith({ of: AT_BSE });
    const exit = await after((await begin()).id, 60_000);
    expect(sold()).toEqual([]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'not_covered', held: 0 });
    expect(exit.over?.detail).toContain('10 as NSE:INFY: exit those');
  });

  it('is flat under the name where they were sold, once they are', async () => {
    const account = { of: AT_BSE, positions: [delivery(AT_BSE, -10)] };
    const { begin, after, sold } = await benchWith(account);
    const exit = await after((await begin()).id, 60_000);
    expect([sold(), exit.over?.end]).toEqual([[], 'flat']);
  });

  it('says that what was bought on the other exchange today is held', async () => {
    const { begin, after } = await benchWith({ holdings: [], positions: [delivery(AT_BSE, 10)] });
    const exit = await after((await begin()).id, 60_000);
    expect(exit.over?.detail).toContain('10 as BSE:INFY: exit those');
  });

  it('takes two shares of one symbol for two where the holdings tell their ISINs', async () => {
    const other = holding({ instrument: AT_BSE, isin: 'INE467B01029' });
    const account = { holdings: [holding(), other], positions: [delivery(AT_BSE, -10)] };
    const { begin, after, sold } = await benchWith(account);
    await after((await begin()).id, 10_000);
    expect(sold()).toEqual([10]);
  });

  it('sells all that is held under its name beside what is held under the other', async () => {
    const holdings = [holding(), holding({ instrument: AT_BSE, quantity: 5 })];
    const positions = [delivery(AT_BSE, -5)];
    const { begin, after, sold } = await benchWith({ holdings, positions });
    await after((await begin()).id, 10_000);
    expect(sold()).toEqual([10]);
  });

  it('is no business of shares of the day', async () => {
    const { begin, after, broker, time, legs } = await exitBench();
    const sale = { brokerOrderId: 'x1', instrument: AT_BSE, side: 'SELL' } as const;
    broker.rows = [rowAt(time, { ...sale, product: 'INTRADAY', quantity: 4 })];
    await after((await begin()).id, 10_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
  });
});

describe('an exit of delivery shares whose ISIN the lists have for both exchanges', () => {
  it('says that what was bought on the other exchange is held, where the delivered ones were sold on this one', async () => {
    const positions = [delivery(AT_BSE, -10), delivery(AT_NSE, 4)];
    const { begin, after, sold } = await benchWith({ of: AT_BSE, isin: ISIN, positions });
    const { over } = await after((await begin()).id, 60_000);
    expect([sold(), over?.why]).toEqual([[], 'not_covered']);
    expect(over?.detail).toMatch(
      /of the same shares, as far as is known, 4 as NSE:INFY: exit those/,
    );
  });

  it('does not know what is held where more was sold on this one than was delivered', async () => {
    const positions = [delivery(AT_BSE, -14), delivery(AT_NSE, 4)];
    const { begin, after } = await benchWith({ of: AT_BSE, isin: ISIN, positions });
    const { over } = await after((await begin()).id, 60_000);
    expect(over).toMatchObject({ end: 'stopped', why: 'account_unreadable' });
  });
});

describe('an order of ours on the other exchange', () => {
  it('is cancelled before the shares are sold', async () => {
    const { begin, after, broker, trading, time, sold } = await benchWith({});
    const fills = broker.place;
    broker.place = (attempt) => {
      const brokerOrderId = 'own-1';
      if (attempt.terms.instrument !== AT_BSE) return fills(attempt);
      const { side, quantity, product, orderType, price } = attempt.terms;
      const row = { brokerOrderId, instrument: AT_BSE, side, quantity, product, orderType, price };
      broker.rows = [...broker.rows, rowAt(time, { ...row, tags: [attempt.tag] })];
      return { kind: 'acknowledged', brokerOrderId };
    };
    const own = terms({ instrument: AT_BSE, side: 'SELL', quantity: 10, product: 'CNC' });
    const at = instrument({ name: AT_BSE, exchange: 'BSE', isin: null });
    const command = { ...trading.commandOf(own), instrument: at };
    await time.settle(trading.execution.place(command));
    await after((await begin()).id, 20_000);
    expect([broker.cancels, sold()]).toEqual([['own-1'], [10, 10]]);
  });
});
