import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from './chromium.ts';
import { shown, visit, type Visit } from './visit.ts';

let browser: Browser;
beforeAll(async () => void (browser = await openChromium()));
afterAll(() => browser?.close());

const LOGIN = '/api/altbroker/login';
const CALLBACK = '/api/altbroker/callback';
const DONE = '/api/altbroker/done';

/** From the gateway's login to the broker's page. */
async function begin({ gateway }: Visit, page: Page): Promise<void> {
  await page.goto(`${gateway.url}${LOGIN}`);
  expect(await page.title()).toBe('Sandbox broker: sign in');
}

/** Signs in at the broker, and gives the address that the browser was sent back to. */
async function signIn(page: Page): Promise<URL> {
  const back = page.waitForRequest((request) => new URL(request.url()).pathname === CALLBACK);
  await page.getByRole('button', { name: 'Sign in' }).click();
  const address = new URL((await back).url());
  await page.waitForURL((url) => url.pathname === DONE || url.pathname === CALLBACK);
  await page.waitForLoadState();
  return address;
}

/** The state that the login page was given to hand back. */
function stateAt(page: Page): string {
  const passed = new URL(page.url()).searchParams.get('redirect_params') ?? '';
  const state = new URLSearchParams(passed).get('state');
  if (!state) throw new Error(`${page.url()} carries no state`);
  return state;
}

const callback = ({ gateway }: Visit, query: Record<string, string>): string =>
  `${gateway.url}${CALLBACK}?${new URLSearchParams(query).toString()}`;

