import { Agent, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/platform/http-server.ts';
import { until } from '../support/until.ts';
import { VirtualTime } from '../support/virtual-time.ts';

function get(port: number, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = send({ host: '127.0.0.1', port, agent }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    });
    call.on('error', reject);
    call.end();
  });
}

/** A server that answers when the test tells it to. */
async function heldServer(time?: VirtualTime) {
  const held: ServerResponse[] = [];
  let arrived: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (arrived = resolve));
  const app = (_request: IncomingMessage, response: ServerResponse): void => {
    held.push(response);
    arrived();
  };
  const scheduler = time ? { scheduler: time } : {};
  const server = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 120_000, ...scheduler });
  return { server, held, first };
}

describe('a listener', () => {
  it('reports the port that the system assigned', async () => {
    const { server } = await heldServer();
    expect(server.port).toBeGreaterThan(0);
    await server.close();
  });

  it('rejects when the port is taken', async () => {
    const { server } = await heldServer();
    const again = listen(() => undefined, { host: '127.0.0.1', port: server.port });
    await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
    await server.close();
  });

  it('answers requests in flight before it closes, and accepts no new one', async () => {
    const agent = new Agent({ keepAlive: true });
    const { server, held, first } = await heldServer();
    const inFlight = get(server.port, agent);
    await first;
    const closed = server.close();
    await expect(get(server.port, new Agent())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    held[0]!.end('done');
    expect(await inFlight).toBe(200);
    await closed;
    agent.destroy();
  });

  it('closes idle connections', async () => {
    const agent = new Agent({ keepAlive: true });
    const server = await listen((_request, response) => response.end(), {
      host: '127.0.0.1',
      port: 0,
    });
    expect(await get(server.port, agent)).toBe(200);
    await server.close();
    await server.close();
    agent.destroy();
  });

  it('closes the oldest of its connections above its limit, and says so once a minute', async () => {
    const time = new VirtualTime(0);
    let told = 0;
    const server = await listen((_request, response) => response.end(), {
      host: '127.0.0.1',
      port: 0,
      scheduler: time,
      maxConnections: 2,
      onFull: () => void (told += 1),
    });
    const open = async (): Promise<Socket> => {
      const socket = connect(server.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.once('connect', resolve));
      return socket;
    };
    const sockets = [await open(), await open()];
    /** One more is open, and the oldest of those before it is closed. */
    const replaced = async (): Promise<void> => {
      const oldest = sockets.shift()?.resume();
      sockets.push(await open());
      await until('the oldest is closed', () => oldest?.destroyed === true);
    };
    await replaced();
    await replaced();
    expect([told, ...sockets.map(({ destroyed }) => destroyed)]).toEqual([1, false, false]);
    await time.advance(60_000);
    await replaced();
    expect(told).toBe(2);
    for (const socket of sockets) socket.destroy();
    const agent = new Agent();
    await until('a place is free', () => get(server.port, agent).catch(() => null));
    await server.close();
    expect(time.pending).toBe(0);
  });

  it('answers before a body has come, and soon closes the connection of one that goes on', async () => {
    const time = new VirtualTime(0);
    const app = (_request: IncomingMessage, response: ServerResponse): void => {
      response.statusCode = 413;
      response.end('no');
    };
    const server = await listen(app, { host: '127.0.0.1', port: 0, scheduler: time });
    const socket = connect(server.port, '127.0.0.1');
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const answered = new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nxxx');
    expect(await answered).toMatch(/^HTTP\/1.1 413 /);
    await until('the rest is discarded', () => time.pending === 1);
    socket.write('x'.repeat(100_000));
    await time.advance(1_000);
    await closed;
    await server.close();
  });

  it('keeps the connection of a body that ends soon after its answer', async () => {
    const time = new VirtualTime(0);
    const { server, held, first } = await heldServer(time);
    const socket = connect(server.port, '127.0.0.1');
    let got = '';
    socket.on('data', (data) => (got += String(data)));
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nx');
    await first;
    held[0]!.end('one');
    await until('the rest is awaited', () => time.pending === 1);
    socket.write('xxx');
    await until('no more is awaited', () => time.pending === 0);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await until('the next has come', () => held.length === 2);
    held[1]!.end('two');
    await until('both are answered', () => got.includes('one') && got.includes('two'));
    socket.destroy();
    await server.close();
  });

  it('cuts requests that are still in flight when the waiting time is over', async () => {
    const time = new VirtualTime(0);
    const { server, first } = await heldServer(time);
    const inFlight = get(server.port, new Agent());
    await first;
    const closed = server.close();
    const cut = expect(inFlight).rejects.toMatchObject({ code: 'ECONNRESET' });
    await time.advance(120_000);
    await cut;
    await closed;
  });
});
