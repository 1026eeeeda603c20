import type { Socket as NetSocket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer, type WebSocket as ServerSocket } from 'ws';
import { createSocketConnector } from '../../src/platform/websocket-connector.ts';
import type { SocketEnd, SocketRequest } from '../../src/platform/websocket.ts';
import { until } from '../support/until.ts';
import { drain } from '../support/virtual-time.ts';
import { deadPort, handScheduler, loopback, reply } from './support/loopback.ts';

const SECRET = 'token-of-the-day';

/** A connection whose events are recorded in order. */
function connect(url: string, parts: Partial<SocketRequest> = {}) {
  const scheduler = handScheduler();
  const events: (string | Uint8Array)[] = [];
  const ends: SocketEnd[] = [];
  const socket = createSocketConnector(scheduler).connect(
    { url, handshakeMs: 5_000, maxMessageBytes: 1_000, ...parts },
    {
      onOpen: () => events.push('open'),
      onText: (text) => events.push(text),
      onBinary: (bytes) => events.push(bytes),
      onClose: (end) => ends.push(end),
    },
  );
  const end = (): Promise<SocketEnd> => until('the connection is over', () => ends[0] ?? null);
  return { scheduler, socket, events, ends, end };
}

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A WebSocket server: the test decides what it does with each connection. */
async function server(serve: (socket: ServerSocket, url: string) => void, deflate = false) {
  const sockets = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    perMessageDeflate: deflate ? { threshold: 0 } : false,
  });
  await new Promise((resolve) => sockets.once('listening', resolve));
  const headers: Record<string, unknown>[] = [];
  sockets.on('connection', (socket, request) => {
    headers.push(request.headers);
    socket.on('error', () => undefined);
    serve(socket, request.url ?? '');
  });
  opened.push(() => {
    for (const socket of sockets.clients) socket.terminate();
    return new Promise((resolve) => sockets.close(resolve));
  });
  const { port } = sockets.address() as { port: number };
  return { url: `ws://127.0.0.1:${port}/?api_key=k`, headers, clients: sockets.clients };
}

describe('an open connection', () => {
  it('carries text and bytes in order, and headers with the handshake', async () => {
    const { url, headers } = await server((socket) => {
      socket.send('one');
      socket.send(Buffer.of(2));
      socket.send('three');
    });
    const { events } = connect(url, { headers: { 'x-kite-version': '3' } });
    await until('all has come', () => events.length === 4);
    expect(events).toEqual(['open', 'one', Uint8Array.of(2), 'three']);
    expect(headers[0]).toMatchObject({ 'x-kite-version': '3' });
  });

  it('sends text', async () => {
    const heard: string[] = [];
    const { url } = await server((socket) => {
      socket.on('message', (data: Buffer, binary) => heard.push(`${binary}: ${String(data)}`));
    });
    const { socket, events } = connect(url);
    socket.send('too early, and dropped');
    await until('it is open', () => events.length === 1);
    socket.send('{"a":"subscribe"}');
    await until('it was heard', () => heard.length > 0);
    expect(heard).toEqual(['false: {"a":"subscribe"}']);
  });

  it.each([
    [
      'with a code when the other side closes it',
      (socket: ServerSocket) => socket.close(4_001),
      4_001,
    ],
    ['with 1006 when the line is cut', (socket: ServerSocket) => socket.terminate(), 1_006],
  ])('ends %s', async (_name, leave, code) => {
    const { url } = await server((socket) => socket.on('message', () => leave(socket)));
    const { socket, events, end, ends } = connect(url);
    await until('it is open', () => events.length === 1);
    socket.send('leave');
    expect(await end()).toEqual({ kind: 'closed', code });
    await drain(20);
    expect(ends).toHaveLength(1);
  });

  it.each([
    ['plain', false],
    ['compressed', true],
  ])('ends at a message that is too long: %s', async (_name, deflate) => {
    const { url } = await server((socket) => {
      socket.send(Buffer.alloc(1_000));
      socket.send(Buffer.alloc(1_001));
      socket.send('after');
    }, deflate);
    const { events, end } = connect(url);
    expect(await end()).toEqual({ kind: 'closed', code: 1_006 });
    expect(events).toEqual(['open', new Uint8Array(1_000)]);
  });

  it('is not ended by the deadline of its handshake', async () => {
    const { url } = await server(() => undefined);
    const { scheduler, events, ends } = connect(url);
    await until('it is open', () => events.length === 1);
    expect(scheduler.delays).toEqual([]);
    scheduler.expire();
    await drain(20);
    expect(ends).toEqual([]);
  });
});

