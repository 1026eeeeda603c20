import { describe, expect, it } from 'vitest';
import { fingerprint, rowFingerprint } from '../../../src/execution/order/attempt.ts';
import { orderRecord, terms as termsOf } from '../../execution/support/makers.ts';
import { cancelling, lost, modifying, orderRow, placing, setUp, success } from './support.ts';
import { stop, created, taken } from './stop-orders-support.ts';

describe('the acknowledgement of a smart order', () => {
  const outcomeOf = (data: unknown) =>
    setUp({ respond: () => success(data) }).trading.place(placing(stop));

  it('names its order in a list with one entry', async () => {
    expect(await setUp({ respond: () => created }).trading.place(placing(stop))).toEqual({
      kind: 'acknowledged',
      brokerOrderId: 'GTT-7',
    });
  });

  it.each([
    ['no entry', { order_data: [] }],
    ['two entries', { order_data: [{ order_id: 'GTT-7' }, { order_id: 'GTT-8' }] }],
    ['an entry without an id', { order_data: [{ order_status: 'CREATED' }] }],
    ['an entry that is not an object', { order_data: ['GTT-7'] }],
    ['null for its entries', { order_data: null }],
    ['null beside an id', { order_data: null, order_id: 'GTT-7' }],
    ['nothing', null],
  ])('with %s leaves the order uncertain', async (_, data) => {
    expect(await outcomeOf(data)).toMatchObject({ kind: 'uncertain' });
  });

  it('that is lost leaves the order uncertain', async () => {
    const { trading } = setUp({ respond: () => lost });
    expect(await trading.place(placing(stop))).toMatchObject({ kind: 'uncertain' });
  });
});

const waiting = orderRow({
  id: 'GTT-7',
  exch_order_id: '',
  order_type: 'GTT_LIMIT',
  requested_price: '',
  tgt_trigger_price: '1490',
  tgt_limit_price: '1480',
  status: 'SL-PENDING',
});

const readRow = async (changes: Record<string, unknown> = {}) => {
  const row = { ...waiting, ...changes };
  return (await setUp({ respond: () => success([row]) }).trading.orderBook())[0]!;
};

describe('the row of a stop order', () => {
  it('comes back as another type, with its prices in the target’s fields, and is read as SL', async () => {
    expect(await readRow()).toMatchObject({
      brokerOrderId: 'GTT-7',
      orderType: 'SL',
      price: 1480,
      triggerPrice: 1490,
      status: 'working',
      filledQuantity: 0,
    });
  });

  it('matches the order that was placed', async () => {
    const terms = termsOf({ ...stop, price: 1480 });
    const row = await readRow();
    const order = orderRecord({ terms });
    expect(rowFingerprint('primary', row, order)).toBe(fingerprint('primary', terms));
  });

  it.each([
    { order_type: 'gtt limit' },
    { order_type: 'TRIGGER' },
    {
      tgt_trigger_price: '',
      tgt_limit_price: '',
      sl_trigger_price: 1490,
      sl_limit_price: '1,480.00',
    },
  ])('is read as SL with %j too', async (changes) => {
    expect(await readRow(changes)).toMatchObject({
      orderType: 'SL',
      price: 1480,
      triggerPrice: 1490,
    });
  });

  it.each([
    { order_type: 'OCO' },
    { order_type: 'GTT_MARKET' },
    { tgt_limit_price: '' },
    { sl_trigger_price: '1400', sl_limit_price: '1390' },
  ])('keeps its own words with %j: that is another kind of order', async (changes) => {
    const { orderType } = await readRow(changes);
    expect(orderType).toBe(changes.order_type ?? 'GTT_LIMIT');
  });

  it('is working when it says CREATED, which no ordinary order says', async () => {
    expect(await readRow({ status: 'CREATED' })).toMatchObject({ status: 'working' });
    expect(await readRow({ status: 'CREATED', order_type: 'LIMIT' })).toMatchObject({
      status: 'unrecognised',
    });
  });

  it.each([undefined, 0, ''])(
    'has an unknown fill when it says SUCCESS with %j traded',
    async (traded) => {
      const row = await readRow({ status: 'SUCCESS', traded_qty: traded });
      expect(row).toMatchObject({ status: 'filled', filledQuantity: null });
    },
  );
});

