import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { publicConnector } from '../../src/platform/http-connections.ts';
import { systemScheduler } from '../../src/platform/clock.ts';
import type { HttpRequest } from '../../src/platform/http.ts';
import { createHttpTransport } from '../../src/platform/http-transport.ts';
import {
  isPublicAddress,
  lookupPublic,
  publicLookup,
} from '../../src/platform/http-public-addresses.ts';

const PRIVATE = [
  ...['127.0.0.1', '127.8.9.1', '0.0.0.0', '10.1.2.3', '172.16.0.1', '172.31.255.255'],
  ...['192.168.0.1', '169.254.169.254', '100.64.0.1', '198.18.0.1', '224.0.0.1', '255.255.255.255'],
  // The last address of each network.
  ...['0.255.255.255', '10.255.255.255', '100.127.255.255', '127.255.255.255', '169.254.255.255'],
  ...['192.0.0.255', '192.168.255.255', '198.19.255.255', '239.255.255.255', '240.0.0.1'],
  ...['64:ff9b::ffff:ffff', '2001:0:ffff::1', '2002:ffff::1', 'fdff::1', 'febf::1', 'ffff::1'],
  ...['fec0::1', 'feff::1', '64:ff9b:1::a00:1', '64:ff9b:1:ffff::1'],
  ...['::', '::1', '[::1]', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd12:3456::1', 'ff02::1'],
  ...['::ffff:127.0.0.1', '::ffff:7f00:1', '64:ff9b::7f00:1', '2002:7f00:1::', 'name', ''],
];
const PUBLIC = [
  ...['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8'],
  // Beside the networks.
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '192.167.255.255', '192.169.0.0'],
  ...['198.17.255.255', '198.20.0.0', '223.255.255.255', '2003::1'],
];

describe('an address', () => {
  it('is public, or of this computer and its network', () => {
    expect(PRIVATE.filter(isPublicAddress)).toEqual([]);
    expect(PUBLIC.filter(isPublicAddress)).toEqual(PUBLIC);
  });

  it('of a name that leads to this computer is not found', async () => {
    const found = await new Promise((resolve) => {
      lookupPublic('localhost', { all: true }, (error, addresses) =>
        resolve([error?.code, addresses]),
      );
    });
    expect(found).toEqual(['EPRIVATEADDRESS', []]);
  });

  it.each([
    [['8.8.8.8', '10.0.0.1'], 'EPRIVATEADDRESS'],
    [['10.0.0.1', '8.8.8.8'], 'EPRIVATEADDRESS'],
    [[], 'EPRIVATEADDRESS'],
    [['8.8.8.8', '172.32.0.1'], undefined],
  ])('of a name that leads to %j is refused where one of them is not public', async (all, code) => {
    const lookup = publicLookup((_host, _options, tell) =>
      tell(
        null,
        all.map((address) => ({ address, family: 4 })),
      ),
    );
    const found = await new Promise((resolve) => {
      lookup('a.name', { all: true }, (error) => resolve(error?.code));
    });
    expect(found).toBe(code);
  });
});

describe('a transport for public addresses alone', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  it('gives up a connection to an address that is not public, whatever the name was resolved to', async () => {
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    // A resolver that says nothing of what it found.
    const connect = publicConnector((_host, options, tell) =>
      options.all === true
        ? tell(null, [{ address: '127.0.0.1', family: 4 }])
        : tell(null, '127.0.0.1', 4),
    );
    const [failure, socket] = await new Promise<unknown[]>((resolve) => {
      const to = { hostname: 'a.name', host: `a.name:${port}`, protocol: 'http:', port: `${port}` };
      connect(to, (...found) => resolve(found));
    });
    expect([failure, socket]).toEqual([
      expect.objectContaining({ cause_code: 'EPRIVATEADDRESS' }),
      null,
    ]);
  });

  it.each(['127.0.0.1', 'localhost'])('opens no connection to %s', async (host) => {
    let connections = 0;
    const server = createServer((_request, response) => response.end('secret'));
    servers.push(server);
    server.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const request: HttpRequest = {
      method: 'POST',
      ...{ url: `http://${host}:${port}/`, headers: {}, body: '{}' },
      ...{ deadlineMs: 5_000, fresh: false },
    };
    const careful = createHttpTransport(systemScheduler, { publicOnly: true });
    const reply = await careful.send(request);
    await careful.close();
    expect([reply.kind, 'cause' in reply && reply.cause]).toEqual(['not_sent', 'EPRIVATEADDRESS']);
    expect(connections).toBe(0);
    const any = createHttpTransport(systemScheduler);
    expect((await any.send(request)).kind).toBe('answered');
    await any.close();
  });
});
