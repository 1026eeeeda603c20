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

const CHUNKED = 'transfer-encoding: chunked';

/** The rules hold on a fresh connection and on a kept one. */
describe.each([
  ['a connection of its own', true],
  ['a kept connection', false],
])('a request over %s', (_name, fresh) => {
  it('is answered with status, headers and body', async () => {
    await using server = await loopback((socket) =>
      socket.write(reply('₹ 1', '404 Not Here', 'X-One: 1', 'X-Many: a', 'X-Many: b')),
    );
    expect(await send(`${server.origin}/path?a=1`, { fresh })).toEqual({
      kind: 'answered',
      status: 404,
      statusText: 'Not Here',
      headers: { 'content-length': '5', 'x-one': '1', 'x-many': 'a, b' },
      body: '₹ 1',
    });
    expect(server.requests[0]).toMatch(/^GET \/path\?a=1 HTTP\/1\.1\r\n/);
  });

  it.each(['GET', 'POST', 'PUT', 'DELETE'] as const)('carries a body: %s', async (method) => {
    await using server = await loopback(ok);
    const headers = { 'content-type': 'application/json', authorization: 'token' };
    await send(server.origin, { fresh, method, headers, body: '{"order_id":"1"}' });
    const [request] = server.requests;
    expect(request).toMatch(new RegExp(`^${method} / HTTP`));
    expect(request).toContain('authorization: token');
    expect(request).toMatch(/\r\n\r\n\{"order_id":"1"\}$/);
  });

  it('was not sent when the connection is refused', async () => {
    const port = await deadPort();
    expect(await send(`http://127.0.0.1:${port}`, { fresh })).toMatchObject({
      kind: 'not_sent',
      cause: 'ECONNREFUSED',
    });
  });

  it('was not sent when the TLS handshake fails', async () => {
    await using server = await loopback(ok);
    // This server takes the start of a TLS handshake for part of a request, and waits for the rest.
    const asked = send(`https://127.0.0.1:${server.port}`, { fresh });
    while (server.open() === 0) await drain();
    await server[Symbol.asyncDispose]();
    expect((await asked).kind).toBe('not_sent');
    expect(server.requests).toEqual([]);
  });

  it.each<[string, Partial<HttpRequest>]>([
    ['a header with a line break', { headers: { 'x-a': 'b\r\nx-c: d' } }],
    ['a header with an impossible name', { headers: { 'x a': 'b' } }],
    ['no address', { url: 'nonsense' }],
    ['an address of another kind', { url: 'ftp://127.0.0.1/' }],
    ['an impossible port', { url: 'http://127.0.0.1:99999/' }],
  ])('was not sent with %s', async (_what, parts) => {
    await using server = await loopback(ok);
    expect((await send(server.origin, { fresh, ...parts })).kind).toBe('not_sent');
    expect(server.requests).toEqual([]);
  });

  it('is broken when the connection is reset before a reply, and not sent again', async () => {
    await using server = await loopback((socket) => socket.resetAndDestroy());
    expect(await send(server.origin, { fresh, method: 'POST', body: 'x' })).toMatchObject({
      kind: 'broken',
      cause: 'reset',
      status: null,
    });
    await drain(5);
    expect(server.requests).toHaveLength(1);
  });

  it('is not sent again when it only reads', async () => {
    await using server = await loopback((socket) => socket.resetAndDestroy());
    expect((await send(server.origin, { fresh })).kind).toBe('broken');
    await drain(5);
    expect(server.requests).toHaveLength(1);
  });

  it('is broken when the connection ends without a reply', async () => {
    await using server = await loopback((socket) => socket.end());
    expect(await send(server.origin, { fresh })).toMatchObject({
      kind: 'broken',
      cause: 'reset',
      status: null,
    });
  });

  it.each([
    ['ends', (socket: Socket) => socket.end()],
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
  ])('is broken, with its status, when the connection %s within the body', async (_how, stop) => {
    await using server = await loopback((socket) => {
      socket.write(reply('0123456789', '503 Away').slice(0, -5), () => setImmediate(stop, socket));
    });
    const answer = await send(server.origin, { fresh });
    expect(answer).toMatchObject({ kind: 'broken', cause: 'reset' });
    // A reset may overtake data sent before it; an end does not.
    expect([503, null]).toContain(answer.kind === 'broken' ? answer.status : 'answered');
  });

  it('is broken, with its status, when the body ends too early', async () => {
    await using server = await loopback((socket) => {
      socket.end(reply('0123456789', '200 OK').slice(0, -5));
    });
    expect(await send(server.origin, { fresh })).toMatchObject({ kind: 'broken', status: 200 });
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n', null],
    ['a page and no head', '<html></html>', null],
    ['a length that is no number', 'HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n', null],
    ['chunks that are none', `HTTP/1.1 200 OK\r\n${CHUNKED}\r\n\r\nZZ\r\n`, 200],
  ])('is broken when the reply is %s', async (_what, text, status) => {
    await using server = await loopback((socket) => socket.write(text));
    const answer = await send(server.origin, { fresh });
    expect(answer).toMatchObject({ kind: 'broken', cause: 'malformed', status });
  });

  it('is broken at its deadline when no reply comes', async () => {
    await using server = await loopback(() => scheduler.expire());
    expect(await send(server.origin, { fresh })).toEqual({
      kind: 'broken',
      cause: 'deadline',
      message: 'no whole reply within 5000 ms',
      status: null,
    });
  });

  it('is broken at its deadline also when the reply arrives byte by byte', async () => {
    await using server = await loopback((socket) => {
      socket.write(reply('0123456789').slice(0, -9), () => {
        socket.write('1', () => socket.write('2', () => scheduler.expire()));
      });
    });
    expect(await send(server.origin, { fresh })).toMatchObject({
      kind: 'broken',
      cause: 'deadline',
    });
    while (server.open() > 0) await drain();
  });

  it('is broken when the reply is larger than allowed', async () => {
    await using server = await loopback((socket) => socket.write(reply('0123456789')));
    expect(await send(server.origin, { fresh, maxReplyBytes: 9 })).toMatchObject({
      kind: 'broken',
      cause: 'too_large',
      status: 200,
    });
    expect(await send(server.origin, { fresh, maxReplyBytes: 10 })).toMatchObject({
      kind: 'answered',
      body: '0123456789',
    });
  });

  it('does not follow a redirect', async () => {
    await using server = await loopback((socket) =>
      socket.write(reply('', '302 Found', `location: http://127.0.0.1:${socket.localPort}/other`)),
    );
    expect(await send(server.origin, { fresh })).toMatchObject({ kind: 'answered', status: 302 });
    expect(server.requests).toHaveLength(1);
  });

  it('leaves no deadline behind', async () => {
    await using server = await loopback(ok);
    await send(server.origin, { fresh });
    await send(`http://127.0.0.1:${await deadPort()}`, { fresh });
    // The remaining timers close the connections, some time after their answers.
    expect(scheduler.delays.filter((ms) => ms > 10)).toEqual([]);
  });

  it('can be limited to IPv4', async () => {
    await using server = await loopback(ok);
    const url = `http://localhost:${server.port}/`;
    expect((await send(url, { fresh, ipv4: true })).kind).toBe('answered');
  });
});

