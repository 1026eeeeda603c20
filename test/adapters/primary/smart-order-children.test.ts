import { describe, expect, it } from 'vitest';
import { cancelling, orderRow, placing, setUp, success } from './support.ts';

const parent = (changes: Record<string, unknown> = {}) =>
  orderRow({
    id: 'GTT-7',
    exch_order_id: '',
    order_type: 'GTT_LIMIT',
    requested_price: '',
    tgt_trigger_price: '1490',
    tgt_limit_price: '1480',
    status: 'SL-PENDING',
    ...changes,
  });
const child = (changes: Record<string, unknown> = {}) =>
  orderRow({ id: 'EQ-8', exch_order_id: 'x1', requested_price: '1480', ...changes });
const trade = { fill_id: 1, exch_order_id: 'x1', quantity: 4, price: 1479.5, trade_date: '' };

/** The rows as read after a stop order was placed whose acknowledgement named its child. */
async function read(rows: readonly unknown[], named: string | null = 'EQ-8') {
  const details = named === null ? null : { order_id: named, order_status: 'CREATED' };
  const { trading } = setUp({
    respond(_, url) {
      if (url.pathname === '/order-book') return success(rows);
      if (url.pathname === '/trade-book') {
        return success(url.searchParams.get('segment') === 'EQUITY' ? [trade] : null);
      }
      return success({ order_data: [{ order_id: 'GTT-7', child_order_details: details }] });
    },
  });
  await trading.place(placing({ orderType: 'SL', price: 1480, triggerPrice: 1490 }));
  const book = await trading.orderBook();
  const [fill] = await trading.trades();
  return { trading, book, parent: book.find((row) => row.brokerOrderId === 'GTT-7')!, fill: fill! };
}

/** Of the shape of our tags. */
const OURS = '0VkJ2q0aTagOfTheStop';

describe('the child of a smart order', () => {
  it('loses its tag also where its row cannot be read, and no other row does', async () => {
    const broken = { requested_qty: 'many', remarks: OURS };
    const rows = [parent({ remarks: OURS }), child(broken), child({ id: 0, ...broken })];
    const { book, trading } = await read(rows, null);
    const unread = trading.unread?.(book).map(({ brokerOrderId, tags }) => [brokerOrderId, tags]);
    expect(unread).toEqual([
      ['EQ-8', []],
      [null, [OURS]],
    ]);
  });

  it('gives its fills to the smart order, where the acknowledgement named it', async () => {
    const rows = [
      parent({ status: 'SUCCESS', traded_qty: 0 }),
      child({ status: 'PARTIALLY FILLED', traded_qty: 4, traded_price: '1479.5' }),
    ];
    expect((await read(rows)).parent).toMatchObject({
      status: 'working',
      filledQuantity: 4,
      averagePrice: 1479.5,
      exchangeOrderId: 'x1',
    });
  });

  it('makes the smart order filled when it is filled', async () => {
    const rows = [
      parent({ status: 'SUCCESS', traded_qty: 0 }),
      child({ status: 'SUCCESS', traded_qty: 10, traded_price: '1479.5' }),
    ];
    expect((await read(rows)).parent).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
      averagePrice: 1479.5,
    });
  });

  it('keeps a row of its own', async () => {
    const { book } = await read([parent(), child()]);
    expect(book.map((row) => row.brokerOrderId)).toEqual(['GTT-7', 'EQ-8']);
  });

  it('has its fills given to the smart order', async () => {
    expect((await read([parent(), child()])).fill).toMatchObject({ brokerOrderId: 'GTT-7' });
  });

  it('is also recognised by a shared exchange id', async () => {
    const rows = [parent({ exch_order_id: 'x1' }), child({ traded_qty: 4 })];
    const { parent: row, fill } = await read(rows, null);
    expect(row).toMatchObject({ status: 'working', filledQuantity: 4 });
    expect(fill).toMatchObject({ brokerOrderId: 'GTT-7' });
  });

  it('is also recognised by shared remarks, which then belong to the smart order', async () => {
    const rows = [parent({ remarks: OURS }), child({ remarks: OURS, traded_qty: 4 })];
    const { book, fill } = await read(rows, null);
    expect(book.map(({ tags, filledQuantity }) => [tags, filledQuantity])).toEqual([
      [[OURS], 4],
      [[], 4],
    ]);
    expect(book[1]).toMatchObject({ childOf: 'GTT-7' });
    expect(fill).toMatchObject({ brokerOrderId: 'GTT-7' });
  });

  it.each([
    ['the remark of a terminal, which many orders carry', { remarks: 'TV-TERMINAL' }],
    ['an exchange id that stands for none', { exch_order_id: '0' }],
  ])('is not known by %s', async (_what, shared) => {
    const rows = [parent(shared), child({ ...shared, traded_qty: 4 })];
    const { book } = await read(rows, null);
    expect(book[0]).toMatchObject({ filledQuantity: 0 });
    expect(book[1]?.childOf).toBeUndefined();
  });

  it('leaves the fill unknown where there are several children', async () => {
    const rows = [
      parent({ exch_order_id: 'x1' }),
      child({ traded_qty: 4 }),
      child({ id: 'EQ-9', traded_qty: 3 }),
    ];
    expect((await read(rows, null)).parent).toMatchObject({ filledQuantity: null });
  });

  it('counts once where both rows report the same fill', async () => {
    const rows = [parent({ traded_qty: 4 }), child({ traded_qty: 4 })];
    expect((await read(rows)).parent).toMatchObject({ filledQuantity: 4 });
  });

  it('leaves the fill unknown where it does not report it', async () => {
    const silent = child({ status: 'PENDING', traded_qty: undefined });
    expect((await read([parent(), silent])).parent).toMatchObject({ filledQuantity: null });
    const over = parent({ status: 'SUCCESS', traded_qty: undefined });
    expect((await read([over, silent])).parent).toMatchObject({ filledQuantity: null });
  });

  it('does not end a smart order that still waits', async () => {
    const rows = [parent(), child({ status: 'CANCELLED' })];
    expect((await read(rows)).parent).toMatchObject({ status: 'working' });
  });

  it('ends a smart order that is final', async () => {
    const rows = [parent({ status: 'SUCCESS', traded_qty: 0 }), child({ status: 'CANCELLED' })];
    expect((await read(rows)).parent.status).toBe('cancelled');
  });

  it.each([
    ['another side', child({ txn_type: 'SELL', traded_qty: 4 })],
    ['another instrument', child({ security_id: '11536', traded_qty: 4 })],
    ['another product', child({ product: 'INTRADAY', traded_qty: 4 })],
  ])('is not an order of %s', async (_, row) => {
    const { parent: waits, fill } = await read([parent(), row]);
    expect(waits).toMatchObject({ filledQuantity: 0 });
    expect(fill.brokerOrderId).toBeNull();
  });

  it('is not an order that only looks like one', async () => {
    const { parent: waits, fill } = await read([parent(), child({ traded_qty: 4 })], null);
    expect(waits).toMatchObject({ filledQuantity: 0 });
    expect(fill.brokerOrderId).toBeNull();
  });
});