describe('a login in a browser', () => {
  it('that succeeds shows whose it is and until when, and the token is the broker’s', async () => {
    await using visited = await visit(browser);
    const { page, complaints } = await visited.tab();
    expect(await visited.told()).toEqual({ state: 'absent', userId: null });
    await begin(visited, page);
    await signIn(page);

    const { title, text } = await shown(page);
    expect(title).toBe('Logged in');
    expect(text).toMatch(/logged in as AB1234 until \w{3} \d{1,2} \w{3}, 06:00 IST/);
    expect(await visited.told()).toEqual({ state: 'valid', userId: 'AB1234' });
    const token = await visited.gateway.client.get('/api/altbroker/token');
    const live = visited.stage.served.sandbox.kite.liveToken();
    expect(token.body.data.accessToken).toBe(live);
    // The page is dressed under its own policy, and holds nothing that is secret or foreign.
    expect(complaints).toEqual([]);
    expect(await page.evaluate('getComputedStyle(document.body).maxWidth')).toBe('960px');
    expect(await page.content()).not.toContain(live);
    expect(await page.evaluate('document.cookie')).toBe('');
    expect(await page.context().cookies()).toEqual([]);
  });

  it('keeps its state in a cookie that no script reads, for the login’s paths alone', async () => {
    await using visited = await visit(browser);
    const { page } = await visited.tab();
    await begin(visited, page);
    const cookies = await page.context().cookies(`${visited.gateway.url}${CALLBACK}`);
    expect(cookies).toMatchObject([
      { value: stateAt(page), httpOnly: true, sameSite: 'Lax', path: '/api/altbroker' },
    ]);
  });

  it('that was begun in another browser is refused, and nothing is logged in', async () => {
    await using visited = await visit(browser);
    const [own, other] = [await visited.tab(), await visited.tab()];
    await begin(visited, own.page);
    const address = callback(visited, {
      status: 'success',
      request_token: visited.stage.served.sandbox.kite.issueRequestToken(),
      state: stateAt(own.page),
    });
    const reply = await other.page.goto(address);

    expect(reply?.status()).toBe(403);
    // A login of its own under way there does not help: the cookie is another's.
    await begin(visited, other.page);
    expect((await other.page.goto(address))?.status()).toBe(403);
    const { title, text } = await shown(other.page);
    expect(title).toBe('Not logged in');
    expect(text).toContain('was not started in this browser');
    expect(await visited.told()).toEqual({ state: 'absent', userId: null });
    expect(visited.stage.served.sandbox.kite.liveToken()).toBeNull();
    // Whose login it was can still end it.
    await signIn(own.page);
    expect(await visited.told()).toEqual({ state: 'valid', userId: 'AB1234' });
  });

  it('with a state that was never given out is refused, and can be begun again', async () => {
    await using visited = await visit(browser);
    const { page } = await visited.tab();
    await begin(visited, page);
    const query = { status: 'success', request_token: 'abc', state: '0'.repeat(32) };
    const reply = await page.goto(callback(visited, query));
    expect(reply?.status()).toBe(403);
    expect((await shown(page)).title).toBe('Not logged in');
    expect((await visited.told()).state).toBe('absent');

    await page.getByRole('link', { name: 'Log in again' }).click();
    await signIn(page);
    expect((await shown(page)).title).toBe('Logged in');
    expect((await visited.told()).state).toBe('valid');
  });

  it('whose page is loaded again shows the same page, and the old address says that it is over', async () => {
    await using visited = await visit(browser);
    const { page } = await visited.tab();
    await begin(visited, page);
    const address = await signIn(page);
    const token = visited.stage.served.sandbox.kite.liveToken();
    const first = await shown(page);
    const reply = await page.reload();
    expect([reply?.status(), page.url()]).toEqual([200, `${visited.gateway.url}${DONE}`]);
    expect(await shown(page)).toEqual(first);

    expect((await page.goto(address.href))?.status()).toBe(403);
    const { title, text } = await shown(page);
    expect([title, text.includes('is already complete')]).toEqual(['Already logged in', true]);
    expect(text).toMatch(/still logged in as AB1234 until \w{3} \d{1,2} \w{3}, 06:00 IST/);
    await page.getByRole('link', { name: 'Open the dashboard' }).click();
    await page.waitForURL(`${visited.gateway.url}/`);
    expect(await visited.told()).toEqual({ state: 'valid', userId: 'AB1234' });
    expect(visited.stage.served.sandbox.kite.liveToken()).toBe(token);
  });

  it('with a request token that was used before fails, says so, and stays logged in', async () => {
    await using visited = await visit(browser);
    const { page } = await visited.tab();
    await begin(visited, page);
    const used = (await signIn(page)).searchParams.get('request_token') ?? '';
    const token = visited.stage.served.sandbox.kite.liveToken();
    await begin(visited, page);
    const query = { status: 'success', request_token: used, state: stateAt(page) };
    const reply = await page.goto(callback(visited, query));

    expect(reply?.status()).toBe(502);
    const { title, text } = await shown(page);
    expect(title).toBe('This login did not succeed');
    expect(text).toContain('It works once, and was already used. Log in again.');
    expect(text).toContain('still logged in as AB1234');
    expect(await visited.told()).toEqual({ state: 'valid', userId: 'AB1234' });
    expect(visited.stage.served.sandbox.kite.liveToken()).toBe(token);
  });

  it('by another user than the configured one is refused, and ended at the broker', async () => {
    await using visited = await visit(browser, { APP_ALT_BROKER_USER_ID: 'ZZ9999' });
    const { page } = await visited.tab();
    await begin(visited, page);
    await signIn(page);

    const { title, text } = await shown(page);
    expect(title).toBe('Not logged in');
    expect(text).toContain(
      'The user who logged in is not the one that APP_ALT_BROKER_USER_ID names',
    );
    expect(await visited.told()).toEqual({ state: 'absent', userId: null });
    expect(visited.stage.served.sandbox.kite.liveToken()).toBeNull();
  });

  it('that the person refuses at the broker changes nothing, and says how to go on', async () => {
    await using visited = await visit(browser);
    const { page } = await visited.tab();
    await begin(visited, page);
    await page.getByRole('button', { name: 'Refuse' }).click();
    await page.waitForURL((url) => url.pathname === CALLBACK);
    const { title, text } = await shown(page);
    expect(title).toBe('Not logged in');
    expect(text).toContain('refused or cancelled at the broker’s page');
    expect((await visited.told()).state).toBe('absent');
  });

  it('while the broker is away fails, and says that it could not be reached', async () => {
    await using visited = await visit(browser);
    const { page } = await visited.tab();
    await begin(visited, page);
    const query = {
      status: 'success',
      request_token: visited.stage.served.sandbox.kite.issueRequestToken(),
      state: stateAt(page),
    };
    await visited.stage.served.stopListening('kite');
    const reply = await page.goto(callback(visited, query));
    expect(reply?.status()).toBe(502);
    expect((await shown(page)).text).toContain('could not be reached');
    expect((await visited.told()).state).toBe('absent');
  });

  it('with a secret that is not the key’s fails, and names the setting', async () => {
    await using visited = await visit(browser, { APP_ALT_BROKER_API_SECRET: 'another' });
    const { page } = await visited.tab();
    await begin(visited, page);
    await signIn(page);
    const { text } = await shown(page);
    expect(text).toContain('APP_ALT_BROKER_API_SECRET does not belong to APP_ALT_BROKER_API_KEY');
    expect(text).not.toContain('another');
    expect((await visited.told()).state).toBe('absent');
  });
});
