import { describe, expect, it } from 'vitest';
import { altBench, attempt, failureOf, orderRow, tradeRow } from './support/alt-broker.ts';
import {
  answered,
  html,
  refusal,
  refusedConnection,
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

  it.each([
    [
      [{ order_id: '261120000000002' }, { order_id: '261120000000003' }],
      /split the order into 2 orders beside 261120000000001, which was not asked for \(261120000000002, 261120000000003\)$/,
    ],
    [
      [{ order_id: '261120000000002' }, { error: { code: 400, message: 'RMS: margin' } }],
      /into 2 orders .* \(261120000000002\), and 1 of them failed: RMS: margin$/,
    ],
    [[{}], /and 1 of them failed$/],
    ['2', /./],
    [['2'], /./],
  ])('is uncertain when the broker has split the order: %j', async (children, words) => {
    const data = { order_id: '261120000000001', children };
    const outcome = await altBench(success(data)).broker.trading.place(attempt());
    expect(outcome).toMatchObject({ kind: 'uncertain', failure: { kind: 'bad_payload' } });
    expect(outcome.kind === 'uncertain' && outcome.reason).toMatch(words);
  });

  it.each([[[]], [null]])('takes an order with the children %j as one order', async (children) => {
    const data = { order_id: '1', children };
    const outcome = await altBench(success(data)).broker.trading.place(attempt());
    expect(outcome).toEqual({ kind: 'acknowledged', brokerOrderId: '1' });
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

  it('leaves the broker’s words whole, however short the token is', async () => {
    const bench = altBench(refusal(400, 'MarginException', 'Insufficient funds for s'));
    bench.token = 's';
    const outcome = await bench.broker.trading.place(attempt());
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'Insufficient funds for [secret]' });
  });

  it('shows no secret that a reply echoes', async () => {
    const echo = refusal(
      400,
      'InputException',
      `Invalid: token-1 planted-secret ${'x'.repeat(900)}`,
    );
    const outcome = await altBench(echo).broker.trading.place(attempt());
    const told = JSON.stringify(outcome);
    expect(told).not.toContain('token-1');
    expect(told).not.toContain('planted-secret');
    expect(told.length).toBeLessThan(500);
  });
});

describe('a dead token', () => {
  const dead = refusal(403, 'TokenException', 'Incorrect `api_key` or `access_token`.');

  it('is reported, and the order sent with it is refused', async () => {
    const bench = altBench(dead);
    const outcome = await bench.broker.trading.place(attempt());
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'auth' });
    expect(bench.dead).toEqual(['token-1']);
  });

  it('is reported as the token that the call used, not a newer one', async () => {
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

  it('is not requested under an invalid id', async () => {
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
        instrument: 'NSE:INFY',
        side: 'BUY',
        quantity: 4,
        price: 1499.9,
        at: Date.parse('2026-11-20T09:46:00+05:30'),
      },
    ]);
  });

  it.each([
    ['without an id', { trade_id: null }],
    ['of nothing', { quantity: 0 }],
    ['without a price', { average_price: 0 }],
  ])('says that a fill %s is unread, and reads all others', async (_which, changes) => {
    const { trading } = altBench(success([tradeRow(changes), tradeRow()])).broker;
    const fills = await trading.trades();
    expect(fills).toHaveLength(1);
    expect(trading.unread?.(fills)).toMatchObject([{ brokerOrderId: '261120000000001' }]);
  });

  it.each([
    ['an object', {}],
    ['null', null],
  ])('fails on %s', async (_what, data) => {
    const failure = await failureOf(altBench(success(data)).broker.trading.trades());
    expect(failure.kind).toBe('bad_payload');
  });
});
