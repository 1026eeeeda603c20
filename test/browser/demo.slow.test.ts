import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Demo } from '../../sandbox/demo/demo.ts';
import { ADMIN_KEY } from '../../sandbox/demo/settings.ts';
import { startRealDemo } from '../support/real-demo.ts';
import { createSocketClient } from '../support/socket-client.ts';
import { seriousFindings } from './axe.ts';
import { openChromium } from './chromium.ts';
import { orderRow } from './dashboard.ts';

// One demo and one page, which is never loaded again after the login.
let browser: Browser;
let demo: Demo;
let page: Page;
const complaints: string[] = [];
beforeAll(async () => {
  browser = await openChromium();
  demo = await startRealDemo();
  page = await (await browser.newContext()).newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    // While the gateway is gone the browser complains of each request that finds nobody.
    const isNobodyThere = /Failed to load resource|ERR_|WebSocket/.test(message.text());
    if (message.type() === 'error' && !isNobodyThere) complaints.push(message.text());
  });
  await page.goto(`${demo.gateway.url}${demo.gateway.link}`);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
});
afterAll(async () => {
  await browser?.close();
  await demo?.[Symbol.asyncDispose]();
});

const bar = () => page.getByRole('complementary', { name: 'The demo' });
const button = (name: string) => bar().getByRole('button', { name });
const result = () => bar().locator('.demo-result');
const quantities = (): readonly number[] =>
  demo.served.sandbox.kite.orders().map(({ quantity }) => quantity);

describe('the page of the demo', () => {
  it('buys on paper before a login, and says what the other two buttons need', async () => {
    await button('Buy INFY').click();
    await result().waitFor();
    expect(await result().innerText()).toContain('filled on paper');
    for (const name of ['Kite hangs after accepting', 'Kill the gateway']) {
      expect(await button(name).isDisabled()).toBe(true);
    }
    await bar().getByRole('link', { name: 'log in there' }).first().click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Open the dashboard' }).click();
    await button('Kill the gateway').and(page.locator(':enabled')).waitFor();
  });

  it('shows two orders of the naive script against one of the gateway, side by side', async () => {
    // By keyboard.
    await button('Kite hangs after accepting').focus();
    await page.keyboard.press('Enter');
    await result().waitFor({ state: 'detached' });
    await bar().getByText('Kite accepts the next two orders').waitFor();
    await result().waitFor();
    expect(await result().locator('.demo-count').allInnerTexts()).toEqual([
      expect.stringMatching(/^2\s+orders at Kite by the naive script$/),
      expect.stringMatching(/^1\s+order at Kite through the gateway$/),
    ]);
    expect(quantities()).toEqual([5, 5, 5]);
    const [script, gateway] = [bar().locator('li.script'), bar().locator('li.gateway')];
    expect((await script.allInnerTexts()).join('\n')).toContain('the same order to Kite again');
    expect((await gateway.allInnerTexts()).join('\n')).toMatch(
      /uncertain: [\s\S]*found in the order/,
    );
    const left = async (of: typeof script) =>
      (await of.first().locator('div').boundingBox())?.x ?? 0;
    expect(await left(gateway)).toBeGreaterThan(await left(script));
  });

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 375],
  ] as const)(
    'has nothing serious for axe in the %s theme, %i wide',
    async (colorScheme, width) => {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      expect(await seriousFindings(page)).toEqual([]);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(width);
    },
  );

  it('stays open while its gateway is killed, and shows that nothing is lost', async () => {
    await page.evaluate('window.isSamePage = true');
    await button('Kill the gateway').click();
    await bar().getByText('The gateway is gone. This page stays').waitFor();
    await bar().getByText('The gateway listens again.').waitFor();
    await result().filter({ hasText: 'it has lost 0' }).waitFor();
    expect(await bar().getByText('it was started again once').innerText()).toMatch(
      /^The gateway runs/,
    );
    expect(quantities()).toEqual([5, 5, 5, 3]);
    expect(demo.gateway.restarts()).toBe(1);
    // The page itself follows the gateway that came back, and has the order.
    const client = createSocketClient(demo.gateway.url, ADMIN_KEY);
    const { body } = await client.get('/api/v1/orders?broker=alt&maxAgeMs=0');
    const { id } = body.data.find(({ quantity }: { quantity: number }) => quantity === 3);
    await orderRow(page, id).filter({ hasText: 'filled' }).waitFor();
    expect(await page.evaluate('window.isSamePage')).toBe(true);
    await bar().getByRole('button', { name: 'Hide' }).click();
    await result().waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});
