import { describe, expect, it } from 'vitest';
import * as alt from './alt/support/alt-broker.ts';
import * as kite from './alt/support/scripted-transport.ts';
import * as primary from './primary/support.ts';

type Row = Record<string, unknown>;

/** Longer than any text of a row can be. */
const LONG = '1'.repeat(200_000);
const OTHER = { alt: '261120000000002', primary: 'EQ-2' };

const tradeOf = (changes: Row = {}): Row => ({
  ...{ fill_id: '70001', exch_order_id: '11000001', order_id: 'EQ-1', exchange: 'NSE' },
  ...{ quantity: 4, price: 1499.9, trade_date: '2026-11-20T09:46:00+05:30' },
  ...changes,
});

const BROKERS = {
  alt: {
    book: (changes: Row) =>
      alt.altBench(kite.success([alt.orderRow(changes), alt.orderRow({ order_id: OTHER.alt })]))
        .broker.trading,
    trades: (changes: Row) =>
      alt.altBench(kite.success([alt.tradeRow(changes), alt.tradeRow({ trade_id: '70002' })]))
        .broker.trading,
  },
  primary: {
    book: (changes: Row) => {
      const rows = [primary.orderRow(changes), primary.orderRow({ id: OTHER.primary })];
      return primary.setUp({ respond: () => primary.success(rows) }).trading;
    },
    trades: (changes: Row) =>
      primary.setUp({
        respond: (_, url) =>
          primary.success(
            url.searchParams.get('segment') === 'EQUITY'
              ? [tradeOf(changes), tradeOf({ fill_id: '70002' })]
              : [],
          ),
      }).trading,
  },
};

describe.each([
  ['alt', 'order_id', { brokerOrderId: null, side: 'BUY' }],
  ['alt', 'exchange_order_id', { exchangeOrderId: null, brokerOrderId: '261120000000001' }],
  ['alt', 'parent_order_id', { brokerOrderId: '261120000000001' }],
  ['alt', 'tradingsymbol', { instrument: null, brokerOrderId: '261120000000001' }],
  ['alt', 'exchange', { instrument: null, brokerOrderId: '261120000000001' }],
  ['alt', 'product', { instrument: 'NSE:INFY' }],
  ['alt', 'order_type', { instrument: 'NSE:INFY' }],
  ['alt', 'validity', { instrument: 'NSE:INFY' }],
  ['alt', 'tag', { tags: [], side: 'BUY', instrument: 'NSE:INFY' }],
  ['primary', 'id', { brokerOrderId: null, instrument: 'NSE:INFY' }],
  ['primary', 'exch_order_id', { exchangeOrderId: null, brokerOrderId: 'EQ-1' }],
  ['primary', 'security_id', { instrument: null, brokerOrderId: 'EQ-1' }],
  ['primary', 'exchange', { instrument: null, brokerOrderId: 'EQ-1' }],
  ['primary', 'segment', { instrument: null, brokerOrderId: 'EQ-1' }],
  ['primary', 'product', { instrument: 'NSE:INFY' }],
  ['primary', 'order_type', { instrument: 'NSE:INFY' }],
  ['primary', 'validity', { instrument: 'NSE:INFY' }],
  ['primary', 'remarks', { tags: [], instrument: 'NSE:INFY' }],
] as const)('at %s, an order row whose %s is too long', (broker, field, rest) => {
  it('cannot be read whole: the rest of it is told, and the other rows are read', async () => {
    const trading = BROKERS[broker].book({ [field]: LONG });
    const rows = await trading.orderBook();
    expect(rows.map(({ brokerOrderId }) => brokerOrderId)).toEqual([OTHER[broker]]);
    const unread = trading.unread?.(rows) ?? [];
    expect(unread).toMatchObject([rest]);
    expect(JSON.stringify(unread).length).toBeLessThan(1_000);
  });
});

