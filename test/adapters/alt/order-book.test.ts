import { describe, expect, it } from 'vitest';
import { altBench, failureOf, orderRow, tradeRow } from './support/alt-broker.ts';
import { answered, reset, success } from './support/scripted-transport.ts';

describe('orderBook', () => {
  const book = (...rows: unknown[]) => altBench(success(rows)).broker.trading.orderBook();

  it('reads a row', async () => {
    const [row] = await book(
      orderRow({ status: 'CANCELLED', filled_quantity: 4, average_price: 1499.9, tag: 'T1' }),
    );
    expect(row).toEqual({
      brokerOrderId: '261120000000001',
      exchangeOrderId: '1100000000000001',
      instrument: 'NSE:INFY',
      side: 'BUY',
      quantity: 10,
      filledQuantity: 4,
      averagePrice: 1499.9,
      orderType: 'LIMIT',
      product: 'CNC',
      validity: 'DAY',
      price: 1500.05,
      triggerPrice: null,
      status: 'partial',
      rawStatus: 'CANCELLED',
      reason: null,
      tags: ['T1'],
      createdAt: Date.parse('2026-11-20T09:45:30+05:30'),
      updatedAt: Date.parse('2026-11-20T09:45:31+05:30'),
    });
  });

  it('keeps rows with words that the gateway does not know', async () => {
    const [row] = await book(
      orderRow({ product: 'MTF', order_type: 'NEW', validity: 'TTL', status: 'PONDERING' }),
    );
    expect(row).toMatchObject({
      product: 'MTF',
      orderType: 'NEW',
      validity: 'TTL',
      status: 'unrecognised',
      rawStatus: 'PONDERING',
    });
  });

  it('accepts nulls where the broker writes them', async () => {
    const [row] = await book(
      orderRow({
        exchange_order_id: null,
        order_timestamp: null,
        exchange_update_timestamp: null,
        exchange_timestamp: null,
        price: null,
        trigger_price: null,
        average_price: null,
        filled_quantity: null,
        tags: null,
        variety: null,
      }),
    );
    expect(row).toMatchObject({
      exchangeOrderId: null,
      createdAt: null,
      updatedAt: null,
      price: null,
      averagePrice: null,
      filledQuantity: null,
      tags: [],
    });
  });

  it('takes the time of the exchange for that of an order which was changed later', async () => {
    const [row] = await book(orderRow({ order_timestamp: '2026-11-20 14:00:00' }));
    expect(row?.createdAt).toBe(Date.parse('2026-11-20T09:45:31+05:30'));
  });

  it('collects tags from both fields, each once', async () => {
    const [row] = await book(orderRow({ tag: 'mine', tags: ['mine', 'other', ''] }));
    expect(row?.tags).toEqual(['mine', 'other']);
  });

  it.each([
    ['complete and short', { status: 'COMPLETE', filled_quantity: 9 }, null],
    ['complete and full', { status: 'COMPLETE', filled_quantity: 10 }, 10],
    ['more than was ordered', { status: 'OPEN', filled_quantity: 11 }, null],
    ['negative', { status: 'OPEN', filled_quantity: -1 }, null],
    ['a text', { status: 'OPEN', filled_quantity: '4' }, null],
    ['absent', { status: 'OPEN', filled_quantity: undefined }, null],
    ['none', { status: 'OPEN', filled_quantity: 0 }, 0],
  ])('reads a filled quantity that is %s', async (_what, changes, expected) => {
    const [row] = await book(orderRow(changes));
    expect(row?.filledQuantity).toBe(expected);
  });

  it('is empty when the broker says so', async () => {
    expect(await book()).toEqual([]);
  });

  it.each([
    ['an object', {}],
    ['one row that is not in a list', orderRow()],
    ['a text', 'none'],
    ['null', null],
  ])('fails on %s', async (_what, data) => {
    const failure = await failureOf(altBench(success(data)).broker.trading.orderBook());
    expect(failure.kind).toBe('bad_payload');
  });

  it.each([
    ['without an id', { order_id: undefined }, { brokerOrderId: null, side: 'BUY' }],
    ['whose id is a word', { order_id: 'null' }, { side: 'BUY' }],
    ['whose side is unknown', { transaction_type: 'HOLD' }, { instrument: 'NSE:INFY', side: null }],
    ['without a symbol', { tradingsymbol: 7 }, { instrument: null, side: 'BUY' }],
  ])(
    'reads all rows but one %s, and says what can be read of that',
    async (_which, changes, rest) => {
      const other = orderRow({ order_id: '261120000000002' });
      const { trading } = altBench(success([orderRow(changes), null, other])).broker;
      const rows = await trading.orderBook();
      expect(rows.map(({ brokerOrderId }) => brokerOrderId)).toEqual(['261120000000002']);
      const nothing = { brokerOrderId: null, instrument: null, side: null, tags: [] };
      expect(trading.unread?.(rows)).toMatchObject([rest, nothing]);
    },
  );

  it('says all that can be read of a row whose price is a text', async () => {
    const row = orderRow({ price: '1480.0', quantity: '10', tag: ' OurTag ', tags: ['OurTag', 7] });
    const { trading } = altBench(success([row])).broker;
    expect(trading.unread?.(await trading.orderBook())).toEqual([
      {
        ...{ brokerOrderId: row.order_id, exchangeOrderId: row.exchange_order_id },
        ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 10, tags: ['OurTag'] },
        ...{ product: 'CNC', status: 'working' },
        timing: {
          ...{ createdAt: expect.any(Number) as number, updatedAt: expect.any(Number) as number },
          ...{ validity: 'DAY', triggerPrice: null },
        },
        reason: expect.any(String) as string,
      },
    ]);
  });

  it.each([
    ['order_timestamp', 'soon'],
    ['exchange_timestamp', 5],
    ['exchange_update_timestamp', 'soon'],
    ['trigger_price', '1400'],
    ['validity', null],
  ])('tells no session of an unread row whose %s is %j', async (field, value) => {
    const { trading } = altBench(success([orderRow({ price: '1480.0', [field]: value })])).broker;
    const [unread] = trading.unread?.(await trading.orderBook()) ?? [];
    expect([unread?.side, unread?.timing]).toEqual(['BUY', undefined]);
  });

  it('knows no quantity of an unread row that is the leg of an iceberg', async () => {
    const row = orderRow({ price: '1480.0', quantity: 10, variety: 'iceberg' });
    const { trading } = altBench(success([row])).broker;
    const [unread] = trading.unread?.(await trading.orderBook()) ?? [];
    expect(unread).toMatchObject({ brokerOrderId: row.order_id, quantity: null });
  });

  it.each(['0', '000', 'NA', ' null ', '-1', ''])(
    'takes the exchange id %j for none',
    async (id) => {
      const [row] = await book(orderRow({ exchange_order_id: id }));
      expect(row?.exchangeOrderId).toBeNull();
    },
  );

  it('takes an id of zeros for an unreadable one', async () => {
    const { trading } = altBench(success([orderRow({ order_id: '000' })])).broker;
    expect(trading.unread?.(await trading.orderBook())).toMatchObject([{ brokerOrderId: null }]);
  });

  it('reads a tag without the spaces around it', async () => {
    const [row] = await book(orderRow({ tag: ' OurTag ', tags: [' OurTag '] }));
    expect(row?.tags).toEqual(['OurTag']);
  });

  it('keeps every digit of ids that come as bare numbers', async () => {
    const text = JSON.stringify({ status: 'success', data: [orderRow()] })
      .replace('"261120000000001"', '2611200000000012345')
      .replace('"1100000000000001"', '1100000000000001999');
    const [row] = await altBench(answered(200, text)).broker.trading.orderBook();
    expect(row).toMatchObject({
      brokerOrderId: '2611200000000012345',
      exchangeOrderId: '1100000000000001999',
    });
  });

  it('does not read text inside a message as an id', async () => {
    const message = 'see "order_id": 12345, please';
    const [row] = await book(orderRow({ status_message: message }));
    expect(row?.reason).toBe(message);
  });
});

