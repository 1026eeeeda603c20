import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { KiteConnect } from 'kiteconnect';
import { Agent, request } from 'undici';
import { compose } from '../src/compose.ts';
import type { OrderRequest } from '../src/domain/order.ts';
import { memoryEnvironment } from '../src/platform/environment.ts';
import { BENCH_ADMIN_KEY, BENCH_KITE, benchEnvironment, type Origins } from './settings.ts';
import { percentile, printFigures } from './statistics.ts';

/** Bursts below Kite's 10 orders a second and 400 a minute, which the gateway keeps to. */
const BURST = 8;
const PAUSE_MS = 1_250;
const WARM_UP = 40;
const SAMPLES = 240;
const CALLERS = 64;
const PAPER_ORDERS = 20_000;

/** What an order costs through the gateway, and how many the paper account takes. */
export async function benchOrders(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'abg-bench-'));
  const brokers = new Worker(new URL('./brokers.ts', import.meta.url));
  try {
    const [origins] = (await once(brokers, 'message')) as [Origins];
    const live = await benchLive(origins, join(directory, 'live'));
    const paper = await benchPaper(origins, join(directory, 'paper'));
    return live && paper;
  } finally {
    await brokers.terminate();
    rmSync(directory, { recursive: true, force: true });
  }
}

async function benchLive(origins: Origins, directory: string): Promise<boolean> {
  const gateway = new Worker(new URL('./gateway.ts', import.meta.url), {
    workerData: benchEnvironment(origins, directory),
  });
  const [url] = (await once(gateway, 'message')) as [string];
  const sdk = new KiteConnect({ api_key: BENCH_KITE.apiKey, root: origins.kite });
  sdk.setAccessToken(origins.token);
  const agent = new Agent();
  const direct: number[] = [];
  const through: number[] = [];
  for (let number = 0; number < WARM_UP + SAMPLES; number += 1) {
    const begun = performance.now();
    await sdk.placeOrder('regular', {
      exchange: 'NSE',
      tradingsymbol: 'INFY',
      transaction_type: 'BUY',
      quantity: 1,
      product: 'MIS',
      order_type: 'LIMIT',
      price: 1550,
      validity: 'DAY',
      tag: `direct${number}`,
    });
    const between = performance.now();
    const { statusCode, body } = await request(`${url}/api/v1/orders`, {
      method: 'POST',
      dispatcher: agent,
      headers: {
        authorization: `Bearer ${BENCH_ADMIN_KEY}`,
        'content-type': 'application/json',
        'idempotency-key': `bench-${number}`,
      },
      body: JSON.stringify({
        instrument: 'NSE:INFY',
        side: 'BUY',
        quantity: 1,
        orderType: 'LIMIT',
        product: 'INTRADAY',
        price: 1550,
      }),
    });
    const text = await body.text();
    const ended = performance.now();
    if (statusCode !== 201) throw new Error(`the gateway answered ${statusCode}: ${text}`);
    if (number >= WARM_UP) {
      direct.push(between - begun);
      through.push(ended - between);
    }
    if (number % BURST === BURST - 1) await sleep(PAUSE_MS);
  }
  await agent.close();
  gateway.postMessage('stop');
  await once(gateway, 'message');
  await gateway.terminate();
  const added = (share: number): number => percentile(through, share) - percentile(direct, share);
  const ms = (value: number): string => `${value.toFixed(2)} ms`;
  return printFigures(`An order, ${SAMPLES} times each way, two durable commits included`, [
    {
      name: 'directly with the SDK, p50',
      value: ms(percentile(direct, 0.5)),
      bound: '',
      kept: true,
    },
    {
      name: 'directly with the SDK, p99',
      value: ms(percentile(direct, 0.99)),
      bound: '',
      kept: true,
    },
    {
      name: 'through the gateway, p50',
      value: ms(percentile(through, 0.5)),
      bound: '',
      kept: true,
    },
    {
      name: 'through the gateway, p99',
      value: ms(percentile(through, 0.99)),
      bound: '',
      kept: true,
    },
    {
      name: 'added by the gateway, p50',
      value: ms(added(0.5)),
      bound: 'at most 1.5 ms',
      kept: added(0.5) <= 1.5,
    },
    {
      name: 'added by the gateway, p99',
      value: ms(added(0.99)),
      bound: 'at most 10 ms',
      kept: added(0.99) <= 10,
    },
  ]);
}

async function benchPaper(origins: Origins, directory: string): Promise<boolean> {
  const composed = await compose({
    environment: memoryEnvironment({
      ...benchEnvironment(origins, directory),
      APP_ROUTE_TRADING: 'paper',
    }),
  });
  const order: OrderRequest = {
    instrument: 'NSE:INFY',
    side: 'BUY',
    quantity: 1,
    orderType: 'LIMIT',
    product: 'CNC',
    validity: 'DAY',
    price: 1,
    triggerPrice: null,
    amo: false,
    tag: null,
    broker: null,
    mode: null,
  };
  const { gateway } = composed;
  let left = 1_000;
  const caller = async (name: string): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { order: placed } = await gateway.placeOrder(
        // Buying and selling at once, so that neither cash nor shares run out.
        {
          ...order,
          price: null,
          orderType: 'MARKET',
          side: left % 2 ? 'BUY' : 'SELL',
          product: 'INTRADAY',
        },
        { caller: name, idempotencyKey: null },
      );
      if (placed.status !== 'working' && placed.status !== 'filled') {
        throw new Error(`a paper order is ${placed.status}: ${placed.reason}`);
      }
    }
  };
  const run = async (): Promise<void> => {
    await Promise.all(Array.from({ length: CALLERS }, (_, index) => caller(`caller-${index}`)));
  };
  await run();
  left = PAPER_ORDERS;
  const begun = performance.now();
  await run();
  const orders = PAPER_ORDERS / ((performance.now() - begun) / 1_000);
  await composed[Symbol.asyncDispose]();
  const commits = ungroupedCommits(directory);
  const each = (value: number): string => `${Math.round(value)} /s`;
  return printFigures(`Paper orders, ${CALLERS} callers, each durable before its answer`, [
    { name: 'ungrouped commits of SQLite, same disk', value: each(commits), bound: '', kept: true },
    {
      name: 'paper orders',
      value: each(orders),
      bound: 'at least as many',
      kept: orders >= commits,
    },
    { name: 'ratio', value: (orders / commits).toFixed(2), bound: '', kept: true },
  ]);
}

/** One row a transaction, each synced, as a program without grouped commits would do it. */
function ungroupedCommits(directory: string): number {
  const database = new DatabaseSync(join(directory, 'commits.db'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = database.prepare('INSERT INTO rows (text) VALUES (?)');
  const begun = performance.now();
  let count = 0;
  while (performance.now() - begun < 2_000) {
    insert.run('x'.repeat(200));
    count += 1;
  }
  const rate = count / ((performance.now() - begun) / 1_000);
  database.close();
  return rate;
}