describe.each([
  ['alt', 'trade_id'],
  ['alt', 'order_id'],
  ['alt', 'exchange_order_id'],
  ['alt', 'exchange'],
  ['alt', 'tradingsymbol'],
  ['primary', 'fill_id'],
  ['primary', 'order_id'],
  ['primary', 'exch_order_id'],
  ['primary', 'exchange'],
] as const)('at %s, a trade whose %s is too long', (broker, field) => {
  it('cannot be read, and the other trades are', async () => {
    const trading = BROKERS[broker].trades({ [field]: LONG });
    const fills = await trading.trades();
    expect(fills.map(({ fillId }) => fillId)).toEqual(['70002']);
    const unread = trading.unread?.(fills) ?? [];
    expect(unread).toHaveLength(1);
    expect(JSON.stringify(unread).length).toBeLessThan(1_000);
  });
});

describe('an order row of the alternative broker', () => {
  const read = async (changes: Row) => {
    const trading = BROKERS.alt.book(changes);
    const rows = await trading.orderBook();
    return { row: rows.find(({ brokerOrderId }) => brokerOrderId !== OTHER.alt), rows, trading };
  };

  it('with very many tags cannot be read whole, and keeps the first ones', async () => {
    const tags = ['OurTag', ...Array.from({ length: 500_000 }, (_, place) => `t${place}`)];
    const { row, rows, trading } = await read({ tag: null, tags });
    expect(row).toBeUndefined();
    const [unread] = trading.unread?.(rows) ?? [];
    expect(unread?.tags[0]).toBe('OurTag');
    expect(unread?.tags.length).toBeLessThan(100);
  });

  it('with one tag that is too long keeps the others', async () => {
    const { rows, trading } = await read({ tag: null, tags: ['OurTag', LONG] });
    expect(trading.unread?.(rows)).toMatchObject([{ tags: ['OurTag'] }]);
  });

  it('with long words is read whole, and keeps some of them', async () => {
    const long = 'margin exceeds '.repeat(100_000);
    for (const name of ['status_message', 'status_message_raw']) {
      const { row } = await read({ status: 'REJECTED', [name]: long });
      expect(row).toMatchObject({ status: 'rejected' });
      expect(row?.reason).toMatch(/^margin exceeds .{400,490}…$/);
    }
  });

  it.each([
    [`COMPLETE ${'x '.repeat(100_000)}`, 'unrecognised'],
    [`${'x'.repeat(100_000)}`, 'unrecognised'],
    [`  COMPLETE${' '.repeat(100_000)}`, 'filled'],
  ])('with a status that is too long is read whole, by its meaning', async (status, meaning) => {
    const { row } = await read({ status, filled_quantity: 10 });
    expect(row?.status).toBe(meaning);
    expect(row?.rawStatus.length).toBeLessThan(200);
  });

  it('whose exchange id is too long is at the exchange all the same', async () => {
    const row = alt.orderRow({ variety: 'amo', exchange_order_id: LONG });
    const { broker, transport } = alt.altBench(kite.success([row]));
    await broker.trading.orderBook();
    transport.script(kite.success({ order_id: '261120000000001' }));
    await broker.trading.cancel({
      ...{
        attemptId: 'a2',
        brokerOrderId: '261120000000001',
        instrument: alt.instrument('NSE:INFY'),
      },
      ...{ brokerOrderType: 'LIMIT', amo: true },
    });
    expect(transport.last.url).toContain('/orders/regular/261120000000001');
  });
});

