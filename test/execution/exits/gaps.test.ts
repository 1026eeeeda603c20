import { describe, expect, it } from 'vitest';
import { rowAt } from '../support/lying-broker.ts';
import { exitBench } from './support/exit-bench.ts';

describe('a book that lacks a row of somebody else for good', () => {
  it('holds an exit back for three agreeing reads over a minute, and not for the day', async () => {
    const { begin, after, broker, time, legs, trading, fates } = await exitBench();
    const foreign = rowAt(time, { brokerOrderId: 'foreign', instrument: 'NSE:TCS' });
    broker.rows = [foreign];
    fates.push({ kind: 'fills', quantity: 0 });
    await trading.place({ instrument: 'NSE:SBIN', quantity: 1 });
    await time.advance(3_000);
    broker.rows = broker.rows.filter((row) => row !== foreign);
    const { id } = await begin();
    expect((await after(id, 20_000)).over).toBeNull();
    expect((await after(id, 90_000)).over).toMatchObject({ end: 'flat' });
    expect(legs().at(-1)?.[1]).toBe(100);
  });
});

describe('a leg that was refused, and that the broker has taken', () => {
  it('stops the exit once its row without a tag disputes it, and nothing more is sold', async () => {
    const { begin, after, broker, legs, setHeld, time, trading } = await exitBench();
    const { place } = broker;
    broker.place = async ({ terms }) => {
      broker.place = place;
      const { side, quantity, product, orderType, price } = terms;
      const filled = { status: 'filled', rawStatus: 'COMPLETE', filledQuantity: quantity } as const;
      const row = { brokerOrderId: 'taken', side, quantity, product, orderType, price };
      broker.rows = [...broker.rows, rowAt(time, { ...row, ...filled, tags: [] })];
      setHeld(60);
      await new Promise<void>((resolve) => time.after(100, resolve));
      const reason = 'Market orders are blocked for this instrument.';
      return { kind: 'refused', rejection: 'market_blocked', reason };
    };
    const { id } = await begin({ quantity: 40 });
    expect((await after(id, 30_000)).over).toMatchObject({ end: 'stopped', why: 'leg_uncertain' });
    expect(legs()).toHaveLength(1);
    expect(trading.alerts().at(-1)?.level).toBe('critical');
  });

  it('keeps the exit waiting while a leg that had been cancelled works again', async () => {
    const { begin, after, broker, legs, fates, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin();
    const { cancel } = broker;
    broker.cancel = (brokerOrderId) => {
      const outcome = cancel(brokerOrderId);
      time.after(200, () => {
        broker.rows = broker.rows.map((row) => ({ ...row, status: 'working', rawStatus: 'OPEN' }));
      });
      broker.cancel = cancel;
      return outcome;
    };
    await time.advance(20_000);
    expect((await after(id, 10_000)).over).toMatchObject({ end: 'flat' });
    expect(legs().map(([, quantity]) => quantity)).toEqual([100, 100]);
  });
});

describe('a leg that ended, nobody knows how much of it filled', () => {
  it('stops the exit with a critical alert, and nothing more is sold', async () => {
    const { begin, after, broker, legs, fates, trading, time } = await exitBench();
    fates.push({ kind: 'fills', quantity: 0 });
    const { id } = await begin();
    await time.advance(2_000);
    broker.rows = broker.rows.map((row) => ({
      ...row,
      ...{ status: 'partial', rawStatus: 'PARTIALLY FILLED - CANCELLED', filledQuantity: null },
    }));
    expect((await after(id, 30_000)).over).toMatchObject({ end: 'stopped', why: 'fill_unknown' });
    expect(legs()).toHaveLength(1);
    expect(trading.alerts().at(-1)?.level).toBe('critical');
  });
});
