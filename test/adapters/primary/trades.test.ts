import { describe, expect, it } from 'vitest';
import { mapFills } from '../../../src/adapters/primary/book-mapping.ts';
import type { HttpReply } from '../../../src/platform/http.ts';
import { answered, failureOf, option, orderRow, placing, setUp, success } from './support.ts';

const fill = {
  fill_id: 1020280,
  exch_order_id: '2400000124991381',
  quantity: 2425,
  price: 1.55,
  trade_date: '2025-11-11T17:48:23+05:30',
  trade_serial_no: '17628437030186581215',
  scrip_code: '99133',
};
const refused = answered(400, { status: 'error', message: 'Invalid segment' });

function withBooks(equity: HttpReply, derivative: HttpReply, orders: readonly unknown[] = []) {
  return setUp({
    respond(_, url) {
      if (url.pathname === '/order-book') return success(orders);
      return url.searchParams.get('segment') === 'EQUITY' ? equity : derivative;
    },
  });
}

describe('the trade book', () => {
  it('is read for both segments', async () => {
    const setup = withBooks(success([fill]), success([{ ...fill, fill_id: '2' }]));
    const fills = await setup.trading.trades();
    expect(fills.map(({ fillId }) => fillId)).toEqual(['1020280', '2']);
    expect(setup.transport.urls.map((url) => `${url.pathname}${url.search}`)).toEqual([
      '/trade-book?segment=EQUITY',
      '/trade-book?segment=DERIVATIVE',
    ]);
  });

  it('maps a row, which has no order id', async () => {
    expect(await withBooks(success([fill]), success(null)).trading.trades()).toEqual([
      {
        fillId: '1020280',
        brokerOrderId: null,
        exchangeOrderId: '2400000124991381',
        exchange: null,
        quantity: 2425,
        price: 1.55,
        at: Date.parse('2025-11-11T17:48:23+05:30'),
      },
    ]);
  });

  it('maps a row of the older form, which names its order', () => {
    const older = {
      trade_id: 'T1',
      order_id: 'EQ-1',
      exchange_order_id: '2400000124991381',
      exchange_trade_id: '1020280',
      exchange_segment: 'NSE_EQ',
      security_id: '1594',
      trading_symbol: 'INFY',
      transaction_type: 'BUY',
      product_type: 'CNC',
      quantity: 10,
      price: '1,500.05',
      trade_timestamp: '2025-11-11T17:48:23+05:30',
    };
    expect(mapFills([older]).rows).toEqual([
      {
        fillId: '1020280',
        brokerOrderId: 'EQ-1',
        exchangeOrderId: '2400000124991381',
        exchange: 'NSE',
        quantity: 10,
        price: 1500.05,
        at: Date.parse('2025-11-11T17:48:23+05:30'),
      },
    ]);
  });

  it.each([
    ['NSE_1594', 'NSE'],
    ['99133', null],
  ])('takes the exchange from the scrip code, where that begins with one: %s', (code, exchange) => {
    const { rows } = mapFills([{ ...fill, scrip_code: code }]);
    expect(rows.map((row) => row.exchange)).toEqual([exchange]);
  });

  it.each([
    { fill_id: '' },
    { exch_order_id: '' },
    { quantity: 0 },
    { quantity: 'x' },
    { price: null },
  ])('says that a fill with %j is unread, and reads all others', async (changes) => {
    const { trading } = withBooks(success([{ ...fill, ...changes }, fill]), success(null));
    const fills = await trading.trades();
    expect(fills).toHaveLength(1);
    expect(trading.unread?.(fills)).toHaveLength(1);
  });

  it('says whose order an unread fill is of, where it can be read', async () => {
    const { trading } = withBooks(success([{ ...fill, price: null }]), success(null));
    expect(trading.unread?.(await trading.trades())).toMatchObject([
      { brokerOrderId: null, exchangeOrderId: fill.exch_order_id },
    ]);
  });

  it('leaves out derivatives when they are refused and the order book has none', async () => {
    const setup = withBooks(success([fill]), refused, [orderRow()]);
    await setup.trading.orderBook();
    expect(await setup.trading.trades()).toHaveLength(1);
  });

  it('fails when derivatives are refused and the order book has one', async () => {
    const setup = withBooks(success([fill]), refused, [orderRow({ segment: 'DERIVATIVE' })]);
    await setup.trading.orderBook();
    expect(await failureOf(setup.trading.trades())).toMatchObject({ kind: 'http' });
  });

  it('fails when derivatives are refused after one was placed', async () => {
    const setup = withBooks(success([fill]), refused, [orderRow()]);
    await setup.trading.orderBook();
    await setup.trading.place(placing({}, option));
    expect(await failureOf(setup.trading.trades())).toMatchObject({ kind: 'http' });
  });

  it('fails when derivatives are refused before any order book was read', async () => {
    const setup = withBooks(success([fill]), refused);
    expect(await failureOf(setup.trading.trades())).toMatchObject({ kind: 'http' });
  });

  it('fails when either book fails', async () => {
    const down = answered(503, '');
    const setup = withBooks(success([fill]), down, [orderRow()]);
    await setup.trading.orderBook();
    expect(await failureOf(setup.trading.trades())).toMatchObject({ status: 503 });
    const other = withBooks(down, success(null));
    expect(await failureOf(other.trading.trades())).toMatchObject({ status: 503 });
  });
});
