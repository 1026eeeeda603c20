import { describe, expect, it } from 'vitest';
import { INFY, paperBench } from './paper-bench.ts';

const at = (text: string): string => `2026-01-${text}+05:30`;

describe('paper positions', () => {
  it('have average, realised and unrealised profit', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ product: 'INTRADAY' });
    bench.market.set(INFY, 110);
    await bench.placed({ product: 'INTRADAY' });
    bench.market.set(INFY, 120);
    await bench.placed({ product: 'INTRADAY', side: 'SELL' });
    expect(await bench.positions()).toEqual([
      {
        instrument: 'NSE:INFY',
        product: 'INTRADAY',
        quantity: 10,
        averagePrice: 105,
        lastPrice: 120,
        realisedPnl: 150,
        unrealisedPnl: 150,
        buyQuantity: 20,
        sellQuantity: 10,
      },
    ]);
  });

  it('are kept apart by product', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ product: 'INTRADAY', side: 'SELL' });
    await bench.placed({ product: 'CNC' });
    const quantities = (await bench.positions()).map((row) => [row.product, row.quantity]);
    expect(quantities).toEqual([
      ['INTRADAY', -10],
      ['CNC', 10],
    ]);
  });

  it('are answered without prices when market data is unavailable', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ product: 'INTRADAY', side: 'SELL' });
    bench.market.mood = 'fails';
    expect(await bench.positions()).toMatchObject([
      { quantity: -10, averagePrice: 100, lastPrice: null, unrealisedPnl: null },
    ]);
  });

  it('show a short that gains when the price falls', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ product: 'INTRADAY', side: 'SELL' });
    bench.market.set(INFY, 90);
    expect(await bench.positions()).toMatchObject([{ quantity: -10, unrealisedPnl: 100 }]);
  });

  it('of other products than delivery are carried, those that are flat are not', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ product: 'INTRADAY', side: 'SELL', quantity: 10 });
    bench.market.set(INFY, 90);
    await bench.placed({ product: 'INTRADAY', side: 'BUY', quantity: 4 });
    expect(await bench.positions()).toMatchObject([{ quantity: -6, realisedPnl: 40 }]);
    await bench.placed({ product: 'MARGIN', side: 'BUY' });
    await bench.placed({ product: 'MARGIN', side: 'SELL' });
    await bench.time.advanceTo(at('06T06:00:00'));
    expect(await bench.positions()).toMatchObject([
      { product: 'INTRADAY', quantity: -6, realisedPnl: 0, buyQuantity: 0, sellQuantity: 6 },
    ]);
  });
});

describe('paper holdings', () => {
  it('are what was bought for delivery, from 06:00 of the next day', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ quantity: 10 });
    await bench.time.advanceTo(at('06T05:59:59'));
    expect(await bench.holdings()).toEqual([]);
    expect(await bench.positions()).toMatchObject([{ product: 'CNC', quantity: 10 }]);
    bench.market.set(INFY, 105);
    await bench.time.advanceTo(at('06T06:00:00'));
    expect(await bench.positions()).toEqual([]);
    expect(await bench.holdings()).toEqual([
      {
        instrument: 'NSE:INFY',
        isin: 'IN-INFY',
        quantity: 10,
        usedQuantity: 0,
        t1Quantity: 0,
        averagePrice: 100,
        lastPrice: 105,
      },
    ]);
  });

  it('that are sold show as a negative position, and are gone the next day', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ quantity: 10 });
    await bench.time.advanceTo(at('06T10:00:00'));
    bench.market.set(INFY, 120);
    await bench.placed({ side: 'SELL', quantity: 4 });
    expect(await bench.positions()).toMatchObject([{ product: 'CNC', quantity: -4 }]);
    expect(await bench.holdings()).toMatchObject([{ quantity: 10, usedQuantity: 4 }]);
    expect(await bench.place({ side: 'SELL', quantity: 7 })).toMatchObject({ kind: 'refused' });
    await bench.time.advanceTo(at('07T10:00:00'));
    expect(await bench.positions()).toEqual([]);
    expect(await bench.holdings()).toMatchObject([
      { quantity: 6, usedQuantity: 0, averagePrice: 100 },
    ]);
    expect((await bench.funds()).total).toBe(100_000 + 80 - 40);
  });
});

