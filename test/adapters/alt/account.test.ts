import { describe, expect, it } from 'vitest';
import { altBench, failureOf } from './support/alt-broker.ts';
import { success } from './support/scripted-transport.ts';

const position = (changes: Record<string, unknown> = {}) => ({
  tradingsymbol: 'INFY',
  exchange: 'NSE',
  product: 'MIS',
  quantity: -5,
  average_price: 1500,
  last_price: 1490,
  pnl: 60,
  realised: 10,
  unrealised: 50,
  buy_quantity: 5,
  sell_quantity: 10,
  ...changes,
});

describe('positions', () => {
  it('are the net ones', async () => {
    const { broker } = altBench(success({ net: [position()], day: [position({ quantity: 77 })] }));
    expect(await broker.account.positions()).toEqual([
      {
        instrument: 'NSE:INFY',
        product: 'INTRADAY',
        quantity: -5,
        averagePrice: 1500,
        lastPrice: 1490,
        realisedPnl: 10,
        unrealisedPnl: 50,
        buyQuantity: 5,
        sellQuantity: 10,
      },
    ]);
  });

  it('separate what was traded today from what was carried over', async () => {
    const row = position({
      buy_quantity: 4,
      buy_value: 92559,
      sell_quantity: 4,
      sell_value: 93360,
      day_buy_quantity: 1,
      day_buy_value: 23388,
      day_sell_quantity: 4,
      day_sell_value: 93360,
    });
    const { broker } = altBench(success({ net: [row], day: [] }));
    expect((await broker.account.positions())[0]).toMatchObject({
      day: { buyQuantity: 1, buyValue: 23388, sellQuantity: 4, sellValue: 93360 },
      carried: { buyQuantity: 3, buyValue: 69171, sellQuantity: 0, sellValue: 0 },
    });
  });

  it('do not guess what was traded today', async () => {
    const { broker } = altBench(success({ net: [position({ day_buy_quantity: 1 })], day: [] }));
    const [read] = await broker.account.positions();
    expect(read).not.toHaveProperty('day');
    expect(read).not.toHaveProperty('carried');
  });

  it.each([
    ['NRML', 'MARGIN'],
    ['CNC', 'CNC'],
    ['CO', 'CO'],
  ])('call the product %s %s', async (theirs, ours) => {
    const { broker } = altBench(success({ net: [position({ product: theirs })], day: [] }));
    expect((await broker.account.positions())[0]?.product).toBe(ours);
  });

  it('that are closed show their whole profit as realised', async () => {
    const closed = position({ quantity: 0, pnl: 801, realised: 0, unrealised: 801 });
    const { broker } = altBench(success({ net: [closed], day: [] }));
    const [read] = await broker.account.positions();
    expect(read).toMatchObject({ realisedPnl: 801, unrealisedPnl: 0 });
  });

  it.each([
    ['no net list', { day: [] }],
    ['a net that is null', { net: null, day: [] }],
  ])('fail on %s', async (_what, data) => {
    const failure = await failureOf(altBench(success(data)).broker.account.positions());
    expect(failure.kind).toBe('bad_payload');
  });

  it.each([
    ['its quantity', { quantity: null }, { product: 'INTRADAY', quantity: null }],
    ['a price', { average_price: 'some' }, { product: 'INTRADAY', quantity: -5 }],
    ['its product', { product: null }, { product: null, quantity: -5 }],
  ])('leave out a row without %s, and say what of it can be read', async (_what, odd, known) => {
    const { account } = altBench(success({ net: [position(odd), position({})] })).broker;
    const read = await account.positions();
    expect(read).toHaveLength(1);
    expect(account.unread?.(read)).toMatchObject([
      { list: 'positions', instrument: 'NSE:INFY', ...known },
    ]);
  });

  it('keep what a row without readable prices has traded, where all its quantities can be read', async () => {
    const odd = { average_price: 'some', realised: {}, quantity: 10, buy_quantity: 30 };
    const sums = { buyQuantity: 30, sellQuantity: 10 };
    const restOf = async (more: Record<string, unknown>) => {
      const { account } = altBench(success({ net: [position({ ...odd, ...more })] })).broker;
      const [row] = account.unread?.(await account.positions()) ?? [];
      return [row?.traded, row?.otherQuantities];
    };
    expect(await restOf({})).toEqual([sums, [20]]);
    const today = { day_buy_quantity: 10, day_sell_quantity: 4, day_buy_value: 'much' };
    const day = { buyQuantity: 10, sellQuantity: 4 };
    const carried = { buyQuantity: 20, sellQuantity: 6 };
    const all = { ...sums, day, carried };
    expect(await restOf({ ...today, quantity: 20 })).toEqual([all, undefined]);
    expect(await restOf({ ...today, day_sell_quantity: 'some' })).toEqual([undefined, undefined]);
    expect(await restOf({ buy_quantity: null })).toEqual([undefined, undefined]);
  });
});

