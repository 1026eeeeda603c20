import { describe, expect, it } from 'vitest';
import { createKiteClient } from '../../../src/adapters/alt/client.ts';
import { createRateLimitQueues } from '../../../src/adapters/alt/rate-limits.ts';
import { createWire } from '../../../src/adapters/alt/sdk.ts';
import { ORDER_TYPES } from '../../../src/domain/order.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { altBench, attempt, failureOf, instrument, SETTINGS } from './support/alt-broker.ts';
import { cancellation, gttAttempt, modification, query } from './support/calls.ts';
import { answered, scriptedTransport, success } from './support/scripted-transport.ts';
import { allInstruments } from '../../support/all-instruments.ts';
import { epochMs } from '../../../src/units/branded.ts';

const acknowledged = success({ order_id: '261120000000001' });
const form = (body: string | undefined) => Object.fromEntries(new URLSearchParams(body));

describe('a placed order', () => {
  it('is one form on a new connection, with a deadline of 8 s and the authorization', async () => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.place(attempt());
    expect(transport.requests).toHaveLength(1);
    expect(transport.last).toMatchObject({
      method: 'POST',
      url: 'https://kite.test/orders/regular',
      deadlineMs: 8_000,
      fresh: true,
      ipv4: true,
      headers: {
        Authorization: 'token key123:token-1',
        'X-Kite-Version': '3',
        'Content-Type': 'application/x-www-form-urlencoded',
      },
    });
    expect(form(transport.last.body)).toEqual({
      exchange: 'NSE',
      tradingsymbol: 'INFY',
      transaction_type: 'BUY',
      quantity: '10',
      product: 'CNC',
      order_type: 'LIMIT',
      validity: 'DAY',
      price: '1500.05',
      tag: 'Tag00000000000000001',
      variety: 'regular',
    });
  });

  it('is asked at last whether it may leave, as a modification is; a cancel always may', async () => {
    const { broker, transport } = altBench(acknowledged, acknowledged, acknowledged);
    let isAllowed = true;
    const mayLeave = (): boolean => isAllowed;
    await broker.trading.place({ ...attempt(), mayLeave });
    await broker.trading.modify({ ...modification({ price: 1501 }), mayLeave });
    await broker.trading.cancel(cancellation());
    const asked = (): unknown[] => transport.requests.map((request) => request.mayLeave?.());
    expect(asked()).toEqual([true, true, true]);
    isAllowed = false;
    expect(asked()).toEqual([false, false, true]);
  });

  it('says that it was not sent where it was kept back, and its breaker counts nothing', async () => {
    const kept = { kind: 'not_sent', cause: 'held_back', message: 'kept back' } as const;
    const { broker } = altBench(...Array.from({ length: 20 }, () => kept));
    for (let time = 0; time < 20; time += 1) {
      const outcome = await broker.trading.place(attempt());
      expect(outcome).toMatchObject({ kind: 'not_sent', cause: 'held_back' });
    }
    expect(broker.trading.blocked()).toBeNull();
  });

  it('leaves over IPv4, as its changes do and nothing else', async () => {
    const { broker, transport } = altBench(acknowledged, acknowledged, acknowledged, success([]));
    await broker.trading.place(attempt());
    await broker.trading.cancel(cancellation());
    await broker.trading.modify(modification({ price: 1501 }));
    await broker.trading.orderBook();
    expect(transport.requests.map(({ ipv4 }) => ipv4)).toEqual([true, true, true, undefined]);
  });

  it.each([
    ['MARKET', null],
    ['SL-M', 1490],
  ] as const)('lets the broker protect a %s order', async (orderType, triggerPrice) => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.place(attempt({ orderType, price: null, triggerPrice }));
    expect(form(transport.last.body)).toMatchObject({ market_protection: '-1' });
    expect(form(transport.last.body)).not.toHaveProperty('price');
  });

  it('sends no protection with a price of its own', async () => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.place(attempt({ orderType: 'SL', triggerPrice: 1501 }));
    expect(form(transport.last.body)).not.toHaveProperty('market_protection');
    expect(form(transport.last.body)).toMatchObject({ price: '1500.05', trigger_price: '1501' });
  });

  it.each([
    ['INTRADAY', 'MIS'],
    ['MARGIN', 'NRML'],
    ['CNC', 'CNC'],
  ] as const)('sends %s under the broker’s name', async (product, theirs) => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.place(attempt({ product }));
    expect(form(transport.last.body)['product']).toBe(theirs);
  });

  it('is sent under the variety amo when it is an after-market order', async () => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.place(attempt({ amo: true }));
    expect(transport.last.url).toBe('https://kite.test/orders/amo');
  });

  it('carries our tag in every form', async () => {
    for (const orderType of ORDER_TYPES) {
      const { broker, transport } = altBench(acknowledged);
      await broker.trading.place(attempt({ orderType }));
      expect(form(transport.last.body)['tag']).toBe('Tag00000000000000001');
    }
  });
});

