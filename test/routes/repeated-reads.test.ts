import request from 'supertest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Caller } from '../../src/callers/caller.ts';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { listen } from '../../src/platform/http-server.ts';
import { createIds } from '../../src/platform/ids.ts';
import { defineRoute, json } from '../../src/routes/define-route.ts';
import type { ObservedRequest } from '../../src/routes/observe-requests.ts';
import { createRepeatedReads } from '../../src/routes/repeated-reads.ts';
import { epochMs } from '../../src/units/branded.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { CALLERS, KEYS, startApp, type Harness } from './support/harness.ts';

const QUOTE = '/api/v1/quotes?instruments=NSE:INFY';

let app: Harness;
let asked: number;
let observed: ObservedRequest[];
/** Whom the key of scope `read` lets in. */
let reader: Caller | null;

beforeEach(async () => {
  [asked, observed, reader] = [0, [], CALLERS.read];
  app = await startApp({
    callers: { authenticate: (header) => (header === KEYS.read ? reader : null) },
    observe: (request) => void observed.push(request),
  });
  const answer = await app.fake.gateway.getQuotes(['NSE:INFY'], {});
  app.fake.set({
    getQuotes: async () => {
      asked += 1;
      return answer;
    },
  });
});
afterEach(() => app.close());

const get = (path = QUOTE) => app.http.get(path).set('Authorization', KEYS.read);

async function lines(): Promise<Record<string, unknown>[]> {
  await app.http.get('/health/live');
  await app.http.get('/health/live');
  return app.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ path }) => path === '/api/v1/quotes');
}

describe('a read that repeats another one word for word', () => {
  it('is answered by the same words and headers, from what is known now', async () => {
    const [first, second] = [await get(), await get()];
    expect(first.status).toBe(200);
    expect(second.status).toBe(200);
    expect(second.body).toEqual(first.body);
    const headers = ({ headers: all }: typeof first) => ({ ...all, 'x-request-id': 'any' });
    expect(headers(second)).toEqual(headers(first));
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(asked).toBe(2);
  });

  it('has its line in the log and its place in the metrics like any other', async () => {
    await get();
    const { headers } = await get();
    const [first, second] = await lines();
    expect(second).toEqual({
      ...first,
      requestId: headers['x-request-id'],
      time: expect.any(String),
    });
    expect(observed.filter(({ route }) => route === '/api/v1/quotes')).toEqual([
      { method: 'GET', route: '/api/v1/quotes', status: 200, ms: expect.any(Number) },
      { method: 'GET', route: '/api/v1/quotes', status: 200, ms: expect.any(Number) },
    ]);
  });

  it('is refused once its key is valid no more', async () => {
    await get();
    reader = null;
    expect((await get()).body.code).toBe('unauthorized');
    expect(asked).toBe(1);
  });

  it('is refused under a host that is not on the list', async () => {
    await get();
    const reply = await get().set('Host', 'evil.example');
    expect([reply.status, reply.body.code]).toEqual([421, 'wrong_host']);
    expect(asked).toBe(1);
  });

  it('is refused without a key, and with another key', async () => {
    await get();
    expect((await app.http.get(QUOTE)).status).toBe(401);
    expect((await app.http.get(QUOTE).set('Authorization', 'Bearer other')).status).toBe(401);
    expect(asked).toBe(1);
  });

  it('is no reading of another kind: HEAD and other methods are the application’s', async () => {
    await get();
    const head = await app.http.head(QUOTE).set('Authorization', KEYS.read);
    expect([head.status, head.text]).toEqual([200, undefined]);
    const posted = await app.http.post(QUOTE).set('Authorization', KEYS.read);
    expect(posted.status).toBe(405);
  });

  it('has its line also where who asked has gone before the answer', async () => {
    await get();
    const answer = await app.fake.gateway.getQuotes(['NSE:INFY'], {});
    const held = Promise.withResolvers<typeof answer>();
    const arrived = Promise.withResolvers<void>();
    app.fake.set({
      getQuotes: () => {
        arrived.resolve();
        return held.promise;
      },
    });
    const gone = get();
    gone.end(() => undefined);
    await arrived.promise;
    gone.abort();
    await app.http.get('/health/live');
    await app.http.get('/health/live');
    held.resolve(answer);
    expect(await lines()).toHaveLength(2);
  });

  it('tells what went wrong as the first one would, and asks for it once', async () => {
    await get();
    app.fake.set({
      getQuotes: async () => {
        asked += 1;
        await app.time.advance(2_000);
        throw new GatewayProblem({ code: 'no_broker', detail: 'no broker has a session' });
      },
    });
    const repeated = await get();
    const first = await get(`${QUOTE}&maxAgeMs=1000`);
    expect(repeated.body).toEqual({ ...first.body, requestId: expect.any(String) });
    expect(repeated.status).toBe(first.status);
    expect(observed.map(({ ms }) => ms)).toEqual([0, 2_000, 2_000]);
    expect(repeated.headers['x-request-id']).toBe(repeated.body.requestId);
    expect(asked).toBe(3);
  });
});

describe('what is kept', () => {
  const checked = { params: {}, query: {}, headers: {}, body: undefined };
  const route = defineRoute({
    ...{ method: 'GET', path: '/prices', scope: 'read', operationId: 'prices', tag: 'Prices' },
    ...{ summary: 'Prices', isRepeatable: true, problems: [], replies: {} },
    handler: async ({ caller: { name } }) => json(200, { name }),
  });

  /** Who answers: `kept`, or the application that is behind it. */
  async function answering() {
    const time = new VirtualTime(epochMs(1_790_000_000_000));
    const repeated = createRepeatedReads({
      ...{ callers: { authenticate: () => reader }, allowedHosts: () => ['gateway.test'] },
      ...{ ids: createIds((count) => new Uint8Array(count)), clock: time },
      context: { jsonHead: () => [], began: () => undefined },
      ...{ log: { handler: () => undefined, write: () => undefined }, observe: () => undefined },
    });
    const main = repeated.before((_request, response) => void response.end('application'));
    const { port, close } = await listen(main, { host: '127.0.0.1', port: 0 });
    const by = async (url: string): Promise<string> => {
      const sent = request(`http://127.0.0.1:${port}`).get(url).set('Host', 'gateway.test');
      return (await sent.buffer()).text === '{"name":"read"}' ? 'kept' : 'application';
    };
    const keep = (url: string): void =>
      repeated.keep({ method: 'GET', url }, route, CALLERS.read, checked);
    return { by, keep, [Symbol.asyncDispose]: close };
  }

  it('is left to the application where the key was changed since', async () => {
    await using server = await answering();
    server.keep('/prices');
    expect(await server.by('/prices')).toBe('kept');
    reader = { ...CALLERS.read, broker: 'paper' };
    expect(await server.by('/prices')).toBe('application');
  });

  it('is the last five hundred requests, none of them longer than 2,000 characters', async () => {
    await using server = await answering();
    for (let count = 0; count <= 500; count += 1) server.keep(`/prices?n=${count}`);
    expect(await server.by('/prices?n=0')).toBe('application');
    expect(await server.by('/prices?n=1')).toBe('kept');
    const long = `/prices?n=${'1'.repeat(2_000)}`;
    server.keep(long);
    expect(await server.by(long)).toBe('application');
  });
});
