import { describe, expect, it } from 'vitest';
import { INFY, instrumentNamed, paperBench } from './paper-bench.ts';

async function benchAt(price: number, settings = {}) {
  const bench = await paperBench({ settings });
  bench.market.set(INFY, price, { lowerCircuit: 90, upperCircuit: 110 });
  return bench;
}

describe('a paper order is refused, and nothing is placed,', () => {
  it('when the cash is short of its value and brokerage by a paisa', async () => {
    const short = await benchAt(100, { cash: '1019.99' });
    const outcome = await short.place({ quantity: 10 });
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'other' });
    expect(outcome).toHaveProperty('reason', expect.stringContaining('insufficient funds'));
    expect(await short.book()).toEqual([]);
    expect((await short.funds()).available).toBe(1019.99);
    const enough = await benchAt(100, { cash: '1020' });
    expect(await enough.place({ quantity: 10 })).toMatchObject({ kind: 'acknowledged' });
  });

  it('when resting orders block the cash', async () => {
    const bench = await benchAt(100, { cash: '1500' });
    await bench.placed({ quantity: 10, price: 95 });
    expect((await bench.funds()).available).toBe(1500 - 950 - 20);
    expect(await bench.place({ quantity: 6, price: 95 })).toMatchObject({ kind: 'refused' });
  });

  it('when a short sale has no margin of its whole value', async () => {
    const bench = await benchAt(100, { cash: '1019.99' });
    const sale = { side: 'SELL', product: 'INTRADAY' } as const;
    expect(await bench.place(sale)).toMatchObject({ kind: 'refused' });
  });

  it('when shares are sold for delivery that the account does not hold', async () => {
    const bench = await benchAt(100);
    await bench.placed({ quantity: 10 });
    await bench.placed({ side: 'SELL', quantity: 6, price: 105 });
    const outcome = await bench.place({ side: 'SELL', quantity: 5, price: 105 });
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'other' });
    expect(outcome).toHaveProperty('reason', expect.stringContaining('4 are held'));
    expect(await bench.place({ side: 'SELL', quantity: 4 })).toMatchObject({
      kind: 'acknowledged',
    });
  });

  it('when the quantity is not a multiple of the lot, or above the freeze quantity', async () => {
    const bench = await benchAt(100);
    const contract = instrumentNamed('NFO:X', { lotSize: 75, freezeQuantity: 150 });
    bench.market.set(contract, 1);
    const terms = { product: 'MARGIN' } as const;
    expect(await bench.place({ ...terms, quantity: 100 }, contract)).toMatchObject({
      kind: 'refused',
      rejection: 'other',
    });
    expect(await bench.place({ ...terms, quantity: 225 }, contract)).toMatchObject({
      kind: 'refused',
    });
    expect(await bench.place({ ...terms, quantity: 150 }, contract)).toMatchObject({
      kind: 'acknowledged',
    });
  });

  it('when the quantity is not a whole number above 0', async () => {
    const bench = await benchAt(100);
    for (const quantity of [0, -1, 1.5, NaN]) {
      expect(await bench.place({ quantity })).toMatchObject({ kind: 'refused' });
    }
  });

  it('when the price is off the tick, and only where a tick is believed', async () => {
    const bench = await benchAt(100);
    expect(await bench.place({ price: 99.97 })).toMatchObject({ rejection: 'price' });
    expect(await bench.place({ price: 99.95 })).toMatchObject({ kind: 'acknowledged' });
    const tickless = { ...INFY, tickSize: null };
    expect(await bench.place({ price: 99.97 }, tickless)).toMatchObject({ kind: 'acknowledged' });
  });

  it('when price or trigger is outside the circuit limits', async () => {
    const bench = await benchAt(100);
    const stop = { orderType: 'SL-M', side: 'SELL', product: 'INTRADAY' } as const;
    expect(await bench.place({ price: 110.05 })).toMatchObject({ rejection: 'price' });
    expect(await bench.place({ price: 89.95 })).toMatchObject({ rejection: 'price' });
    expect(await bench.place({ ...stop, triggerPrice: 89 })).toMatchObject({ rejection: 'price' });
    expect(await bench.place({ price: 90 })).toMatchObject({ kind: 'acknowledged' });
  });

  it("when outside the circuit, but not today's for an order of another session", async () => {
    const bench = await benchAt(100);
    expect(await bench.place({ price: 89, amo: true })).toMatchObject({ kind: 'acknowledged' });
  });

  it('when a price that its type needs is missing, or the trigger is beyond it', async () => {
    const bench = await benchAt(100);
    expect(await bench.place({ orderType: 'LIMIT' })).toMatchObject({ rejection: 'price' });
    expect(await bench.place({ orderType: 'SL-M' })).toMatchObject({ rejection: 'price' });
    expect(await bench.place({ orderType: 'SL', price: 101, triggerPrice: 102 })).toMatchObject({
      rejection: 'price',
    });
  });

  it('when it is a MARKET order and no price is available', async () => {
    const bench = await benchAt(100);
    bench.market.mood = 'fails';
    const outcome = await bench.place({});
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'other' });
    expect(outcome).toHaveProperty('reason', expect.stringContaining('no price for NSE:INFY'));
    expect(await bench.book()).toEqual([]);
  });

  it('when the market is closed and it is not an after-market order', async () => {
    const bench = await benchAt(100);
    await bench.time.advanceTo('2026-01-05T15:30:00+05:30');
    expect(await bench.place({ price: 100 })).toMatchObject({ kind: 'refused' });
    expect(await bench.place({ price: 100, amo: true })).toMatchObject({ kind: 'acknowledged' });
  });

  it('when the instrument is an index', async () => {
    const bench = await benchAt(100);
    const index = instrumentNamed('NSE:NIFTY 50', { segment: 'INDEX' });
    bench.market.set(index, 24_000);
    expect(await bench.place({ quantity: 1 }, index)).toMatchObject({ kind: 'refused' });
  });

  it('but never for money when it only closes a position', async () => {
    const bench = await benchAt(100, { cash: '1020' });
    await bench.placed({ side: 'SELL', product: 'INTRADAY' });
    expect((await bench.funds()).available).toBe(0);
    const cover = { side: 'BUY', product: 'INTRADAY' } as const;
    bench.market.set(INFY, 101);
    expect(await bench.place({ ...cover, quantity: 20 })).toMatchObject({ kind: 'refused' });
    expect(await bench.place({ ...cover, quantity: 10 })).toMatchObject({ kind: 'acknowledged' });
    expect((await bench.funds()).available).toBe(1020 - 20 - 10 - 20);
  });

  it('when other resting orders already close the position that it would close', async () => {
    const bench = await benchAt(100, { cash: '1100' });
    await bench.placed({ product: 'INTRADAY' });
    const exit = { product: 'INTRADAY', side: 'SELL', price: 105 } as const;
    await bench.placed({ ...exit, quantity: 6 });
    await bench.placed({ ...exit, quantity: 4 });
    expect((await bench.funds()).available).toBe(80);
    expect(await bench.place({ ...exit, quantity: 1 })).toMatchObject({ kind: 'refused' });
  });
});
