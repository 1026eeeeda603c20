import { KiteConnect } from 'kiteconnect';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ServedSandbox } from '../../sandbox/transport/serve.ts';
import { serveSandbox } from '../../sandbox/transport/serve.ts';

let served: ServedSandbox;
let kite: InstanceType<typeof KiteConnect>;

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
        redirectUrl: 'http://127.0.0.1:1/callback?kept=1',
        postbackUrl: null,
      },
      primary: { accessToken: 'raw-token', clientId: '1234567' },
    },
  });
  kite = new KiteConnect({ api_key: 'key', root: served.kiteOrigin });
});
afterAll(() => served.close());
// A session for each test: one of them ends it.
beforeEach(async () => {
  const session = await kite.generateSession(served.sandbox.kite.issueRequestToken(), 'secret');
  kite.setAccessToken(session.access_token);
});

/** What a browser does: opens the page, presses the button, follows to the callback. */
async function signIn(decision: string): Promise<URL> {
  const login = `${served.kiteOrigin}/connect/login?api_key=key&v=3&redirect_params=state%3Dabc`;
  const page = await (await fetch(login)).text();
  expect(page).toContain('Sign in');
  const params = /name="redirect_params" value="([^"]*)"/.exec(page)?.[1] ?? '';
  const answer = await fetch(`${served.kiteOrigin}/connect/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ api_key: 'key', redirect_params: params, decision }),
  });
  expect(answer.status).toBe(302);
  return new URL(answer.headers.get('location') ?? '');
}

describe('the real SDK against the served sandbox', () => {
  it('logs in through the page, once for each request token', async () => {
    const callback = await signIn('sign_in');
    expect(callback.searchParams.get('state')).toBe('abc');
    expect(callback.searchParams.get('kept')).toBe('1');
    const requestToken = callback.searchParams.get('request_token') ?? '';
    const session = await kite.generateSession(requestToken, 'secret');
    expect(session.access_token).toMatch(/^\w{32}$/);
    await expect(kite.generateSession(requestToken, 'secret')).rejects.toMatchObject({
      error_type: 'TokenException',
    });
  });

  it('hands back no request token when the user refuses', async () => {
    const callback = await signIn('refuse');
    expect(callback.searchParams.has('request_token')).toBe(false);
    expect(callback.searchParams.get('status')).toBe('cancelled');
  });

  it('reads quotes and leaves out what does not exist', async () => {
    const quotes = await kite.getQuote(['NSE:INFY', 'NSE:NOSUCH', 'NSE:NIFTY 50']);
    expect(Object.keys(quotes).sort()).toEqual(['NSE:INFY', 'NSE:NIFTY 50']);
    expect(quotes['NSE:INFY']?.instrument_token).toBe(408065);
    expect(quotes['NSE:INFY']?.depth.buy).toHaveLength(5);
    const ltp = await kite.getLTP(['NSE:INFY']);
    expect(ltp['NSE:INFY']?.last_price).toBeGreaterThan(0);
    const ohlc = await kite.getOHLC(['NSE:INFY']);
    expect(ohlc['NSE:INFY']?.ohlc.close).toBeGreaterThan(0);
  });

  it('reads the instruments', async () => {
    const rows = await kite.getInstruments('NSE');
    const infy = rows.find((row) => row.tradingsymbol === 'INFY');
    expect(infy).toMatchObject({ exchange_token: '1594', segment: 'NSE', lot_size: 1 });
  });

  it('places an order and reads it in the book, its history, its trades', async () => {
    const params = {
      exchange: 'NSE',
      tradingsymbol: 'ITC',
      transaction_type: 'BUY',
      quantity: 5,
      product: 'CNC',
      order_type: 'MARKET',
      market_protection: -1,
      tag: 'sandbox1',
    };
    const { order_id: orderId } = await kite.placeOrder('regular', params as never);
    await expect
      .poll(async () => (await kite.getOrders()).find((row) => row.order_id === orderId)?.status)
      .toBe('COMPLETE');
    const history = await kite.getOrderHistory(orderId);
    expect(history[0]?.status).toBe('PUT ORDER REQ RECEIVED');
    const trades = await kite.getOrderTrades(orderId);
    expect(trades.reduce((sum, trade) => sum + trade.quantity, 0)).toBe(5);
    const { net } = await kite.getPositions();
    expect(net.find((row) => row.tradingsymbol === 'ITC')?.quantity).toBe(5);
  });

  it('changes and cancels an order', async () => {
    const price = Math.round(served.sandbox.exchange.price('NSE:SBIN') * 0.95) / 100;
    const params = {
      exchange: 'NSE',
      tradingsymbol: 'SBIN',
      transaction_type: 'BUY',
      quantity: 5,
      product: 'CNC',
      order_type: 'LIMIT',
      price: Math.round(price * 20) / 20,
    };
    const { order_id: orderId } = await kite.placeOrder('regular', params as never);
    const rowOf = async () => (await kite.getOrders()).find((row) => row.order_id === orderId);
    await expect.poll(async () => (await rowOf())?.status).toBe('OPEN');
    await kite.modifyOrder('regular', orderId, { quantity: 7 });
    await expect.poll(async () => (await rowOf())?.quantity).toBe(7);
    await expect.poll(async () => (await rowOf())?.status).toBe('OPEN');
    await kite.cancelOrder('regular', orderId);
    await expect.poll(async () => (await rowOf())?.status).toBe('CANCELLED');
  });

  it('reads holdings, margins, profile and candles', async () => {
    expect((await kite.getHoldings()).map((row) => row.tradingsymbol)).toContain('TCS');
    expect((await kite.getMargins('equity' as never)) as unknown).toMatchObject({ enabled: true });
    expect((await kite.getProfile()).user_id).toBe('AB1234');
    const now = new Date(Date.now() - 3_600_000);
    const candles = await kite.getHistoricalData(408065, 'minute', now, new Date());
    expect(candles.length).toBeGreaterThan(0);
  });

  it('calculates margins and charges', async () => {
    const order = {
      exchange: 'NSE',
      tradingsymbol: 'INFY',
      transaction_type: 'BUY',
      variety: 'regular',
      product: 'CNC',
      order_type: 'LIMIT',
      quantity: 1,
      price: 1500,
    };
    const [margin] = (await kite.orderMargins([order] as never)) as { total: number }[];
    expect(margin?.total).toBe(1500);
  });

  it('refuses connections while a listener is closed, and accepts them again', async () => {
    await served.stopListening('primary');
    await expect(fetch(`${served.primaryOrigin}/funds`)).rejects.toThrow();
    await served.resume('primary');
    const answer = await fetch(`${served.primaryOrigin}/funds`, {
      headers: { authorization: 'raw-token' },
    });
    expect(answer.status).toBe(200);
  });

  it('adds and removes faults over HTTP', async () => {
    const faults = `${served.controlOrigin}/faults`;
    const rule = { broker: 'kite', kind: 'html_2xx_after', match: { path: '/user/profile' } };
    await fetch(faults, { method: 'POST', body: JSON.stringify(rule) });
    expect(await kite.getProfile()).toMatchObject({ error_type: 'DataException' });
    await fetch(faults, { method: 'DELETE' });
    expect((await kite.getProfile()).user_id).toBe('AB1234');
  });

  it('cuts a body short on the wire', async () => {
    served.sandbox.faults.add({ broker: 'kite', kind: 'cut_after', times: 1 });
    const answer = await fetch(`${served.kiteOrigin}/quote/ltp?i=NSE:INFY`);
    await expect(answer.text()).rejects.toThrow();
  });

  it('ends the session', async () => {
    await kite.invalidateAccessToken(served.sandbox.kite.liveToken()!);
    await expect(kite.getProfile()).rejects.toMatchObject({ error_type: 'TokenException' });
  });
});