describe('the parameters of a call', () => {
  const deepFreeze = <T>(value: T): T => {
    if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFreeze);
    return Object.freeze(value);
  };

  it('are never changed by a call that sends them', async () => {
    const { broker, time } = altBench((request) =>
      success(request.method === 'GET' ? [] : { order_id: '1', trigger_id: 1 }),
    );
    const { trading, marketData, account, triggers } = broker;
    const infosys = deepFreeze([instrument('NSE:INFY')]);
    const order = deepFreeze(query());
    const span = {
      instrument: infosys[0]!,
      interval: '1day',
      from: epochMs(0),
      to: epochMs(1_000),
    } as const;
    const ends = await time.settle(
      Promise.all([
        trading.place(deepFreeze(attempt())),
        trading.cancel(deepFreeze(cancellation())),
        trading.modify(deepFreeze(modification({ price: 1 }))),
        triggers.calls.place(deepFreeze(gttAttempt())),
        triggers.calls.modify('1', deepFreeze(gttAttempt())),
      ]),
    );
    expect(ends.map(({ kind }) => kind)).toEqual(Array(5).fill('acknowledged'));
    const reads = [
      () => marketData.quotes(infosys),
      () => marketData.lastPrices(infosys),
      () => marketData.candles(deepFreeze(span)),
      () => account.margins(deepFreeze([order])),
      () => account.margins(deepFreeze([order, order])),
    ];
    for (const read of reads) {
      const failure = await time.settle(failureOf(read()));
      // An empty list is not a valid answer to these; only the request matters here.
      expect(failure.kind).toBe('bad_payload');
    }
  });
});

describe('a change of an order', () => {
  it('names the order in the path', async () => {
    const { broker, transport } = altBench(acknowledged);
    const outcome = await broker.trading.cancel(cancellation());
    expect(outcome).toEqual({ kind: 'acknowledged', brokerOrderId: '261120000000001' });
    expect(transport.last).toMatchObject({ method: 'DELETE', fresh: true, deadlineMs: 8_000 });
    expect(new URL(transport.last.url).pathname).toBe('/orders/regular/261120000000001');
  });

  it.each(['1/../../session/token', '12 34', '', 'abc', '1'.repeat(33)])(
    'is not sent for an id that is none: %j',
    async (brokerOrderId) => {
      const { broker, transport } = altBench(acknowledged);
      const cancelled = await broker.trading.cancel(cancellation(brokerOrderId));
      const modified = await broker.trading.modify({ ...modification(), brokerOrderId });
      expect([cancelled.kind, modified.kind]).toEqual(['not_sent', 'not_sent']);
      expect(transport.requests).toHaveLength(0);
    },
  );

  it('sends only what changes', async () => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.modify(modification({ price: 1510.5 }));
    expect(transport.last.method).toBe('PUT');
    expect(form(transport.last.body)).toEqual({
      price: '1510.5',
      variety: 'regular',
      order_id: '261120000000001',
    });
  });

  it('lets the broker protect an order that becomes a MARKET order', async () => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.modify(modification({ orderType: 'MARKET' }));
    expect(form(transport.last.body)).toMatchObject({
      order_type: 'MARKET',
      market_protection: '-1',
    });
  });

  it('is sent under the variety of the order', async () => {
    const { broker, transport } = altBench(acknowledged);
    await broker.trading.place(attempt({ amo: true }));
    await broker.trading.cancel(cancellation());
    expect(new URL(transport.last.url).pathname).toBe('/orders/amo/261120000000001');
  });
});

