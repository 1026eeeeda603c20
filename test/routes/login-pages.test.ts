import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { epochMs } from '../../src/units/branded.ts';
import { startApp, type Harness } from './support/harness.ts';
import { NOW } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const CALLBACK = '/api/altbroker/callback';
const DONE = '/api/altbroker/done';
const GOOD = `${CALLBACK}?request_token=once&status=success&state=one-time-state&action=login`;
const back = (path = GOOD) => app.http.get(path).set('Cookie', 'altbroker_login=one-time-state');

const titleOf = (page: string) => /<title>(.*)<\/title>/.exec(page)?.[1];
/** The text and the address of each link of a page. */
const buttonsOf = (page: string) =>
  [...page.matchAll(/<a [^>]*href="([^"]*)">([^<]*)<\/a>/g)].map(([, href, text]) => [text, href]);

describe('the page after a login', () => {
  it('sends a browser on to an address of its own, which holds nothing of the login', async () => {
    const response = await back().set('Accept', 'text/html');
    expect([response.status, response.headers.location]).toEqual([303, DONE]);
    expect(response.headers['set-cookie']?.[0]).toContain('altbroker_login=; ');
    expect(app.login.callbacks).toHaveLength(1);
  });

  it('leads to a page that begins nothing, however often it is loaded, and on to the dashboard', async () => {
    for (const address of [DONE, DONE, `${DONE}?`]) {
      const { status, text } = await app.http.get(address);
      expect([status, titleOf(text), buttonsOf(text)]).toEqual([
        ...[200, 'Logged in'],
        [['Open the dashboard', '/']],
      ]);
      expect(text).toContain('AB1234</strong> until Mon 23 Nov, 10:30 IST.');
    }
    expect([app.login.begun, app.login.callbacks]).toEqual([0, []]);
  });

  it('leads to a page that says so once the session has ended', async () => {
    const login = [['Log in', '/api/altbroker/login']];
    app.login.state = { state: 'expired', userId: 'AB1234', expiredAt: epochMs(NOW) };
    const expired = await app.http.get(DONE);
    expect([titleOf(expired.text), buttonsOf(expired.text)]).toEqual(['Not logged in', login]);
    expect(expired.text).toContain('The session ended at Mon 23 Nov, 09:30 IST');
    app.login.state = { state: 'absent' };
    const absent = await app.http.get(DONE);
    expect([titleOf(absent.text), buttonsOf(absent.text)]).toEqual(['Not logged in', login]);
    expect(absent.text).toContain('has no session');
  });

  it('shows a browser a page whose policy allows its own style alone', async () => {
    const response = await app.http.get(DONE).set('Accept', 'text/html,application/xhtml+xml');
    expect(response.type).toBe('text/html');
    const nonce = /<style nonce="(\w+)">/.exec(response.text)?.[1];
    expect(response.headers['content-security-policy']).toBe(
      "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none';" +
        `style-src 'nonce-${nonce}'`,
    );
    expect(response.text).not.toMatch(/<script|src=|one-time-state|the-access-token/);
    expect(response.headers['referrer-policy']).toBe('no-referrer');
  });

  it('makes a new nonce for each page', async () => {
    const policy = async () => (await app.http.get(DONE)).headers['content-security-policy'];
    expect(await policy()).not.toBe(await policy());
  });
});

describe('the page of a login that did not succeed', () => {
  it('shows a page with a link to the login after a refusal at the broker', async () => {
    const response = await app.http
      .get(`${CALLBACK}?status=cancelled&state=s`)
      .set('Accept', 'text/html');
    expect([response.status, response.type]).toEqual([400, 'text/html']);
    expect(response.text).toContain('refused or cancelled at the broker’s page');
    expect(buttonsOf(response.text)).toEqual([['Log in again', '/api/altbroker/login']]);
    expect(app.login.callbacks).toEqual([]);
  });

  it.each([
    ['', 'opened without the result of one: log in.'],
    ['?status=success', 'without a request token: log in again.'],
    ['?status=success&request_token=t&request_token=u', 'unreadable answer: log in again.'],
    ['?status=cancelled', 'refused or cancelled at the broker’s page'],
  ])('%j is told to a person without names of fields, and with one button', async (query, told) => {
    app.login.state = { state: 'absent' };
    const response = await app.http.get(CALLBACK + query).set('Accept', 'text/html');
    expect([response.status, titleOf(response.text)]).toEqual([400, 'Not logged in']);
    expect(response.text).toContain(told);
    expect(response.text).not.toContain('query.');
    expect(response.text).not.toContain('redirect address');
    expect(buttonsOf(response.text)).toEqual([['Log in again', '/api/altbroker/login']]);
  });

  it('that is opened a second time says that the session is valid, and leads to the dashboard', async () => {
    const extra = { refusal: 'state' };
    app.login.failure = new GatewayProblem({ code: 'login_refused', detail: 'It is over.', extra });
    const response = await back().set('Accept', 'text/html');
    expect([response.status, titleOf(response.text)]).toEqual([403, 'Already logged in']);
    expect(response.text).toContain('still logged in as <strong>AB1234</strong> until Mon 23 Nov');
    expect(buttonsOf(response.text)).toEqual([['Open the dashboard', '/']]);
  });

  it('that fails beside a valid session says both', async () => {
    app.login.failure = new GatewayProblem({ code: 'login_failed', detail: 'The broker said no.' });
    const { text } = await back().set('Accept', 'text/html');
    expect(titleOf(text)).toBe('This login did not succeed');
    expect(text).toContain('The broker said no.');
    expect(text).toContain('still logged in as <strong>AB1234</strong>');
    expect(buttonsOf(text)).toEqual([['Log in again', '/api/altbroker/login']]);
  });

  it('shows a page of an unexpected error too, which quotes nothing of it', async () => {
    app.login.failure = new Error('a secret of the library');
    const response = await back().set('Accept', 'text/html');
    expect([response.status, response.type]).toEqual([500, 'text/html']);
    expect(response.text).not.toContain('a secret');
    expect(buttonsOf(response.text)).toHaveLength(1);
    expect(app.lines.join('')).toContain('a request failed with an unexpected error');
  });

  it('shows a browser a page with the error, escaped', async () => {
    app.login.failure = new GatewayProblem({ code: 'login_refused', detail: '<script>x</script>' });
    const response = await back().set('Accept', 'text/html');
    expect(response.status).toBe(403);
    expect(response.type).toBe('text/html');
    expect(response.text).toContain('&lt;script&gt;x&lt;/script&gt;');
    expect(response.text).not.toContain('<script');
  });
});

describe('the pages without an alternative broker', () => {
  beforeEach(async () => {
    await app.close();
    app = await startApp({ session: null });
  });

  it('says so to a browser in a page that offers no login', async () => {
    const response = await app.http.get('/api/altbroker/login').set('Accept', 'text/html');
    expect([response.status, response.type]).toEqual([503, 'text/html']);
    expect(response.text).toContain('APP_ALT_BROKER_API_KEY');
    expect(buttonsOf(response.text)).toEqual([['Open the dashboard', '/']]);
  });

  it('has a page after the login all the same: there is no session', async () => {
    const { text } = await app.http.get(DONE);
    expect([titleOf(text), text.includes('has no session')]).toEqual(['Not logged in', true]);
  });
});