describe('an order row of the primary brokerage', () => {
  const read = async (changes: Row) => {
    const rows = await BROKERS.primary.book(changes).orderBook();
    return rows.find(({ brokerOrderId }) => brokerOrderId !== OTHER.primary);
  };

  it('with long words is read whole, and keeps some of them', async () => {
    const row = await read({ status: 'FAILED', extra_info: 'margin exceeds '.repeat(100_000) });
    expect(row).toMatchObject({ status: 'rejected' });
    expect(row?.reason).toMatch(/^margin exceeds .{250,290}…$/);
  });

  it.each([
    [`SUCCESS ${'x '.repeat(100_000)}`, 'unrecognised'],
    [`${'-'.repeat(100_000)}SUCCESS`, 'unrecognised'],
    [`  SUCCESS${' '.repeat(100_000)}`, 'filled'],
  ])('with a status that is too long is read whole, by its meaning', async (status, meaning) => {
    const row = await read({ status, traded_qty: 10 });
    expect(row?.status).toBe(meaning);
    expect(row?.rawStatus.length).toBeLessThan(200);
  });

  it('takes no time for a number of many digits', async () => {
    const started = performance.now();
    const row = await read({ traded_qty: `${'1'.repeat(1_000_000)}x` });
    expect(row?.filledQuantity).toBeNull();
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it('keeps a remark of some hundred characters that a person wrote', async () => {
    const remark = 'remember this one '.repeat(20).trim();
    expect((await read({ remarks: remark }))?.tags).toEqual([remark]);
  });
});

describe('a refusal with very long words', () => {
  const body = {
    ...{ status: 'error', error_type: `Input ${'%25'.repeat(1_000_000)}` },
    message: `no ${'%25'.repeat(1_000_000)}`,
  };

  it.each([
    ['alt', () => alt.altBench(kite.answered(400, JSON.stringify(body))).broker.account],
    ['primary', () => primary.setUp({ respond: () => primary.answered(400, body) }).account],
  ] as const)('takes no time at %s, and is cut', async (_broker, accountOf) => {
    const started = performance.now();
    const failure = await alt.failureOf(accountOf().holdings());
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(failure.message).toMatch(/^no…/);
    expect(JSON.stringify(failure).length).toBeLessThan(1_000);
  });
});

describe('rows of the portfolio with texts that are too long', () => {
  const position = {
    ...{ exchange: 'NSE', tradingsymbol: 'INFY', product: 'CNC', quantity: 4 },
    ...{ buy_quantity: 4, sell_quantity: 0 },
  };
  const holding = { exchange: 'NSE', tradingsymbol: 'INFY', quantity: 4 };

  it.each([
    ['tradingsymbol', { instrument: null, product: 'CNC' }],
    ['exchange', { instrument: null, product: 'CNC' }],
    ['product', { instrument: 'NSE:INFY', product: null, quantity: 4 }],
  ])('a position with a long %s at the alternative broker is unread', async (field, rest) => {
    const net = [{ ...position, [field]: LONG }, position];
    const { account } = alt.altBench(kite.success({ net, day: [] })).broker;
    const rows = await account.positions();
    expect(rows).toHaveLength(1);
    expect(account.unread?.(rows)).toMatchObject([rest]);
  });

  it.each([
    ['tradingsymbol', { instrument: null }],
    ['isin', { instrument: 'NSE:INFY' }],
  ])('a holding with a long %s at the alternative broker is unread', async (field, rest) => {
    const { account } = alt.altBench(kite.success([{ ...holding, [field]: LONG }, holding])).broker;
    const rows = await account.holdings();
    expect(rows).toHaveLength(1);
    expect(account.unread?.(rows)).toMatchObject([rest]);
  });

  it.each([
    ['symbol', null],
    ['exchange', null],
    ['security_id', null],
    ['isin', 'NSE:INFY'],
  ])('rows with a long %s at the primary brokerage are unread', async (field, instrument) => {
    const row = { security_id: '1594', symbol: 'INFY', exchange: 'NSE', isin: 'INE009A01021' };
    const positions = [{ ...row, net_qty: 4, product: 'CNC' }];
    const holdings = [{ ...row, total_qty: 4 }];
    const { account } = primary.setUp({
      respond: (_, url) => {
        const all = url.pathname.includes('position') ? positions : holdings;
        return primary.success([{ ...all[0], [field]: LONG }, ...all]);
      },
    });
    for (const rows of [await account.positions(), await account.holdings()]) {
      const unread = account.unread?.(rows) ?? [];
      expect(unread.length).toBe(rows.length);
      expect(unread[0]).toMatchObject({ instrument });
    }
  });
});
