import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChromium } from './chromium.ts';
import { confirmDialog, logInAtBroker, openDashboard } from './dashboard.ts';
import { visit, type Visit } from './visit.ts';

// One gateway and one page, logged in at the broker.
let browser: Browser;
let visited: Visit;
let page: Page;
beforeAll(async () => {
  browser = await openChromium();
  visited = await visit(browser);
  ({ page } = await openDashboard(visited));
  await logInAtBroker(page, visited.gateway.url);
  await page.locator('.sentence').filter({ hasText: 'Yes, with real money at alt' }).waitFor();
});
afterAll(async () => {
  await visited?.[Symbol.asyncDispose]();
  await browser?.close();
});

const client = () => visited.gateway.client;
const faults = () => visited.stage.served.sandbox.faults;
const INFY = { instrument: 'NSE:INFY', side: 'BUY', quantity: 10, product: 'INTRADAY' };

async function placed(key: string, more: object): Promise<void> {
  const reply = await client().place({ ...INFY, ...more }, key);
  expect(reply.status, reply.text).toBeLessThan(300);
}

describe('somebody at the dashboard', () => {
  it('resolves a trigger with an unknown outcome from what needs it, after an id that is refused', async () => {
    const match = { method: 'POST', path: '/gtt/triggers' } as const;
    faults().add({ broker: 'kite', kind: 'reset_before', match, times: 1 });
    const leg = { triggerPrice: 1400, side: 'SELL', quantity: 10, product: 'CNC', price: 1395 };
    const body = { instrument: 'NSE:INFY', legs: [leg], broker: 'alt', force: true };
    const made = await client().post('/api/v1/triggers', body, { 'idempotency-key': 'lost stop' });
    expect([made.status, made.body.data.status]).toEqual([202, 'uncertain']);
    const { id } = made.body.data;
    const need = page.locator('.needs li').filter({ has: page.locator(`a[href$="${id}"]`) });
    await need.filter({ hasText: 'not known whether the trigger NSE:INFY' }).waitFor();
    const triggers = page.getByRole('region', { name: 'The triggers at alt' });
    await triggers.getByRole('link', { name: 'resolve it' }).waitFor();
    await need.getByRole('link').click();
    await page.getByText('not known yet whether the broker has it').waitFor();
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByLabel('under the id of the broker').check();
    await dialog.getByLabel('Trigger id of the broker').fill('999');
    expect(await confirmDialog(page, 'This is what it shows')).toMatch(
      /^Not done, and nothing has changed\. alt has no trigger 999/,
    );
    await page.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByLabel('it was never placed').check();
    expect(await confirmDialog(page, 'This is what it shows')).toContain('not at the broker');
    await page.locator('.status.absent').waitFor();
    await page.getByRole('link', { name: '← Today' }).click();
    await need.waitFor({ state: 'detached' });
    const { data } = (await client().get(`/api/v1/triggers/${id}`)).body;
    expect(data).toMatchObject({ status: 'absent', reason: expect.stringContaining('admin') });
  });

  it('as a trade key is told which part of the account is its own, and what stays', async () => {
    await placed('of the admin', { orderType: 'MARKET', quantity: 7 });
    const made = await client().post('/api/v1/keys', { name: 'momentum', scope: 'trade' });
    const headers = { authorization: `Bearer ${made.body.data.key}` };
    const far = { ...INFY, orderType: 'LIMIT', price: 1400 };
    for (const [key, order] of Object.entries({
      bought: { ...INFY, orderType: 'MARKET', quantity: 3 },
      rests: { ...far, quantity: 4 },
    })) {
      const reply = await client().post('/api/v1/orders', order, {
        ...{ ...headers, 'idempotency-key': key },
      });
      expect(reply.status, reply.text).toBe(201);
    }
    await placed('rests of the admin', { ...far, quantity: 5 });
    const link = await client().post('/api/v1/sign-in-links', undefined, headers);
    const own = (await visited.tab()).page;
    await own.goto(`${visited.gateway.url}${link.body.data.path}`);
    await own.locator('tr[data-position="NSE:INFY"]').filter({ hasText: '10' }).waitFor();
    const dialog = own.getByRole('dialog');
    await own.getByRole('button', { name: 'Close all positions…' }).click();
    await dialog.getByText('SELL 3 NSE:INFY INTRADAY at alt').waitFor();
    expect(await dialog.innerText()).toMatch(/This stays[^]*\b7 NSE:INFY INTRADAY at alt/);
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    await own.getByRole('button', { name: 'Cancel all orders…' }).click();
    await dialog.getByText('BUY 4 NSE:INFY INTRADAY LIMIT').waitFor();
    expect(await dialog.innerText()).not.toContain('BUY 5');
    await dialog.getByRole('button', { name: 'Leave it' }).click();
    await own.close();
    const { body } = await client().post('/api/v1/orders/cancel-all', { scope: 'account' });
    expect(body.data.map(({ result }: { result: string }) => result)).toEqual([
      ...['cancelled', 'cancelled'],
    ]);
  });
});
