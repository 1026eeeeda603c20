import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import { shownTraded } from '../../../src/execution/reconcile/held.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { answered, failureOf, instrument, lost, setUp, success } from './support.ts';
import { position, refused, none } from './positions-support.ts';

/** The account has no derivatives, and the broker says so. */
function withPositions(cnc: HttpReply, intraday: HttpReply, plain: HttpReply = lost) {
  return setUp({
    respond(_, url) {
      if (url.searchParams.get('segment') === 'derivative') return none;
      const product = url.searchParams.get('product');
      if (product === 'cnc') return cnc;
      return product === 'intraday' ? intraday : plain;
    },
  });
}

describe('positions', () => {
  it('are requested by segment and product, and have the product of the query', async () => {
    const setup = withPositions(success([position]), success([position]));
    const positions = await setup.account.positions();
    expect(setup.transport.urls.map((url) => url.search)).toEqual([
      '?segment=equity&product=cnc',
      '?segment=equity&product=intraday',
      '?segment=derivative&product=margin',
      '?segment=derivative&product=intraday',
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
      day: { buyQuantity: 0, buyValue: 0, sellQuantity: 0, sellValue: 0 },
      carried: { buyQuantity: 0, buyValue: 0, sellQuantity: 0, sellValue: 0 },
    });
  });

  it('separate what was traded today from what was carried over', async () => {
    const row = {
      ...position,
      day_sell_qty: 1,
      day_sell_val: '1,146.85',
      cf_sell_qty: 5,
      cf_sell_val: 5700,
    };
    const [mapped] = await withPositions(success([row]), none).account.positions();
    expect(mapped).toMatchObject({
      day: { buyQuantity: 0, buyValue: 0, sellQuantity: 1, sellValue: 1146.85 },
      carried: { buyQuantity: 0, buyValue: 0, sellQuantity: 5, sellValue: 5700 },
    });
  });

  describe('without any figure of the day or of what was carried over', () => {
    const untold: Record<string, unknown> = { ...position };
    delete untold.cf_buy_qty;
    const nulls = { day_buy_qty: null, day_buy_val: null, day_sell_qty: null, day_sell_val: null };
    const order = { instrument: 'NSE:INFY', side: 'SELL' } as const;
    const readAt = epochMs(Date.parse('2026-11-20T10:00:00+05:30'));
    /** What the positions show as sold today, of rows that have sold 6. */
    async function soldToday(row: object, product: 'CNC' | 'INTRADAY'): Promise<number> {
      const reply = success([{ ...untold, ...nulls, ...row }]);
      const setup = product === 'CNC' ? withPositions(reply, none) : withPositions(none, reply);
      const positions = await setup.account.positions();
      const read = { broker: 'primary', mode: 'live', readAt, positions, holdings: [] } as const;
      return shownTraded(read, { ...order, product }, '2026-11-20');
    }

    it.each(['CNC', 'INTRADAY'] as const)(
      'are of the day, of %s, which is not carried',
      async (product) => {
        expect(await soldToday({}, product)).toBe(6);
      },
    );

    it('say so: the day’s profit is not known by them', async () => {
      const reply = success([{ ...untold, ...nulls }]);
      const [row] = await withPositions(none, reply).account.positions();
      expect(row).not.toHaveProperty('day');
    });

    it('are as the broker tells them, where it tells any', async () => {
      expect(await soldToday({ day_sell_qty: 2 }, 'INTRADAY')).toBe(2);
      expect(await soldToday({ day_sell_qty: 0 }, 'INTRADAY')).toBe(0);
      expect(await soldToday({ cf_sell_qty: 4 }, 'CNC')).toBe(2);
    });
  });

  describe('in a row that does not name its instrument for certain', () => {
    const nameless = { ...position, security_id: null, symbol: null, exchange: null };
    const listed = (names: readonly string[]) =>
      names.map((name) => instrument({ name, exchange: name.slice(0, 3), securityId: name }));

    it.each([
      ['its share, where only one is called so', { symbol: 'infy' }, ['NSE:INFY'], 'NSE:INFY'],
      ['none, where several are', { symbol: 'infy' }, ['NSE:INFY', 'BSE:INFY'], null],
      ['none, where nothing is', { symbol: 'infy' }, ['NSE:TCS'], null],
      ['none without any name', {}, ['NSE:INFY'], null],
    ])('are unread alone, and of %s', async (_, names, list, expected) => {
      const instruments = listed(list);
      const row = { ...nameless, ...names };
      const setup = setUp({
        instruments,
        respond: (_request, url) =>
          url.searchParams.get('product') === 'cnc' ? success([row, position]) : none,
      });
      const read = await setup.account.positions();
      expect(read).toHaveLength(1);
      expect(setup.account.unread?.(read)).toMatchObject([
        { instrument: expected, product: 'CNC', quantity: -5 },
      ]);
    });

    it('are read under the name in capitals, where the exchange is there', async () => {
      const row = { ...nameless, symbol: 'infy', exchange: 'nse' };
      const read = await withPositions(success([row]), none).account.positions();
      expect(read).toMatchObject([{ instrument: 'NSE:INFY' }]);
    });
  });

  it('count null as 0', async () => {
    const row = {
      ...position,
      net_qty: null,
      avg_price: null,
      ...{ buy_qty: null, sell_qty: null },
      realized_profit: null,
    };
    const [mapped] = await withPositions(success([row]), none).account.positions();
    expect(mapped).toMatchObject({ quantity: 0, averagePrice: 0, buyQuantity: 0, realisedPnl: 0 });
  });

  it.each([
    [{ net_qty: undefined }, null],
    [{ net_qty: 'many' }, null],
    [{ net_qty: null, buy_qty: 10, sell_qty: 0 }, null],
    [{ net_qty: '', buy_qty: null, sell_qty: null, day_sell_qty: 75 }, null],
    [{ buy_qty: {} }, 5],
    [{ cf_buy_qty: 'some' }, 5],
  ])('leave out a row with %j instead of guessing, and say that they do', async (odd, quantity) => {
    const row = { ...position, net_qty: 5, ...odd };
    const { account } = withPositions(success([row]), success([position]));
    const read = await account.positions();
    expect(read).toMatchObject([{ product: 'INTRADAY' }]);
    expect(account.unread?.(read)).toMatchObject([
      { list: 'positions', instrument: 'NSE:INFY', product: 'CNC', quantity },
    ]);
  });

  it('keep what a row without readable prices has traded, where all its quantities can be read', async () => {
    const odd = { ...position, net_qty: 20, buy_qty: 30, sell_qty: 10, avg_price: 'some' };
    const sums = { buyQuantity: 30, sellQuantity: 10 };
    const restOf = async (more: Record<string, unknown>) => {
      const { account } = withPositions(success([{ ...odd, ...more }]), none);
      const [row] = account.unread?.(await account.positions()) ?? [];
      return [row?.traded, row?.otherQuantities];
    };
    const today = { day_buy_qty: 10, day_sell_qty: 4, day_buy_val: 'much', day_sell_val: 1 };
    const before = { cf_buy_qty: 20, cf_sell_qty: 6, cf_buy_val: 1, cf_sell_val: {} };
    const day = { buyQuantity: 10, sellQuantity: 4 };
    const carried = { buyQuantity: 20, sellQuantity: 6 };
    expect(await restOf({ ...today, ...before })).toEqual([{ ...sums, day, carried }, undefined]);
    expect(await restOf({ ...today, ...before, net_qty: 15 })).toEqual([
      { ...sums, day, carried },
      [20],
    ]);
    expect(await restOf({ ...today, day_sell_qty: 'some' })).toEqual([undefined, undefined]);
    expect(await restOf({ net_qty: 'many' })).toEqual([undefined, undefined]);
  });

  it.each([
    [success({ net_positions: [position], day_positions: [] })],
    [success({ day_positions: [position] })],
    [answered(200, { net_positions: [position] })],
    [answered(200, { net_positions: [position], day_positions: [] })],
    // Rows are no "none", whatever is around them.
    [answered(200, { message: 'ok', data: [position] })],
    [answered(200, [position])],
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

  it.each([400, 404, 422])('are requested without parameters when both get %s', async (status) => {
    const no = answered(status, {});
    const setup = withPositions(no, no, success([position]));
    expect(await setup.account.positions()).toMatchObject([{ product: 'ECHO' }]);
    // Derivatives are asked for beside it.
    expect(setup.transport.urls.map((url) => url.search)).toEqual([
      '?segment=equity&product=cnc',
      '?segment=equity&product=intraday',
      '',
      '?segment=derivative&product=margin',
      '?segment=derivative&product=intraday',
    ]);
  });

  it('fail when the request without parameters fails too', async () => {
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
    ['one does not say that it is a success', answered(200, { message: 'no', data: [] }), none],
    ['one is a bare list', answered(200, '[]'), none],
    [
      'one has wrapped nothing and does not say so',
      answered(200, { data: { net_positions: [] } }),
      none,
    ],
    ['one wraps nothing and does not say so', answered(200, { net_positions: [] }), none],
    ['one has no data', answered(200, { status: 'success' }), none],
    ['one is an object', success({}), none],
    ['one wraps null', success({ net_positions: null }), none],
  ])('fail, without a further question, when %s', async (_, cnc, intraday) => {
    const setup = withPositions(cnc, intraday, success([]));
    await failureOf(setup.account.positions());
    expect(setup.transport.urls.every((url) => url.searchParams.has('product'))).toBe(true);
  });

  it('are complete again with the first read after an outage', async () => {
    const setup = withPositions(lost, lost);
    for (let count = 0; count < 5; count += 1) await failureOf(setup.account.positions());
    await setup.time.advance(10_000);
    setup.transport.respond = () => success([position]);
    expect(await setup.account.positions()).toHaveLength(3);
  });
});

describe('a broker that answers each product with all positions', () => {
  it('has each position once, under the product that its row names', async () => {
    const rows = success([
      { ...position, product: 'CNC', net_qty: 10 },
      { ...position, product: 'intraday', net_qty: 4 },
      { ...position, product: 'MARGIN', net_qty: 7 },
    ]);
    const positions = await withPositions(rows, rows).account.positions();
    expect(positions.map(({ product, quantity }) => [product, quantity])).toEqual([
      ['CNC', 10],
      ['INTRADAY', 4],
      ['MARGIN', 7],
    ]);
  });

  it('keeps two rows of one name that differ: nobody knows which is true', async () => {
    const row = { ...position, product: 'CNC' };
    const setup = withPositions(success([row]), success([{ ...row, net_qty: -4 }]));
    expect(await setup.account.positions()).toHaveLength(2);
  });

  it('has a row that cannot be read once as well', async () => {
    const rows = success([{ ...position, product: 'CNC', net_qty: 'ten' }]);
    const { account } = withPositions(rows, rows);
    const unread = account.unread?.(await account.positions()) ?? [];
    expect(unread).toMatchObject([{ product: 'CNC' }]);
  });
});
