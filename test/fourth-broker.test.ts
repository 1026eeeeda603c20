import { describe, expect, it } from 'vitest';
import { compose } from '../src/compose.ts';
import { ConfigurationError } from '../src/config/configuration-error.ts';
import type { BrokerInstance } from '../src/domain/broker.ts';
import { memoryEnvironment } from '../src/platform/environment.ts';
import { Secret } from '../src/platform/secret.ts';
import { Brokerage } from './adapters/in-memory/brokerage.ts';
import { inMemoryModule } from './adapters/in-memory/module.ts';
import { createRig, type Rig } from './support/rig.ts';

/**
 * docs/adding-a-broker.md, step by step: a fourth kind of broker, handed to `compose` from outside,
 * without a line of src for it. Its adapter passes the contract in test/contract/in-memory.test.ts.
 */

const START = '2026-11-06T11:00:00+05:30';
const SECRET = 'a secret of sixteen';
const BUY = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 10,
  orderType: 'MARKET',
  product: 'CNC',
} as const;
const RESTING = { ...BUY, orderType: 'LIMIT', price: 1_470 } as const;

function instance(name: string, settings: object | null = null): BrokerInstance {
  return {
    name,
    kind: 'in-memory',
    mode: 'live',
    title: 'in-memory broker',
    settings: settings ?? { account: name, secret: new Secret(SECRET) },
  };
}

interface World {
  readonly rig: Rig;
  readonly brokerage: Brokerage;
  readonly second: Brokerage;
}

/** A gateway without the alternative broker, whose orders and prices go to the fourth one. */
async function world(
  options: { routes?: Record<string, string>; brokers?: readonly BrokerInstance[] } = {},
): Promise<World> {
  let now = (): number => Date.parse(START);
  const brokerage = new Brokerage(() => now(), SECRET);
  const second = new Brokerage(() => now(), SECRET);
  const rig = await createRig({
    start: START,
    environment: {
      APP_ALT_BROKER_API_KEY: '',
      APP_ALT_BROKER_API_SECRET: '',
      APP_ROUTE_TRADING: 'memory,paper',
      APP_ROUTE_MARKET_DATA: 'memory',
      ...options.routes,
    },
    overrides: {
      brokerModules: [inMemoryModule({ memory: brokerage, 'memory-2': second })],
      brokers: options.brokers ?? [instance('memory')],
    },
  });
  now = () => rig.time.now();
  return { rig, brokerage, second };
}

async function logIn({ rig, brokerage }: World) {
  const begun = await rig.call({ path: '/api/altbroker/login' });
  const page = new URL(String(begun.headers.location));
  const query = new URLSearchParams({
    status: 'success',
    request_token: brokerage.approve(),
    state: page.searchParams.get('state') ?? '',
  });
  const cookie = String(begun.headers['set-cookie']).split(';')[0] ?? '';
  const done = await rig.call({
    path: `/api/altbroker/callback?${query.toString()}`,
    headers: { cookie, accept: 'application/json' },
  });
  // Book and portfolio are read once the session has begun.
  await rig.time.advance(2_000);
  return { page, done };
}

async function loggedIn(options: Parameters<typeof world>[0] = {}): Promise<World> {
  const made = await world(options);
  const { done } = await logIn(made);
  if (done.status !== 200) throw new Error(`the login failed: ${done.text}`);
  return made;
}

const place = ({ rig }: World, order: object, key: string) =>
  rig.post('/api/v1/orders', order, { 'idempotency-key': key });

async function orderOf({ rig }: World, id: string) {
  return (await rig.get(`/api/v1/orders/${id}`)).body.data;
}

