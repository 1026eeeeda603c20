import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectProblem, type Harness, KEYS, startApp } from './support/harness.ts';

let app: Harness;
beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

/** What a page has after it was opened with a link: the header, and what the browser sends as Cookie. */
async function signIn(key: string) {
  const link = await app.http.post('/api/v1/sign-in-links').set('Authorization', key);
  expect(link.status).toBe(201);
  const [, token] = /^\/#sign-in=(.+)$/.exec(link.body.data.path) ?? [];
  const made = await app.http.post('/api/v1/sign-ins').send({ link: token });
  expect(made.status).toBe(201);
  const setCookie = String(made.headers['set-cookie']);
  const cookie = setCookie.split(';')[0] ?? '';
  return {
    made,
    setCookie,
    link: token,
    headers: { authorization: `Bearer ${made.body.data.token}`, cookie },
  };
}
const port = () => new URL(app.url).port;
const overview = (headers: object) => app.http.get('/api/v1/sign-in').set({ ...headers });

describe('a browser that was opened with a link', () => {
  it('is known as the key that asked for the link, with its scope', async () => {
    const { headers, made } = await signIn(KEYS.read);
    expect(made.body.data.key).toMatchObject({ id: 'key_read', scope: 'read' });
    const who = await overview(headers);
    expect(who.body.data).toEqual({ key: made.body.data.key, until: made.body.data.until });
    const engaged = await app.http
      .post('/api/v1/kill-switch')
      .set(headers)
      .send({ engaged: true, reason: 'x' });
    expectProblem(engaged, 403, 'forbidden');
  });

  it('has a cookie that no script reads, no other site sends, and that names the port', async () => {
    const { setCookie } = await signIn(KEYS.read);
    expect(setCookie).toMatch(
      new RegExp(
        `^altbroker_sign_in_${port()}=[0-9a-f]{64}; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict$`,
      ),
    );
  });

  it('cannot use the link again', async () => {
    const { link } = await signIn(KEYS.read);
    const again = await app.http.post('/api/v1/sign-ins').send({ link });
    expectProblem(again, 410, 'sign_in_link_used');
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  it('is nobody without the cookie, without the token, or with those of another', async () => {
    const [one, other] = [await signIn(KEYS.admin), await signIn(KEYS.admin)];
    const { authorization, cookie } = one.headers;
    for (const headers of [
      { authorization },
      { cookie },
      { authorization, cookie: other.headers.cookie },
      { authorization, cookie: cookie.replace(port(), '1') },
    ]) {
      expectProblem(await overview(headers), 401, 'unauthorized');
    }
  });

  it('changes nothing, and reads nothing, for a page of another origin', async () => {
    const { headers } = await signIn(KEYS.admin);
    for (const from of [
      { origin: 'https://evil.example' },
      { origin: `http://127.0.0.1:${Number(port()) + 1}` },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const send = app.http.post('/api/v1/kill-switch').set({ ...headers, ...from });
      expectProblem(await send.send({ engaged: true, reason: 'x' }), 403, 'foreign_origin');
      expectProblem(await overview({ ...headers, ...from }), 401, 'unauthorized');
      const link = app.http
        .post('/api/v1/sign-ins')
        .set(from)
        .send({ link: `abl_${'0'.repeat(64)}` });
      expectProblem(await link, 403, 'foreign_origin');
    }
    expect((await overview({ ...headers, origin: app.url })).status).toBe(200);
    expect((await overview({ ...headers, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
  });

  it('is signed out for good', async () => {
    const { headers } = await signIn(KEYS.trade);
    const out = await app.http.delete('/api/v1/sign-in').set(headers);
    expect(out.body.data).toEqual({ signedOut: true });
    expect(String(out.headers['set-cookie'])).toContain('Max-Age=0');
    expectProblem(await overview(headers), 401, 'unauthorized');
  });

  it('that asks with an old sign-in is never taken for somebody who guesses keys', async () => {
    const headers = { authorization: `Bearer abp_${'0'.repeat(64)}`, cookie: 'a=b' };
    for (let times = 0; times < 20; times += 1) {
      expectProblem(await overview(headers), 401, 'unauthorized');
    }
  });
});

describe('a key', () => {
  it('is told who it is, and signs nobody out', async () => {
    const who = await overview({ authorization: KEYS.read });
    expect(who.body.data).toMatchObject({ key: { id: 'key_read' }, until: null });
    const out = await app.http.delete('/api/v1/sign-in').set('Authorization', KEYS.read);
    expect(out.body.data).toEqual({ signedOut: false });
  });

  it('is needed for a link', async () => {
    expectProblem(await app.http.post('/api/v1/sign-in-links'), 401, 'unauthorized');
  });
});

describe('the page at /', () => {
  it('is served to everybody, loads nothing from elsewhere, and has no script inside it', async () => {
    const page = await app.http.get('/').set('Accept', 'text/html');
    expect([page.status, page.type, page.text]).toEqual([200, 'text/html', 'the file index.html']);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    const parts = policy.split(';').map((part) => part.trim());
    expect(parts.toSorted()).toEqual([
      ...["base-uri 'none'", "connect-src 'self'", "default-src 'none'", "form-action 'none'"],
      ...["frame-ancestors 'none'", "img-src 'self'", "script-src 'self'", "style-src 'self'"],
    ]);
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it.each([
    ['app.js', 'text/javascript'],
    ['app.css', 'text/css'],
    ['icon.svg', 'image/svg+xml'],
  ])('has the file %s', async (name, type) => {
    const file = await fetch(`${app.url}/dashboard/${name}`);
    expect([file.status, file.headers.get('content-type')]).toEqual([
      200,
      `${type}; charset=utf-8`,
    ]);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await file.text()).toBe(`the file ${name}`);
  });

  it('says where nothing was built how that is done', async () => {
    const bare = await startApp({ dashboard: () => null });
    const page = await bare.http.get('/');
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    expect(page.text).toContain('npm run dashboard');
    await bare.close();
  });
});
