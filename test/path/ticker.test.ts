import { describe, expect, it } from 'vitest';
import { createRig, type Rig } from '../support/rig.ts';
import { createSandboxSockets } from '../support/sandbox-sockets.ts';
import { BUY } from './walk.ts';

/** A gateway with a ticker. Its book is read by itself once a minute only. */
async function createTickingRig(environment: Readonly<Record<string, string>> = {}): Promise<Rig> {
  const made: { rig?: Rig } = {};
  const rig = await createRig({
    environment: {
      APP_ALT_BROKER_TICKER_URL: 'ws://kite.test/ws',
      APP_ORDER_POLL_SECONDS: '60',
      ...environment,
    },
    overrides: {
      sockets: createSandboxSockets(
        () => made.rig!.sandbox.ticker,
        () => made.rig!.time,
      ),
    },
  });
  made.rig = rig;
  return rig;
}

const bookReads = ({ sent }: Rig): number =>
  sent.filter(({ method, url }) => method === 'GET' && /\/orders$/.test(url)).length;
const connected = ({ sandbox }: Rig): number => sandbox.kite.tickerClients().length;

/** An order that waits for its price, and the time that its placing takes. */
async function workingOrder(rig: Rig): Promise<string> {
  rig.sandbox.exchange.setPrice('NSE:INFY', 150_000);
  rig.sandbox.faults.add({ broker: 'kite', kind: 'postback_lost' });
  const order = { ...BUY, orderType: 'LIMIT', price: 1_450 };
  const placed = await rig.post('/api/v1/orders', order, { 'idempotency-key': 'waits' });
  expect([placed.status, placed.body.data.status]).toEqual([201, 'working']);
  await rig.time.advance(5_000);
  return placed.body.data.id;
}

async function statusOf(rig: Rig, id: string): Promise<string> {
  return (await rig.begin({ path: `/api/v1/orders/${id}` })).body.data.status;
}

describe('an order message', () => {
  it('has the book read at once, without postbacks and long before its time', async () => {
    await using rig = await createTickingRig();
    await rig.logIn();
    const id = await workingOrder(rig);
    const before = bookReads(rig);
    rig.sandbox.exchange.setPrice('NSE:INFY', 144_000);
    await rig.time.advance(1_500);
    expect(bookReads(rig)).toBeGreaterThan(before);
    expect(await statusOf(rig, id)).toBe('filled');
  });

  it('without a ticker nothing does: the test above tests something', async () => {
    await using rig = await createTickingRig({ APP_ALT_BROKER_TICKER_URL: 'none' });
    await rig.logIn();
    const id = await workingOrder(rig);
    rig.sandbox.exchange.setPrice('NSE:INFY', 144_000);
    await rig.time.advance(1_500);
    expect(await statusOf(rig, id)).toBe('working');
  });

  it('that was missed on a dead line is made up for when it stands again', async () => {
    await using rig = await createTickingRig();
    await rig.logIn();
    const id = await workingOrder(rig);
    rig.sandbox.faults.add({
      broker: 'kite',
      kind: 'ticker_silent',
      until: rig.time.now() + 5_000,
    });
    await rig.time.advance(1_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 144_000);
    await rig.time.advance(12_000);
    expect(await statusOf(rig, id)).toBe('filled');
  });
});

