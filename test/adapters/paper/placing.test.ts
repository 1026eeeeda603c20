import { describe, expect, it } from 'vitest';
import { drain } from '../../support/virtual-time.ts';
import { idOf, INFY, levels, paperBench } from './paper-bench.ts';

describe('placing a paper order', () => {
  it('fills a MARKET order at the book, fill by fill, each under an id of its own', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([100.1, 4], [100.2, 50]) } });
    const id = await bench.placed({ quantity: 10 });
    expect(await bench.row(id)).toMatchObject({
      status: 'filled',
      quantity: 10,
      filledQuantity: 10,
      averagePrice: 100.16,
      tags: ['tag-of-attempt-1'],
      reason: null,
    });
    const trades = await bench.trades();
    expect(trades).toMatchObject([
      { brokerOrderId: id, exchange: 'NSE', quantity: 4, price: 100.1, at: bench.time.now() },
      { brokerOrderId: id, exchange: 'NSE', quantity: 6, price: 100.2 },
    ]);
    expect(new Set(trades.map((fill) => fill.fillId)).size).toBe(2);
  });

  it('fills a LIMIT order in part, and lets the rest work', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([100.1, 4], [100.2, 50]) } });
    const id = await bench.placed({ quantity: 10, price: 100.1 });
    expect(await bench.row(id)).toMatchObject({ status: 'working', filledQuantity: 4 });
    const spent = 4 * 100.1 + 20;
    expect((await bench.funds()).available).toBe(100_000 - spent - 6 * 100.1);
  });

  it('lets a LIMIT order rest when market data is unavailable', async () => {
    const bench = await paperBench();
    bench.market.mood = 'fails';
    const id = await bench.placed({ price: 100 });
    expect(await bench.row(id)).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it('does not wait for ever for a price', async () => {
    const bench = await paperBench();
    bench.market.mood = 'hangs';
    expect(await bench.place({ price: 100 })).toMatchObject({ kind: 'acknowledged' });
    expect(await bench.place({})).toMatchObject({ kind: 'refused' });
  });

  it('is asked once there is a price whether the order may still be placed', async () => {
    const bench = await paperBench();
    const attempt = { ...bench.attemptFor({ price: 100 }), mayLeave: () => false };
    const outcome = await bench.time.settle(bench.trading.place(attempt));
    expect(outcome).toMatchObject({ kind: 'not_sent', cause: 'held_back' });
    expect(await bench.time.settle(bench.trading.orderBook())).toEqual([]);
  });

  it('cancels an IOC order that cannot fill: the order exists', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({ price: 99, validity: 'IOC' });
    expect(await bench.row(id)).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
    bench.market.mood = 'fails';
    const blind = await bench.placed({ price: 99, validity: 'IOC' });
    expect(await bench.row(blind)).toMatchObject({ status: 'cancelled' });
  });

  it('fills an IOC order with what is there and cancels the rest', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([100, 4]) } });
    const id = await bench.placed({ price: 100, validity: 'IOC' });
    expect(await bench.row(id)).toMatchObject({ status: 'partial', filledQuantity: 4 });
    expect((await bench.funds()).available).toBe(100_000 - 400 - 20);
  });

  it('is acknowledged with what has been filled at once', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([100, 4]) } });
    const outcome = await bench.place({ price: 100 });
    const id = idOf(outcome);
    expect(outcome).toMatchObject({
      shown: { row: await bench.row(id), fills: [{ brokerOrderId: id, quantity: 4, price: 100 }] },
    });
  });

  it('places one order for one attempt, however often it is sent', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const attempt = bench.attemptFor({});
    const both = [bench.trading.place(attempt), bench.trading.place(attempt)];
    const outcomes = await bench.time.settle(Promise.all(both));
    outcomes.push(await bench.time.settle(bench.trading.place(attempt)));
    expect(new Set(outcomes.map(idOf)).size).toBe(1);
    expect(await bench.book()).toHaveLength(1);
    expect(await bench.trades()).toHaveLength(1);
  });

  it('places one order for one tag', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const attempt = bench.attemptFor({});
    const place = (attemptId: string) => bench.trading.place({ ...attempt, attemptId });
    const [first, second] = await bench.time.settle(Promise.all([place('one'), place('two')]));
    expect(idOf(second)).toBe(idOf(first));
    expect(idOf(await bench.time.settle(place('three')))).toBe(idOf(first));
    expect(await bench.book()).toHaveLength(1);
  });

  it('recognises an attempt on a later day, when its order has left the book', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const attempt = bench.attemptFor({});
    const first = await bench.time.settle(bench.trading.place(attempt));
    await bench.time.advanceTo('2026-01-07T10:00:00+05:30');
    expect(await bench.book()).toHaveLength(0);
    expect(idOf(await bench.time.settle(bench.trading.place(attempt)))).toBe(idOf(first));
    const again = bench.trading.place({ ...attempt, attemptId: 'another' });
    expect(idOf(await bench.time.settle(again))).toBe(idOf(first));
    expect(await bench.book()).toHaveLength(0);
  });

  it('serves 64 callers at once, each with an order of its own', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const outcomes = await bench.time.settle(
      Promise.all(
        Array.from({ length: 64 }, () => bench.trading.place(bench.attemptFor({ quantity: 1 }))),
      ),
    );
    const ids = outcomes.map((each) => each.kind === 'acknowledged' && each.brokerOrderId);
    expect(new Set(ids).size).toBe(64);
    expect(ids.every((id) => /^PPR-20260105-\d+$/.test(String(id)))).toBe(true);
    expect((await bench.funds()).available).toBe(100_000 - 64 * 120);
  });

  it('spends nothing twice when callers come at once', async () => {
    const bench = await paperBench({ settings: { cash: '1020' } });
    bench.market.set(INFY, 100);
    const outcomes = await bench.time.settle(
      Promise.all([1, 2, 3].map(() => bench.trading.place(bench.attemptFor({})))),
    );
    expect(outcomes.map((each) => each.kind)).toEqual(['acknowledged', 'refused', 'refused']);
    expect((await bench.funds()).available).toBe(0);
  });

  it('refuses everything once it is disposed of, and says so', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    expect(bench.trading.blocked()).toBeNull();
    expect(await bench.trading.permit(0)).toBeNull();
    bench.market.mood = 'hangs';
    const waiting = bench.trading.place(bench.attemptFor({ price: 90 }));
    await drain();
    await bench.dispose();
    expect(await waiting).toMatchObject({ kind: 'not_sent', cause: 'closing' });
    expect(await bench.place({})).toMatchObject({ kind: 'not_sent', cause: 'closing' });
    expect(bench.trading.blocked()).toMatchObject({ cause: 'closing' });
    await expect(bench.trading.orderBook()).rejects.toMatchObject({ name: 'BrokerError' });
    expect(bench.time.pending).toBe(0);
  });
});
