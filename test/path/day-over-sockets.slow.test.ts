import { journalPostbacks } from '../support/journal-events.ts';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createStage, serveGateway, type ServedGateway } from '../support/served.ts';
import { logInOverSockets } from '../support/socket-client.ts';
import { until } from '../support/until.ts';
import { BUY } from './walk.ts';

const BOOKS = ['positions', 'holdings', 'funds', 'orders'];

/** Quotes from one broker, everything about an account from another. */
async function servedBy({ client }: ServedGateway, quotes: string, account: string): Promise<void> {
  const prices = await client.get('/api/v1/quotes?instruments=NSE:INFY&maxAgeMs=0');
  expect([prices.status, prices.body.meta.broker]).toEqual([200, quotes]);
  expect(prices.body.data['NSE:INFY'].lastPrice).toBeGreaterThan(0);
  for (const book of BOOKS) {
    const reply = await client.get(`/api/v1/${book}?maxAgeMs=0`);
    expect([book, reply.status, reply.body.meta?.broker]).toEqual([book, 200, account]);
  }
}

/** Places, and waits until it is filled at the broker that should have it. */
async function filledAt({ client }: ServedGateway, broker: string, key: string): Promise<void> {
  const placed = await client.place(BUY, key);
  expect([placed.status, placed.body.meta?.broker]).toEqual([201, broker]);
  const path = `/api/v1/orders/${placed.body.data.id}`;
  await until(`the order ${key} is filled`, async () => {
    const { body } = await client.get(path);
    return body.data.status === 'filled';
  });
}

describe('a day with the gateway, over sockets', () => {
  it('goes from the fallback through login to the broker, and back when the token dies', async () => {
    await using stage = await createStage();
    await using gateway = await serveGateway(stage);
    const { client } = gateway;
    const { kite } = stage.served.sandbox;

    // 1. No token.
    expect((await client.get('/api/altbroker/status')).body.data.state).toBe('absent');
    await servedBy(gateway, 'primary', 'paper');
    await filledAt(gateway, 'paper', 'before-login');

    // 2. Login.
    const login = await logInOverSockets(gateway.url);
    expect([login.status, login.body.data?.userId]).toEqual([200, 'AB1234']);
    const token = await client.get('/api/altbroker/token');
    expect(token.body.data.accessToken).toBe(kite.liveToken());

    // 3. The token is valid.
    expect((await client.get('/api/altbroker/status')).body.data).toMatchObject({
      state: 'valid',
      source: 'memory',
    });
    await servedBy(gateway, 'alt', 'alt');
    await filledAt(gateway, 'alt', 'after-login');
    expect(kite.orders()).toHaveLength(1);
    await until('the postback of the fill is in the inbox', () => {
      const [postback] = journalPostbacks(stage.dataDirectory);
      return (
        postback?.rawStatus === 'COMPLETE' && postback.brokerOrderId === kite.orders()[0]?.orderId
      );
    });

    // 4. The token dies at the broker.
    kite.killTokens();
    const refused = await client.get('/api/v1/positions?maxAgeMs=0');
    expect(refused.status).toBeGreaterThanOrEqual(500);
    await until('the gateway knows that the token is dead', async () => {
      const { body } = await client.get('/api/altbroker/status');
      return body.data.state === 'expired';
    });
    expect((await client.get('/api/altbroker/token')).status).toBe(404);

    // 1 again.
    await servedBy(gateway, 'primary', 'paper');
    await filledAt(gateway, 'paper', 'after-the-end');
    expect(kite.orders()).toHaveLength(1);
  });
});

describe('a valid token, over restarts', () => {
  it('is taken from the file, then the environment, then the configuration file', async () => {
    // Four starts in a moment are more than the brokers' limits would let load.
    await using stage = await createStage({ sandbox: { enforceLimits: false } });
    const configuration = join(stage.dataDirectory, 'settings.json');
    const tokenFile = join(stage.dataDirectory, 'token.json');
    {
      await using gateway = await serveGateway(stage);
      expect((await logInOverSockets(gateway.url)).status).toBe(200);
    }
    const APP_ALT_BROKER_ACCESS_TOKEN = stage.served.sandbox.kite.liveToken()!;
    writeFileSync(configuration, JSON.stringify({ APP_ALT_BROKER_ACCESS_TOKEN }), { mode: 0o600 });
    const inFile = { APP_CONFIG_FILE: configuration };
    const inBoth = { ...inFile, APP_ALT_BROKER_ACCESS_TOKEN };

    const sourceWith = async (settings: Record<string, string>): Promise<string> => {
      await using gateway = await serveGateway(stage, settings);
      await servedBy(gateway, 'alt', 'alt');
      return (await gateway.client.get('/api/altbroker/status')).body.data.source;
    };
    const sources = [await sourceWith(inBoth)];
    rmSync(tokenFile);
    sources.push(await sourceWith(inBoth));
    rmSync(tokenFile, { force: true });
    sources.push(await sourceWith(inFile));
    expect(sources).toEqual(['file', 'environment', 'configuration']);
  });
});

describe('the kill switch, over sockets', () => {
  it('stops an order while it is engaged, and lets it go once it is released', async () => {
    await using stage = await createStage();
    await using gateway = await serveGateway(stage);
    const { client } = gateway;
    await logInOverSockets(gateway.url);
    await client.post('/api/v1/kill-switch', { engaged: true, reason: 'a pause' });
    const stopped = await client.place(BUY, 'switched');
    expect([stopped.status, stopped.body.code]).toEqual([409, 'kill_switch']);
    expect(stage.served.sandbox.kite.orders()).toEqual([]);
    await client.post('/api/v1/kill-switch', { engaged: false, reason: 'over' });
    await filledAt(gateway, 'alt', 'switched');
    expect(stage.served.sandbox.kite.orders()).toHaveLength(1);
  });
});