describe.each([
  ['orderBook', orderRow, { filled_quantity: 1 }],
  ['trades', tradeRow, { quantity: 1 }],
] as const)('%s, read again', (read, row, other) => {
  it('returns the same rows while the reply is the same, and new ones when it changes', async () => {
    const bench = altBench(success([row()]));
    const first = await bench.broker.trading[read]();
    bench.transport.script(success([row()]));
    expect((await bench.broker.trading[read]())[0]).toBe(first[0]);
    bench.transport.script(success([row(other)]));
    const changed = await bench.broker.trading[read]();
    expect(changed[0]).not.toEqual(first[0]);
    bench.transport.script(success([row()]));
    expect(await bench.broker.trading[read]()).toEqual(first);
  });

  it('fails when the broker fails, and returns no earlier rows', async () => {
    const bench = altBench(success([row()]));
    await bench.broker.trading[read]();
    for (const reply of [success('none'), answered(200, 'junk'), reset()]) {
      bench.transport.script(reply);
      await failureOf(bench.broker.trading[read]());
    }
    bench.transport.script(success([]));
    expect(await bench.broker.trading[read]()).toEqual([]);
  });
});

describe('a row that is rejected', () => {
  const read = async (changes: Record<string, unknown>) =>
    (await altBench(success([orderRow(changes)])).broker.trading.orderBook())[0];

  it('has the class of its reason, and another row has none', async () => {
    const band = '17070 : The Price is out of the LPP range';
    const row = await read({ status: 'REJECTED', filled_quantity: 0, status_message: band });
    expect(row).toMatchObject({ status: 'rejected', rejection: 'price' });
    const raw = { status: 'REJECTED', status_message: null, status_message_raw: band };
    expect(await read(raw)).toMatchObject({ rejection: 'price' });
    const silent = await read({ status: 'REJECTED', status_message: null });
    expect(silent).toMatchObject({ rejection: 'other' });
    const cancelled = await read({ status: 'CANCELLED', status_message: band });
    expect(cancelled).not.toHaveProperty('rejection');
  });
});
