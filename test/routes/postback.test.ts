import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectDeclared, expectProblem, startApp, type Harness } from './support/harness.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const PATH = '/api/altbroker/postback';
const TEXT = '{ "order_id": "220303000308932",\t"status":"COMPLETE" }';

describe.each(['http', 'postback'] as const)('a postback at the %s listener', (listener) => {
  const send = (body: string | Buffer, type = 'application/json') =>
    app[listener]
      .post(PATH)
      .set('Content-Type', type)
      .serialize((asIs: string) => asIs)
      .send(body);

  it('is passed on as raw text, whatever its content type', async () => {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const response = await send(TEXT, type);
      expect(response.status).toBe(200);
      expectDeclared(app, `POST ${PATH}`, response);
    }
    expect(app.fake.calls).toEqual(Array(3).fill(['receivePostback', TEXT]));
  });

  it('is 200 when it is a repeat', async () => {
    app.fake.set({ receivePostback: async () => ({ kind: 'repeated' }) });
    const response = await send(TEXT);
    expect([response.status, response.body.data]).toEqual([200, { received: 'repeated' }]);
  });

  it('is 401 when its checksum is wrong', async () => {
    app.fake.set({ receivePostback: async () => ({ kind: 'forged' }) });
    expectProblem(await send(TEXT), 401, 'unauthorized');
  });

  it('is 400 when it cannot be read', async () => {
    app.fake.set({ receivePostback: async () => ({ kind: 'malformed', detail: 'no order_id' }) });
    expect(expectProblem(await send(TEXT), 400, 'invalid_request').detail).toBe('no order_id');
  });

  it('is 400 when it is empty or not text, and is not passed on', async () => {
    expectProblem(await app[listener].post(PATH), 400, 'invalid_request');
    expectProblem(await send(Buffer.from([0xff, 0xfe])), 400, 'invalid_request');
    expect(app.fake.calls).toEqual([]);
  });

  it('is accepted up to 64 KiB, and 413 above', async () => {
    expect((await send('x'.repeat(64 * 1024))).status).toBe(200);
    expectProblem(await send('x'.repeat(64 * 1024 + 1)), 413, 'body_too_large');
    expect(app.fake.calls).toHaveLength(1);
  });

  it('is not answered with 200 when it could not be stored', async () => {
    app.fake.set({ receivePostback: () => Promise.reject(new Error('disk full')) });
    expectProblem(await send(TEXT), 500, 'internal');
  });
});

describe('the postback listener', () => {
  it('accepts any host', async () => {
    const response = await app.postback
      .post(PATH)
      .set('Host', 'abc.tunnel.example')
      .set('Content-Type', 'application/json')
      .send(TEXT);
    expect(response.status).toBe(200);
  });

  it('serves only the postback route', async () => {
    for (const { method, path } of app.routes) {
      if (path === PATH) continue;
      const verb = method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete';
      expectProblem(await app.postback[verb](path), 404, 'not_found');
    }
    expect(app.fake.calls).toEqual([]);
  });

  it('answers another method with 405', async () => {
    const response = await app.postback.get(PATH);
    expectProblem(response, 405, 'method_not_allowed');
    expect(response.headers.allow).toBe('POST');
  });
});
