import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServedSandbox } from '../../../sandbox/transport/serve.ts';
import { serveSandbox } from '../../../sandbox/transport/serve.ts';
import { createAltBroker, type AltBroker } from '../../../src/adapters/alt/index.ts';
import type { Instrument } from '../../../src/domain/instrument.ts';
import { systemClock, systemScheduler } from '../../../src/platform/clock.ts';
import { createHttpTransport } from '../../../src/platform/http-transport.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { attempt, failureOf, terms } from './support/alt-broker.ts';
import { cancellation, gttAttempt, modification } from './support/calls.ts';
import { allInstruments } from '../../support/all-instruments.ts';
import { epochMs } from '../../../src/units/branded.ts';

/** The whole adapter on real sockets against a broker that acts, one call after the other. */
let served: ServedSandbox;
let broker: AltBroker;
let infosys: Instrument;
const transport = createHttpTransport(systemScheduler);

beforeAll(async () => {
  served = await serveSandbox({
    settings: {
      market: 'always-open',
      enforceLimits: false,
      orderStepMs: [0, 0],
      kite: {
        apiKey: 'key',
        apiSecret: 'secret',
        userId: 'AB1234',
        redirectUrl: 'http://127.0.0.1:1/callback',
        postbackUrl: null,
      },
      primary: { accessToken: 'raw-token', clientId: '1234567' },
    },
  });
  served.sandbox.exchange.setPrice('NSE:INFY', 150_000);
  broker = freshBroker();
  const list = await allInstruments(broker.instruments);
  infosys = list.find(({ name }) => name === 'NSE:INFY')!;
});
beforeEach(() => {
  // Its own limits and breakers: these tests are not about rate limits.
  broker = freshBroker();
});
afterAll(async () => {
  await transport.close();
  await served.close();
});

function freshBroker(): AltBroker {
  const token = served.sandbox.kite.liveToken() ?? served.sandbox.kite.loginDirect();
  return createAltBroker({
    transport,
    clock: systemClock,
    scheduler: systemScheduler,
    log: silentLog,
    accessToken: () => token,
    onDeadToken: () => undefined,
    settings: {
      apiKey: 'key',
      apiSecret: 'secret',
      apiRoot: served.kiteOrigin,
      loginUrl: `${served.kiteOrigin}/connect/login`,
      ordersOverIpv4: true,
    },
  });
}

/** An order by another program of the same account, in the broker's own words. */
async function madeElsewhere(variety: string, form: Record<string, string>): Promise<string> {
  const answer = await fetch(`${served.kiteOrigin}/orders/${variety}`, {
    method: 'POST',
    headers: { authorization: `token key:${served.sandbox.kite.liveToken()}` },
    body: new URLSearchParams({
      exchange: 'NSE',
      tradingsymbol: 'INFY',
      transaction_type: 'BUY',
      quantity: '10',
      product: 'CNC',
      order_type: 'LIMIT',
      price: '1470',
      ...form,
    }),
  });
  const reply = (await answer.json()) as { data: { order_id: string } };
  expect(reply, JSON.stringify(reply)).toMatchObject({ status: 'success' });
  return reply.data.order_id;
}

const rowOf = async (id: string) =>
  (await broker.trading.orderBook()).find(({ brokerOrderId }) => brokerOrderId === id)!;