describe('a fourth broker', () => {
  it('is an instance that the API knows by its name, and no other name is taken', async () => {
    await using rig = (await world()).rig;
    const { body } = await rig.get('/api/v1/brokers');
    type Listed = { broker: string; mode: string; setUp: boolean };
    const listed: Listed[] = body.data;
    const names = listed.filter(({ setUp }) => setUp).map(({ broker, mode }) => [broker, mode]);
    expect(names).toEqual([
      ['primary', 'live'],
      ['memory', 'live'],
      ['paper', 'paper'],
    ]);
    const unknown = await rig.get('/api/v1/positions?broker=nobody');
    expect([unknown.status, unknown.body.code]).toEqual([400, 'invalid_request']);
    expect(unknown.body.detail).toBe('query.broker: takes alt, primary, paper or memory');
    // The route loads it when it is first asked: virtual time does not wait for that.
    await import('zod-openapi');
    const document = (await rig.get('/openapi.json')).body;
    const { BrokerName, Broker } = document.components.schemas;
    expect(BrokerName.enum).toEqual(['alt', 'primary', 'paper', 'memory']);
    expect(Broker.examples).toEqual(BrokerName.enum);
  });

  it('is taken in a route, where the names of all instances are checked', async () => {
    const start = (route: string) =>
      compose({
        environment: memoryEnvironment({ APP_ROUTE_TRADING: route }),
        brokers: [instance('memory')],
      });
    await expect(start('memory,mermory')).rejects.toThrow(ConfigurationError);
    await expect(start('memory,mermory')).rejects.toThrow(
      'APP_ROUTE_TRADING: got "memory,mermory"; ' +
        'it takes a comma-separated list of alt, primary, paper, memory, no repeats',
    );
  });

  it('does not start with settings that do not fit, and no value of theirs is quoted', async () => {
    const brokers = [instance('memory', { account: 'memory', secret: 'plain-text-secret' })];
    const start = world({ brokers });
    await expect(start).rejects.toThrow(
      'the settings of the broker memory (kind in-memory) do not fit: secret:',
    );
    await expect(start).rejects.not.toThrow('plain-text-secret');
  });

  it.each(['journal', 'Memory', 'two words', 'paper'])(
    'is not called %s: that is another’s name, or none',
    async (name) => {
      const start = compose({ environment: memoryEnvironment({}), brokers: [instance(name)] });
      await expect(start).rejects.toThrow(`the broker instance "${name}"`);
    },
  );

  it('is logged in to under the fixed paths, and keeps its session over a restart', async () => {
    const made = await world();
    await using rig = made.rig;
    expect((await rig.get('/api/altbroker/status')).body.data.state).toBe('absent');
    const { page, done } = await logIn(made);
    expect(page.origin).toBe('https://in-memory.test');
    expect([done.status, done.body.data.userId]).toEqual([200, 'MEM1']);
    await rig.restart();
    const { data } = (await rig.get('/api/altbroker/status')).body;
    expect([data.state, data.source]).toEqual(['valid', 'file']);
  });

  it('takes orders along the trading route, and shows them and their fills', async () => {
    const made = await loggedIn();
    await using rig = made.rig;
    const placed = await place(made, BUY, 'first');
    expect(placed.status).toBe(201);
    expect(placed.body.meta).toEqual({ broker: 'memory', mode: 'live' });
    await rig.time.advance(3_000);
    expect(await orderOf(made, placed.body.data.id)).toMatchObject({
      broker: 'memory',
      mode: 'live',
      status: 'filled',
      filledQuantity: 10,
    });
    const quote = (await rig.get('/api/v1/ltp?instruments=NSE:INFY')).body;
    expect(quote.meta).toMatchObject({ broker: 'memory', mode: 'live' });
    expect((await rig.get('/api/v1/positions')).body.meta.broker).toBe('memory');
  });

  it('has its postbacks taken once, and those with a wrong checksum refused', async () => {
    const made = await loggedIn();
    await using rig = made.rig;
    made.brokerage.pause(true);
    const { id, brokerOrderId } = (await place(made, BUY, 'posted')).body.data;
    await rig.time.advance(5_000);
    made.brokerage.pause(false);
    const text = made.brokerage.postbackOf(brokerOrderId);
    expect((await rig.postback(text)).body.data).toEqual({ received: 'accepted' });
    expect((await rig.postback(text)).body.data).toEqual({ received: 'repeated' });
    await rig.time.advance(200);
    expect((await orderOf(made, id)).status).toBe('filled');
    const forged = text.replace(/"checksum":"./, '"checksum":"g');
    expect((await rig.postback(forged)).status).toBe(401);
  });

  it('lets an exit pass the kill switch, and no entry', async () => {
    const made = await loggedIn();
    await using rig = made.rig;
    await rig.post('/api/v1/kill-switch', { thrown: true, reason: 'a test' });
    const entry = await place(made, BUY, 'entry');
    expect([entry.status, entry.body.code]).toEqual([409, 'kill_switch']);
    // The account opens with 50 shares.
    const exit = await place(made, { ...BUY, side: 'SELL', quantity: 50 }, 'exit');
    expect([exit.status, exit.body.meta.broker]).toEqual([201, 'memory']);
    expect(made.brokerage.orders().map(({ side }) => side)).toEqual(['SELL']);
  });

  it('has its open orders found again after a restart, and what filled meanwhile counted', async () => {
    const made = await loggedIn();
    await using rig = made.rig;
    made.brokerage.pause(true);
    const resting = (await place(made, RESTING, 'resting')).body.data;
    const working = (await place(made, BUY, 'working')).body.data;
    await rig.time.advance(2_000);
    made.brokerage.pause(false);
    await rig.crash();
    await rig.time.advance(5_000);
    expect((await rig.get('/health/ready')).status).toBe(200);
    expect(await orderOf(made, resting.id)).toMatchObject({ status: 'working', filledQuantity: 0 });
    expect(await orderOf(made, working.id)).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });

  it('has an order whose reply was lost found by its tag, also after a restart', async () => {
    const made = await loggedIn();
    await using rig = made.rig;
    made.brokerage.losesReplies = true;
    const lost = await place(made, RESTING, 'lost');
    expect([lost.status, lost.body.data.status]).toEqual([202, 'uncertain']);
    await rig.crash();
    made.brokerage.losesReplies = false;
    await rig.time.advance(5_000);
    expect(await orderOf(made, lost.body.data.id)).toMatchObject({
      status: 'working',
      boundBy: 'tag',
    });
    expect(made.brokerage.orders()).toHaveLength(1);
  });

  it('is asked for what it does not offer: 501 not_supported', async () => {
    const made = await loggedIn();
    await using rig = made.rig;
    const margins = await rig.post('/api/v1/margins', { orders: [BUY] });
    expect([margins.status, margins.body.code, margins.body.broker]).toEqual([
      ...[501, 'not_supported', 'memory'],
    ]);
    expect(margins.body.detail).toBe('memory does not offer margins: name a broker that does');
    const chain = await rig.get('/api/v1/option-chain?underlying=NSE:INFY');
    expect([chain.status, chain.body.code]).toEqual([501, 'not_supported']);
  });

  it('can be two accounts, each with orders and a token of its own', async () => {
    const brokers = [instance('memory'), instance('memory-2')];
    const made = await loggedIn({ brokers });
    await using rig = made.rig;
    await place(made, BUY, 'first account');
    // The fixed login paths serve the first instance; nobody is logged in to the second.
    const other = await place(made, { ...BUY, broker: 'memory-2' }, 'second account');
    expect([other.status, other.body.code]).toEqual([503, 'token_absent']);
    expect([made.brokerage.orders().length, made.second.orders().length]).toEqual([1, 0]);
    const status = (await rig.get('/api/v1/brokers')).body.data;
    const second = status.find((each: { broker: string }) => each.broker === 'memory-2');
    expect([second.available, second.reason]).toEqual([false, 'log in first']);
  });
});
