import { KiteConnect } from 'kiteconnect';
import { describe, expect, it } from 'vitest';
import { loopback, reply } from '../../platform/support/loopback.ts';
import { envelope, error, HTML_TYPE, JSON_TYPE, says, type Act } from './support/odd-server.ts';

type Kite = InstanceType<typeof KiteConnect>;

/**
 * Why the adapter reads replies itself (docs/spec/kite-sdk.md): what the SDK alone makes of them. A
 * version that has changed shows here.
 */
async function alone<T>(act: Act, use: (kite: Kite) => Promise<T>): Promise<T> {
  await using server = await loopback((socket) => act(socket, () => undefined));
  return await use(new KiteConnect({ api_key: 'key', access_token: 'token', root: server.origin }));
}

const order = { exchange: 'NSE', tradingsymbol: 'INFY', quantity: 1 };

describe('the SDK by itself', () => {
  it('resolves an HTML page as a book', async () => {
    const act = says('<html>busy</html>', '200 OK', HTML_TYPE);
    expect(await alone(act, (kite) => kite.getOrders())).toMatchObject({
      error_type: 'DataException',
    });
  });

  it('resolves a failure without an error type to nothing', async () => {
    const act = error('200 OK', { data: null });
    expect(await alone(act, (kite) => kite.getOrders())).toBeNull();
  });

  it('rejects with a plain object that has lost the HTTP status', async () => {
    const act = error('400 Bad Request', { message: 'no', error_type: 'InputException' });
    const rejected: unknown = await alone(act, (kite) =>
      kite.getOrders().catch((reason: unknown) => reason),
    );
    expect(rejected).not.toBeInstanceOf(Error);
    expect(JSON.stringify(rejected)).not.toContain('400');
  });

  it('follows a redirect of an order as a GET, with the authorization', async () => {
    await using server = await loopback((socket, request) => {
      const body = envelope({ status: 'success', data: [] });
      const moved = request.startsWith('POST');
      socket.write(moved ? reply('', '302 Found', 'location: /orders') : reply(body, '200 OK'));
    });
    const kite = new KiteConnect({ api_key: 'key', access_token: 'token', root: server.origin });
    await kite.placeOrder('regular', { ...order } as never);
    expect(server.requests[1]).toMatch(/^GET \/orders /);
    expect(server.requests[1]).toContain('token key:token');
  });

  it('writes into the parameters that it is given', async () => {
    const given = { ...order };
    const act = says(envelope({ status: 'success', data: {} }), '200 OK', JSON_TYPE);
    await alone(act, (kite) => kite.placeOrder('regular', given as never));
    expect(given).toHaveProperty('variety', 'regular');
  });

  it('puts an id into the path unchanged', async () => {
    await using server = await loopback((socket) => {
      socket.write(reply(envelope({ status: 'success', data: [] }), '200 OK', JSON_TYPE));
    });
    const kite = new KiteConnect({ api_key: 'key', root: server.origin });
    await kite.getOrderTrades('../session/token?x=');
    expect(server.requests[0]).toMatch(/^GET \/(orders\/\.\.\/)?session\/token\?x=/);
  });

  it('returns an extra row of instruments, and a text where the type has a charset', async () => {
    const file = 'instrument_token,tradingsymbol\n408065,INFY\n';
    const rows = (type: string) =>
      alone(says(file, '200 OK', `content-type: ${type}`), (kite) => kite.getInstruments());
    expect(await rows('text/csv')).toHaveLength(2);
    expect(typeof (await rows('text/csv; charset=utf-8'))).toBe('string');
  });

  it('rejects a page instead of candles with a TypeError', async () => {
    const act = says('<html>busy</html>', '502 Bad Gateway', HTML_TYPE);
    const rejected: unknown = await alone(act, (kite) =>
      kite.getHistoricalData(1, 'day', 'a', 'b').catch((reason: unknown) => reason),
    );
    expect(rejected).toBeInstanceOf(TypeError);
  });
});
