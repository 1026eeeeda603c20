import dns from 'node:dns';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPrimaryBroker } from '../../../src/adapters/primary/index.ts';
import { systemClock, systemScheduler } from '../../../src/platform/clock.ts';
import { createHttpTransport } from '../../../src/platform/http-transport.ts';
import type { HttpTransport } from '../../../src/platform/http.ts';
import { silentLog } from '../../../src/platform/log.ts';
import { loopback, reply } from '../../platform/support/loopback.ts';
import { drain } from '../../support/virtual-time.ts';
import { cancelling, failureOf, infosys, lookupOf, limitOrder, placing } from './support.ts';

let transport: HttpTransport;
beforeEach(() => {
  transport = createHttpTransport(systemScheduler);
});
afterEach(() => transport.close());

/** The adapter over real sockets. */
function brokerAt(baseUrl: string) {
  const broker = createPrimaryBroker({
    knownDerivative: () => Promise.resolve(null),
    transport,
    clock: systemClock,
    scheduler: systemScheduler,
    log: silentLog,
    instruments: lookupOf([infosys]),
    accessToken: () => 'secret-token-1',
    settings: { baseUrl, remarks: false, extraTerminalStatuses: [] },
  });
  return { trading: broker.trading!, account: broker.account! };
}

const json = (data: unknown): string => reply(JSON.stringify({ status: 'success', data }));
const taken = json({ order_id: 'EQ-7', order_status: 'INITIATED' });

describe('an order over real sockets', () => {
  it('uses a new connection, and a read one that is kept open', async () => {
    await using server = await loopback((socket, request) =>
      socket.write(request.startsWith('GET') ? json(null) : taken),
    );
    const { trading } = brokerAt(server.origin);
    await trading.orderBook();
    await drain();
    await trading.orderBook();
    await drain();
    expect(server.connections()).toBe(1);
    expect(await trading.place(placing())).toEqual({ kind: 'acknowledged', brokerOrderId: 'EQ-7' });
    await drain();
    await trading.cancel(cancelling());
    expect(server.connections()).toBe(3);
    await trading.orderBook();
    expect(server.connections()).toBe(3);
  });

  it('does not follow a redirect, and is uncertain', async () => {
    await using other = await loopback((socket) => socket.write(taken));
    await using server = await loopback((socket) =>
      socket.write(reply('', '307 Temporary Redirect', `location: ${other.origin}/order`)),
    );
    const { trading } = brokerAt(server.origin);
    expect(await trading.place(placing())).toMatchObject({ kind: 'uncertain' });
    expect(await failureOf(trading.orderBook())).toMatchObject({ kind: 'http', status: 307 });
    expect(other.requests).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });
});

describe('the proxy of the environment', () => {
  const NAMES = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = NAMES.map((name) => process.env[name]);
  afterEach(() => {
    for (const [place, name] of NAMES.entries()) {
      if (before[place] === undefined) delete process.env[name];
      else process.env[name] = before[place];
    }
  });

  it('receives neither orders nor reads', async () => {
    await using proxy = await loopback((socket) => socket.write(taken));
    await using server = await loopback((socket, request) =>
      socket.write(request.startsWith('GET') ? json(null) : taken),
    );
    for (const name of NAMES) process.env[name] = proxy.origin;
    process.env.NODE_USE_ENV_PROXY = '1';
    await transport.close();
    transport = createHttpTransport(systemScheduler);
    const { trading } = brokerAt(server.origin);
    await trading.orderBook();
    expect(await trading.place(placing())).toMatchObject({ kind: 'acknowledged' });
    expect(proxy.connections()).toBe(0);
    expect(server.requests).toHaveLength(2);
  });
});

describe('a read with a body', () => {
  it('sends it with a GET', async () => {
    await using server = await loopback((socket) => socket.write(json({ total_margin: 15_000 })));
    const { account } = brokerAt(server.origin);
    const query = { terms: limitOrder, instrument: infosys };
    expect(await account.margins!([query])).toMatchObject({ required: 15_000 });
    expect(server.requests[0]).toMatch(/^GET \/margin HTTP/);
    expect(server.requests[0]).toMatch(/\r\n\r\n\{"segment":"EQUITY","exchange":"NSE"/);
  });
});

/** A host with both address families: a request over one must never be repeated over the other. */
describe('a host that answers over IPv6 too', () => {
  const { lookup } = dns;
  let six: Server | null = null;
  afterEach(async () => {
    dns.lookup = lookup;
    await new Promise((resolve) => (six ? six.close(resolve) : resolve(null)));
    six = null;
  });

  it('is sent orders over IPv4 alone', async ({ skip }) => {
    await using four = await loopback((socket) => socket.write(taken));
    let asked = 0;
    six = createServer((socket) => {
      asked += 1;
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(json(null)));
    });
    const listening = await new Promise<boolean>((resolve) => {
      six!.once('error', () => resolve(false));
      six!.listen(four.port, '::1', () => resolve((six!.address() as AddressInfo).port > 0));
    });
    if (!listening) skip('this machine has no IPv6');
    // A resolver that knows both addresses, the newer one first.
    const both = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ];
    dns.lookup = ((
      _host: string,
      options: dns.LookupOptions,
      found: (...all: unknown[]) => void,
    ) => {
      const fit = both.filter(({ family }) => !options.family || options.family === family);
      if (options.all) found(null, fit);
      else found(null, fit[0]!.address, fit[0]!.family);
    }) as typeof dns.lookup;
    const { trading } = brokerAt(`http://broker.test:${four.port}`);
    await trading.orderBook();
    expect(asked).toBe(1);
    expect(await trading.place(placing())).toMatchObject({ kind: 'acknowledged' });
    expect(asked).toBe(1);
    expect(four.requests).toHaveLength(1);
  });
});