describe('a request on a fresh connection', () => {
  it('opens no second one, and uses none that was opened for another request', async () => {
    await using server = await loopback(() => {
      scheduler.expire();
      transport.connectAhead({ url: server.origin });
    });
    expect((await send(server.origin)).kind).toBe('broken');
    await drain(20);
    // Its own connection, and the one that was opened ahead.
    expect([server.connections(), server.requests.length]).toEqual([2, 1]);
  });

  it('closes the connection when the request could not be made', async () => {
    await using server = await loopback(ok);
    await send(server.origin, { headers: { 'x a': 'b' } });
    while (server.connections() === 0) await drain();
    scheduler.expire();
    while (server.open() > 0) await drain();
    expect(server.requests).toEqual([]);
  });

  it('was not sent when its deadline passes before there is a connection', async () => {
    await using server = await loopback(ok);
    // A plain HTTP server does not answer the start of a TLS handshake.
    const asked = send(`https://127.0.0.1:${server.port}`, { method: 'POST', body: 'order' });
    while (server.open() === 0) await drain();
    scheduler.expire();
    // At once, and not only when the system gives up.
    expect(await Promise.race([asked, drain(20)])).toEqual({
      kind: 'not_sent',
      cause: 'ETIMEDOUT',
      message: 'no connection within 4000 ms',
    });
  });

  it('is asked at last whether it may leave, and writes nothing where it may not', async () => {
    await using server = await loopback(ok);
    const asked: boolean[] = [];
    const mayLeave = (): boolean => {
      asked.push(server.connections() === 1);
      return false;
    };
    expect(await send(server.origin, { method: 'POST', body: 'order', mayLeave })).toEqual({
      kind: 'not_sent',
      cause: 'held_back',
      message: 'it was kept back before it was written',
    });
    // Once its connection is open, and not before.
    expect([asked, server.requests]).toEqual([[true], []]);
    const kept = await send(server.origin, { mayLeave: () => JSON.parse('') as boolean });
    expect([kept, server.requests]).toMatchObject([{ cause: 'held_back' }, []]);
    expect(await send(server.origin, { mayLeave: () => true })).toMatchObject({ status: 200 });
  });

  it('never uses an existing connection, and leaves none for another request', async () => {
    await using server = await loopback(ok);
    await send(server.origin, { fresh: false });
    for (let call = 0; call < 3; call += 1) await send(server.origin);
    expect(server.connections()).toBe(4);
    await send(server.origin, { fresh: false });
    expect(server.connections()).toBe(4);
  });

  it('closes the connection after the reply', async () => {
    await using server = await loopback(ok);
    await send(server.origin);
    expect(scheduler.delays).toEqual([10]);
    scheduler.expire();
    while (server.open() > 0) await drain();
    expect(server.connections()).toBe(1);
  });

  it('has its own connection also when others run at the same time', async () => {
    await using server = await loopback(ok);
    await Promise.all(Array.from({ length: 4 }, () => send(server.origin)));
    expect(server.connections()).toBe(4);
  });
});

describe('a kept connection', () => {
  it('serves one request after the other', async () => {
    await using server = await loopback(ok);
    for (let call = 0; call < 3; call += 1) {
      await send(server.origin, { fresh: false });
      await drain();
    }
    expect([server.connections(), server.requests.length]).toEqual([1, 3]);
  });

  it('is closed with the transport', async () => {
    await using server = await loopback(ok);
    await send(server.origin, { fresh: false });
    await transport.close();
    while (server.open() > 0) await drain();
  });
});
