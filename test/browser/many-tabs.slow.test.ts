import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from './chromium.ts';
import { confirmDialog, openDashboard, orderRow } from './dashboard.ts';
import { visit, type Visit } from './visit.ts';

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

/** What a browser does with a tab when another one comes before it; a headless one takes all of them to be seen. */
const setSeen = (page: Page, isSeen: boolean): Promise<void> =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isSeen ? 'visible' : 'hidden'}' });
    document.dispatchEvent(new Event('visibilitychange'));
  `);

describe('more tabs of the dashboard than a browser opens connections', () => {
  it('leave the one that is seen its connections, and each goes on where it was when it is seen again', async () => {
    const { page: first } = await openDashboard(visited);
    await first.getByText('Live', { exact: true }).waitFor();
    let last = first;
    for (let tabs = 2; tabs <= 9; tabs += 1) {
      await setSeen(last, false);
      last = await first.context().newPage();
      await last.goto(visited.gateway.url);
      await last.getByText('Live', { exact: true }).waitFor();
    }
    const { body } = await visited.gateway.client.place(
      { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'MARKET', product: 'CNC' },
      'of a program',
    );
    await orderRow(last, body.data.id).filter({ hasText: 'filled' }).waitFor();
    await last.getByRole('button', { name: 'Kill switch…' }).click();
    await confirmDialog(last, 'Engage it');
    expect((await visited.gateway.client.get('/api/v1/kill-switch')).body.data.engaged).toBe(true);

    await setSeen(last, false);
    await setSeen(first, true);
    await orderRow(first, body.data.id).filter({ hasText: 'filled' }).waitFor();
    await first.getByRole('button', { name: 'Release the kill switch…' }).waitFor();
    expect(await first.getByText('The gateway has not answered since').count()).toBe(0);
  });
});
