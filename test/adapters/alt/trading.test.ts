import { describe, expect, it } from 'vitest';
import { altBench, attempt, failureOf, orderRow, tradeRow } from './support/alt-broker.ts';
import { cancellation, modification } from './support/calls.ts';
import {
  answered,
  html,
  refusal,
  refusedConnection,
  reset,
  success,
} from './support/scripted-transport.ts';

describe('place', () => {
  it.each([
    ['nothing', {}],
    ['null', { order_id: null }],
    ['an empty text', { order_id: '' }],
    ['letters', { order_id: '26112A' }],
    ['too many digits', { order_id: '1'.repeat(33) }],
    ['slices only', { children: [{ order_id: '261120000000001' }] }],
  ])('is uncertain when a 2xx has %s for an id', async (_what, data) => {
    const outcome = await altBench(success(data)).broker.trading.place(attempt());
    expect(outcome).toMatchObject({ kind: 'uncertain', failure: { kind: 'bad_payload' } });
  });

  it.each(['1', '261120000000001', '1234567890123456789', '9'.repeat(32)])(
    'acknowledges the id %s',
    async (order_id) => {
      const outcome = await altBench(success({ order_id })).broker.trading.place(attempt());
      expect(outcome).toEqual({ kind: 'acknowledged', brokerOrderId: order_id });
    },
  );

  it('keeps every digit of an id that comes as a bare number', async () => {
    const body = '{"status":"success","data":{"order_id": 1234567890123456789}}';
    const outcome = await altBench(answered(200, body)).broker.trading.place(attempt());
    expect(outcome).toEqual({ kind: 'acknowledged', brokerOrderId: '1234567890123456789' });
  });

  it('is not sent without a token', async () => {
    const bench = altBench(success({ order_id: '1' }));
    bench.token = null;
    const outcome = await bench.broker.trading.place(attempt());
    expect(outcome).toMatchObject({ kind: 'not_sent', cause: 'token' });
    expect(bench.broker.trading.blocked()).toMatchObject({ cause: 'token' });
    expect(bench.transport.requests).toHaveLength(0);
  });

  it('is not sent when no connection was made', async () => {
    const outcome = await altBench(refusedConnection).broker.trading.place(attempt());
    expect(outcome).toMatchObject({ kind: 'not_sent', cause: 'connect' });
  });

  it('shows no secret that a reply echoes', async () => {
    const echo = refusal(400, 'InputException', `bad: token-1 planted-secret ${'x'.repeat(900)}`);
    const outcome = await altBench(echo).broker.trading.place(attempt());
    const told = JSON.stringify(outcome);
    expect(told).not.toContain('token-1');
    expect(told).not.toContain('planted-secret');
    expect(told.length).toBeLessThan(500);
  });
});

