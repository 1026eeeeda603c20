import { request } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { TICKET_MS } from '../../src/routes/stream-tickets.ts';
import { openStream, type StreamClient } from '../support/stream-client.ts';
import { until } from '../support/until.ts';
import { type Harness, KEYS, startApp } from './support/harness.ts';

let app: Harness;
const open: { cut(): void }[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) client.cut();
  await app.close();
});

async function stream(query: string, headers: Record<string, string>): Promise<StreamClient> {
  const client = await openStream(`${app.url}/api/v1/stream${query}`, headers);
  open.push(client);
  return client;
}

/** The code of a refusal; null where the stream is open. */
async function refused(headers: Record<string, string>, query = ''): Promise<string | null> {
  const { refusal } = await stream(query, headers);
  return refusal === null ? null : JSON.parse(refusal.text).code;
}

async function ticket(): Promise<string> {
  const reply = await app.http.post('/api/v1/stream/tickets').set('Authorization', KEYS.read);
  expect(reply.status).toBe(201);
  expect(reply.body.data.expiresAt).toBe('2026-11-23T09:30:30.000+05:30');
  return reply.body.data.ticket;
}

describe('a stream is opened', () => {
  it('with a key in Authorization', async () => {
    app = await startApp();
    expect(await refused({ authorization: KEYS.read })).toBeNull();
    expect(await refused({ authorization: 'Bearer wrong' })).toBe('unauthorized');
    expect(await refused({})).toBe('unauthorized');
  });

  it('never with a key in the address', async () => {
    app = await startApp();
    expect(await refused({}, '?key=read-key')).toBe('unauthorized');
    expect(await refused({}, '?ticket=read-key')).toBe('unauthorized');
    expect(await refused({ authorization: KEYS.read }, '?key=read-key')).toBe('invalid_request');
  });

  it('with a ticket once, within 30 seconds', async () => {
    app = await startApp();
    const first = await ticket();
    expect(await refused({}, `?ticket=${first}`)).toBeNull();
    expect(await refused({}, `?ticket=${first}`)).toBe('unauthorized');
    const late = await ticket();
    await app.time.advance(TICKET_MS);
    expect(await refused({}, `?ticket=${late}`)).toBe('unauthorized');
    expect(app.lines.join()).not.toContain(first);
  });

  it('with a ticket that was used up by a wrong request no more', async () => {
    app = await startApp();
    const one = await ticket();
    expect(await refused({}, `?ticket=${one}&mode=all`)).toBe('invalid_request');
    expect(await refused({}, `?ticket=${one}`)).toBe('unauthorized');
  });

  it('with the cookie of a page of this origin, and of no other', async () => {
    app = await startApp();
    const cookie = 'other=1; altbroker_key=read-key';
    expect(await refused({ cookie, origin: app.url })).toBeNull();
    expect(await refused({ cookie, origin: 'https://evil.example' })).toBe('foreign_origin');
    expect(await refused({ cookie, origin: 'null' })).toBe('foreign_origin');
    expect(await refused({ cookie, origin: app.url, 'sec-fetch-site': 'cross-site' })).toBe(
      'foreign_origin',
    );
    // No browser leaves both out.
    expect(await refused({ cookie })).toBe('foreign_origin');
    expect(await refused({ cookie, 'sec-fetch-site': 'same-origin' })).toBeNull();
    expect(await refused({ cookie: 'altbroker_key=wrong', origin: app.url })).toBe('unauthorized');
  });

  it('by no other route with a cookie or a ticket', async () => {
    app = await startApp();
    const one = await ticket();
    const quotes = await app.http
      .get(`/api/v1/quotes?instruments=NSE:INFY`)
      .set({ Cookie: 'altbroker_key=read-key', Origin: app.url });
    expect(quotes.status).toBe(401);
    expect((await app.http.get(`/api/v1/events?ticket=${one}`)).status).toBe(401);
  });

  it('at an allowed Host alone', async () => {
    app = await startApp();
    expect(await refused({ authorization: KEYS.read, host: 'rebound.example' })).toBe('wrong_host');
  });

  it('and each request is logged and counted as any other', async () => {
    app = await startApp();
    const client = await stream('?instruments=INFY', { authorization: KEYS.read });
    client.cut();
    await until('the line is there', () => app.lines.some((line) => line.includes('"status":101')));
    const line = app.lines.find((each) => each.includes('"status":101')) ?? '';
    expect(JSON.parse(line)).toMatchObject({
      ...{ method: 'GET', path: '/api/v1/stream', caller: 'key_read' },
    });
    expect(line).not.toContain('INFY');
  });
});

describe('a request to upgrade', () => {
  /** Sends a request with these headers, and resolves with the status. */
  const upgrade = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const outgoing = request(`${app.url}${path}`, {
        headers: { connection: 'upgrade', upgrade: 'websocket', ...headers },
        agent: false,
      });
      outgoing.on('error', reject);
      outgoing.on('upgrade', (_response, socket) => {
        socket.destroy();
        resolve(101);
      });
      outgoing.on('response', (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      });
      outgoing.end();
    });

  it('of another address is answered as if it were none', async () => {
    app = await startApp();
    expect(await upgrade('/health/live', {})).toBe(200);
    expect(await upgrade('/api/v1/calendar', {})).toBe(401);
    expect(await upgrade('/nowhere', {})).toBe(404);
  });

  it('to another protocol is answered as if it were none', async () => {
    app = await startApp();
    expect(await upgrade('/health/live', { upgrade: 'h2c' })).toBe(200);
    // Its body is read, as that of any request.
    const posted = await app.http
      .post('/api/v1/kill-switch')
      .set({ Authorization: KEYS.trade, Connection: 'upgrade', Upgrade: 'h2c' })
      .send({ engaged: true, reason: 'test' });
    expect(posted.status).toBe(200);
  });

  it('with a wrong handshake is refused, and takes no place', async () => {
    app = await startApp();
    const authorization = KEYS.read;
    for (let count = 0; count < 40; count += 1) {
      expect(await upgrade('/api/v1/stream', { authorization })).toBe(400);
    }
    expect(await refused({ authorization })).toBeNull();
  });
});

describe('a key that is no longer valid', () => {
  it('ends its streams, those of its tickets among them, and no other', async () => {
    const valid = new Set(['Bearer read-key', 'Bearer trade-key']);
    app = await startApp({
      callers: {
        authenticate(header) {
          if (header === undefined || !valid.has(header)) return null;
          const name = header.slice(7);
          return { id: `key_${name}`, name, scope: 'read', broker: null, mode: null };
        },
      },
    });
    const own = await stream('', { authorization: KEYS.read });
    const ticketed = await stream(`?ticket=${await ticket()}`, {});
    const unused = await ticket();
    const other = await stream('', { authorization: KEYS.trade });
    valid.delete('Bearer read-key');
    app.prices.readers.recheck();
    for (const client of [own, ticketed]) {
      await until('it is closed', () => client.closeCode !== null);
      expect(client.messages.at(-1)).toMatchObject({ type: 'error', code: 'key_revoked' });
      expect(client.closeCode).toBe(1008);
    }
    expect(other.closeCode).toBeNull();
    expect(await refused({}, `?ticket=${unused}`)).toBe('unauthorized');
  });
});