describe('a read', () => {
  it('requests several instruments by repeated parameters, encoded so that none can add another', async () => {
    const { broker, transport } = altBench(success({}));
    const asked = ['NSE:NIFTY 50', 'NSE:M&M'].map((name) => instrument(name));
    await broker.marketData.quotes(asked);
    const url = new URL(transport.last.url);
    expect(url.pathname).toBe('/quote');
    expect(url.searchParams.getAll('i')).toEqual(['NSE:NIFTY 50', 'NSE:M&M']);
    expect(transport.last).toMatchObject({ method: 'GET', deadlineMs: 3_000, fresh: false });
    expect(transport.last.body).toBeUndefined();
  });

  it('asks for candles in IST wall time', async () => {
    const { broker, transport } = altBench(success({ candles: [] }));
    const from = epochMs(Date.parse('2026-11-20T03:45:00Z'));
    await broker.marketData.candles!({
      instrument: instrument('NSE:INFY'),
      interval: '5minute',
      from,
      to: epochMs(from + 60_000),
    });
    const url = new URL(transport.last.url);
    expect(url.pathname).toBe('/instruments/historical/408065/5minute');
    expect(url.searchParams.get('from')).toBe('2026-11-20 09:15:00');
    expect(url.searchParams.get('to')).toBe('2026-11-20 09:15:59');
  });

  it('has a deadline of 5 s for the account and 30 s for the instruments', async () => {
    const { broker, transport } = altBench(success([]));
    await broker.account.holdings();
    expect(transport.last.deadlineMs).toBe(5_000);
    await allInstruments(broker.instruments).catch(() => undefined);
    expect(transport.last).toMatchObject({
      url: 'https://kite.test/instruments',
      deadlineMs: 30_000,
    });
  });
});

describe('the client', () => {
  it('keeps the SDK from writing into the parameters', async () => {
    const time = new VirtualTime(0);
    const client = createKiteClient({
      transport: scriptedTransport(acknowledged),
      clock: time,
      log: silentLog,
      queues: createRateLimitQueues(time, time),
      onDeadToken: () => undefined,
      settings: SETTINGS,
    });
    const params = { quantity: 1 };
    await client.placeOrder('token-1', 'regular', params);
    await client.modifyOrder('token-1', 'regular', '1', params);
    expect(params).toEqual({ quantity: 1 });
  });
});

describe('a wire', () => {
  const request = { method: 'GET', url: 'https://kite.test/', headers: {} } as const;

  it('carries one request and no more', async () => {
    const transport = scriptedTransport(answered(200, '{}'));
    const wire = createWire(transport, { deadlineMs: 1, fresh: true });
    await wire.send(request);
    await expect(wire.send(request)).rejects.toThrow();
    expect(transport.requests).toHaveLength(1);
  });

  it('tells "nothing was sent" from "no reply yet"', () => {
    const silent = scriptedTransport(() => new Promise(() => undefined));
    const wire = createWire(silent, { deadlineMs: 1, fresh: true });
    expect(wire.reply()).toBeNull();
    void wire.send(request);
    expect(wire.reply()).toMatchObject({ kind: 'broken' });
  });
});
