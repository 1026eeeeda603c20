import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { NOW_IST } from './support/samples.ts';
import { epochMs } from '../../src/units/branded.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const CALLBACK = '/api/altbroker/callback';
const GOOD = `${CALLBACK}?request_token=once&status=success&state=one-time-state&action=login`;
const EXPIRES = '2026-11-23T10:30:00.000+05:30';
const back = (path = GOOD) => app.http.get(path).set('Cookie', 'altbroker_login=one-time-state');

describe('the start of a login', () => {
  it("sends the browser to the broker's page, with the state in a cookie", async () => {
    const response = await app.http.get('/api/altbroker/login');
    expect(response.status).toBe(302);
    expect(response.headers.location).toBe('https://broker.example/login?v=3');
    expect(response.headers['set-cookie']).toEqual([
      'altbroker_login=one-time-state; Path=/api/altbroker; Max-Age=600; HttpOnly; SameSite=Lax',
    ]);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('restricts the cookie to https where the public address is https', async () => {
    const other = await startApp({ publicUrl: 'https://gateway.test' });
    const response = await other.http.get('/api/altbroker/login');
    expect(response.headers['set-cookie']?.[0]).toContain('; Secure');
    await other.close();
  });
});

describe('a login that the user did not ask for', () => {
  const LOGIN = '/api/altbroker/login';

  it.each([
    { 'Sec-Fetch-Mode': 'no-cors' },
    { 'Sec-Fetch-Mode': 'no-cors', 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Mode': 'same-origin' },
    { 'Sec-Fetch-Mode': 'websocket' },
    { 'Sec-Fetch-Mode': '' },
  ])('is not started by a web page that loads the address with %j', async (headers) => {
    const response = await app.http.get(LOGIN).set(headers);
    expectProblem(response, 403, 'foreign_origin');
    expect(response.headers['set-cookie']).toBeUndefined();
    const page = await app.http.get(LOGIN).set({ ...headers, Accept: 'text/html' });
    expect([page.status, page.type]).toEqual([403, 'text/html']);
    expect(page.text).toContain('begin it with the button');
    expect(app.login.begun).toBe(0);
  });

  it('is started by a link, also from another site', async () => {
    const link = { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'cross-site' };
    expect((await app.http.get(LOGIN).set(link)).status).toBe(302);
    expect(app.login.begun).toBe(1);
  });

  it('is started by a program, also with the fetch of Node', async () => {
    const reply = await fetch(`${app.url}${LOGIN}`, { redirect: 'manual' });
    expect([reply.status, app.login.begun]).toEqual([302, 1]);
  });

  it('is neither started nor completed by HEAD, which programs send to check a link', async () => {
    for (const path of [LOGIN, GOOD]) {
      const response = await app.http.head(path).set('Cookie', 'altbroker_login=one-time-state');
      expect([response.status, response.headers.allow]).toEqual([405, 'GET']);
      expect(response.headers['set-cookie']).toBeUndefined();
    }
    expect([app.login.begun, app.login.callbacks]).toEqual([0, []]);
  });
});

describe('the callback of a login', () => {
  it('passes on the token, the status and both states', async () => {
    const response = await back().set('Accept', 'application/json');
    expectDeclared(app, `GET ${CALLBACK}`, response);
    expect(response.body.data).toEqual({ userId: 'AB1234', expiresAt: EXPIRES });
    expect(app.login.callbacks).toEqual([
      {
        requestToken: 'once',
        status: 'success',
        state: 'one-time-state',
        cookieState: 'one-time-state',
      },
    ]);
  });

  it('removes the cookie', async () => {
    expect((await back()).headers['set-cookie']?.[0]).toContain('altbroker_login=; ');
  });

  it('says when the state or the cookie is missing', async () => {
    await app.http.get(`${CALLBACK}?request_token=once&status=success`);
    expect(app.login.callbacks[0]).toMatchObject({ state: null, cookieState: null });
  });

  it('is accepted although it is a navigation from another site', async () => {
    const response = await back().set('Sec-Fetch-Site', 'cross-site');
    expect(response.status).toBe(303);
  });

  it.each([
    ['without a token', '?status=success&state=s'],
    ['with an empty token', '?request_token=&status=success&state=s'],
    ['without a status', '?request_token=t&state=s'],
    ['with a status other than success', '?request_token=t&status=failed&state=s'],
    ['with two tokens', '?request_token=t&request_token=u&status=success&state=s'],
    ['with a token that cannot be one', '?request_token=a%0Ab&status=success&state=s'],
  ])('is 400 %s, and no login is attempted', async (_case, query) => {
    expectProblem(await app.http.get(CALLBACK + query), 400, 'invalid_request');
    expect(app.login.callbacks).toEqual([]);
  });

  it('is 403 for a wrong state or another user', async () => {
    app.login.failure = new GatewayProblem({ code: 'login_refused', detail: 'a used state' });
    expectProblem(await back(), 403, 'login_refused');
  });

  it('is 502 when the exchange fails', async () => {
    app.login.failure = new GatewayProblem({ code: 'login_failed', detail: 'the broker said no' });
    expectProblem(await back(), 502, 'login_failed');
  });
});

describe('the status of the login', () => {
  it('shows state, user and times, and no token', async () => {
    const response = await app.http.get('/api/altbroker/status');
    expectDeclared(app, 'GET /api/altbroker/status', response);
    expect(response.body.data).toEqual({
      state: 'valid',
      userId: 'AB1234',
      obtainedAt: NOW_IST,
      expiresAt: EXPIRES,
      source: 'memory',
      verifiedAt: null,
    });
    expect(response.text).not.toContain('the-access-token');
  });

  it('shows when a token has expired', async () => {
    app.login.state = { state: 'expired', userId: 'AB1234', expiredAt: app.time.now() };
    const response = await app.http.get('/api/altbroker/status');
    expectDeclared(app, 'GET /api/altbroker/status', response);
    expect(response.body.data).toMatchObject({ state: 'expired', expiresAt: NOW_IST });
  });

  it('shows when there is none', async () => {
    app.login.state = { state: 'absent' };
    const response = await app.http.get('/api/altbroker/status');
    expectDeclared(app, 'GET /api/altbroker/status', response);
    expect(response.body.data).toMatchObject({ state: 'absent', userId: null });
  });
});

describe('the token', () => {
  const token = () => app.http.get('/api/altbroker/token');

  it('is shown to an admin, and stored by no cache', async () => {
    const response = await token().set('Authorization', KEYS.admin);
    expectDeclared(app, 'GET /api/altbroker/token', response);
    expect(response.body.data).toEqual({
      accessToken: 'the-access-token',
      userId: 'AB1234',
      expiresAt: EXPIRES,
    });
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('is shown to nobody else', async () => {
    expectProblem(await token(), 401, 'unauthorized');
    const response = await token().set('Authorization', KEYS.trade);
    expectProblem(response, 403, 'forbidden');
    expect(response.text).not.toContain('the-access-token');
  });

  it.each([
    { state: 'absent' },
    { state: 'expired', userId: null, expiredAt: epochMs(0) },
  ] as const)('is 404 when $state', async (state) => {
    app.login.state = state;
    expectProblem(await token().set('Authorization', KEYS.admin), 404, 'no_token');
  });

  it("is invalidated and forgotten at an admin's request", async () => {
    const end = () => app.http.delete('/api/altbroker/token');
    expectProblem(await end().set('Authorization', KEYS.trade), 403, 'forbidden');
    expect(app.login.ended).toBe(0);
    const response = await end().set('Authorization', KEYS.admin);
    expectDeclared(app, 'DELETE /api/altbroker/token', response);
    expect(app.login.ended).toBe(1);
    expect(response.body.data).toEqual({ ended: true, persisted: true, endedAtBroker: false });
  });
});

describe('without an alternative broker', () => {
  beforeEach(async () => {
    await app.close();
    app = await startApp({ session: null });
  });

  it('says what has to be configured', async () => {
    for (const path of ['login', 'callback?status=success&request_token=t']) {
      const problem = expectProblem(await app.http.get(`/api/altbroker/${path}`), 503, 'no_broker');
      expect(problem.detail).toContain('APP_ALT_BROKER_API_KEY');
    }
  });

  it('has a status all the same: no session', async () => {
    const response = await app.http.get('/api/altbroker/status');
    expect(response.status).toBe(200);
    expectDeclared(app, 'GET /api/altbroker/status', response);
    expect(response.body.data).toMatchObject({ state: 'absent', expiresAt: null });
  });

  it('has no token to show', async () => {
    const response = await app.http.get('/api/altbroker/token').set('Authorization', KEYS.admin);
    expectProblem(response, 404, 'no_token');
  });
});
