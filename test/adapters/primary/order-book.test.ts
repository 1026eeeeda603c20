import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { answered, failureOf, infosys, lost, orderRow, setUp, success } from './support.ts';

const readBook = (rows: unknown, extraTerminalStatuses: readonly string[] = []) =>
  setUp({ respond: () => success(rows), extraTerminalStatuses }).trading.orderBook();

const readRow = async (changes: Record<string, unknown>) =>
  (await readBook([orderRow(changes)]))[0];

describe('the order book', () => {
  it('maps a row', async () => {
    const row = {
      created_at: '2025-07-02T09:18:40.446948+05:30',
      updated_at: '2025-07-02T09:18:40.498595+05:30',
      user_id: '1234567',
      security_id: '56998',
      isin: '',
      name: 'NIFTY 3 JUL 25700 CE',
      id: 'DRV-28131451',
      exch_order_id: '1300000002340881',
      txn_type: 'BUY',
      exchange: 'NSE',
      segment: 'DERIVATIVE',
      product: 'MARGIN',
      order_type: 'MARKET',
      validity: 'DAY',
      traded_qty: 75,
      requested_qty: 75,
      requested_price: '43.55',
      traded_price: '43.55',
      sl_trigger_price: '',
      status: 'SUCCESS',
      extra_info: '',
    };
    expect(await readBook([row])).toEqual([
      {
        brokerOrderId: 'DRV-28131451',
        exchangeOrderId: '1300000002340881',
        instrument: 'NFO:NIFTY25JUL25700CE',
        side: 'BUY',
        quantity: 75,
        filledQuantity: 75,
        averagePrice: 43.55,
        orderType: 'MARKET',
        product: 'MARGIN',
        validity: 'DAY',
        price: 43.55,
        triggerPrice: null,
        status: 'filled',
        rawStatus: 'SUCCESS',
        reason: null,
        tags: [],
        createdAt: Date.parse('2025-07-02T09:18:40.446+05:30'),
        updatedAt: Date.parse('2025-07-02T09:18:40.498+05:30'),
      },
    ]);
  });

  it('gives the same rows again while the reply is the same', async () => {
    let row = orderRow({});
    const { trading } = setUp({ respond: () => success([row]) });
    const [first] = await trading.orderBook();
    expect((await trading.orderBook())[0]).toBe(first);
    row = orderRow({ status: 'CANCELLED' });
    expect(await trading.orderBook()).toMatchObject([{ status: 'cancelled' }]);
  });

  it('names the instruments of an unchanged reply by the lists of today', async () => {
    const instruments: Instrument[] = [];
    const { trading } = setUp({ instruments, respond: () => success([orderRow({})]) });
    const [before] = await trading.orderBook();
    instruments.push(infosys);
    const [after] = await trading.orderBook();
    expect([before?.instrument, after?.instrument]).toEqual(['NSE_1594', 'NSE:INFY']);
  });

  it('sends one request with a deadline of 5 s', async () => {
    const { transport, trading } = setUp();
    await trading.orderBook();
    expect(transport.requests).toMatchObject([
      { method: 'GET', url: 'https://broker.test/order-book', deadlineMs: 5_000, fresh: false },
    ]);
  });

  it('is empty when the broker answers null with a success', async () => {
    expect(await readBook(null)).toEqual([]);
  });

  it.each([
    ['a failure inside 2xx', answered(200, { status: 'failure', data: [] }), 'error_body'],
    ['no data', answered(200, { status: 'success' }), 'bad_payload'],
    ['an object', success({}), 'bad_payload'],
    ['a server error', answered(503, ''), 'http'],
    ['a refusal', answered(404, ''), 'http'],
    ['a lost connection', lost, 'transport'],
  ])('is never empty for %s', async (_, reply, kind) => {
    const { trading } = setUp({ respond: () => reply });
    expect(await failureOf(trading.orderBook())).toMatchObject({ kind });
  });

  it.each([{ id: undefined }, { id: '' }, { id: null }])(
    'leaves out a row whose id is %j, and only that',
    async (changes) => {
      const orders = await readBook([orderRow(changes), orderRow({ id: 'EQ-2' })]);
      expect(orders.map((order) => order.brokerOrderId)).toEqual(['EQ-2']);
    },
  );

  it.each([
    { id: Number.MAX_SAFE_INTEGER + 2 },
    { id: {} },
    { id: 'null' },
    { id: '../orders' },
    { id: '-1' },
    { id: '0' },
    { requested_qty: null },
    { requested_qty: 'many' },
    { requested_qty: -1 },
    { txn_type: '' },
    { txn_type: 'HOLD' },
    { security_id: null },
    { exchange: '' },
  ])('says that a row with an id and %j is unread, and reads all others', async (changes) => {
    const { trading } = setUp({
      respond: () => success([orderRow(changes), orderRow({ id: 'EQ-2' })]),
    });
    const book = await trading.orderBook();
    expect(book.map(({ brokerOrderId }) => brokerOrderId)).toEqual(['EQ-2']);
    expect(trading.unread?.(book)).toMatchObject([{ reason: expect.any(String) as string }]);
  });

  it.each([
    ['created_at', 'soon'],
    ['updated_at', 'soon'],
    ['sl_trigger_price', 'some'],
    ['order_type', 'OCO'],
  ])('tells no session of an unread row whose %s is %j', async (field, value) => {
    const row = orderRow({ txn_type: 'HOLD', [field]: value });
    const { trading } = setUp({ respond: () => success([row]) });
    const [unread] = trading.unread?.(await trading.orderBook()) ?? [];
    expect([unread?.side, unread?.timing]).toEqual([null, undefined]);
  });

  it('tells what can be read of an unread row', async () => {
    const row = orderRow({ id: 'EQ-7', txn_type: 'HOLD', remarks: ' OurTag ' });
    const { trading } = setUp({ respond: () => success([row, 'EQ-2']) });
    expect(trading.unread?.(await trading.orderBook())).toEqual([
      {
        ...{ brokerOrderId: null, exchangeOrderId: null, instrument: null, side: null },
        ...{ quantity: null, tags: [] },
        reason: 'primary: a row of the order book is not an object',
      },
      {
        ...{ brokerOrderId: 'EQ-7', exchangeOrderId: row.exch_order_id, side: null },
        ...{ instrument: infosys.name, quantity: 10, tags: ['OurTag'] },
        ...{ product: 'CNC', status: 'working' },
        timing: {
          ...{ createdAt: expect.any(Number) as number, updatedAt: expect.any(Number) as number },
          ...{ validity: 'DAY', triggerPrice: null },
        },
        reason: 'primary: order EQ-7 has no readable side',
      },
    ]);
  });

  it('reads numbers that are strings, and ids that are numbers', async () => {
    const row = { id: 77, security_id: 1594, requested_qty: '1,000', traded_qty: '250' };
    expect(await readRow(row)).toMatchObject({
      brokerOrderId: '77',
      instrument: 'NSE:INFY',
      quantity: 1000,
      filledQuantity: 250,
    });
  });

  it('reads older names of the fields', async () => {
    const row = orderRow({ requested_qty: undefined, quantity: 10, id: undefined });
    expect((await readBook([{ ...row, order_id: 'EQ-9' }]))[0]).toMatchObject({
      brokerOrderId: 'EQ-9',
      quantity: 10,
    });
  });

  it('has no exchange id before the order reaches the exchange', async () => {
    for (const none of ['', '0', 0, '000', 'NA', 'null', '-1']) {
      expect(await readRow({ exch_order_id: none })).toMatchObject({ exchangeOrderId: null });
    }
  });

  it('has no average price before the first fill', async () => {
    expect(await readRow({ traded_price: '0' })).toMatchObject({ averagePrice: null });
  });

  it('keeps the fill unknown where a working row does not state it', async () => {
    expect(await readRow({ traded_qty: undefined })).toMatchObject({
      status: 'working',
      filledQuantity: null,
    });
  });

  it('names an instrument that no master list has by its scrip code', async () => {
    expect(await readRow({ security_id: '404' })).toMatchObject({ instrument: 'NSE_404' });
  });

  it('never reads the display name as an instrument', async () => {
    expect(await readRow({ name: 'NSE:TCS' })).toMatchObject({ instrument: infosys.name });
  });

  it('passes through words that it does not know', async () => {
    expect(await readRow({ order_type: 'OCO', product: 'Mtf', validity: 'GTC' })).toMatchObject({
      orderType: 'OCO',
      product: 'MTF',
      validity: 'GTC',
    });
  });

  it('reads names and words as the lists have them, however a row spells them', async () => {
    const spelled = { security_id: '0001594', exchange: ' nse', product: 'cnc ', txn_type: ' buy' };
    expect(await readRow(spelled)).toMatchObject({
      ...{ instrument: infosys.name, product: 'CNC', side: 'BUY' },
    });
    expect(await readRow({ product: null })).toMatchObject({ product: '' });
  });

  it('does not know what an open row of a quantity of 0 may still fill', async () => {
    const open = { requested_qty: 0, traded_qty: 0, status: 'PENDING' };
    expect(await readRow(open)).toMatchObject({ quantity: 0, mostLeft: null });
    expect(await readRow({ ...open, status: 'CANCELLED' })).not.toHaveProperty('mostLeft');
  });

  it('returns the remarks as a tag, and the reason of a rejection', async () => {
    const row = { remarks: 'Abc', status: 'FAILED', extra_info: 'RMS: Margin exceeds' };
    expect(await readRow(row)).toMatchObject({
      tags: ['Abc'],
      status: 'rejected',
      reason: 'RMS: Margin exceeds',
    });
  });

  it('ends an order on a status that the operator declared final', async () => {
    const orders = await readBook([orderRow({ status: 'FROZEN' })], ['FROZEN']);
    expect(orders[0]).toMatchObject({ status: 'cancelled', rawStatus: 'FROZEN' });
  });

  it('reads a time without a zone as Indian time, and an unreadable one as null', async () => {
    const row = { created_at: '2026-11-20 10:00:00', updated_at: 'now' };
    expect(await readRow(row)).toMatchObject({
      createdAt: Date.parse('2026-11-20T10:00:00+05:30'),
      updatedAt: null,
    });
  });
});

describe('a row that is rejected', () => {
  it('has the class of its reason, and another row has none', async () => {
    const tick = 'Order price must be a multiple of the tick size.';
    for (const status of ['FAILED', 'ABORTED', 'REJECTED']) {
      const row = await readRow({ status, traded_qty: 0, extra_info: tick });
      expect(row).toMatchObject({ status: 'rejected', rejection: 'price' });
    }
    const silent = await readRow({ status: 'FAILED', traded_qty: 0, extra_info: '' });
    expect(silent).toMatchObject({ status: 'rejected', rejection: 'other' });
    const cancelled = await readRow({ status: 'CANCELLED', traded_qty: 0, extra_info: tick });
    expect(cancelled).not.toHaveProperty('rejection');
  });
});
