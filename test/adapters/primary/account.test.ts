import { describe, expect, it } from 'vitest';
import { failureOf, infosys, instrument, setUp, success } from './support.ts';

const holding = {
  security_id: '1594',
  symbol: 'INFY',
  isin: 'INE009A01021',
  total_qty: 7,
  used_qty: 2,
  avg_price: 1400,
  t1_qty: 3,
};
const readHoldings = (row: Record<string, unknown>, instruments = [infosys]) =>
  setUp({ respond: () => success([row]), instruments }).account.holdings();

describe('holdings', () => {
  it('keep what is used apart from the quantity', async () => {
    expect(await readHoldings(holding)).toEqual([
      {
        instrument: 'NSE:INFY',
        isin: 'INE009A01021',
        quantity: 7,
        usedQuantity: 2,
        t1Quantity: 3,
        averagePrice: 1400,
        lastPrice: null,
      },
    ]);
  });

  it('read the older names', async () => {
    const older = { security_id: '1594', symbol: 'INFY', quantity: 4, average_price: 9 };
    expect(await readHoldings(older)).toMatchObject([{ quantity: 4, averagePrice: 9 }]);
  });

  it('do not name another share that has the same id', async () => {
    const other = instrument({ name: 'NSE:OTHER', tradingSymbol: 'OTHER', isin: 'INE1' });
    const own = instrument({ name: 'BSE:INFY', exchange: 'BSE' });
    expect(await readHoldings(holding, [other, own])).toMatchObject([{ instrument: 'BSE:INFY' }]);
  });

  it('name a share that no master list has by its symbol', async () => {
    expect(await readHoldings(holding, [])).toMatchObject([{ instrument: 'NSE:INFY' }]);
  });

  it('leave out a row without a quantity, and say that they do', async () => {
    const odd = { ...holding, total_qty: undefined };
    const { account } = setUp({ respond: () => success([odd, holding]), instruments: [infosys] });
    const read = await account.holdings();
    expect(read).toHaveLength(1);
    expect(account.unread?.(read)).toEqual([
      {
        ...{ list: 'holdings', instrument: 'NSE:INFY', product: null, quantity: null },
        reason: expect.stringContaining('a holding has no quantity'),
      },
    ]);
  });
});

describe('funds', () => {
  it('show the CNC buying power as available', async () => {
    const data = { pledge_received: 1, detailed_avl_balance: { eq_cnc: '2,980.4', eq_mis: 100 } };
    const { account } = setUp({ respond: () => success(data) });
    expect(await account.funds()).toMatchObject({
      available: 2980.4,
      byProduct: { CNC: 2980.4, INTRADAY: 100 },
    });
  });

  it.each([null, {}, { detailed_avl_balance: {} }, { detailed_avl_balance: { eq_cnc: null } }])(
    'fail instead of reporting 0 for %j',
    async (data) => {
      const { account } = setUp({ respond: () => success(data) });
      expect(await failureOf(account.funds())).toMatchObject({ kind: 'bad_payload' });
    },
  );
});

describe('the profile', () => {
  it('names the user', async () => {
    const data = { user_id: 12, email: 'a@b.test', first_name: 'Asha', last_name: 'Rao' };
    const { account } = setUp({ respond: () => success(data) });
    expect(await account.profile()).toMatchObject({
      ...{ userId: '12', name: 'Asha Rao', email: 'a@b.test' },
    });
  });
});
