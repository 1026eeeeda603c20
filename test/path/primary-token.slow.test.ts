import { once } from 'node:events';
import { cpSync, mkdtempDisposableSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SANDBOX_TOTP_SECRET } from '../../sandbox/primary/totp.ts';
import { identifyFile } from '../../src/platform/directories.ts';
import { createRig, type Rig, type RigOptions } from '../support/rig.ts';

const LOGIN = {
  APP_PRIMARY_ACCESS_TOKEN: '',
  APP_PRIMARY_API_KEY: 'sandbox-key',
  APP_PRIMARY_MPIN: '1234',
  APP_PRIMARY_TOTP_SECRET: SANDBOX_TOTP_SECRET,
  APP_ROUTE_TRADING: 'primary,paper',
};
const rig = (environment: Record<string, string> = {}, options: RigOptions = {}) =>
  createRig({ ...options, environment: { ...LOGIN, ...environment } });

const order = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 1,
  orderType: 'LIMIT',
  price: 1_400,
  product: 'CNC',
};

const generatedBy = (gateway: Rig): number =>
  gateway.sandbox.primary.counts()['POST /generate/token'] ?? 0;

/** Stops the gateway, copies its directory by hand, and starts it on the copy. */
async function startOnCopy(gateway: Rig, copy: string): Promise<void> {
  const { environment, dataDirectory, time } = gateway;
  await time.settle(Promise.resolve(gateway.composed[Symbol.asyncDispose]()));
  cpSync(dataDirectory, copy, { recursive: true });
  await gateway.restart({
    ...environment,
    get: (name) => (name === 'APP_DATA_DIR' ? copy : environment.get(name)),
  });
}

/** Every byte that a gateway has left behind. */
function kept(directory: string): string {
  return readdirSync(directory)
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'latin1'))
    .join('\n');
}

describe('a gateway that may generate tokens of the primary brokerage', () => {
  it('has a session without a token in its settings, and trades with it', async () => {
    await using gateway = await rig();
    await gateway.time.advance(1_000);
    const brokers = (await gateway.get('/api/v1/brokers')).body as {
      data: { broker: string; available: boolean }[];
    };
    expect(brokers.data.find(({ broker }) => broker === 'primary')!.available).toBe(true);
    const placed = await gateway.post('/api/v1/orders', order, { 'idempotency-key': 'one' });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({ data: { broker: 'primary', mode: 'live' } });
    expect(gateway.sandbox.primary.counts()['POST /generate/token']).toBe(1);
  });

  it('has one for the first order of the next day, with nobody asking before', async () => {
    await using gateway = await rig({}, { start: '2026-11-05T09:05:00+05:30' });
    await gateway.time.advanceTo('2026-11-06T09:15:00+05:30');
    const placed = await gateway.post('/api/v1/orders', order, { 'idempotency-key': 'one' });
    expect(placed.status).toBe(201);
    expect(placed.body).toMatchObject({ data: { broker: 'primary', mode: 'live' } });
  });

  it('tells nobody what it was made with', async () => {
    await using gateway = await rig();
    await gateway.time.advance(1_000);
    await gateway.get('/api/v1/funds');
    const token = gateway.sandbox.primary.liveToken()!;
    const everything = [...gateway.log, kept(gateway.dataDirectory)].join('\n');
    for (const secret of [token, LOGIN.APP_PRIMARY_TOTP_SECRET, LOGIN.APP_PRIMARY_API_KEY]) {
      expect(everything).not.toContain(secret);
    }
  });

  it('has none after a refusal, says so, and asks no more', async () => {
    await using gateway = await rig({ APP_PRIMARY_MPIN: '9999' });
    await gateway.time.advance(1_000);
    const refused = await gateway.get('/api/v1/funds?broker=primary');
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'token_absent' });
    await gateway.time.advance(7_200_000);
    await gateway.get('/api/v1/funds?broker=primary');
    expect(gateway.sandbox.primary.counts()['POST /generate/token']).toBe(1);
  });
});

