import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpReply, HttpRequest, HttpTransport } from '../../src/platform/http.ts';
import { createHttpTransport } from '../../src/platform/http-transport.ts';
import { drain } from '../support/virtual-time.ts';
import {
  deadPort,
  handScheduler,
  loopback,
  reply,
  type Loopback,
  type HandScheduler,
} from './support/loopback.ts';

let scheduler: HandScheduler;
let transport: HttpTransport;
beforeEach(() => {
  scheduler = handScheduler();
  transport = createHttpTransport(scheduler);
});
afterEach(() => transport.close());

const send = (url: string, parts: Partial<HttpRequest> = {}): Promise<HttpReply> =>
  transport.send({ method: 'GET', url, headers: {}, deadlineMs: 5_000, fresh: true, ...parts });
const ok = (socket: Socket): void => void socket.write(reply('fine'));

describe('a connection that was opened ahead', () => {
  const openedAhead = async (server: Loopback, connections = 1): Promise<void> => {
    while (server.connections() < connections) await drain();
    await drain(2);
  };

  it('carries the next request that needs a fresh connection, and no other', async () => {
    await using server = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    await openedAhead(server);
    expect((await send(server.origin)).kind).toBe('answered');
    expect(server.connections()).toBe(1);
    await send(server.origin);
    expect([server.connections(), server.requests.length]).toEqual([2, 2]);
  });

  it('may still be opening when the request comes', async () => {
    await using server = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    expect((await send(server.origin)).kind).toBe('answered');
    expect(server.connections()).toBe(1);
  });

  it('is not used by requests that share connections', async () => {
    await using server = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    await openedAhead(server);
    await send(server.origin, { fresh: false });
    expect(server.connections()).toBe(2);
  });

  it('is not used for another address, nor for a request over IPv4', async () => {
    await using server = await loopback(ok);
    await using other = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    await openedAhead(server);
    await send(other.origin);
    await send(server.origin, { ipv4: true });
    expect([server.connections(), other.connections()]).toEqual([2, 1]);
  });

  it('is not used once the server has closed it', async () => {
    await using server = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    await openedAhead(server);
    server.closeAll();
    while (server.open() > 0) await drain();
    await drain(5);
    expect((await send(server.origin)).kind).toBe('answered');
    expect([server.connections(), server.requests.length]).toEqual([2, 1]);
  });

  it.each([
    ['an answer', reply('not asked for')],
    ['a refusal to wait', reply('', '408 Request Timeout', 'connection: close')],
    ['junk', 'junk'],
  ])('is not used once the server has sent %s without a request', async (_what, text) => {
    await using server = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    await openedAhead(server);
    server.say(text);
    await drain(20);
    expect(await send(server.origin)).toMatchObject({ kind: 'answered', body: 'fine' });
    expect([server.connections(), server.requests.length]).toEqual([2, 1]);
  });

  it('is not opened any more once the transport is closed', async () => {
    await using server = await loopback(ok);
    await transport.close();
    transport.connectAhead({ url: server.origin });
    await drain(20);
    expect([server.connections(), scheduler.delays]).toEqual([0, []]);
  });

  it('is closed after a second without a request', async () => {
    await using server = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    await openedAhead(server);
    expect(scheduler.delays).toEqual([1_000]);
    scheduler.expire();
    while (server.open() > 0) await drain();
    expect((await send(server.origin)).kind).toBe('answered');
    expect(server.connections()).toBe(2);
  });

  it('is closed with the transport', async () => {
    await using server = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    await openedAhead(server);
    await transport.close();
    while (server.open() > 0) await drain();
    expect(scheduler.delays).toEqual([]);
  });

  it('is one of at most ten', async () => {
    await using server = await loopback(ok);
    for (let call = 0; call < 30; call += 1) transport.connectAhead({ url: server.origin });
    await openedAhead(server, 10);
    await drain(20);
    expect(server.connections()).toBe(10);
  });

  it('that was refused is opened again by its request', async () => {
    const port = await deadPort();
    transport.connectAhead({ url: `http://127.0.0.1:${port}` });
    await drain(20);
    expect(await send(`http://127.0.0.1:${port}`)).toMatchObject({
      kind: 'not_sent',
      cause: 'ECONNREFUSED',
    });
  });

  it.each(['nonsense', ''])('is not opened to %j', (url) => {
    expect(() => transport.connectAhead({ url })).not.toThrow();
  });
});

describe('a spare connection', () => {
  /** An announced request is answered; then the server sees one more connection, the spare one. */
  const announced = async (server: Loopback): Promise<void> => {
    transport.connectAhead({ url: server.origin });
    expect((await send(server.origin)).kind).toBe('answered');
  };
  const opened = async (server: Loopback, connections: number): Promise<void> => {
    scheduler.expire([1]);
    while (server.connections() < connections) await drain();
    await drain(5);
  };

  it('is opened after an announced request, and carries the next one', async () => {
    await using server = await loopback(ok);
    await announced(server);
    await opened(server, 2);
    await announced(server);
    await drain(5);
    expect([server.connections(), server.requests.length]).toEqual([2, 2]);
  });

  it('is only one, however many requests are announced at the same time', async () => {
    await using server = await loopback(ok);
    await announced(server);
    await opened(server, 2);
    for (let call = 0; call < 3; call += 1) transport.connectAhead({ url: server.origin });
    await Promise.all(Array.from({ length: 3 }, () => send(server.origin)));
    // The spare connection, and one for each of the other two requests.
    expect([server.connections(), server.requests.length]).toEqual([4, 4]);
    await opened(server, 5);
    expect(server.connections()).toBe(5);
  });

  it('is not followed by a second spare one', async () => {
    await using server = await loopback(ok);
    transport.connectAhead({ url: server.origin });
    await announced(server);
    await opened(server, 3);
    await send(server.origin);
    await opened(server, 3);
    expect([server.connections(), server.requests.length]).toEqual([3, 2]);
  });

  it('is not opened after a request that was not announced', async () => {
    await using server = await loopback(ok);
    await send(server.origin);
    expect(scheduler.delays).not.toContain(1);
  });

  it('serves only one announced request', async () => {
    await using server = await loopback(ok);
    await announced(server);
    await opened(server, 2);
    transport.connectAhead({ url: server.origin });
    transport.connectAhead({ url: server.origin });
    await drain(5);
    expect(server.connections()).toBe(3);
  });

  it('is closed after a second without a request', async () => {
    await using server = await loopback(ok);
    await announced(server);
    await opened(server, 2);
    scheduler.expire();
    while (server.open() > 0) await drain();
    expect(scheduler.delays).toEqual([]);
  });

  it('is not used once the server has closed it', async () => {
    await using server = await loopback(ok);
    await announced(server);
    await opened(server, 2);
    server.closeAll();
    while (server.open() > 0) await drain();
    await drain(5);
    transport.connectAhead({ url: server.origin });
    while (server.connections() < 3) await drain();
    await send(server.origin);
    expect([server.connections(), server.requests.length]).toEqual([3, 2]);
  });

  it('is not opened any more once the transport is closed', async () => {
    await using server = await loopback(ok);
    await announced(server);
    await transport.close();
    expect(scheduler.delays.filter((ms) => ms !== 10)).toEqual([]);
  });
});
