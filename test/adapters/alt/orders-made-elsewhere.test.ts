import { describe, expect, it } from 'vitest';
import { altBench, attempt, orderRow } from './support/alt-broker.ts';
import { cancellation, modification } from './support/calls.ts';
import { reset, success } from './support/scripted-transport.ts';

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

  it('as an after-market order stays regular once it is regular, whatever a stale book says', async () => {
    const bench = altBench(success([orderRow({ variety: 'amo', exchange_order_id: '11' })]));
    await bench.broker.trading.orderBook();
    bench.transport.script(success([orderRow({ variety: 'amo', exchange_order_id: null })]));
    await bench.broker.trading.orderBook();
    bench.transport.script(reset());
    await bench.broker.trading.cancel({ ...cancellation(), amo: true });
    expect(bench.transport.last.url).toContain('/orders/regular/');
  });

  it('is changed under the variety of its row, though an acknowledgement has named it since', async () => {
    const book = success([orderRow({ variety: 'iceberg' })]);
    const bench = altBench(book);
    await bench.broker.trading.orderBook();
    bench.transport.script(success({ order_id: '261120000000001' }));
    await bench.broker.trading.place(attempt());
    bench.transport.script(book);
    await bench.broker.trading.orderBook();
    bench.transport.script(reset());
    await bench.broker.trading.cancel(cancellation());
    expect(bench.transport.last.url).toContain('/orders/iceberg/');
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

  it('as the second leg of a cover order is changed with the id of the first', async () => {
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

describe('the row of an iceberg', () => {
  const FIGURES = {
    ...{ leg: 2, legs: 5, leg_quantity: 10 },
    ...{ total_quantity: 50, remaining_quantity: 30 },
  };
  async function icebergOf(changes: Record<string, unknown>) {
    const bench = altBench(success([orderRow(changes)]));
    const [row] = await bench.broker.trading.orderBook();
    return row!.iceberg;
  }

  it('tells what the legs after the one that shows may still fill', async () => {
    const leg = await icebergOf({ variety: 'iceberg', meta: { iceberg: FIGURES } });
    expect(leg).toEqual({ leg: 2, legs: 5, total: 50, later: 30 });
  });

  it('whose figures differ tells the larger rest', async () => {
    const less = { ...FIGURES, remaining_quantity: 20 };
    const leg = await icebergOf({ variety: 'iceberg', meta: { iceberg: less } });
    expect(leg).toMatchObject({ later: 30 });
  });

  it.each<readonly [string, unknown]>([
    ['no meta', undefined],
    ['an empty meta', {}],
    ['a text for meta', '{}'],
    ['no figures', { iceberg: {} }],
    ['null', { iceberg: null }],
    ...Object.keys(FIGURES).flatMap((name) => [
      [`no ${name}`, { iceberg: { ...FIGURES, [name]: undefined } }] as const,
      [`a negative ${name}`, { iceberg: { ...FIGURES, [name]: -1 } }] as const,
      [`a text for ${name}`, { iceberg: { ...FIGURES, [name]: '30' } }] as const,
    ]),
    ['a rest above the total', { iceberg: { ...FIGURES, remaining_quantity: 51 } }],
    ['a leg above the legs', { iceberg: { ...FIGURES, leg: 6 } }],
  ])('with %s does not tell how much may fill', async (_what, meta) => {
    expect(await icebergOf({ variety: 'iceberg', meta })).toBeNull();
  });

  it.each([[{}], [null], [undefined], ['X'], [{ other: 1 }]])(
    'is none, of a regular order with %j for meta',
    async (meta) => expect(await icebergOf({ meta })).toBeUndefined(),
  );

  it('is one, of another variety, where it has the figures', async () => {
    expect(await icebergOf({ meta: { iceberg: FIGURES } })).toMatchObject({ later: 30 });
  });
});

describe('an after-market order whose row no book has shown since the opening', () => {
  it.each([
    [true, 'amo'],
    [false, 'regular'],
    [undefined, 'amo'],
  ])('is cancelled as one while the broker holds it: %s', async (amo, variety) => {
    const bench = altBench(success([orderRow({ variety: 'amo', exchange_order_id: null })]));
    await bench.broker.trading.orderBook();
    bench.transport.script(reset());
    const held = amo === undefined ? {} : { amo };
    await bench.broker.trading.cancel({ ...cancellation(), ...held });
    expect(bench.transport.last.url).toContain(`/orders/${variety}/`);
  });
});

describe('an after-market order, once its row cannot be read whole', () => {
  /** The path of a cancel after a book with this row, whose price cannot be read. */
  async function cancelledAfter(row: Record<string, unknown>): Promise<string> {
    const bench = altBench(success([orderRow({ variety: 'amo', exchange_order_id: null })]));
    await bench.broker.trading.orderBook();
    bench.transport.script(success([orderRow({ price: 'none', ...row })]));
    expect(await bench.broker.trading.orderBook()).toEqual([]);
    bench.transport.script(reset());
    await bench.broker.trading.cancel({ ...cancellation(), amo: true });
    return new URL(bench.transport.last.url).pathname;
  }

  it.each([
    ['with an id of the exchange', { variety: 'amo', exchange_order_id: '11' }, 'regular'],
    ['and its variety neither', { variety: 7, exchange_order_id: '11' }, 'regular'],
    ['without an id of the exchange', { variety: 'amo', exchange_order_id: null }, 'amo'],
    ['and the exchange’s id neither', { variety: 'amo', exchange_order_id: {} }, 'amo'],
  ])('%s, is cancelled under the variety that it tells', async (_how, row, variety) => {
    expect(await cancelledAfter(row)).toBe(`/orders/${variety}/261120000000001`);
  });

  it('is cancelled as a regular one under an id that only such a row has shown', async () => {
    const row = { order_id: '261121000000009', variety: 'amo', exchange_order_id: '11' };
    const bench = altBench(success([orderRow({ price: 'none', ...row })]));
    await bench.broker.trading.orderBook();
    bench.transport.script(reset());
    await bench.broker.trading.cancel({ ...cancellation(row.order_id), amo: true });
    expect(bench.transport.last.url).toContain(`/orders/regular/${row.order_id}`);
  });
});
