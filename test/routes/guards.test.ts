import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hostsOf } from '../../src/routes/access.ts';
import { expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const port = () => new URL(app.url).port;

describe('the host check', () => {
  it.each(['127.0.0.1:PORT', 'localhost:PORT', 'LOCALHOST:PORT', '[::1]:PORT', 'gateway.test'])(
    'accepts the host %s',
    async (host) => {
      const response = await app.http.get('/health/live').set('Host', host.replace('PORT', port()));
      expect(response.status).toBe(200);
    },
  );

  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1:1',
    'localhost.evil.example:PORT',
    'gateway.test:PORT',
    '0.0.0.0:PORT',
  ])('refuses the host %s', async (host) => {
    const response = await app.http
      .get('/api/v1/positions')
      .set('Host', host.replace('PORT', port()))
      .set('Authorization', KEYS.admin);
    expectProblem(response, 421, 'wrong_host');
    expect(app.fake.calls).toEqual([]);
  });

  it('comes before everything else, even for an unknown path', async () => {
    expectProblem(await app.http.get('/nowhere').set('Host', 'evil.example'), 421, 'wrong_host');
  });

  it('refuses a request that names no host, as an HTTP/1.0 program may send it', async () => {
    const socket = connect(Number(port()), '127.0.0.1');
    socket.end('GET /api/v1/positions HTTP/1.0\r\n\r\n');
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 421 /);
    expect(app.fake.calls).toEqual([]);
  });

  it('accepts a host without port 80, which clients leave out', () => {
    expect(hostsOf(80)).toContain('localhost');
    expect(hostsOf(8420)).not.toContain('localhost');
  });
});

