import type { Locator, Page } from 'playwright-core';
import type { Tab, Visit } from './visit.ts';

/** A browser that was opened with a link of the admin. */
export async function openDashboard(visited: Visit): Promise<Tab> {
  const tab = await visited.tab();
  await tab.page.goto(`${visited.gateway.url}${visited.gateway.composed.adminLink()}`);
  await tab.page.getByRole('button', { name: 'Sign out' }).waitFor();
  return tab;
}

/** Logs in at the sandbox's Kite, from the button of the page, and comes back. */
export async function logInAtBroker(page: Page, url: string): Promise<void> {
  await page.getByRole('link', { name: 'Log in at the broker' }).click();
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((at) => at.pathname.startsWith('/api/altbroker/'));
  await page.goto(url);
}

/** The row of an order in the table of the day. */
export const orderRow = (page: Page, id: string): Locator => page.locator(`tr[data-order="${id}"]`);

/** Confirms the dialog that is open, and gives what it says then. */
export async function confirmDialog(page: Page, button: string): Promise<string> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: button }).click();
  const answer = dialog.locator('.notice');
  await answer.waitFor();
  const text = await answer.innerText();
  await dialog.getByRole('button', { name: 'Close', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  return text;
}
