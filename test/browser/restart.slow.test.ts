import { cpSync, rmSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type GatewayProcess } from '../support/gateway-process.ts';
import { createStage, type Stage } from '../support/served.ts';
import { openChromium } from './chromium.ts';
import { confirmDialog, orderRow } from './dashboard.ts';

let browser: Browser;
let stage: Stage;
beforeAll(async () => {
  browser = await openChromium();
  stage = await createStage();
});
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]();
  await browser?.close();
});

const ORDER = {
  ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 5, product: 'CNC', broker: 'paper' },
  ...{ orderType: 'LIMIT', price: 1400 },
};

async function place(gateway: GatewayProcess, key: string): Promise<string> {
  const reply = await gateway.client.place(ORDER, key);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

describe('the page of a gateway on a copy of the data directory', () => {
  it('says that it may not trade and why, and lets orders pass once the person says that the original is stopped', async () => {
    const copy = `${stage.dataDirectory}-copy`;
    const first = await startGateway(stage);
    first.kill('SIGTERM');
    await first.exited;
    cpSync(stage.dataDirectory, copy, { recursive: true });
    await using gateway = await startGateway(stage, { APP_DATA_DIR: copy });
    const link = await gateway.client.post('/api/v1/sign-in-links', undefined);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${gateway.url}${link.body.data.path}`);
    const sentence = page.locator('.sentence');
    await sentence.filter({ hasText: 'No: this data directory is a copy' }).waitFor();
    expect((await gateway.client.place(ORDER, 'held back')).body.code).toBe('disarmed');

    await page.getByRole('button', { name: 'Let orders pass…' }).click();
    const dialog = page.getByRole('dialog');
    const words = await dialog.innerText();
    expect(words).toContain('Stop the gateway of the original first');
    expect(words).toContain('sends orders, cancels, exits and triggers to your brokers');
    // Without the person's word nothing is sent.
    await dialog.getByRole('button', { name: 'Let orders pass' }).click();
    expect((await gateway.client.place(ORDER, 'held back too')).body.code).toBe('disarmed');
    await dialog.getByLabel('stopped for good').check();
    expect(await confirmDialog(page, 'Let orders pass')).toContain('Orders pass from now on');
    await sentence.filter({ hasText: 'Only on paper' }).waitFor();
    expect(await page.getByRole('button', { name: 'Let orders pass…' }).count()).toBe(0);
    await place(gateway, 'armed');
    rmSync(copy, { recursive: true, force: true });
  });
});

describe('the page of a gateway that ends under it', () => {
  it('says so, goes on where it was after a stop and after a kill, and misses nothing', async () => {
    let gateway = await startGateway(stage);
    const port = new URL(gateway.url).port;
    const link = await gateway.client.post('/api/v1/sign-in-links', undefined);
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${gateway.url}${link.body.data.path}`);
    await page.getByText('Live', { exact: true }).waitFor();
    const first = await place(gateway, 'before');
    await orderRow(page, first).filter({ hasText: 'working' }).waitFor();

    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      gateway.kill(signal);
      await gateway.exited;
      const lost = page.getByText('The gateway has not answered since');
      await lost.waitFor();
      // What was known stays to be seen.
      expect(await orderRow(page, first).count()).toBe(1);
      gateway = await startGateway(stage, { APP_PORT: port });
      // The page may not have connected yet: the event of this order is then the first that it gets.
      const next = await place(gateway, `after ${signal}`);
      await lost.waitFor({ state: 'detached' });
      await page.getByText('Nothing was missed').waitFor();
      await orderRow(page, next).filter({ hasText: 'working' }).waitFor();
      await orderRow(page, first).filter({ hasText: 'working' }).waitFor();
    }
    await gateway[Symbol.asyncDispose]();
  });
});