describe('a smart order is changed with the calls for smart orders', () => {
  const stopTerms = { ...stop };

  async function afterBook(
    run: (trading: ReturnType<typeof setUp>['trading']) => Promise<unknown>,
    rows: readonly unknown[] = [waiting],
  ) {
    const setup = setUp({
      respond: (_, url) => (url.pathname === '/order-book' ? success(rows) : taken),
    });
    await setup.trading.orderBook();
    const outcome = await run(setup.trading);
    const request = setup.transport.requests.at(-1)!;
    return {
      outcome,
      sent: setup.transport.requests.length - 1,
      path: new URL(request.url).pathname,
      body: JSON.parse(request.body ?? 'null') as unknown,
    };
  }

  it('a cancel, by the type of its row', async () => {
    const attempt = cancelling({ brokerOrderId: 'GTT-7', brokerOrderType: 'SL' });
    expect(await afterBook((trading) => trading.cancel(attempt))).toMatchObject({
      path: '/smart/order/cancel',
      body: { order_id: 'GTT-7', segment: 'EQUITY' },
      outcome: { kind: 'acknowledged' },
    });
  });

  it('a cancel, whatever its id looks like', async () => {
    const attempt = cancelling({ brokerOrderId: 'EQ-9', brokerOrderType: null });
    const { path } = await afterBook(
      (trading) => trading.cancel(attempt),
      [{ ...waiting, id: 'EQ-9' }],
    );
    expect(path).toBe('/smart/order/cancel');
  });

  it('a cancel of one whose row nobody has read yet, by its acknowledgement', async () => {
    const acknowledgement = success({ order_data: [{ order_id: 'X-1' }] });
    const { trading, transport } = setUp({ respond: () => acknowledgement });
    await trading.place(placing(stop));
    await trading.cancel(cancelling({ brokerOrderId: 'X-1', brokerOrderType: null }));
    expect(transport.urls.at(-1)!.pathname).toBe('/smart/order/cancel');
  });

  it('a cancel after a restart, by the kind that the journal has', async () => {
    const { trading, transport } = setUp({ respond: () => taken });
    await trading.cancel(cancelling({ brokerOrderId: 'X-1', brokerOrderType: 'SL' }));
    expect(transport.urls.at(-1)!.pathname).toBe('/smart/order/cancel');
  });

  it.each([
    [{ quantity: 5 }, { qty: 5 }],
    [{ price: 1475 }, { trigger_price: 1490, trigger_limit_price: 1475 }],
    [{ triggerPrice: 1485 }, { trigger_price: 1485, trigger_limit_price: 1480 }],
    [
      { quantity: 12, price: 1470, triggerPrice: 1475 },
      { qty: 12, trigger_price: 1475, trigger_limit_price: 1470 },
    ],
  ])('a modification of %j: what changes, and a pair of prices whole', async (changes, fields) => {
    const attempt = { ...modifying(changes, stopTerms), brokerOrderId: 'GTT-7' };
    expect(await afterBook((trading) => trading.modify(attempt))).toMatchObject({
      path: '/smart/order/modify',
      outcome: { kind: 'acknowledged' },
    });
    const { body } = await afterBook((trading) => trading.modify(attempt));
    expect(body).toEqual({
      order_id: 'GTT-7',
      segment: 'EQUITY',
      algo_id: '99999',
      ...fields,
    });
  });

  it.each([
    ['nothing new', { price: 1480 }, 'other'],
    ['another type', { orderType: 'LIMIT' }, 'other'],
    ['another validity', { validity: 'IOC' }, 'other'],
    ['a price off the tick', { price: 1475.01 }, 'price'],
    ['a trigger off the tick', { triggerPrice: 1485.01 }, 'price'],
    ['a price of 0', { price: 0 }, 'other'],
    ['a quantity of 0', { quantity: 0 }, 'other'],
  ] as const)(
    'a modification to %s is refused before it is sent',
    async (_, changes, rejection) => {
      const attempt = { ...modifying(changes, stopTerms), brokerOrderId: 'GTT-7' };
      const { outcome, sent } = await afterBook((trading) => trading.modify(attempt));
      expect(outcome).toMatchObject({ kind: 'refused', rejection });
      expect(sent).toBe(0);
    },
  );
});
