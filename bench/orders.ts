import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchLiveOrders } from './live-orders.ts';
import { benchLongDays } from './long-days.ts';
import { benchPaperOrders } from './paper-orders.ts';
import type { Row } from './results.ts';
import { startBrokers } from './started.ts';

/** What an order costs through the gateway, how many the paper account takes, and what a long day adds. */
export async function benchOrders(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'abg-bench-'));
  try {
    await using brokers = await startBrokers();
    return [
      ...(await benchLiveOrders(brokers.origins, directory)),
      ...(await benchPaperOrders(brokers.origins, join(directory, 'paper'))),
      ...(await benchLongDays(brokers.origins, directory)),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
