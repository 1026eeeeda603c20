import { describe, expect, it } from 'vitest';
import { altBench } from './alt/support/alt-broker.ts';
import { success as kiteSuccess } from './alt/support/scripted-transport.ts';
import { position as primaryRow, none } from './primary/positions-support.ts';
import { setUp, success } from './primary/support.ts';

/** What the other figures of a row of Kite's make of its quantity. */
async function atKite(fields: Record<string, unknown>): Promise<readonly number[] | undefined> {
  const row = {
    ...{ tradingsymbol: 'INFY', exchange: 'NSE', product: 'MIS', multiplier: 1 },
    ...{ overnight_quantity: 0, buy_quantity: 0, sell_quantity: 0 },
    ...{ day_buy_quantity: 0, day_sell_quantity: 0, ...fields },
  };
  const { broker } = altBench(kiteSuccess({ net: [row], day: [] }));
  return (await broker.account.positions())[0]?.otherQuantities;
}

/** The same of the primary brokerage. */
async function atPrimary(fields: Record<string, unknown>): Promise<readonly number[] | undefined> {
  const nulls = { day_buy_qty: null, day_sell_qty: null, cf_buy_qty: null, cf_sell_qty: null };
  const { account } = setUp({
    respond: (_, url) =>
      url.searchParams.get('segment') === 'equity' && url.searchParams.get('product') === 'intraday'
        ? success([{ ...primaryRow, buy_qty: 0, sell_qty: 0, ...nulls, ...fields }])
        : none,
  });
  return (await account.positions())[0]?.otherQuantities;
}

describe('figures of a position that contradict one another', () => {
  const bought = { buy_quantity: 10, day_buy_quantity: 10 };
  const carried = { overnight_quantity: 10, buy_quantity: 10 };

  it.each([
    [
      'a quantity that is behind what was sold',
      { ...bought, sell_quantity: 10, day_sell_quantity: 10 },
      [0],
    ],
    [
      'the same of what was carried over',
      { ...carried, sell_quantity: 4, day_sell_quantity: 4 },
      [6],
    ],
    [
      'what was carried over and sold, with sums of the day alone',
      { overnight_quantity: 10, sell_quantity: 4, day_sell_quantity: 4 },
      [6],
    ],
    ['a sum that alone is ahead', { ...bought, sell_quantity: 10 }, [0]],
    ['a figure of the day that alone is ahead', { ...bought, day_sell_quantity: 10 }, [0]],
    [
      'a sale of the day that is ahead of its sum, where nothing tells what was carried over',
      { ...bought, overnight_quantity: 'x', day_sell_quantity: 4 },
      [6],
    ],
    ['the same of a purchase', { ...bought, overnight_quantity: 'x', day_buy_quantity: 14 }, [14]],
    [
      'without figures of the day',
      { buy_quantity: 10, sell_quantity: 3, day_buy_quantity: null },
      [7],
    ],
  ])('are told at Kite: %s', async (_what, fields, others) => {
    const found = await atKite({ quantity: 10, ...fields });
    expect(found?.filter((other) => others.includes(other))).toEqual(others);
  });

  it.each([
    ['bought today', { quantity: 10, ...bought }],
    ['carried over', { quantity: 10, ...carried }],
    ['carried over, and sums of the day alone', { quantity: 10, overnight_quantity: 10 }],
    ['carried over and sold', { quantity: 6, ...carried, sell_quantity: 4, day_sell_quantity: 4 }],
    ['without any trade', { quantity: 10 }],
    [
      'an odd figure of what was carried over',
      { quantity: 10, ...bought, overnight_quantity: 'x' },
    ],
  ])('are not told where they agree: %s', async (_what, fields) => {
    expect(await atKite(fields)).toBeUndefined();
  });

  const day = { buy_qty: 10, day_buy_qty: 10 };
  const cf = { buy_qty: 10, cf_buy_qty: 10 };
  it.each([
    ['of today', { ...day, sell_qty: 10, day_sell_qty: 10 }, 0],
    ['carried over', { ...cf, sell_qty: 4, day_sell_qty: 4 }, 6],
    ['the sums alone', { buy_qty: 10, sell_qty: 10 }, 0],
    ['a figure of the day alone', { ...cf, day_sell_qty: 10 }, 0],
  ])('are told at the primary brokerage: %s', async (_what, fields, other) => {
    expect(await atPrimary({ net_qty: 10, ...fields })).toContain(other);
  });

  it.each([
    ['bought today', { net_qty: 10, ...day }],
    ['carried over', { net_qty: 10, ...cf }],
    ['carried over, and sums of the day alone', { net_qty: 20, ...cf, day_buy_qty: 10 }],
    ['the sums alone, and null for all else', { net_qty: 10, buy_qty: 10 }],
    [
      'carried over without a figure of it',
      { net_qty: 6, buy_qty: 10, sell_qty: 4, day_sell_qty: 4 },
    ],
    ['without any trade', { net_qty: 10 }],
  ])('are not told at the primary brokerage where they agree: %s', async (_what, fields) => {
    expect(await atPrimary(fields)).toBeUndefined();
  });
});