describe('a row whose name is not as the exchange writes it', () => {
  const holding = {
    ...{ tradingsymbol: 'SBIN', exchange: 'NSE', isin: '', quantity: 16, t1_quantity: 0 },
    ...{ used_quantity: 0, average_price: 801.5, last_price: 0 },
  };
  const names = { tradingsymbol: ' infy', exchange: 'nse' };
  const both = (odd: Record<string, unknown>) =>
    altBench((request) =>
      request.url.includes('holdings')
        ? success([{ ...holding, ...odd }, holding])
        : success({ net: [position(odd), position({ tradingsymbol: 'TCS' })], day: [] }),
    ).broker.account;

  it('is of the instrument in capitals: under another name no exit would find it', async () => {
    const account = both(names);
    expect(await account.positions()).toMatchObject([{ instrument: 'NSE:INFY' }, {}]);
    expect(await account.holdings()).toMatchObject([{ instrument: 'NSE:INFY' }, {}]);
    const unread = both({ ...names, quantity: null });
    expect(unread.unread?.(await unread.positions())).toMatchObject([{ instrument: 'NSE:INFY' }]);
    expect(unread.unread?.(await unread.holdings())).toMatchObject([{ instrument: 'NSE:INFY' }]);
  });

  it.each([{ tradingsymbol: ' ' }, { exchange: ' ' }, { tradingsymbol: null }])(
    'is unread alone with %j, and may be any',
    async (odd) => {
      const account = both(odd);
      for (const read of [await account.positions(), await account.holdings()]) {
        expect(read).toHaveLength(1);
        expect(account.unread?.(read)).toMatchObject([{ instrument: null }]);
      }
    },
  );
});

describe('holdings', () => {
  it('count undelivered shares', async () => {
    const { broker } = altBench(
      success([
        {
          tradingsymbol: 'SBIN',
          exchange: 'BSE',
          isin: 'INE062A01020',
          quantity: 16,
          realised_quantity: 16,
          used_quantity: 6,
          t1_quantity: 4,
          average_price: 801.5,
          last_price: 0,
        },
      ]),
    );
    expect(await broker.account.holdings()).toEqual([
      {
        instrument: 'BSE:SBIN',
        isin: 'INE062A01020',
        quantity: 20,
        usedQuantity: 6,
        soldToday: 6,
        t1Quantity: 4,
        averagePrice: 801.5,
        lastPrice: null,
      },
    ]);
  });
});

