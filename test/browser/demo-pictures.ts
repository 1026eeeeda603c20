import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startRealDemo } from '../support/real-demo.ts';

const HEIGHT = 800;

/** Clicks a button of the bar, and waits until the run has come to its count. */
async function run(page: Page, button: string, result: string): Promise<void> {
  await page.getByRole('button', { name: button }).click();
  await page.locator('.demo-result').filter({ hasText: result }).waitFor();
}

/** The pictures of docs/demo.md, in the order of its story: a demo from its start to the gateway that came back. */
export async function takeDemoPictures(browser: Browser, target: string): Promise<void> {
  await using demo = await startRealDemo();
  const context = await browser.newContext({ reducedMotion: 'reduce', colorScheme: 'light' });
  const page = await context.newPage();
  const size = (width: number): Promise<void> => page.setViewportSize({ width, height: HEIGHT });
  const bar = page.getByRole('complementary', { name: 'The demo' });
  const path = (name: string): { path: string } => ({ path: join(target, `demo-${name}.png`) });
  try {
    await size(1200);
    await page.goto(`${demo.gateway.url}${demo.gateway.link}`);
    await page.getByText('Live', { exact: true }).waitFor();
    await bar.getByText('The gateway runs.').waitFor();
    await page.screenshot(path('start'));
    await page.getByRole('link', { name: 'log in there' }).first().click();
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: 'Open the dashboard' }).click();
    await run(page, 'Buy INFY', 'one order for this request');
    await run(page, 'Kite hangs after accepting', 'Each wanted to buy once');
    await bar.getByText('The gateway runs.').waitFor();
    await bar.screenshot(path('hang'));
    await page.emulateMedia({ colorScheme: 'dark' });
    await bar.screenshot(path('hang-dark'));
    await page.emulateMedia({ colorScheme: 'light' });
    await size(390);
    await bar.screenshot(path('hang-phone'));
    await size(1200);
    await page.getByRole('button', { name: 'Kill the gateway' }).click();
    await bar.getByText('The gateway is gone').waitFor();
    await page.screenshot(path('gone'));
    await page.locator('.demo-result').filter({ hasText: 'it has lost 0' }).waitFor();
    await bar.getByText('started again once').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await page.screenshot(path('back'));
  } finally {
    await context.close();
  }
}
