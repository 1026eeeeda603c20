import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { openChromium } from './chromium.ts';
import { confirmDialog, logInAtBroker, openDashboard, orderRow } from './dashboard.ts';
import { visit, type Visit } from './visit.ts';

// One gateway, one browser and one page for a trader's day: each test begins where the one before ended.
let browser: Browser;
let visited: Visit;
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  browser = await openChromium();
  visited = await visit(browser);
  ({ page, complaints } = await openDashboard(visited));
});
afterAll(async () => {
  await visited?.[Symbol.asyncDispose]();
  await browser?.close();
});

const client = () => visited.gateway.client;
const kite = () => visited.stage.served.sandbox.kite;
const faults = () => visited.stage.served.sandbox.faults;
const sentence = () => page.locator('.sentence');
const INFY = { instrument: 'NSE:INFY', side: 'BUY', quantity: 10, product: 'INTRADAY' };

async function placed(key: string, more: object): Promise<string> {
  const reply = await client().place({ ...INFY, ...more }, key);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body.data.id;
}

let quantity = 20;

/**
 * An order at the primary brokerage, whose rows have no tags, of which nobody can tell whether it is the one that a person placed
 * meanwhile (`twin`). Unless `isThere` the broker never got it, and the person has placed two. `other` is the broker's id of an order
 * of another quantity.
 */
async function disputed(
  key: string,
  isThere: boolean,
): Promise<{ id: string; twin: string; other: string }> {
  const { primary } = visited.stage.served.sandbox;
  quantity += 1;
  const where = { broker: 'primary', match: { method: 'POST', path: '/order' } } as const;
  faults().add({ ...where, kind: 'tag_lost', times: 1 });
  faults().add({ ...where, kind: isThere ? 'reset_after' : 'reset_before', times: 1 });
  const order = { quantity, product: 'CNC', orderType: 'LIMIT', price: 1400, broker: 'primary' };
  const id = await placed(`disputed ${key}`, order);
  const byHand = (of: number, product: 'delivery' | 'intraday'): string =>
    primary.placeByHand({
      ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: of, limitPaise: 140_000, product },
    }).orderId;
  const [other, twin] = [byHand(99, 'intraday'), byHand(quantity, 'delivery')];
  if (!isThere) byHand(quantity, 'delivery');
  return { id, twin, other };
}