describe('one order at the sandbox', () => {
  it('has a history from its receipt to its end, and its fills', async () => {
    const bought = terms({ orderType: 'MARKET', price: null });
    const outcome = await broker.trading.place({
      ...attempt(),
      terms: bought,
      instrument: infosys,
    });
    if (outcome.kind !== 'acknowledged') throw new Error(outcome.reason);
    const id = outcome.brokerOrderId;
    await expect.poll(async () => (await rowOf(id)).status).toBe('filled');
    const history = await broker.trading.orderHistory(id);
    expect(history[0]).toMatchObject({ rawStatus: 'PUT ORDER REQ RECEIVED', status: 'working' });
    expect(history.at(-1)).toMatchObject({ rawStatus: 'COMPLETE', filledQuantity: 10 });
    const fills = await broker.trading.orderTrades(id);
    expect(fills.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(10);
  });

  it('that does not exist has no history: that is a failure', async () => {
    expect((await failureOf(broker.trading.orderHistory('1'))).kind).toBe('http');
  });
});

describe('orders made elsewhere', () => {
  it('as icebergs with a time to live are read as they are, changed and cancelled', async () => {
    const id = await madeElsewhere('iceberg', {
      iceberg_legs: '2',
      iceberg_quantity: '5',
      validity: 'TTL',
      validity_ttl: '2',
    });
    await expect.poll(async () => (await rowOf(id)).rawStatus).toBe('OPEN');
    expect(await rowOf(id)).toMatchObject({ validity: 'TTL', status: 'working' });
    const changed = await broker.trading.modify({
      ...modification({ price: 1471 }),
      brokerOrderId: id,
    });
    expect(changed).toEqual({ kind: 'acknowledged', brokerOrderId: id });
    await expect.poll(async () => (await rowOf(id)).price).toBe(1471);
    expect((await broker.trading.cancel(cancellation(id))).kind).toBe('acknowledged');
    await expect.poll(async () => (await rowOf(id)).status).toBe('cancelled');
  });

  it('as cover orders are exited with the id of the first leg', async () => {
    const first = await madeElsewhere('co', {
      order_type: 'MARKET',
      price: '0',
      market_protection: '-1',
      product: 'MIS',
      trigger_price: '1400',
    });
    const secondLeg = async () =>
      (await broker.trading.orderBook()).find(({ triggerPrice }) => triggerPrice === 1400);
    await expect.poll(async () => (await secondLeg())?.rawStatus).toBe('TRIGGER PENDING');
    const second = (await secondLeg())!;
    expect(second).toMatchObject({ side: 'SELL', product: 'CO' });
    expect(second.brokerOrderId).not.toBe(first);
    const outcome = await broker.trading.cancel(cancellation(second.brokerOrderId));
    expect(outcome.kind).toBe('acknowledged');
    await expect.poll(async () => (await rowOf(second.brokerOrderId)).status).toBe('filled');
  });

  it('with the product MTF are read as they are', async () => {
    const id = await madeElsewhere('regular', { product: 'MTF' });
    expect(await rowOf(id)).toMatchObject({ product: 'MTF' });
  });
});

describe('what an order would need', () => {
  it('has the available funds and the charges', async () => {
    const one = { terms: terms({ quantity: 2, price: 1500 }), instrument: infosys };
    const estimate = await broker.account.margins([one]);
    expect(estimate.required).toBe(3_000);
    expect(estimate.available).toBeGreaterThan(estimate.required);
    expect(estimate.shortfall).toBe(0);
    expect(estimate.charges!.total).toBeGreaterThan(0);
    expect((await broker.account.margins([one, one])).required).toBe(6_000);
  });
});

describe('prices at the sandbox', () => {
  it('of more days than one call takes come as candles of all of them', async () => {
    const to = epochMs(Date.parse('2026-11-01T00:00:00+05:30'));
    const from = epochMs(to - 500 * 86_400_000);
    const query = { instrument: infosys, interval: '60minute', from, to } as const;
    const candles = await broker.marketData.candles(query);
    expect(candles[0]!.at).toBe(from);
    expect(candles.at(-1)!.at).toBe(to - 3_600_000);
    expect(candles).toHaveLength(500 * 24);
  });
});

describe('triggers at the sandbox', () => {
  const away = (triggerPrice: number) =>
    gttAttempt(
      [{ triggerPrice, side: 'BUY', quantity: 3, product: 'CNC', price: triggerPrice + 1 }],
      { instrument: infosys },
    );
  const rowOf = async (triggerId: string) =>
    (await broker.triggers.list()).triggers.find((row) => row.triggerId === triggerId);

  it('are placed, changed, read and deleted', async () => {
    const { calls } = broker.triggers;
    const outcome = await calls.place(away(1450));
    if (outcome.kind !== 'acknowledged') throw new Error(outcome.reason);
    const { triggerId } = outcome;
    expect((await calls.modify(triggerId, away(1440))).kind).toBe('acknowledged');
    expect(await rowOf(triggerId)).toMatchObject({
      ...{ triggerId, instrument: 'NSE:INFY', rawStatus: 'active' },
      legs: [{ triggerPrice: 1440, price: 1441 }],
    });
    expect((await calls.remove(triggerId)).kind).toBe('acknowledged');
    expect(await rowOf(triggerId)).toMatchObject({ rawStatus: 'deleted' });
    expect((await calls.remove(triggerId)).kind).toBe('refused');
  });

  it('are refused for terms that the broker does not accept', async () => {
    const outcome = await broker.triggers.calls.place(away(1450.03));
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'price' });
  });

  it.each(['reset_after', 'error_after', 'lying_2xx_after', 'reset_before'] as const)(
    'on %s are uncertain',
    async (kind) => {
      served.sandbox.faults.add({ broker: 'kite', kind, match: { method: 'POST' }, times: 1 });
      expect((await broker.triggers.calls.place(away(1431))).kind).toBe('uncertain');
    },
  );
});
