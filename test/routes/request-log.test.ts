import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { LINES_A_MINUTE } from '../../src/routes/log-line-limit.ts';
import { KEYS, startApp, type Harness } from './support/harness.ts';
import { VALID } from './support/fake-session.ts';

const CANARY = 'canary-9b1f03';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

/** A line is written after its answer is sent: after one more answer, all earlier lines are there. */
async function lines(): Promise<Record<string, unknown>[]> {
  await app.http.get('/health/live');
  await app.http.get('/health/live');
  const all = app.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return all.filter((line) => line.path !== '/health/live');
}

describe('the request log', () => {
  it('has one line for a request, of allow-listed fields', async () => {
    const response = await app.http
      .get('/api/v1/orders/ord_1?broker=alt')
      .set('Authorization', KEYS.read);
    expect(await lines()).toEqual([
      {
        level: 30,
        time: expect.any(String),
        requestId: response.headers['x-request-id'],
        method: 'GET',
        path: '/api/v1/orders/{id}',
        status: 200,
        ms: 0,
        caller: 'key_read',
        msg: 'answered',
      },
    ]);
  });

  it('has a line for a refused request too', async () => {
    await app.http.get(`/nowhere/${CANARY}`);
    await app.http.get('/api/v1/positions').set('Host', 'evil.example');
    await app.http.put('/api/v1/orders');
    const statuses = (await lines()).map(({ status, path }) => [status, path]);
    expect(statuses).toEqual([
      [404, '(no route)'],
      [421, '(no route)'],
      [405, '/api/v1/orders'],
    ]);
  });

  it('names the address of a refused sender, and no key', async () => {
    const wrong = { Authorization: `Bearer ${CANARY}` };
    for (let count = 0; count < 11; count += 1) await app.http.get('/api/v1/positions').set(wrong);
    await app.http.get('/api/v1/positions');
    await app.http.get('/api/altbroker/token').set('Authorization', KEYS.read);
    await app.http.get('/health/live').set('Host', 'evil.example');
    app.fake.set({ receivePostback: async () => ({ kind: 'forged' }) });
    await app.postback.post('/api/altbroker/postback').send({ checksum: CANARY });
    app.login.failure = new GatewayProblem({ code: 'login_refused', detail: 'a used state' });
    await app.http.get('/api/altbroker/callback?request_token=t&status=success&state=s');
    const refused = { level: 40, address: '127.0.0.1', msg: 'answered' };
    const statuses = [...Array<number>(10).fill(401), 429, 401, 403, 421, 401, 403];
    expect(await lines()).toMatchObject(statuses.map((status) => ({ ...refused, status })));
    expect(app.lines.join('')).not.toContain(CANARY);
  });

  it('bounds the lines about what comes through a tunnel, and says how many it left out', async () => {
    app.fake.set({ receivePostback: async () => ({ kind: 'forged' }) });
    const forged = () => app.postback.post('/api/altbroker/postback').send({ checksum: CANARY });
    const { refused } = LINES_A_MINUTE;
    for (let count = 0; count < refused + 25; count += 1) await forged();
    app.fake.set({ receivePostback: async () => ({ kind: 'accepted' }) });
    await forged();
    const written = (await lines()).filter(({ path }) => path === '/api/altbroker/postback');
    expect(written.slice(0, refused).map(({ status }) => status)).toEqual(
      Array<number>(refused).fill(401),
    );
    expect(written.slice(refused)).toMatchObject([{ status: 200, unwritten: 25 }]);
    await app.time.advance(60_000);
    app.fake.set({ receivePostback: async () => ({ kind: 'forged' }) });
    await forged();
    expect((await lines()).at(-1)).toMatchObject({ status: 401 });
    expect((await lines()).at(-1)).not.toHaveProperty('unwritten');
  });

  it('names no address of an accepted request', async () => {
    await app.http.get('/api/v1/positions').set('Authorization', KEYS.read);
    await app.http.get('/nowhere');
    expect((await lines()).map(({ address }) => address)).toEqual([undefined, undefined]);
  });

  it('has the place of an unexpected error, and not its message', async () => {
    app.fake.set({ getPositions: () => Promise.reject(new TypeError(`\n    at ${CANARY}`)) });
    await app.http.get('/api/v1/positions').set('Authorization', KEYS.read);
    const [error, answered] = await lines();
    expect(error).toMatchObject({ level: 50, kind: 'TypeError' });
    expect(error?.source).toContain('at ');
    expect(answered).toMatchObject({ level: 50, status: 500, requestId: error?.requestId });
    expect(app.lines.join('')).not.toContain(CANARY);
  });

  it('never has a secret of any part of a request or an answer', async () => {
    app.login.state = { ...VALID, accessToken: CANARY };
    const admin = ['Authorization', KEYS.admin] as const;
    await app.http.get('/api/v1/positions').set('Authorization', `Bearer ${CANARY}`);
    await app.http.get('/api/altbroker/token').set(...admin);
    await app.http
      .get(`/api/altbroker/callback?request_token=${CANARY}&status=success&state=${CANARY}`)
      .set('Cookie', `altbroker_login=${CANARY}`)
      .set('User-Agent', CANARY)
      .set('Referer', `https://broker.example/${CANARY}`);
    app.login.failure = new GatewayProblem({ code: 'login_failed', detail: CANARY });
    await app.http.get(`/api/altbroker/callback?request_token=${CANARY}&status=success`);
    await app.http.get(`/api/altbroker/callback?request_token=${CANARY}&${CANARY}=1`);
    await app.http.get(`/api/v1/orders/${CANARY}?${CANARY}=${CANARY}`).set(...admin);
    await app.http
      .post('/api/v1/orders')
      .set(...admin)
      .set('Idempotency-Key', CANARY)
      .send({ [CANARY]: CANARY });
    await app.postback.post(`/api/altbroker/postback?${CANARY}`).send({ checksum: CANARY });
    app.fake.set({ placeOrder: () => Promise.reject(new Error(CANARY, { cause: CANARY })) });
    await app.http
      .post('/api/v1/orders')
      .set(...admin)
      .send({
        ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'MARKET' },
        ...{ product: 'CNC', tag: CANARY },
      });
    expect((await lines()).length).toBeGreaterThanOrEqual(9);
    expect(app.lines.join('')).not.toContain(CANARY);
  });
});
