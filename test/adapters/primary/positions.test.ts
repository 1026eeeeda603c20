import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, failureOf, lost, setUp, success } from './support.ts';
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
    expect(await setup.account.positions()).toHaveLength(4);
  });
});
