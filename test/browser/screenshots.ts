import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openChromium } from './chromium.ts';
import { takeDemoPictures } from './demo-pictures.ts';
import { logInAtBroker, openDashboard, orderRow } from './dashboard.ts';
import { visit, type Visit } from './visit.ts';

/*
 * `npm run screenshots` takes the pictures of docs/screenshots: each page of the dashboard in both themes and at the width of a phone,
 * of a gateway before the sandbox, and the story of the demo. They show no real account. `npm run screenshots -- demo`, or `-- dashboard`, takes
 * those alone.
 */

const TARGET = join(import.meta.dirname, '../../docs/screenshots');
const SIZES = [
  ['light', 'light', 1200],
  ['dark', 'dark', 1200],
  ['phone', 'light', 390],
] as const;

interface Shown {
  readonly order: string;
  readonly trigger: string;
}

/**
 * A morning: a fill, a resting order, an order whose answer was lost, and one on paper; a trigger that waits, an exit, and a closing
 * that has left nothing of an intraday position.
 */
async function trade({ gateway, stage }: Visit, page: Page): Promise<Shown> {
  const order = { instrument: 'NSE:INFY', side: 'BUY', quantity: 25, product: 'INTRADAY' };
  const filled = await gateway.client.place({ ...order, orderType: 'MARKET' }, 'one');
  await gateway.client.place({ ...order, orderType: 'LIMIT', price: 1420.5 }, 'two');
  const paper = { instrument: 'NSE:RELIANCE', orderType: 'MARKET', broker: 'paper' };
  await gateway.client.place({ ...order, ...paper }, 'three');
  const { client } = gateway;
  const sale = { side: 'SELL', quantity: 10, product: 'CNC' };
  const trigger = await client.post('/api/v1/triggers', {
    ...{ instrument: 'NSE:TCS', broker: 'alt', clientOrderId: 'stop-tcs' },
    legs: [{ ...sale, triggerPrice: 2_800, price: 2_795 }],
  });
  await client.place({ ...order, instrument: 'NSE:SBIN', orderType: 'MARKET' }, 'five');
  await client.place({ ...order, instrument: 'NSE:ITC', orderType: 'MARKET' }, 'six');
  await page.waitForTimeout(3_000);
  await client.post('/api/v1/exits', {
    instrument: 'NSE:SBIN',
    product: 'INTRADAY',
    broker: 'alt',
  });
  const closing = { instrument: 'NSE:ITC', product: 'INTRADAY', broker: 'alt' };
  await client.post('/api/v1/positions/close-all', closing);
  const faults = stage.served.sandbox.faults;
  faults.add({
    broker: 'kite',
    kind: 'reset_before',
    match: { path: '/orders/regular' },
    times: 1,
  });
  await gateway.client.place({ ...order, orderType: 'LIMIT', price: 1400, quantity: 10 }, 'four');
  const { id } = filled.body.data;
  await orderRow(page, id).filter({ hasText: 'filled' }).waitFor();
  await page.getByRole('button', { name: 'Exit' }).first().waitFor();
  await page.getByRole('heading', { name: 'Needs you' }).waitFor();
  await page.locator('h3', { hasText: 'Closings of today' }).waitFor();
  // Otherwise a picture shows a position beside the exit that has ended it.
  for (const name of ['NSE:SBIN', 'NSE:ITC']) {
    await page.locator(`tr.over[data-position="${name}"]`).waitFor();
  }
  return { order: id, trigger: trigger.body.data.id };
}

async function takeDashboardPictures(browser: Browser): Promise<void> {
  await using visited = await visit(browser);
  const { page } = await openDashboard(visited);
  await logInAtBroker(page, visited.gateway.url);
  await page.locator('.bar.live').waitFor();
  const { order, trigger } = await trade(visited, page);
  for (const [name, colorScheme, width] of SIZES) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    for (const place of [
      '',
      'ticket',
      'portfolio',
      'strategies',
      'report',
      'events',
      `order/${order}`,
      `trigger/${trigger}`,
    ]) {
      await page.goto(`${visited.gateway.url}/#/${place}`);
      await page.waitForTimeout(1_200);
      await page.getByText('Asking the gateway…').first().waitFor({ state: 'detached' });
      const shown = place === '' ? 'today' : (place.split('/')[0] ?? '');
      const path = join(TARGET, `${shown}-${name}.png`);
      // A list of hundreds of events is the same all the way down.
      if (place === 'events') await page.setViewportSize({ width, height: 1_600 });
      await page.screenshot({ path, fullPage: place !== 'events' });
      await page.setViewportSize({ width, height: 800 });
    }
  }
}

const STORIES = {
  dashboard: takeDashboardPictures,
  demo: (browser: Browser) => takeDemoPictures(browser, TARGET),
};

const [only] = process.argv.slice(2);
const chosen = Object.entries(STORIES).filter(([name]) => only === undefined || only === name);
if (chosen.length === 0) {
  throw new Error(`"${only}" is none of ${Object.keys(STORIES).join(', ')}`);
}
mkdirSync(TARGET, { recursive: true });
const browser = await openChromium();
try {
  for (const [, take] of chosen) await take(browser);
} finally {
  await browser.close();
}