describe('once its trigger is hit', () => {
  /** A trading port over books that the test sets. */
  function watched() {
    let rows: readonly unknown[] = [];
    const setup = setUp({
      respond(_, url) {
        if (url.pathname === '/order-book') return success(rows);
        return success({ order_id: 'EQ-8', order_status: 'CANCELLED' });
      },
    });
    const read = (next: readonly unknown[]) => {
      rows = next;
      return setup.trading.orderBook();
    };
    return { ...setup, read };
  }

  it('a stop is cancelled by cancelling its child', async () => {
    const { trading, transport, read } = watched();
    await read([parent({ remarks: OURS, status: 'SUCCESS' }), child({ remarks: OURS })]);
    await trading.cancel(cancelling({ brokerOrderId: 'GTT-7', brokerOrderType: 'SL' }));
    const request = transport.requests.at(-1)!;
    expect(new URL(request.url).pathname).toBe('/order/cancel');
    expect(JSON.parse(request.body!)).toMatchObject({ order_id: 'EQ-8' });
  });

  it('a row with its tag has none while its own row is there, and has it once that is gone', async () => {
    const { read } = watched();
    const broken = parent({ remarks: OURS, requested_qty: 'many' });
    const unlike = child({ remarks: OURS, txn_type: 'SELL' });
    const tagsWith = async (stop: Record<string, unknown>) =>
      (await read([stop, unlike])).at(-1)?.tags;
    expect(await tagsWith(parent({ remarks: OURS }))).toEqual([]);
    expect(await tagsWith(broken)).toEqual([]);
    expect(await read([unlike])).toMatchObject([{ brokerOrderId: 'EQ-8', tags: [OURS] }]);
  });

  it('an order that was never a smart one keeps its tag', async () => {
    const { read } = watched();
    const [row] = await read([child({ remarks: OURS })]);
    expect(row).toMatchObject({ tags: [OURS] });
  });
});
