import { describe, expect, it } from 'vitest';
import { INFY, levels, paperBench } from './paper-bench.ts';

describe('cancelling a paper order', () => {
  it('ends it and gives its money back', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({ price: 99 });
    expect(await bench.cancel(id)).toEqual({ kind: 'acknowledged', brokerOrderId: id });
    expect(await bench.row(id)).toMatchObject({ status: 'cancelled', filledQuantity: 0 });
    expect((await bench.funds()).available).toBe(100_000);
  });

  it('keeps what has filled', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([99, 4]) } });
    const id = await bench.placed({ price: 99 });
    await bench.cancel(id);
    expect(await bench.row(id)).toMatchObject({ status: 'partial', filledQuantity: 4 });
    expect((await bench.funds()).available).toBe(100_000 - 396 - 20);
  });

  it('is refused when the order is final or unknown', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({});
    expect(await bench.cancel(id)).toMatchObject({ kind: 'refused' });
    expect(await bench.row(id)).toMatchObject({ status: 'filled' });
    expect(await bench.cancel('PPR-20260105-0')).toMatchObject({ kind: 'refused' });
  });
});

describe('modifying a paper order', () => {
  it('changes price and quantity, and what is blocked for them', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({ price: 99 });
    expect(await bench.modify(id, { price: 98, quantity: 20 })).toMatchObject({
      kind: 'acknowledged',
    });
    expect(await bench.row(id)).toMatchObject({ status: 'working', price: 98, quantity: 20 });
    expect((await bench.funds()).available).toBe(100_000 - 1_960 - 20);
  });

  it('fills at once where the new price allows it', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({ price: 99 });
    await bench.modify(id, { price: 101 });
    expect(await bench.row(id)).toMatchObject({ status: 'filled', averagePrice: 100 });
  });

  it('makes a LIMIT order a MARKET order', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({ price: 99 });
    await bench.modify(id, { orderType: 'MARKET' });
    expect(await bench.row(id)).toMatchObject({
      status: 'filled',
      orderType: 'MARKET',
      price: null,
    });
  });

  it('moves a trigger', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({ orderType: 'SL-M', triggerPrice: 105 });
    await bench.modify(id, { triggerPrice: 110 });
    bench.market.set(INFY, 106);
    await bench.time.advance(1_000);
    expect(await bench.row(id)).toMatchObject({ status: 'working', triggerPrice: 110 });
  });

  it('makes a triggered stop wait again as another kind of stop', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 106);
    const id = await bench.placed({ orderType: 'SL', price: 105, triggerPrice: 105 });
    await bench.modify(id, { orderType: 'SL-M', triggerPrice: 110 });
    await bench.time.advance(1_000);
    expect(await bench.row(id)).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it('does not reduce the quantity below what has filled', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([99, 4]) } });
    const id = await bench.placed({ price: 99 });
    bench.market.set(INFY, 100);
    expect(await bench.modify(id, { quantity: 3 })).toMatchObject({ kind: 'refused' });
    await bench.modify(id, { quantity: 4 });
    expect(await bench.row(id)).toMatchObject({ status: 'filled', quantity: 4 });
    expect((await bench.funds()).available).toBe(100_000 - 396 - 20);
  });

  it('is refused, and changes nothing, where a new order would be', async () => {
    const bench = await paperBench({ settings: { cash: '1100' } });
    bench.market.set(INFY, 100);
    const id = await bench.placed({ price: 99 });
    expect(await bench.modify(id, { quantity: 11 })).toMatchObject({ kind: 'refused' });
    expect(await bench.modify(id, { price: 98.99 })).toMatchObject({ rejection: 'price' });
    bench.market.mood = 'fails';
    expect(await bench.modify(id, { orderType: 'MARKET' })).toMatchObject({ kind: 'refused' });
    expect(await bench.row(id)).toMatchObject({
      status: 'working',
      price: 99,
      quantity: 10,
      orderType: 'LIMIT',
    });
    expect((await bench.funds()).available).toBe(1100 - 990 - 20);
  });

  it('does not promise the same shares twice', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ quantity: 10 });
    const id = await bench.placed({ side: 'SELL', quantity: 6, price: 105 });
    expect(await bench.modify(id, { quantity: 11 })).toMatchObject({ kind: 'refused' });
    expect(await bench.modify(id, { quantity: 10 })).toMatchObject({ kind: 'acknowledged' });
  });

  it('is refused when the order is final', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const id = await bench.placed({});
    expect(await bench.modify(id, { quantity: 20 })).toMatchObject({ kind: 'refused' });
  });
});