describe('a dead token', () => {
  const dead = refusal(403, 'TokenException', 'Incorrect `api_key` or `access_token`.');

  it('is reported, and the order that met it refused', async () => {
    const bench = altBench(dead);
    const outcome = await bench.broker.trading.place(attempt());
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'auth' });
    expect(bench.dead).toEqual(['token-1']);
  });

  it('is reported by the token that the call used, not the one that came since', async () => {
    const bench = altBench(() => {
      bench.token = 'token-2';
      return dead;
    });
    await failureOf(bench.broker.account.holdings());
    expect(bench.dead).toEqual(['token-1']);
  });

  it.each([
    ['another 403', refusal(403, 'InputException', 'not yours')],
    ['a page with a 403', html(403)],
    ['a 400 of that type', refusal(400, 'TokenException', 'odd')],
    ['a 200 of that type', answered(200, '{"status":"error","error_type":"TokenException"}')],
    ['a 401', refusal(401, 'NetworkException', 'odd')],
  ])('is not %s', async (_what, reply) => {
    const bench = altBench(reply);
    await failureOf(bench.broker.account.holdings());
    expect(bench.dead).toEqual([]);
  });
});

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

  it('takes nulls where the broker writes them', async () => {
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

  it('gathers tags from both places, each once', async () => {
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
    ['a row without an id', [orderRow(), orderRow({ order_id: undefined })]],
    ['a row whose side is unknown', [orderRow({ transaction_type: 'HOLD' })]],
    ['a row that is null', [null]],
  ])('fails on %s', async (_what, data) => {
    const failure = await failureOf(altBench(success(data)).broker.trading.orderBook());
    expect(failure.kind).toBe('bad_payload');
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

  it('does not take text inside a message for an id', async () => {
    const message = 'see "order_id": 12345, please';
    const [row] = await book(orderRow({ status_message: message }));
    expect(row?.reason).toBe(message);
  });
});

describe.each([
  ['orderBook', orderRow, { filled_quantity: 1 }],
  ['trades', tradeRow, { quantity: 1 }],
] as const)('%s, read again', (read, row, other) => {
  it('gives the same rows while the broker says the same, and others as soon as it does not', async () => {
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

  it('fails when the broker fails, and gives nothing of before', async () => {
    const bench = altBench(success([row()]));
    await bench.broker.trading[read]();
    for (const reply of [success('none'), success([null]), answered(200, 'junk'), reset()]) {
      bench.transport.script(reply);
      await failureOf(bench.broker.trading[read]());
    }
    bench.transport.script(success([]));
    expect(await bench.broker.trading[read]()).toEqual([]);
  });
});

describe('an order that was made elsewhere', () => {
  /** Reads a book with this row, then changes the order; the requests of both changes. */
  async function changed(row: Record<string, unknown>) {
    const bench = altBench(success([orderRow(row)]));
    await bench.broker.trading.orderBook();
    bench.transport.script(reset());
    await bench.broker.trading.cancel(cancellation());
    const cancelled = bench.transport.last;
    await bench.broker.trading.modify(modification({ price: 1501 }));
    return { cancelled: new URL(cancelled.url), modified: bench.transport.last };
  }

  it.each([
    ['amo', null, 'amo'],
    ['amo', '', 'amo'],
    ['amo', '1100000000000001', 'regular'],
    ['iceberg', '1100000000000001', 'iceberg'],
  ])(
    'as %s, with %j for the id at the exchange, is changed as %s',
    async (variety, exchange_order_id, path) => {
      const { cancelled, modified } = await changed({ variety, exchange_order_id });
      expect(cancelled.pathname).toBe(`/orders/${path}/261120000000001`);
      expect(new URL(modified.url).pathname).toBe(`/orders/${path}/261120000000001`);
    },
  );

  it('as an after-market one stays an ordinary one, whatever an old book says', async () => {
    const bench = altBench(success([orderRow({ variety: 'amo', exchange_order_id: '11' })]));
    await bench.broker.trading.orderBook();
    bench.transport.script(success([orderRow({ variety: 'amo', exchange_order_id: null })]));
    await bench.broker.trading.orderBook();
    bench.transport.script(reset());
    await bench.broker.trading.cancel({ ...cancellation(), amo: true });
    expect(bench.transport.last.url).toContain('/orders/regular/');
  });

  it.each(['iceberg', 'auction', 'co', 'something_new'])(
    'of the variety %s is changed under that variety',
    async (variety) => {
      const { cancelled, modified } = await changed({ variety });
      const path = `/orders/${variety}/261120000000001`;
      expect(cancelled.pathname).toBe(path);
      expect(new URL(modified.url).pathname).toBe(path);
    },
  );

  it('as the second leg of a cover order is changed with the name of the first', async () => {
    const parent = '261120000000777';
    const { cancelled, modified } = await changed({ variety: 'co', parent_order_id: parent });
    expect(cancelled.searchParams.get('parent_order_id')).toBe(parent);
    expect(new URLSearchParams(modified.body).get('parent_order_id')).toBe(parent);
  });

  it.each([null, '', '../1'])('has no first leg by the name %j', async (parent_order_id) => {
    const { cancelled, modified } = await changed({ variety: 'co', parent_order_id });
    expect(cancelled.searchParams.has('parent_order_id')).toBe(false);
    expect(new URLSearchParams(modified.body).has('parent_order_id')).toBe(false);
  });

  it.each(['../session', 'a/b', 'UPPER', '', null])(
    'is changed as a regular one when its variety is %j, which no path can hold',
    async (variety) => {
      const { cancelled } = await changed({ variety });
      expect(cancelled.pathname).toBe('/orders/regular/261120000000001');
    },
  );

  it.each([
    ['an iceberg', { variety: 'iceberg', validity: 'TTL', validity_ttl: 2, meta: { iceberg: {} } }],
    ['a cover order', { variety: 'co', product: 'CO', parent_order_id: '1', order_type: 'SL-M' }],
    ['margin trading', { product: 'MTF' }],
    ['a slice', { tag: null, tags: ['autoslice', 'autoslice:1953367517640548352'] }],
    ['no words at all', { product: '', order_type: '', validity: '', status: '' }],
    ['null for words', { product: null, order_type: null, validity: null, status: null }],
  ])('is in the book with %s, as the broker wrote it', async (_what, changes) => {
    const bench = altBench(success([orderRow({ order_id: '1' }), orderRow(changes)]));
    const rows = await bench.broker.trading.orderBook();
    expect(rows).toHaveLength(2);
    for (const [ours, theirs] of [
      ['product', 'product'],
      ['orderType', 'order_type'],
      ['validity', 'validity'],
      ['rawStatus', 'status'],
    ] as const) {
      expect(rows[1]![ours]).toBe((orderRow(changes)[theirs] as string | null) ?? '');
    }
  });
});

describe('one order', () => {
  it('has a history, oldest first, as the broker wrote it', async () => {
    const bench = altBench(
      success([orderRow({ status: 'PUT ORDER REQ RECEIVED' }), orderRow({ status: 'OPEN' })]),
    );
    const history = await bench.broker.trading.orderHistory('261120000000001');
    expect(history.map(({ rawStatus }) => rawStatus)).toEqual(['PUT ORDER REQ RECEIVED', 'OPEN']);
    expect(new URL(bench.transport.last.url).pathname).toBe('/orders/261120000000001');
  });

  it('has fills', async () => {
    const bench = altBench(success([tradeRow()]));
    const fills = await bench.broker.trading.orderTrades('261120000000001');
    expect(fills).toMatchObject([{ fillId: '70001', quantity: 4 }]);
    expect(new URL(bench.transport.last.url).pathname).toBe('/orders/261120000000001/trades');
  });

  it('is not asked about under an id that is none', async () => {
    const bench = altBench(success([]));
    for (const id of ['', '../trades', '1?x=']) {
      expect((await failureOf(bench.broker.trading.orderHistory(id))).kind).toBe('not_sent');
      expect((await failureOf(bench.broker.trading.orderTrades(id))).kind).toBe('not_sent');
    }
    expect(bench.transport.requests).toEqual([]);
  });
});

describe('trades', () => {
  it('reads a fill', async () => {
    const fills = await altBench(success([tradeRow()])).broker.trading.trades();
    expect(fills).toEqual([
      {
        fillId: '70001',
        brokerOrderId: '261120000000001',
        exchangeOrderId: '1100000000000001',
        exchange: 'NSE',
        quantity: 4,
        price: 1499.9,
        at: Date.parse('2026-11-20T09:46:00+05:30'),
      },
    ]);
  });

  it.each([
    ['an object', {}],
    ['null', null],
    ['a fill without an id', [tradeRow({ trade_id: null })]],
    ['a fill of nothing', [tradeRow({ quantity: 0 })]],
    ['a fill without a price', [tradeRow({ average_price: 0 })]],
  ])('fails on %s', async (_what, data) => {
    const failure = await failureOf(altBench(success(data)).broker.trading.trades());
    expect(failure.kind).toBe('bad_payload');
  });
});
