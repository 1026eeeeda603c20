import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from './axe.ts';
import { openChromium } from './chromium.ts';
import { confirmDialog, openDashboard, orderRow } from './dashboard.ts';
import { visit, type Visit } from './visit.ts';

// One gateway and one page: orders go to paper, since nobody logs in.
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

const go = async (name: string): Promise<void> => {
  await page.getByRole('navigation').getByRole('link', { name }).click();
};

async function fillTicket(quantity: string, price: string): Promise<void> {
  await go('Ticket');
  await page.getByLabel('Instrument').fill('nse:infy');
  await page.getByLabel('Quantity').fill(quantity);
  await page.getByLabel('Price, ₹').fill(price);
}

const ordersAtGateway = async (): Promise<readonly { id: string; quantity: number }[]> =>
  (await visited.gateway.client.get('/api/v1/orders')).body.data;

describe('the ticket', () => {
  it('says what is wrong, and sends nothing', async () => {
    await fillTicket('', '1400');
    await page.getByRole('button', { name: 'Review the order…' }).click();
    expect(await page.getByRole('alert').innerText()).toContain('Quantity is required');
    expect(await ordersAtGateway()).toEqual([]);
  });

  it('shows account, tick, lot, margin, charges and brakes, and then places the order once', async () => {
    await fillTicket('10', '1400');
    const asked = page.waitForRequest('**/api/v1/margins*');
    await page.getByRole('button', { name: 'Review the order…' }).click();
    // What it blocks is asked of the account that the order goes to.
    expect((await asked).postDataJSON()).toMatchObject({ orders: [{ broker: 'paper' }] });
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Charges').waitFor();
    const text = await dialog.innerText();
    expect(text).toContain('BUY 10 NSE:INFY CNC LIMIT ₹1,400.00');
    for (const part of ['PAPER', 'tick ₹', 'lot 1', 'Blocks', 'none is set, for the account']) {
      expect(text).toContain(part);
    }
    expect(await confirmDialog(page, 'Place it')).toContain('working at the broker');
    const [order, ...others] = await ordersAtGateway();
    expect([order?.quantity, others]).toEqual([10, []]);
    await go('Today');
    await orderRow(page, order?.id ?? '')
      .filter({ hasText: 'working' })
      .waitFor();
  });

  it('whose answer is lost is said to be open, over a reload, and asked for again places no second order', async () => {
    await fillTicket('3', '1390');
    // The request arrives, and its answer does not.
    await page.route('**/api/v1/orders', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Review the order…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Charges').waitFor();
    await dialog.getByRole('button', { name: 'Place it' }).click();
    const said = dialog.locator('.notice.warn');
    await said.waitFor();
    expect(await said.innerText()).toMatch(/^Not known yet whether this was done/);
    expect(await said.innerText()).not.toMatch(/fail|not placed/i);
    await page.unroute('**/api/v1/orders');

    await page.reload();
    await go('Today');
    const need = page.locator('.needs li').filter({ hasText: 'BUY 3 NSE:INFY' });
    await need.getByRole('button', { name: 'Ask again' }).click();
    const seen = need.getByRole('button', { name: 'I have seen it' });
    await seen.waitFor();
    expect(await need.innerText()).toMatch(
      /answered at [\d:]+ IST:\s+BUY 3 .*: working at the broker/,
    );
    const [placed, ...others] = (await ordersAtGateway()).filter(({ quantity }) => quantity === 3);
    expect(others).toEqual([]);
    // It stays, whatever is read since and over a reload, and says what has changed.
    await visited.gateway.client.delete(`/api/v1/orders/${placed?.id}`);
    await need.getByText('Since then it has changed').waitFor();
    expect(await need.innerText()).toMatch(/Since then it has changed: BUY 3 .*: cancelled/);
    await page.reload();
    await seen.click();
    await need.waitFor({ state: 'detached' });
    await page.reload();
    await page.locator('tr[data-order]').first().waitFor();
    expect(await need.count()).toBe(0);
  });

  it('whose dialog is closed before the answer comes has its answer on the first screen', async () => {
    await fillTicket('4', '1380');
    const { promise: isLooked, resolve: look } = Promise.withResolvers<undefined>();
    await page.route('**/api/v1/orders', async (route) => {
      if (route.request().method() === 'POST') await isLooked;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Review the order…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Place it' }).click();
    await dialog.getByText('Sending…').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await go('Today');
    look(undefined);
    const answer = page.locator('.needs li').filter({ hasText: 'BUY 4 NSE:INFY' });
    await answer.filter({ hasText: 'working at the broker' }).waitFor();
    await answer.getByRole('button', { name: 'I have seen it' }).click();
    await answer.waitFor({ state: 'detached' });
    await page.unroute('**/api/v1/orders');
  });
});

describe('the report of the day', () => {
  it('has each account and key, and the orders of the day', async () => {
    await go('Report');
    await page.getByRole('heading', { name: 'Report of the day' }).waitFor();
    const paper = page.getByRole('region', { name: 'PAPER', exact: true }).first();
    await paper.getByText('After charges').waitFor();
    const { data } = (await visited.gateway.client.get('/api/v1/reports/today')).body;
    const account = data.accounts.find(({ broker }: { broker: string }) => broker === 'paper');
    expect(account.orders.placed).toBeGreaterThan(0);
    expect(await paper.innerText()).toContain(`${account.orders.placed}: `);
    await page.getByRole('heading', { name: 'admin' }).waitFor();
    // Of a broker without a session nothing is told as 0.
    const live = page.getByRole('region', { name: /LIVE alt/ }).first();
    expect(await live.innerText()).toMatch(/Charges\s+not known/);
  });

  it('says why there is none of another day, and goes back to today', async () => {
    await page.getByLabel('Day').fill('2020-01-01');
    await page.getByText('There is no report').waitFor();
    expect(await page.locator('main').innerText()).toContain('ask for a later day');
    await page.getByRole('button', { name: 'Today' }).click();
    await page.getByText('After charges').first().waitFor();
  });
});

describe('the further pages', () => {
  it('show funds and holdings, the book of each key, and events with a report without secrets', async () => {
    await go('Portfolio');
    await page.getByText('₹1,00,00,000.00').first().waitFor();
    await go('Strategies');
    await page.getByRole('heading', { name: 'admin' }).waitFor();
    await page.getByText('Profit of the day').waitFor();
    await go('Events');
    await visited.gateway.client.place(
      { instrument: 'NSE:INFY', side: 'BUY', quantity: 1, orderType: 'MARKET', product: 'CNC' },
      'seen',
    );
    await page.getByRole('cell', { name: 'order.fill' }).first().waitFor();
    // A page that is opened now has what was before.
    await page.reload();
    await page.getByRole('cell', { name: 'order.fill' }).first().waitFor();
    const ids = await page.getByRole('cell', { name: 'order.fill' }).count();
    expect(ids).toBe(1);
    await page.getByLabel('Show').selectOption('safety');
    await page.getByText('Nothing of this kind is among them.').waitFor();
    await page.getByLabel('Show').selectOption('all');
    await page.getByRole('button', { name: 'Make the report' }).click();
    const report = await page.getByLabel('The report').inputValue();
    expect(Object.keys(JSON.parse(report))).toContain('readiness');
    expect(report).not.toMatch(/ab[glp]_|tkt_/);
    const token = await page.evaluate<string>("localStorage.getItem('altbroker-sign-in')");
    expect(report).not.toContain(token);
  });
});

describe('on a phone', () => {
  it('names each figure of a table, since the heads of the columns are not shown', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const name of ['Today', 'Portfolio', 'Strategies', 'Report']) {
      await go(name);
      if (name === 'Today') await page.locator('tr[data-position]').first().waitFor();
      const nameless = await page.evaluate<string[]>(
        "[...document.querySelectorAll('td.number:not([data-label])')].map((each) => each.outerHTML)",
      );
      expect(nameless, name).toEqual([]);
    }
    await go('Today');
    await page.locator('tr[data-position] td[data-label="Profit"]').first().waitFor();
    const label = `getComputedStyle(document.querySelector('tr[data-position] td[data-label="Profit"]'), '::before').content`;
    expect(await page.evaluate<string>(label)).toContain('Profit');
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});

describe('axe', () => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 375],
  ] as const)('finds nothing serious in the %s theme, %i wide', async (colorScheme, width) => {
    // A notice that fades in has other colours meanwhile, and one may come while axe looks.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: 900 });
    for (const name of ['Today', 'Ticket', 'Portfolio', 'Strategies', 'Report', 'Events']) {
      await go(name);
      expect(await seriousFindings(page), name).toEqual([]);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(wide, `${name} is no wider than the screen`).toBeLessThanOrEqual(width);
    }
    await go('Today');
    await page.locator('tr[data-order] a').first().click();
    await page.locator('.timeline li').first().waitFor();
    expect(await seriousFindings(page)).toEqual([]);
    await go('Today');
    await page.getByRole('button', { name: 'Cancel all orders…' }).click();
    expect(await seriousFindings(page)).toEqual([]);
    // By keyboard: the dialog has the focus, Escape leaves it, and nothing was done.
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });
});
