import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from './chromium.ts';
import { openDashboard, orderRow } from './dashboard.ts';
import { visit, type Visit } from './visit.ts';

let browser: Browser;
let visited: Visit;
let page: Page;
beforeAll(async () => {
  browser = await openChromium();
  visited = await visit(browser);
  ({ page } = await openDashboard(visited));
});
afterAll(async () => {
  await visited?.[Symbol.asyncDispose]();
  await browser?.close();
});

const scrolled = (): Promise<number> => page.evaluate('Math.round(scrollY)');
const focused = (): Promise<string> => page.evaluate('document.activeElement.id');

describe('from page to page', () => {
  it('says in the title which page it is and whose money, and begins at its top, by keyboard too', async () => {
    await page.setViewportSize({ width: 1_280, height: 500 });
    await page.locator('.bar.paper').waitFor();
    expect(await page.title()).toBe('Today, PAPER – altbroker-gateway');
    const order = { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'MARKET' };
    const placed = [];
    for (let number = 0; number < 12; number += 1) {
      const { body } = await visited.gateway.client.place(
        { ...order, product: 'INTRADAY', broker: 'paper' },
        `order ${number}`,
      );
      placed.push(body.data.id);
    }
    const row = orderRow(page, placed[0]);
    await row.filter({ hasText: 'filled' }).waitFor();
    await row.getByRole('link').focus();
    const before = await scrolled();
    expect(before).toBeGreaterThan(400);
    await page.keyboard.press('Enter');
    await page.locator('.timeline li').first().waitFor();
    expect([await page.title(), await focused(), await scrolled()]).toEqual([
      'Order, PAPER – altbroker-gateway',
      'main',
      0,
    ]);
    // Back to where the person was in the list.
    await page.goBack();
    await row.waitFor();
    await expect.poll(scrolled).toBeGreaterThan(before / 2);

    await page.getByRole('link', { name: 'Events' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Events' }).waitFor();
    expect([await page.title(), await focused(), await scrolled()]).toEqual([
      'Events, PAPER – altbroker-gateway',
      'main',
      0,
    ]);
  });

  it('an address that nobody can read is said to be none', async () => {
    await page.goto(`${visited.gateway.url}/#/order/%`);
    await page.getByText('There is no page at this address.').waitFor();
    await page.getByRole('link', { name: 'Go to Today' }).click();
    await page.getByRole('heading', { name: 'Can I trade?' }).waitFor();
  });

  it('a part of the first screen that is gone to is not behind the bar above the page', async () => {
    await page.getByRole('heading', { name: 'Exits, closings and triggers' }).waitFor();
    const [bar, part] = await page.evaluate<[number, number]>(`(() => {
      document.getElementById('under-way').scrollIntoView();
      const place = (it) => it.getBoundingClientRect();
      return [place(document.querySelector('.bar')).bottom, place(document.getElementById('under-way')).top];
    })()`);
    expect(part).toBeGreaterThanOrEqual(bar);
  });

  it('a browser that is not signed in is told so in the title', async () => {
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to the gateway' }).waitFor();
    expect(await page.title()).toBe('Sign in – altbroker-gateway');
  });
});