describe('the origin check', () => {
  const change = () =>
    app.http
      .post('/api/v1/kill-switch')
      .set('Authorization', KEYS.trade)
      .send({ engaged: true, reason: 'x' });

  it('accepts programs, which send no origin', async () => {
    expect((await change()).status).toBe(200);
  });

  it("accepts the gateway's own pages", async () => {
    const own = await change().set('Origin', app.url).set('Sec-Fetch-Site', 'same-origin');
    expect(own.status).toBe(200);
  });

  it.each([
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: 'chrome-extension://abcdef' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('refuses a change with %j', async (headers) => {
    expectProblem(await change().set(headers), 403, 'foreign_origin');
    expect(app.fake.calls).toEqual([]);
  });

  it('covers every route that changes something', async () => {
    for (const { method, path } of app.routes.filter((each) => each.method !== 'GET')) {
      const verb = method.toLowerCase() as 'post' | 'patch' | 'delete';
      const response = await app.http[verb](path)
        .set('Authorization', KEYS.admin)
        .set('Origin', 'https://evil.example');
      expectProblem(response, 403, 'foreign_origin');
    }
    expect([app.fake.calls, app.login.ended]).toEqual([[], 0]);
  });

  it('allows no page of another origin to read', async () => {
    const response = await app.http.get('/health/live').set('Origin', 'https://evil.example');
    expect(response.headers['access-control-allow-origin']).toBeUndefined();
    expect(response.headers['cross-origin-resource-policy']).toBe('same-origin');
    const preflight = await app.http
      .options('/api/v1/orders')
      .set('Origin', 'https://evil.example')
      .set('Access-Control-Request-Method', 'POST');
    expectProblem(preflight, 405, 'method_not_allowed');
    expect(preflight.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('keys', () => {
  const open = new Set([
    'GET /api/altbroker/login',
    'GET /api/altbroker/callback',
    'GET /api/altbroker/done',
    'GET /api/altbroker/status',
    'POST /api/altbroker/postback',
    'GET /health/live',
    'GET /health/ready',
    'GET /openapi.json',
    'GET /docs',
    // The page holds nothing of an account, and the link of a sign-in is a secret of its own.
    ...['GET /', 'GET /dashboard/app.js', 'GET /dashboard/app.css', 'GET /dashboard/icon.svg'],
    'POST /api/v1/sign-ins',
  ]);

  it('are required on every route but those that declare no scope', async () => {
    const free = app.routes.filter((each) => each.scope === 'none');
    expect(new Set(free.map((each) => `${each.method} ${each.path}`))).toEqual(open);
    for (const { method, path } of app.routes.filter((each) => each.scope !== 'none')) {
      const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
      const response = await app.http[verb](path);
      expectProblem(response, 401, 'unauthorized');
      expect(response.headers['www-authenticate']).toContain('Bearer');
    }
    expect([app.fake.calls, app.login.ended]).toEqual([[], 0]);
  });

  it('give access to their scope only', async () => {
    const order = ['read', 'trade', 'admin'] as const;
    for (const { method, path, scope } of app.routes) {
      if (scope === 'none') continue;
      for (const lower of order.slice(0, order.indexOf(scope))) {
        const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
        const response = await app.http[verb](path).set('Authorization', KEYS[lower]);
        const problem = expectProblem(response, 403, 'forbidden');
        expect(problem.detail).toContain(scope);
      }
    }
    expect([app.fake.calls, app.login.ended]).toEqual([[], 0]);
  });

  it('that are wrong are answered 429 after ten in a minute; valid ones still work', async () => {
    const ask = (key: string) => app.http.get('/api/v1/positions').set('Authorization', key);
    for (let count = 0; count < 10; count += 1) {
      expectProblem(await ask('Bearer wrong'), 401, 'unauthorized');
    }
    const slowed = await ask('Bearer wrong');
    expectProblem(slowed, 429, 'too_many_requests');
    expect(slowed.headers['retry-after']).toBe('60');
    expect((await ask(KEYS.read)).status).toBe(200);
    await app.time.advance(60_000);
    expectProblem(await ask('Bearer wrong'), 401, 'unauthorized');
  });

  it('that are missing are not counted, since any page can make a browser send such a request', async () => {
    for (let count = 0; count < 15; count += 1) {
      expectProblem(await app.http.get('/api/v1/positions'), 401, 'unauthorized');
    }
  });
});

describe('methods and paths', () => {
  it('answers an unknown path with 404', async () => {
    for (const path of ['/dashboard/', '/api/v1/nothing', '/health/live/', '/API/V1/orders']) {
      expectProblem(await app.http.get(path), 404, 'not_found');
    }
  });

  it('answers another method with 405 and the allowed methods', async () => {
    const response = await app.http.put('/api/v1/orders').set('Authorization', KEYS.admin);
    expectProblem(response, 405, 'method_not_allowed');
    expect(response.headers.allow).toBe('GET, HEAD, POST');
  });

  it('is answered whole although the client says that it has the answer: prices and orders change', async () => {
    const response = await app.http
      .get('/api/v1/positions')
      .set({ Authorization: KEYS.read, 'If-None-Match': '*' });
    expect([response.status, response.body]).toMatchObject([200, { status: 'success' }]);
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(response.text)));
  });

  it('answers HEAD as GET, without the body', async () => {
    const response = await app.http.head('/api/v1/positions').set('Authorization', KEYS.read);
    expect([response.status, response.text]).toEqual([200, undefined]);
    expect(app.fake.calls).toHaveLength(1);
  });

  it('answers a path with a wrong encoding with 400', async () => {
    const response = await app.http.get('/api/v1/orders/%zz').set('Authorization', KEYS.read);
    expectProblem(response, 400, 'invalid_request');
  });

  it('does not name its software', async () => {
    const response = await app.http.get('/nowhere');
    expect(response.headers['x-powered-by']).toBeUndefined();
    expect(response.headers['x-content-type-options']).toBe('nosniff');
  });

  it('gives each request an id of its own, and ignores one that the client sends', async () => {
    const ids = new Set<unknown>();
    for (let count = 0; count < 3; count += 1) {
      const response = await app.http.get('/health/live').set('X-Request-Id', 'mine');
      ids.add(response.headers['x-request-id']);
    }
    expect(ids.size).toBe(3);
    expect(ids).not.toContain('mine');
  });
});
