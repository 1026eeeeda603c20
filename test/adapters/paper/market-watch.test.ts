import { describe, expect, it } from 'vitest';
import { INFY, ITC, levels, paperBench } from './paper-bench.ts';

const at = (text: string): string => `2026-01-${text}+05:30`;

describe('resting paper orders', () => {
  it('fill within a second of the price reaching their limit, at the better price', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({ price: 99 });
    await bench.time.advance(5_000);
    expect(await bench.row(id)).toMatchObject({ status: 'working' });
    bench.market.set(INFY, 98.5);
    await bench.time.advance(1_000);
    expect(await bench.row(id)).toMatchObject({ status: 'filled', averagePrice: 98.5 });
    expect((await bench.funds()).available).toBe(100_000 - 985 - 20);
  });

  it('fill in parts, with brokerage charged once', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([100, 4]) } });
    const id = await bench.placed({ price: 100, quantity: 10 });
    await bench.time.advance(2_000);
    expect(await bench.row(id)).toMatchObject({ status: 'filled', filledQuantity: 10 });
    expect((await bench.trades()).map((fill) => fill.quantity)).toEqual([4, 4, 2]);
    expect((await bench.funds()).available).toBe(100_000 - 1_000 - 20);
  });

  it('share one read of the market', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    bench.market.set(ITC, 400);
    await bench.placed({ price: 99 });
    await bench.placed({ price: 98 });
    await bench.placed({ price: 390 }, ITC);
    const before = bench.market.asked;
    await bench.time.advance(3_000);
    expect(bench.market.asked - before).toBe(3);
  });

  it('set no timer when there are none', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    expect(bench.time.pending).toBe(0);
    await bench.placed({});
    expect(bench.time.pending).toBe(0);
    const id = await bench.placed({ price: 99 });
    expect(bench.time.pending).toBe(1);
    await bench.cancel(id);
    await bench.time.advance(1_000);
    expect(bench.time.pending).toBe(0);
  });

  it('outlast an outage of market data', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 98);
    bench.market.mood = 'fails';
    const id = await bench.placed({ price: 99 });
    await bench.time.advance(10_000);
    bench.market.mood = 'hangs';
    await bench.time.advance(10_000);
    expect(await bench.row(id)).toMatchObject({ status: 'working' });
    bench.market.mood = 'answers';
    await bench.time.advance(10_000);
    expect(await bench.row(id)).toMatchObject({ status: 'filled', averagePrice: 98 });
  });

  it('with a trigger wait for it, and stay triggered', async () => {
    const bench = await paperBench({ settings: { fills: 'last' } });
    bench.market.set(INFY, 100);
    const stop = await bench.placed({ orderType: 'SL', price: 102, triggerPrice: 101 });
    bench.market.set(INFY, 103);
    await bench.time.advance(1_000);
    expect(await bench.row(stop)).toMatchObject({ status: 'working', filledQuantity: 0 });
    bench.market.set(INFY, 100.5);
    await bench.time.advance(1_000);
    expect(await bench.row(stop)).toMatchObject({ status: 'filled', averagePrice: 100.5 });
  });

  it('are rejected when the money is gone by the time they fill', async () => {
    const bench = await paperBench({ settings: { cash: '1100' } });
    bench.market.set(INFY, 100);
    const stop = await bench.placed({ orderType: 'SL-M', triggerPrice: 105 });
    bench.market.set(INFY, 130);
    await bench.time.advance(1_000);
    const row = await bench.row(stop);
    expect(row).toMatchObject({ status: 'rejected', filledQuantity: 0 });
    expect(row?.reason).toContain('insufficient funds');
    expect((await bench.funds()).available).toBe(1100);
  });

  it('fill with the money blocked for them, though a loss has used up the rest', async () => {
    const bench = await paperBench({ settings: { cash: '2100' } });
    bench.market.set(INFY, 100);
    const resting = await bench.placed({ quantity: 5, price: 50 });
    await bench.placed({ product: 'INTRADAY', side: 'SELL', quantity: 18 });
    bench.market.set(INFY, 210);
    await bench.placed({ product: 'INTRADAY', side: 'BUY', quantity: 18 });
    expect((await bench.funds()).available).toBeLessThan(0);
    bench.market.set(INFY, 50);
    await bench.time.advance(1_000);
    expect(await bench.row(resting)).toMatchObject({ status: 'filled' });
  });

  it('expire at 15:30, filled in part or not at all', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([100, 4]) } });
    const part = await bench.placed({ price: 100 });
    bench.market.set(INFY, 101, { ask: 101 });
    const none = await bench.placed({ price: 99 });
    await bench.time.advanceTo(at('05T15:30:01'));
    const end = Date.parse(at('05T15:30:00'));
    expect(await bench.row(part)).toMatchObject({ status: 'partial', filledQuantity: 4 });
    expect(await bench.row(none)).toMatchObject({ status: 'cancelled', updatedAt: end });
    expect((await bench.row(none))?.reason).toContain('session ended');
    expect((await bench.funds()).available).toBe(100_000 - 400 - 20);
    expect(bench.time.pending).toBe(0);
  });

  it('expire at 05:30, while it can be read, where the market is always open', async () => {
    const bench = await paperBench({ settings: { marketHours: 'always' } });
    bench.market.set(INFY, 100);
    await bench.time.advanceTo(at('05T22:00:00'));
    const id = await bench.placed({ price: 99 });
    await bench.time.advanceTo(at('06T05:29:58'));
    expect(await bench.row(id)).toMatchObject({ status: 'working' });
    await bench.time.advanceTo(at('06T05:30:01'));
    expect(await bench.row(id)).toMatchObject({ status: 'cancelled' });
  });

  it('expire in a read, though no timer fired in time', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({ price: 99 });
    bench.time.stepWall(24 * 3_600_000);
    expect(await bench.row(id)).toMatchObject({ status: 'cancelled' });
  });
});

describe('an order for a session to come', () => {
  it('rests over the weekend, its money blocked, and trades at the opening', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.time.advanceTo(at('09T18:00:00'));
    const id = await bench.placed({ amo: true });
    expect(await bench.row(id)).toMatchObject({ status: 'working', filledQuantity: 0 });
    expect((await bench.funds()).available).toBe(100_000 - 1_000 - 20);
    await bench.time.advanceTo(at('12T09:14:59'));
    expect(await bench.row(id)).toMatchObject({ status: 'working', filledQuantity: 0 });
    bench.market.set(INFY, 101);
    await bench.time.advanceTo(at('12T09:15:01'));
    expect(await bench.row(id)).toMatchObject({ status: 'filled', averagePrice: 101 });
  });

  it('is in the book of every day until it is over', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.time.advanceTo(at('09T18:00:00'));
    const id = await bench.placed({ amo: true, price: 90 });
    await bench.time.advanceTo(at('11T12:00:00'));
    expect(await bench.row(id)).toMatchObject({ status: 'working' });
    await bench.time.advanceTo(at('12T15:30:01'));
    expect(await bench.row(id)).toMatchObject({ status: 'cancelled' });
    await bench.time.advanceTo(at('13T06:00:00'));
    expect(await bench.row(id)).toBeUndefined();
  });

  it('waits for 09:15 when it comes in the pre-open minutes', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.time.advanceTo(at('06T09:05:30'));
    const id = await bench.placed({});
    expect(await bench.row(id)).toMatchObject({ status: 'working' });
    await bench.time.advanceTo(at('06T09:15:00'));
    expect(await bench.row(id)).toMatchObject({ status: 'filled' });
  });
});
