import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { createPino } from '../../src/platform/log.ts';
import { LINES_A_MINUTE } from '../../src/routes/log-line-limit.ts';
import { MOST_A_MINUTE } from '../../src/signals/rate-limits.ts';
import { ALERT, TRADINGVIEW } from '../signals/support/templates.ts';
import { createStage, serveGateway, type ServedGateway, type Stage } from '../support/served.ts';
import { fetchReply } from '../support/socket-client.ts';
import { until } from '../support/until.ts';

const MOST_CONNECTIONS = 64;
const POSTS = 1_500;
const AT_ONCE = 40;
const ENDLESS = 6;

/** Hooks of two keys: one whose path the flood knows, and one that only its own sender knows. */
async function addHooks({ client, hooksUrl }: ServedGateway) {
  const add = async (name: string, more: object) => {
    const key = await client.post('/api/v1/keys', { name, scope: 'trade' });
    const asked = { name, key: key.body.data.id, template: TRADINGVIEW, ...more };
    const { body } = await client.post('/api/v1/hooks', asked);
    return `${new URL(String(hooksUrl)).origin}${body.data.path}`;
  };
  // Whoever posts comes from no address of the list.
  return { known: await add('known', { addresses: ['192.0.2.1'] }), own: await add('own', {}) };
}

/** Connections that say nothing, and others that never finish their body. */
function occupy(url: string): { readonly sockets: readonly Socket[]; open(): number } {
  const { hostname, port, pathname } = new URL(url);
  let closed = 0;
  const sockets = Array.from({ length: MOST_CONNECTIONS + 40 }, (_, number) => {
    const socket = connect(Number(port), hostname).resume();
    socket.on('error', () => undefined).once('close', () => (closed += 1));
    const head = `POST ${pathname} HTTP/1.1\r\nHost: hooks\r\nContent-Length: 60000\r\n\r\n{`;
    if (number % 2 === 0) socket.write(head);
    return socket;
  });
  return { sockets, open: () => sockets.length - closed };
}

/** Posts a body that never ends; resolves with the answer once the server has closed the connection. */
function postEndless(url: string): Promise<string> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
  let answer = '';
  const write = (): void => {
    if (!socket.destroyed && socket.write(chunk)) setImmediate(write);
  };
  socket.write(`POST ${pathname} HTTP/1.1\r\nHost: hooks\r\nTransfer-Encoding: chunked\r\n\r\n`);
  socket.on('drain', write).setEncoding('utf8');
  write();
  return new Promise((resolve) => {
    socket.on('data', (text: string) => (answer += text)).on('error', () => undefined);
    socket.once('close', () => resolve(answer.split('\r\n')[0] ?? ''));
  });
}

/** Posts refused ones, so many at a time: at wrong paths, too large, and at the known hook. */
async function flood(known: string): Promise<readonly number[]> {
  const guess = known.replace(/[0-9a-f]{64}$/, 'f'.repeat(64));
  const posts = Array.from({ length: POSTS }, (_, number) => {
    if (number % 10 === 0) return { url: known, body: 'x'.repeat(70_000) };
    const body = JSON.stringify({ ...ALERT, id: `flood ${number}` });
    return { url: number % 3 === 0 ? known : guess, body };
  });
  const statuses: number[] = [];
  const send = async (): Promise<void> => {
    for (let post = posts.pop(); post; post = posts.pop()) {
      // One whose connection gave its place to another has no answer.
      const reply = await fetchReply(post.url, { method: 'POST', body: post.body }).catch(
        () => null,
      );
      if (reply !== null) statuses.push(reply.status);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, send));
  return statuses;
}

function rowsOf({ dataDirectory }: Stage, table: 'signals' | 'events'): number {
  const database = openDatabase(join(dataDirectory, 'journal.db'));
  const found = database.prepare(`SELECT count(*) AS count FROM ${table}`).get();
  database.close();
  return Number(found?.['count']);
}

describe('the listener of hooks, when it is flooded', () => {
  it('takes the alerts of others and leaves the main listener, the memory and the disk alone', async () => {
    await using stage = await createStage();
    const lines: string[] = [];
    const pino = createPino('info', { write: (line: string) => void lines.push(line) });
    await using gateway = await serveGateway(stage, { APP_HOOKS_PORT: '0' }, pino);
    const { known, own } = await addHooks(gateway);
    const [events, linesBefore] = [rowsOf(stage, 'events'), lines.length];
    const occupied = occupy(known);
    try {
      await until('those above the limit are closed', () => occupied.open() <= MOST_CONNECTIONS);
      let isOver = false;
      const answered = flood(known).finally(() => (isOver = true));
      const endless = Promise.all(Array.from({ length: ENDLESS }, () => postEndless(known)));
      const meanwhile: number[] = [];
      const ask = async (): Promise<void> => {
        while (!isOver) meanwhile.push((await gateway.client.get('/api/v1/kill-switch')).status);
      };
      const asked = ask();
      const order = { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, product: 'CNC' };
      const placed = await gateway.client.place({ ...order, orderType: 'MARKET' }, 'in the flood');
      const body = JSON.stringify({ ...ALERT, at: new Date().toISOString() });
      const alert = await until('an alert of another hook is answered', () =>
        fetchReply(own, { method: 'POST', body }).catch(() => null),
      );
      const statuses = await answered;
      await asked;

      // Everything is refused, and whoever goes on sending is cut off.
      expect(new Set(statuses)).toEqual(new Set([403, 404, 413, 429]));
      expect(new Set(await endless)).toEqual(new Set(['HTTP/1.1 413 Payload Too Large']));
      expect([placed.status, alert.status]).toEqual([201, 202]);
      expect(meanwhile.length).toBeGreaterThan(10);
      expect(new Set(meanwhile)).toEqual(new Set([200]));
      expect(occupied.open()).toBeLessThanOrEqual(MOST_CONNECTIONS);
    } finally {
      for (const socket of occupied.sockets) socket.destroy();
    }
    // A minute may have ended in between.
    const minutes = 2;
    const refused = rowsOf(stage, 'signals') - 1;
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThanOrEqual(MOST_A_MINUTE * minutes);
    // Each of them is an event; some more tell of the two orders, and of the alert to a person.
    expect(rowsOf(stage, 'events') - events).toBeLessThanOrEqual(MOST_A_MINUTE * minutes + 30);
    const written = lines.slice(linesBefore).filter((line) => /"path":"(\/hooks|\(no)/.test(line));
    expect(written.length).toBeGreaterThan(0);
    expect(written.length).toBeLessThanOrEqual((LINES_A_MINUTE.refused + 2) * minutes);
  });
});