describe('a gateway whose new token would end that of another one', () => {
  it('asks for none while its start can still be refused, as for a port that is taken', async () => {
    const other = createServer();
    await once(other.listen(0, '127.0.0.1'), 'listening');
    const { port } = other.address() as AddressInfo;
    try {
      await using gateway = await rig({ APP_PORT: String(port) }, { begins: false });
      await gateway.time.advance(120_000);
      await gateway.get('/api/v1/funds?broker=primary');
      await expect(gateway.composed.listen()).rejects.toThrow('it takes a free port');
      await gateway.time.advance(120_000);
      expect(generatedBy(gateway)).toBe(0);
    } finally {
      other.close();
    }
  });

  it('asks for one as soon as it listens', async () => {
    await using gateway = await rig({ APP_PORT: '0' }, { begins: false });
    await gateway.time.advance(5_000);
    expect(generatedBy(gateway)).toBe(0);
    await gateway.composed.listen();
    await gateway.time.advance(2_000);
    expect(generatedBy(gateway)).toBe(1);
  });

  it('asks for none on a copied data directory until it is armed, and says so', async () => {
    using copies = mkdtempDisposableSync(join(tmpdir(), 'abg-copies-'));
    await using gateway = await rig({}, { overrides: { identify: identifyFile } });
    await gateway.time.advance(1_000);
    await startOnCopy(gateway, join(copies.path, 'copy'));
    await gateway.time.advance(24 * 3_600_000);
    const refused = await gateway.get('/api/v1/funds?broker=primary');
    expect(refused.body).toMatchObject({ code: 'token_absent' });
    expect((refused.body as { detail: string }).detail).toContain('this data directory is a copy');
    expect(generatedBy(gateway)).toBe(1);
    await gateway.post('/api/v1/arm', { oldGatewayIsStopped: true });
    await gateway.time.advance(2_000);
    expect(generatedBy(gateway)).toBe(2);
    expect((await gateway.get('/api/v1/funds?broker=primary')).status).toBe(200);
  });
});

describe('an order that a crash left open, while there is no token yet', () => {
  it('is looked up as soon as there is one', async () => {
    await using gateway = await rig({}, { sandbox: { latencyMs: [300, 300] } });
    await gateway.time.advance(1_000);
    const placed = await gateway.post('/api/v1/orders', order, { 'idempotency-key': 'one' });
    expect(placed.status).toBe(201);
    // The next process asks for a token within the broker's minute, and has to wait.
    await gateway.crash();
    const ready = async () => (await gateway.get('/health/ready')).status;
    await gateway.time.advance(10_000);
    expect(await ready()).toBe(503);
    const generated = () => gateway.sandbox.primary.counts()['POST /generate/token'];
    while (generated()! < 3) await gateway.time.advance(1_000);
    await gateway.time.advance(2_000);
    expect(await ready()).toBe(200);
  });
});

describe('limits and margins, over the whole gateway', () => {
  it('are told', async () => {
    await using gateway = await rig();
    await gateway.time.advance(1_000);
    await gateway.logIn();
    const limits = (await gateway.get('/api/v1/limits')).body as {
      data: { broker: string; buckets: { name: string }[] }[];
    };
    const names = limits.data.map(({ broker, buckets }) => [broker, buckets.map((b) => b.name)]);
    expect(names).toEqual([
      ['alt', ['orders', 'quotes', 'historical', 'other']],
      ['primary', ['orders', 'non_trading', 'quotes', 'data', 'token', 'everything']],
    ]);
    const margin = await gateway.post('/api/v1/margins', { orders: [order, order] });
    expect(margin.status).toBe(200);
    expect(margin.body).toMatchObject({
      data: { required: 2_800, summed: true },
      meta: { broker: 'primary' },
    });
    const single = await gateway.post('/api/v1/margins?broker=alt', { orders: [order] });
    expect(single.body).toMatchObject({ data: { summed: false }, meta: { broker: 'alt' } });
    const paper = await gateway.post('/api/v1/margins?broker=paper', { orders: [order] });
    expect(paper.body).toMatchObject({ code: 'not_supported', status: 501 });
    expect(gateway.sandbox.primary.orders()).toEqual([]);
    expect(gateway.sandbox.kite.orders()).toEqual([]);
  });
});
