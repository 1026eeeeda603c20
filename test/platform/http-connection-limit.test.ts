import { Agent, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listen } from '../../src/platform/http-server.ts';
import { until } from '../support/until.ts';

const MOST = 6;

/** A listener with few connections; it answers `/held` only when the test says so. */
async function smallListener() {
  const held: ServerResponse[] = [];
  const answered: string[] = [];
  const begun: IncomingMessage[] = [];
  const app = (request: IncomingMessage, response: ServerResponse): void => {
    begun.push(request);
    request.resume();
    request.once('end', () => {
      if (request.url === '/held') return void held.push(response);
      answered.push(`${request.method ?? ''} ${request.url ?? ''}`);
      response.end('done');
    });
  };
  const where = { host: '127.0.0.1', port: 0, graceMs: 1 };
  const server = await listen(app, { ...where, maxConnections: MOST });
  const sockets: Socket[] = [];
  /** Opens a connection, and writes this on it. */
  const open = (text = ''): Socket => {
    const socket = connect(server.port, '127.0.0.1').resume();
    socket.on('error', () => undefined);
    if (text !== '') socket.write(text);
    sockets.push(socket);
    return socket;
  };
  const ask = (path: string, { method = 'GET', agent = new Agent() } = {}): Promise<number> =>
    new Promise((resolve, reject) => {
      const call = send(
        { host: '127.0.0.1', port: server.port, path, method, agent },
        (response) => {
          response.resume().once('end', () => resolve(response.statusCode ?? 0));
        },
      );
      call.once('error', reject).end();
    });
  return {
    ...{ server, held, answered, begun, open, ask },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await server.close();
    },
  };
}

const closedOf = (sockets: readonly Socket[]): number =>
  sockets.filter((socket) => socket.destroyed).length;

describe('a listener that is full', () => {
  it('takes a cancel, and closes the oldest connection that has sent nothing', async () => {
    await using listener = await smallListener();
    const silent = Array.from({ length: MOST + 3 }, () => listener.open());
    await until('those above the limit have taken places', () => closedOf(silent) === 3);
    expect(silent.slice(0, 3).every((socket) => socket.destroyed)).toBe(true);
    expect(await listener.ask('/order', { method: 'DELETE' })).toBe(200);
    expect(listener.answered).toEqual(['DELETE /order']);
  });

  it('takes it also where the others have sent half a request', async () => {
    await using listener = await smallListener();
    const body = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf';
    const slow = Array.from({ length: MOST }, (_, place) =>
      listener.open(place % 2 === 0 ? 'GET / HTTP/1.1\r\nHost' : body),
    );
    await until('all are open', () => slow.every((socket) => socket.bytesWritten > 0));
    for (let count = 0; count < MOST; count += 1) {
      expect(await listener.ask('/order', { method: 'DELETE' })).toBe(200);
    }
  });

  it('takes it also where the body of every other is still arriving, and closes the oldest of them', async () => {
    await using listener = await smallListener();
    const body = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf';
    const slow = Array.from({ length: MOST }, () => listener.open(body));
    await until('all heads have arrived', () => listener.begun.length === MOST);
    expect(await listener.ask('/order', { method: 'DELETE' })).toBe(200);
    await until('one is closed', () => closedOf(slow) === 1);
  });

  it('takes it also where the others have been answered and kept', async () => {
    await using listener = await smallListener();
    const agents = Array.from({ length: MOST }, () => new Agent({ keepAlive: true }));
    await Promise.all(agents.map((agent) => listener.ask('/', { agent })));
    expect(await listener.ask('/order', { method: 'DELETE' })).toBe(200);
    for (const agent of agents) agent.destroy();
  });

  it('keeps the connections of programs that ask, while silent ones are closed', async () => {
    await using listener = await smallListener();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let opened = 0;
    const createConnection = agent.createConnection.bind(agent);
    agent.createConnection = (...given) => {
      opened += 1;
      return createConnection(...given);
    };
    for (let round = 0; round < 5; round += 1) {
      expect(await listener.ask('/', { agent })).toBe(200);
      const silent = Array.from({ length: MOST }, () => listener.open());
      await until('a silent one is closed', () => closedOf(silent) > 0 || round === 0);
    }
    expect(opened).toBe(1);
    agent.destroy();
  });

  it('closes a further one where every other waits for its answer, and cuts none of them', async () => {
    await using listener = await smallListener();
    const waiting = Array.from({ length: MOST }, () => listener.ask('/held'));
    await until('all have arrived', () => listener.held.length === MOST);
    await expect(listener.ask('/')).rejects.toMatchObject({ code: 'ECONNRESET' });
    for (const response of listener.held) response.end('done');
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 200));
    expect(await listener.ask('/')).toBe(200);
  });
});
