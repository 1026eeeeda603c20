import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { benchLiveOrders } from './live-orders.ts';
import { benchPaperOrders } from './paper-orders.ts';
import type { Origins } from './settings.ts';

/** What an order costs through the gateway, and how many the paper account takes. */
export async function benchOrders(): Promise<boolean> {
  const directory = mkdtempSync(join(tmpdir(), 'abg-bench-'));
  const brokers = new Worker(new URL('./brokers.ts', import.meta.url));
  try {
    const [origins] = (await once(brokers, 'message')) as [Origins];
    const live = await benchLiveOrders(origins, directory);
    const paper = await benchPaperOrders(origins, join(directory, 'paper'));
    return live && paper;
  } finally {
    await brokers.terminate();
    rmSync(directory, { recursive: true, force: true });
  }
}
