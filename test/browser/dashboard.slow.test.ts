import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from './chromium.ts';
import { shown, visit, type Tab, type Visit } from './visit.ts';

let browser: Browser;
let visited: Visit;
beforeAll(async () => {
  browser = await openChromium();
  visited = await visit(browser);
});
afterAll(async () => {
  await visited?.[Symbol.asyncDispose]();
  await browser?.close();
});

const url = (): string => visited.gateway.url;

/** A browser that was opened with a link of the admin. */
async function signedIn(): Promise<Tab> {
  const tab = await visited.tab();
  await tab.page.goto(`${url()}${visited.gateway.composed.adminLink()}`);
  await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
  return tab;
}

describe('signing in to the dashboard', () => {
  it('with a link leaves no secret in the address, nor where scripts read', async () => {
    const { page, complaints } = await signedIn();
    expect(page.url()).toBe(`${url()}/`);
    expect(await page.evaluate('document.cookie')).toBe('');
    const [cookie] = await page.context().cookies();
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
    await page.getByRole('status').filter({ hasText: 'Only on paper' }).waitFor();
    // A browser notes each answer of 400 and more: nobody is logged in, so that an account cannot be read.
    expect(complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
  });

  it('lasts over a reload, and in another tab', async () => {
    const { page } = await signedIn();
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const other = await page.context().newPage();
    await other.goto(url());
    await other.getByRole('button', { name: 'Sign out' }).waitFor();
  });

  it('with a link that was used says so, and shows nothing', async () => {
    const link = `${url()}${visited.gateway.composed.adminLink()}`;
    const [one, other] = [await visited.tab(), await visited.tab()];
    await one.page.goto(link);
    await one.page.getByRole('button', { name: 'Sign out' }).waitFor();
    await other.page.goto(link);
    await other.page.getByRole('alert').waitFor();
    const { text } = await shown(other.page);
    expect(text).toContain('The link was used already');
    expect(text).toContain('npx altbroker-gateway open');
    expect(text).not.toContain('Only on paper');
  });

  it('without a link says how', async () => {
    const { page, complaints } = await visited.tab();
    const reply = await page.goto(url());
    expect(reply?.status()).toBe(200);
    await page.getByRole('heading', { name: 'Sign in to the gateway' }).waitFor();
    expect((await shown(page)).text).toContain('npx altbroker-gateway open');
    expect(complaints).toEqual([]);
  });

  it('ends when the person signs out, also for a copy of the token', async () => {
    const { page } = await signedIn();
    const token = await page.evaluate<string>("localStorage.getItem('altbroker-sign-in')");
    const [cookie] = await page.context().cookies();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the gateway' }).waitFor();
    expect(await page.evaluate("localStorage.getItem('altbroker-sign-in')")).toBeNull();
    expect(await page.context().cookies()).toEqual([]);
    const headers = {
      authorization: `Bearer ${token}`,
      cookie: `${cookie?.name}=${cookie?.value}`,
    };
    expect((await fetch(`${url()}/api/v1/sign-in`, { headers })).status).toBe(401);
  });
});

describe('the page', () => {
  it('is below 100 kB compressed, all its files together', async () => {
    let bytes = 0;
    for (const path of ['/', '/dashboard/app.js', '/dashboard/app.css', '/dashboard/icon.svg']) {
      const text = await (await fetch(`${url()}${path}`)).text();
      expect(text.length, path).toBeGreaterThan(100);
      bytes += gzipSync(text).length;
    }
    expect(bytes).toBeLessThan(100_000);
  });
});