describe('closing', () => {
  it('sends a close, and no event comes after it', async () => {
    const { url, clients } = await server((socket) => {
      socket.on('close', () => undefined);
      socket.send('one');
    });
    const { socket, events, ends } = connect(url);
    await until('one has come', () => events.length === 2);
    for (const client of clients) client.send('late');
    socket.close();
    socket.close();
    await until('the server sees it go', () => clients.size === 0);
    await drain(20);
    expect([events, ends]).toEqual([['open', 'one'], []]);
  });

  it('cuts the connection when the other side does not answer the close', async () => {
    let gone = false;
    const { url } = await server((socket) => {
      const line = (socket as unknown as { _socket: NetSocket })._socket;
      line.removeAllListeners('data');
      line.on('close', () => (gone = true));
      line.resume();
    });
    const { scheduler, socket, events } = connect(url);
    await until('it is open', () => events.length === 1);
    socket.close();
    await drain(20);
    expect(gone).toBe(false);
    scheduler.expire();
    await until('the line is cut', () => gone);
  });

  it('before there is a connection gives up the attempt', async () => {
    await using silent = await loopback(() => undefined);
    const { scheduler, socket, events, ends } = connect(`ws://127.0.0.1:${silent.port}`);
    await until('the handshake is under way', () => silent.requests.length === 1);
    socket.close();
    scheduler.expire();
    await until('the line is gone', () => silent.open() === 0);
    expect([events, ends]).toEqual([[], []]);
  });
});

describe('a connection that cannot be made', () => {
  it.each([403, 429, 502, 200, 302])('was refused with %d', async (status) => {
    await using other = await loopback((socket) =>
      socket.end(reply('no', `${status} No`, `location: ws://127.0.0.1:${other.port}/elsewhere`)),
    );
    const { end } = connect(`ws://127.0.0.1:${other.port}/?access_token=${SECRET}`);
    expect(await end()).toEqual({ kind: 'refused', status });
    expect(other.requests).toHaveLength(1);
  });

  it('failed at its deadline when nothing is answered', async () => {
    await using silent = await loopback(() => undefined);
    const { scheduler, end } = connect(`ws://127.0.0.1:${silent.port}`);
    await until('the handshake is under way', () => silent.requests.length === 1);
    scheduler.expire();
    expect(await end()).toEqual({ kind: 'failed', message: 'no connection within 5000 ms' });
    scheduler.expire();
    await until('the line is gone', () => silent.open() === 0);
  });

  const UPGRADE =
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n';
  it.each<[string, (socket: NetSocket) => void]>([
    ['the line is cut', (socket) => socket.destroy()],
    ['the answer is no HTTP', (socket) => socket.end('what?\r\n\r\n')],
    [
      'the answer is to another handshake',
      (socket) => socket.write(`${UPGRADE}sec-websocket-accept: x\r\n\r\n`),
    ],
  ])('failed when %s', async (_name, answer) => {
    await using other = await loopback(answer);
    const { end, events } = connect(`ws://127.0.0.1:${other.port}/?access_token=${SECRET}`);
    expect((await end()).kind).toBe('failed');
    expect(events).toEqual([]);
  });

  it('failed with that reason when nothing listens', async () => {
    const port = await deadPort();
    const { end } = connect(`ws://127.0.0.1:${port}/?access_token=${SECRET}`);
    const over = await end();
    expect(over).toEqual({ kind: 'failed', message: expect.stringContaining('ECONNREFUSED') });
    expect(JSON.stringify(over)).not.toContain(SECRET);
  });

  it.each([
    ['no address', 'nonsense', {}],
    ['the address of something else', `http://127.0.0.1/?access_token=${SECRET}`, {}],
    ['a header with a line break', 'ws://127.0.0.1:9/', { 'x-a': `b\r\n${SECRET}: d` }],
  ])('failed, and shows no secret, for %s', async (_name, url, headers) => {
    const { end, socket } = connect(url, { headers });
    const over = await end();
    expect(over.kind).toBe('failed');
    expect(JSON.stringify(over)).not.toContain(SECRET);
    socket.close();
  });

  it('reports no event once it has been given up', async () => {
    const { socket, ends } = connect('nonsense');
    socket.close();
    await drain(5);
    expect(ends).toEqual([]);
  });
});