describe('the ticker and the session', () => {
  it('begin and end together', async () => {
    await using rig = await createTickingRig();
    expect(connected(rig)).toBe(0);
    await rig.logIn();
    await rig.time.advance(1_000);
    expect(connected(rig)).toBe(1);
    await rig.call({ method: 'DELETE', path: '/api/altbroker/token' });
    await rig.time.advance(1_000);
    expect(connected(rig)).toBe(0);
  });

  it('go on after a restart under the token of the file', async () => {
    await using rig = await createTickingRig();
    await rig.logIn();
    await rig.restart();
    await rig.time.advance(1_000);
    expect(connected(rig)).toBe(1);
  });

  it('end when a handshake shows that the token is dead: the broker is asked, and says so', async () => {
    await using rig = await createTickingRig();
    await rig.logIn();
    await rig.time.advance(120_000);
    rig.sandbox.kite.killTokens();
    await rig.time.advance(10_000);
    // The route would try the token itself.
    expect(rig.composed.session?.current().state).toBe('expired');
  });

  it('do not end together when the broker takes the token elsewhere', async () => {
    await using rig = await createTickingRig();
    rig.sandbox.faults.add({ broker: 'kite', kind: 'ticker_refused', params: { status: 403 } });
    await rig.logIn();
    await rig.time.advance(300_000);
    const { body } = await rig.get('/api/altbroker/status');
    expect([body.data.state, rig.sandbox.kite.tickerConnections()]).toEqual(['valid', 0]);
    const placed = await rig.post('/api/v1/orders', BUY, { 'idempotency-key': 'goes' });
    expect(placed.status).toBe(201);
  });
});

describe('prices', () => {
  const LTP = '/api/v1/ltp?instruments=NSE:INFY&maxAgeMs=2000';
  const asked = ({ sent }: Rig): number => sent.filter(({ url }) => url.includes('/quote')).length;

  it('come from ticks once they are asked for again, and are as true', async () => {
    await using rig = await createTickingRig();
    await rig.logIn();
    await rig.get(LTP);
    await rig.get(LTP);
    await rig.time.advance(5_000);
    const before = asked(rig);
    for (const paise of [148_000, 149_000, 150_000]) {
      rig.sandbox.exchange.setPrice('NSE:INFY', paise);
      await rig.time.advance(1_500);
      const { body } = await rig.get(LTP);
      expect([body.data['NSE:INFY'].lastPrice, body.meta.broker]).toEqual([paise / 100, 'alt']);
    }
    expect(asked(rig)).toBe(before);
  });

  it('are asked for again when the ticker falls silent', async () => {
    await using rig = await createTickingRig();
    await rig.logIn();
    await rig.get(LTP);
    await rig.get(LTP);
    await rig.time.advance(5_000);
    rig.sandbox.faults.add({ broker: 'kite', kind: 'ticker_silent' });
    await rig.time.advance(3_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 123_400);
    const before = asked(rig);
    const { body } = await rig.get(LTP);
    expect([body.data['NSE:INFY'].lastPrice, asked(rig) - before]).toEqual([1_234, 1]);
  });
});

describe('a broker whose ticker cannot be had', () => {
  it('does not stop the gateway', async () => {
    await using rig = await createTickingRig();
    rig.sandbox.faults.add({ broker: 'kite', kind: 'ticker_refused' });
    await rig.logIn();
    const placed = await rig.post('/api/v1/orders', BUY, { 'idempotency-key': 'goes' });
    expect(placed.status).toBe(201);
    await rig.time.advance(300_000);
    expect((await rig.get('/api/v1/positions')).status).toBe(200);
    rig.sandbox.faults.clear();
    await rig.time.advance(61_000);
    expect(connected(rig)).toBe(1);
  });
});

describe('the connection', () => {
  const streaming = async (rig: Rig): Promise<unknown> => {
    const { body } = await rig.begin({ path: '/api/v1/brokers' });
    const found = body.data.find(({ broker }: { broker: string }) => broker === 'alt');
    return found.streaming;
  };

  it('is told as open once there is a login, and not before that or while the line is cut', async () => {
    await using rig = await createTickingRig();
    expect(await streaming(rig)).toBe(false);
    await rig.logIn();
    await rig.time.advance(2_000);
    expect(await streaming(rig)).toBe(true);
    rig.sandbox.faults.add({ broker: 'kite', kind: 'ticker_refused', params: { status: 503 } });
    rig.sandbox.faults.add({ broker: 'kite', kind: 'ticker_cut', times: 1 });
    await rig.time.advance(7_000);
    expect(await streaming(rig)).toBe(false);
  });

  it('is told as none where no ticker is set', async () => {
    await using rig = await createTickingRig({ APP_ALT_BROKER_TICKER_URL: 'none' });
    await rig.logIn();
    expect(await streaming(rig)).toBeNull();
  });
});
