import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, failureOf, infosys, instrument, lost, setUp, success } from './support.ts';

const position = {
  position_id: '1',
  security_id: '1594',
  symbol: 'INFY',
  segment: 'EQUITY',
  product: 'ECHO',
  exchange: 'NSE',
  net_qty: -5,
  avg_price: 1146.85,
  buy_qty: 1,
  sell_qty: 6,
  realized_profit: -2.55,
  day_buy_qty: null,
  cf_buy_qty: null,
};

function withPositions(cnc: HttpReply, intraday: HttpReply, plain: HttpReply = lost) {
  return setUp({
    respond(_, url) {
      const product = url.searchParams.get('product');
      if (product === 'cnc') return cnc;
      return product === 'intraday' ? intraday : plain;
    },
  });
}

const refused = answered(400, { status: 'error', message: 'no' });
const none = success([]);

describe('positions', () => {
  it('are asked for twice, in lower case, and say the product that was asked for', async () => {
    const setup = withPositions(success([position]), success([position]));
    const positions = await setup.account.positions();
    expect(setup.transport.urls.map((url) => url.search)).toEqual([
      '?segment=equity&product=cnc',
      '?segment=equity&product=intraday',
    ]);
    expect(positions.map(({ product }) => product)).toEqual(['CNC', 'INTRADAY']);
  });

  it('are mapped with their sign', async () => {
    const [mapped] = await withPositions(success([position]), none).account.positions();
    expect(mapped).toEqual({
      instrument: 'NSE:INFY',
      product: 'CNC',
      quantity: -5,
      averagePrice: 1146.85,
      lastPrice: null,
      realisedPnl: -2.55,
      unrealisedPnl: null,
      buyQuantity: 1,
      sellQuantity: 6,
    });
  });

  it('count null as 0', async () => {
    const row = {
      ...position,
      net_qty: null,
      avg_price: null,
      buy_qty: null,
      realized_profit: null,
    };
    const [mapped] = await withPositions(success([row]), none).account.positions();
    expect(mapped).toMatchObject({ quantity: 0, averagePrice: 0, buyQuantity: 0, realisedPnl: 0 });
  });

  it.each([{ net_qty: undefined }, { net_qty: 'many' }, { buy_qty: {} }])(
    'fail rather than guess for %j',
    async (changes) => {
      const setup = withPositions(success([{ ...position, ...changes }]), none);
      expect(await failureOf(setup.account.positions())).toMatchObject({ kind: 'bad_payload' });
    },
  );

  it.each([
    [success({ net_positions: [position], day_positions: [] })],
    [success({ day_positions: [position] })],
    [answered(200, { net_positions: [position] })],
  ])('are taken out of the older wrapper', async (reply) => {
    expect(await withPositions(reply, none).account.positions()).toHaveLength(1);
  });

  it('read the older names of a wrapped row', async () => {
    const older = {
      trading_symbol: 'INFY',
      exchange_segment: 'NSE_EQ',
      net_quantity: 3,
      average_price: 10,
      last_traded_price: 11,
    };
    const reply = success({ net_positions: [older] });
    const [mapped] = await withPositions(reply, none).account.positions();
    expect(mapped).toMatchObject({
      instrument: 'NSE:INFY',
      quantity: 3,
      averagePrice: 10,
      lastPrice: 11,
    });
  });

  it.each([400, 404, 422])('are asked for without parameters when both get %s', async (status) => {
    const no = answered(status, {});
    const setup = withPositions(no, no, success([position]));
    expect(await setup.account.positions()).toMatchObject([{ product: 'ECHO' }]);
    expect(setup.transport.urls.map((url) => url.search)).toHaveLength(3);
    expect(setup.transport.urls[2]!.search).toBe('');
  });

  it('fail when the question without parameters fails too', async () => {
    const setup = withPositions(refused, refused, refused);
    expect(await failureOf(setup.account.positions())).toMatchObject({ status: 400 });
  });

  it.each([
    ['one is refused', refused, none],
    ['the other is refused', none, refused],
    ['one is lost', lost, none],
    ['one is refused and one is lost', refused, lost],
    ['both are not allowed', answered(403, {}), answered(403, {})],
    ['one says a failure inside 2xx', answered(200, { status: 'error', data: [] }), none],
    ['one has no data', answered(200, { status: 'success' }), none],
    ['one is an object', success({}), none],
    ['one wraps null', success({ net_positions: null }), none],
  ])('fail, without a further question, when %s', async (_, cnc, intraday) => {
    const setup = withPositions(cnc, intraday, success([]));
    await failureOf(setup.account.positions());
    expect(setup.transport.urls.every((url) => url.searchParams.has('product'))).toBe(true);
  });

  it('are whole again with the first read after an outage', async () => {
    const setup = withPositions(lost, lost);
    for (let count = 0; count < 5; count += 1) await failureOf(setup.account.positions());
    await setup.time.advance(10_000);
    setup.transport.respond = () => success([position]);
    expect(await setup.account.positions()).toHaveLength(2);
  });
});

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

  it('do not take another share that has the same id', async () => {
    const other = instrument({ name: 'NSE:OTHER', tradingSymbol: 'OTHER', isin: 'INE1' });
    const own = instrument({ name: 'BSE:INFY', exchange: 'BSE' });
    expect(await readHoldings(holding, [other, own])).toMatchObject([{ instrument: 'BSE:INFY' }]);
  });

  it('name a share that no master knows by its symbol', async () => {
    expect(await readHoldings(holding, [])).toMatchObject([{ instrument: 'NSE:INFY' }]);
  });

  it('fail for a row without a quantity', async () => {
    const read = readHoldings({ ...holding, total_qty: undefined });
    expect(await failureOf(read)).toMatchObject({ kind: 'bad_payload' });
  });
});

describe('funds', () => {
  it('have the CNC buying power as what is available', async () => {
    const data = { pledge_received: 1, detailed_avl_balance: { eq_cnc: '2,980.4', eq_mis: 100 } };
    const { account } = setUp({ respond: () => success(data) });
    expect(await account.funds()).toMatchObject({
      available: 2980.4,
      byProduct: { CNC: 2980.4, INTRADAY: 100 },
    });
  });

  it.each([null, {}, { detailed_avl_balance: {} }, { detailed_avl_balance: { eq_cnc: null } }])(
    'fail rather than say 0 for %j',
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
    expect(await account.profile()).toEqual({ userId: '12', name: 'Asha Rao', email: 'a@b.test' });
  });
});