describe('a trader at the dashboard', () => {
  it('is told to log in, does so, and can trade with real money', async () => {
    await sentence().filter({ hasText: 'Only on paper' }).waitFor();
    await page.locator('.bar.paper').waitFor();
    await logInAtBroker(page, visited.gateway.url);
    await sentence().filter({ hasText: 'Yes, with real money at alt' }).waitFor();
    expect(await page.locator('.bar.live').innerText()).toContain('LIVE: real money');
    expect(await page.getByRole('link', { name: 'Log in at the broker' }).count()).toBe(0);
  });

  it('sees an order of a program, modifies it and cancels it, without reloading', async () => {
    const id = await placed('far', { orderType: 'LIMIT', price: 1400 });
    const row = orderRow(page, id);
    await row.filter({ hasText: 'working' }).waitFor();
    expect(await row.innerText()).toContain('₹1,400.00');
    await row.getByRole('button', { name: 'Modify' }).click();
    await page.getByLabel('Price, ₹').fill('1410.5');
    expect(await confirmDialog(page, 'Send the change')).toContain('₹1,410.50');
    await row.filter({ hasText: '₹1,410.50' }).waitFor();
    await row.getByRole('button', { name: 'Cancel' }).click();
    await confirmDialog(page, 'Cancel it');
    await row.filter({ hasText: 'cancelled' }).waitFor();
  });

  it('sees a fill arrive and its life on a timeline, and exits the position', async () => {
    const id = await placed('market', { orderType: 'MARKET' });
    await orderRow(page, id).filter({ hasText: 'filled' }).waitFor();
    const position = page.locator('tr[data-position="NSE:INFY"]').first();
    await position.filter({ hasText: '10' }).waitFor();
    await page.locator('[data-profit="alt"]').filter({ hasText: '₹' }).waitFor();
    await orderRow(page, id).getByRole('link').click();
    const timeline = page.locator('.timeline');
    await timeline.filter({ hasText: 'Filled' }).waitFor();
    const life = await timeline.innerText();
    expect(life).toContain('The gateway sends the order');
    expect(life).toContain('the broker has taken it, after');
    expect(life).toMatch(/The broker says “.+”/);
    await page.getByRole('link', { name: '← Today' }).click();
    await position.getByRole('button', { name: 'Exit' }).click();
    expect(await page.getByRole('dialog').innerText()).toContain('SELL 10 NSE:INFY');
    expect(await confirmDialog(page, 'Exit it')).toContain('The exit has begun');
    await position.getByRole('button', { name: 'Exit' }).waitFor({ state: 'detached' });
  });

  it('sees the exit with its steps, and cancels a trigger', async () => {
    const exit = page.getByRole('region', { name: 'Exits of today' });
    await exit.filter({ hasText: 'flat' }).waitFor();
    expect(await exit.innerText()).toMatch(/SELL 10 NSE:INFY INTRADAY .*: filled/);
    const leg = { triggerPrice: 1400, side: 'SELL', quantity: 10, product: 'CNC', price: 1395 };
    const body = { instrument: 'NSE:INFY', legs: [leg], broker: 'alt', force: true };
    const made = await client().post('/api/v1/triggers', body, { 'idempotency-key': 'stop' });
    expect(made.status, made.text).toBe(201);
    const triggers = page.getByRole('region', { name: 'The triggers at alt' });
    const words = 'SELL 10 CNC at ₹1,395.00 once ₹1,400.00 is reached';
    await triggers.filter({ hasText: words }).waitFor();
    await triggers.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByRole('dialog').innerText()).toContain('is not protected');
    await confirmDialog(page, 'Cancel it');
    await page.getByText('No trigger waits.').waitFor();
    const { data } = (await client().get('/api/v1/triggers?broker=alt')).body;
    expect(data.filter(({ status }: { status: string }) => status === 'waiting')).toEqual([]);
  });

  it('is never told that an order failed whose answer was lost, and sees it found', async () => {
    faults().add({ broker: 'kite', kind: 'late_rows', times: 1_000, params: { delayMs: 4_000 } });
    faults().add({
      broker: 'kite',
      kind: 'reset_after',
      match: { path: '/orders/regular' },
      times: 1,
    });
    const id = await placed('lost', { orderType: 'LIMIT', price: 1400 });
    const row = orderRow(page, id);
    await row.filter({ hasText: 'not known yet whether the broker has it' }).waitFor();
    const need = page.locator('.needs li').filter({ hasText: 'It is not known whether' });
    await need.waitFor();
    expect(await row.innerText()).not.toMatch(/failed|rejected/);
    await row.filter({ hasText: 'working' }).waitFor();
    await need.waitFor({ state: 'detached' });
    for (const { id: fault } of faults().list()) faults().remove(fault);
  });

  it('cancels all orders, and is told before which', async () => {
    await page.getByRole('button', { name: 'Cancel all orders…' }).click();
    expect(await page.getByRole('dialog').innerText()).toContain(
      'BUY 10 NSE:INFY INTRADAY LIMIT ₹1,400.00 at alt (real money)',
    );
    expect(await confirmDialog(page, 'Cancel them')).toContain('BUY 10 NSE:INFY');
    await until('no order is open', async () => {
      const { body } = await client().get('/api/v1/orders?status=open');
      return body.data.length === 0;
    });
  });

  it('engages the kill switch once, and releases it', async () => {
    await page.getByRole('button', { name: 'Kill switch…' }).click();
    expect(await page.getByRole('dialog').innerText()).toContain(
      'Cancels, exits and orders that only reduce',
    );
    expect(await confirmDialog(page, 'Engage it')).toBe('The kill switch is engaged.');
    await sentence().filter({ hasText: 'No: the kill switch is engaged' }).waitFor();
    const refused = await client().place({ ...INFY, orderType: 'MARKET' }, 'stopped');
    expect(refused.body.code).toBe('kill_switch');
    await page.getByRole('button', { name: 'Release the kill switch…' }).click();
    expect(await confirmDialog(page, 'Release it')).toBe('The kill switch is released.');
    await sentence().filter({ hasText: 'Yes, with real money' }).waitFor();
  });

  it('closes all positions, is told before which, and sees the closing with each of them', async () => {
    await placed('held', { orderType: 'MARKET', quantity: 7 });
    const exit = page.locator('tr[data-position="NSE:INFY"]').getByRole('button', { name: 'Exit' });
    await exit.waitFor();
    await page.getByRole('button', { name: 'Close all positions…' }).click();
    expect(await page.getByRole('dialog').innerText()).toContain('SELL 7 NSE:INFY INTRADAY at alt');
    expect(await confirmDialog(page, 'Close them')).toContain('The closing has begun');
    await exit.waitFor({ state: 'detached' });
    const closings = page.getByRole('region', { name: 'Closings of today' });
    await closings.filter({ hasText: '7 NSE:INFY INTRADAY at alt: closed' }).waitFor();
  });

  it.each(['placed', 'forced', 'absent'] as const)(
    'resolves a disputed order as %s, and is asked about it no longer',
    async (word) => {
      const { id, twin, other } = await disputed(word, word !== 'absent');
      const need = page.locator('.needs li').filter({ has: page.locator(`a[href$="${id}"]`) });
      await need.filter({ hasText: 'is disputed' }).waitFor();
      expect(await need.innerText()).toContain('look at it in the app of the broker');
      await need.getByRole('link').click();
      await page.getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog');
      if (word === 'absent') await dialog.getByLabel('it was never placed').check();
      else {
        await dialog.getByLabel('under the order id of the broker').check();
        const named = word === 'placed' ? twin : other;
        await dialog.getByLabel('Order id of the broker', { exact: true }).fill(named);
        if (word === 'forced') await dialog.getByLabel('It is this order although').check();
      }
      const said = await confirmDialog(page, 'This is what it shows');
      expect(said).toContain(word === 'absent' ? 'rejected' : 'working at the broker');
      await page.getByRole('link', { name: '← Today' }).click();
      await need.waitFor({ state: 'detached' });
      const { data } = (await client().get(`/api/v1/orders/${id}`)).body;
      const ids = { placed: twin, forced: other, absent: null };
      expect([data.status, data.brokerOrderId]).toEqual([
        word === 'absent' ? 'rejected' : 'working',
        ids[word],
      ]);
    },
  );

  it('is told that an id is not that of the disputed order, and nothing changes', async () => {
    const { id, other } = await disputed('wrong', false);
    await page.locator(`.needs a[href$="${id}"]`).click();
    await page.getByRole('button', { name: 'Resolve' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('under the order id of the broker').check();
    await dialog.getByLabel('Order id of the broker', { exact: true }).fill(other);
    expect(await confirmDialog(page, 'This is what it shows')).toMatch(
      /^Not done, and nothing has changed\. .*BUY 99 /,
    );
    await page.getByRole('button', { name: 'Resolve' }).click();
    await dialog.getByLabel('it was never placed').check();
    await confirmDialog(page, 'This is what it shows');
    await page.getByRole('link', { name: '← Today' }).click();
  });

  it('sees in the checklist what could be told, and what could not', async () => {
    // A text is found in any case, an expression as it is written.
    const check = (what: string) =>
      page.locator('.checks li').filter({ hasText: new RegExp(what) });
    await check('Sell authorisation').waitFor();
    for (const what of [
      'Login',
      'Trading day',
      'Expiries today and on the next trading day',
      'Clock',
    ]) {
      expect(await check(what).count(), what).toBe(1);
    }
    // The sandbox sends postbacks of the orders of this day.
    await check('Last postback, alt').filter({ hasText: 'OK' }).waitFor();
  });

  it('had a page without errors', () => {
    // A browser notes each answer of 400 and more; the page says of what in its own words.
    expect(complaints.filter((each) => !each.startsWith('Failed to load resource'))).toEqual([]);
    expect(kite().liveToken()).not.toBeNull();
  });
});