describe('shares of a holding that no order of the gateway sells', () => {
  const holding = async (changes: Record<string, unknown>) => {
    const row = { tradingsymbol: 'SBIN', exchange: 'NSE', quantity: 20, ...changes };
    return (await altBench(success([row])).broker.account.holdings())[0]!;
  };

  it('are told in a plain read, those under MTF and those that are pledged', async () => {
    const read = await holding({ mtf: { quantity: 1_000 }, collateral_quantity: 5 });
    expect(read).toMatchObject({ quantity: 20, mtfQuantity: 1_000, pledgedQuantity: 5 });
  });

  it.each([
    [{ mtf: { quantity: '9' } }, { mtfQuantity: null }],
    [{ mtf: 'nine' }, { mtfQuantity: null }],
    [{ collateral_quantity: '9' }, { pledgedQuantity: null }],
  ])('are unknown with %j, and the row is read all the same', async (changes, told) => {
    expect(await holding(changes)).toMatchObject({ quantity: 20, ...told });
  });

  it.each([{}, { mtf: null, collateral_quantity: null }, { mtf: {} }, { mtf: { quantity: 0 } }])(
    'are none with %j',
    async (changes) => {
      const names = Object.keys(await holding({ collateral_quantity: 0, ...changes }));
      expect(names).not.toContain('mtfQuantity');
      expect(names).not.toContain('pledgedQuantity');
    },
  );
});

describe('all shares of a holding', () => {
  const holding = async (changes: Record<string, unknown>) => {
    const row = { tradingsymbol: 'SBIN', exchange: 'NSE', quantity: 20, ...changes };
    return (await altBench(success([row])).broker.account.holdings())[0]?.quantity;
  };

  it.each([
    ['with those to be delivered in its quantity', { t1_quantity: 4, realised_quantity: 16 }, 20],
    ['without them in it', { quantity: 16, t1_quantity: 4, realised_quantity: 16 }, 20],
    ['nothing of which is delivered', { quantity: 4, t1_quantity: 4, realised_quantity: 0 }, 4],
    ['that does not say what was delivered', { t1_quantity: 4 }, 20],
  ])('are counted once in a row %s', async (_what, changes, expected) => {
    expect(await holding(changes)).toBe(expected);
  });
});

describe('funds', () => {
  it('have the net as buying power, and the debits as used', async () => {
    const { broker, transport } = altBench(
      success({ equity: { net: 99725.05000000002, utilised: { debits: 145706.55 } } }),
    );
    expect(await broker.account.funds()).toMatchObject({
      available: 99725.05,
      used: 145706.55,
      total: 245431.6,
      byProduct: {},
    });
    expect(new URL(transport.last.url).pathname).toBe('/user/margins');
  });

  it('have no total where the broker does not state what is used', async () => {
    const { broker } = altBench(success({ equity: { net: 10, utilised: null } }));
    expect(await broker.account.funds()).toMatchObject({ available: 10, used: null, total: null });
  });
});

describe('what is only shown', () => {
  const odd = { m2m: 'some', close_price: [], value: {}, buy_price: null };

  it('never makes a row unreadable: a figure that is none is null', async () => {
    const { account } = altBench(success({ net: [position(odd)] })).broker;
    const read = await account.positions('caller');
    expect(account.unread?.(read)).toEqual([]);
    expect(read[0]?.details).toMatchObject({ m2m: null, closePrice: null, value: null });
  });

  it('is left out of what a watch reads', async () => {
    const { account } = altBench(success({ net: [position({ m2m: 5 })] })).broker;
    expect((await account.positions())[0]).not.toHaveProperty('details');
  });

  it('of funds is null where the broker tells nothing, and 0 where it says 0', async () => {
    const equity = { net: 10, available: { cash: 0, collateral: 'some' } };
    const { broker } = altBench(success({ equity, commodity: 'closed' }));
    const funds = await broker.account.funds();
    expect(funds.details?.figures).toMatchObject({ cash: 0, collateral: null, span: null });
    expect(funds).not.toHaveProperty('commodity');
  });
});

describe('profile', () => {
  it('names the user', async () => {
    const { broker } = altBench(success({ user_id: 'AB1234', user_name: 'A B', email: '' }));
    expect(await broker.account.profile()).toMatchObject({
      ...{ userId: 'AB1234', name: 'A B', email: null },
    });
  });
});