describe('what a caller is told besides of the paper account', () => {
  it('is what the ledger knows, and null for the rest', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ quantity: 10 });
    bench.market.set(INFY, 105);
    const told = () => bench.time.settle(bench.account.positions('caller'));
    expect((await told())[0]?.details).toMatchObject({
      ...{ isin: 'IN-INFY', multiplier: 1, pnl: 50, m2m: null, closePrice: null },
      overnightQuantity: 0,
    });
    await bench.time.advanceTo(at('06T06:00:00'));
    const [holding] = await bench.time.settle(bench.account.holdings('caller'));
    expect(holding?.details).toMatchObject({
      ...{ product: 'CNC', deliveredQuantity: 10, pnl: 50, dayChange: null, mtf: null },
    });
  });
});

describe('the overnight quantity of a paper position', () => {
  it('is what was there before the day, whatever was traded since', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    const overnight = async () => {
      const rows = await bench.time.settle(bench.account.positions('caller'));
      return rows.map(({ quantity, details }) => [quantity, details?.overnightQuantity]);
    };
    await bench.placed({ product: 'MARGIN', quantity: 10 });
    await bench.placed({ product: 'MARGIN', side: 'SELL', quantity: 4 });
    expect(await overnight()).toEqual([[6, 0]]);
    await bench.time.advanceTo(at('06T10:00:00'));
    expect(await overnight()).toEqual([[6, 6]]);
    await bench.placed({ product: 'MARGIN', side: 'SELL', quantity: 8 });
    expect(await overnight()).toEqual([[-2, 6]]);
    await bench.placed({ product: 'CNC', quantity: 5 });
    expect(await overnight()).toEqual([
      [-2, 6],
      [5, 0],
    ]);
  });
});

describe('paper funds', () => {
  it('add up to the opening cash, less brokerage, while nothing is realised', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    expect(await bench.funds()).toEqual({
      available: 100_000,
      used: 0,
      total: 100_000,
      byProduct: { CNC: 100_000, INTRADAY: 100_000, MARGIN: 100_000 },
    });
    await bench.placed({ quantity: 10 });
    await bench.placed({ quantity: 10, price: 90 });
    await bench.placed({ quantity: 10, product: 'INTRADAY', side: 'SELL' });
    expect(await bench.funds()).toMatchObject({
      available: 100_000 - 1_020 - 920 - 1_020,
      used: 1_000 + 920 + 1_000,
      total: 100_000 - 40,
    });
  });

  it('include what is realised', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({ product: 'INTRADAY', side: 'SELL' });
    bench.market.set(INFY, 90);
    await bench.placed({ product: 'INTRADAY', side: 'BUY' });
    const now = 100_000 + 100 - 40;
    expect(await bench.funds()).toMatchObject({ available: now, used: 0, total: now });
  });
});

describe('the books of the day', () => {
  it('begin anew at 06:00 IST', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.placed({});
    await bench.time.advanceTo(at('06T05:59:59'));
    expect(await bench.book()).toHaveLength(1);
    expect(await bench.trades()).toHaveLength(1);
    await bench.time.advanceTo(at('06T06:00:00'));
    expect(await bench.book()).toEqual([]);
    expect(await bench.trades()).toEqual([]);
  });

  it('lose nothing when the clock steps back', async () => {
    const bench = await paperBench();
    bench.market.set(INFY, 100);
    await bench.time.advanceTo(at('06T10:00:00'));
    await bench.placed({});
    bench.time.stepWall(-24 * 3_600_000);
    await bench.placed({});
    expect(await bench.book()).toHaveLength(2);
  });
});
