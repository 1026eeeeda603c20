import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose } from '../src/compose.ts';
import type { OrderRequest } from '../src/domain/order.ts';
import { memoryEnvironment } from '../src/platform/environment.ts';
import type { Gateway } from '../src/router/gateway.ts';
import { benchEnvironment, type Origins } from './settings.ts';
import { printFigures, type Figure } from './statistics.ts';

const CALLERS = 64;
const PAPER_ORDERS = 20_000;

/** What one caller alone places: each commit is then for one order. */
const ALONE = 2_000;

const ORDER: OrderRequest = {
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 1,
  orderType: 'MARKET',
  product: 'INTRADAY',
  validity: 'DAY',
  price: null,
  triggerPrice: null,
  amo: false,
  tag: null,
  broker: null,
  mode: null,
};

/** Paper orders from many callers at once, beside what one synced row a commit brings. */
export async function benchPaperOrders(origins: Origins, directory: string): Promise<boolean> {
  const composed = await compose({
    environment: memoryEnvironment({
      ...benchEnvironment(origins, directory),
      APP_ROUTE_TRADING: 'paper',
    }),
  });
  const { gateway } = composed;
  await place(gateway, CALLERS, 1_000);
  const alone = await place(gateway, 1, ALONE);
  const orders = await place(gateway, CALLERS, PAPER_ORDERS);
  await composed[Symbol.asyncDispose]();
  const commits = ungroupedCommits(directory);
  const each = (value: number): string => `${Math.round(value)} /s`;
  return printFigures(`Paper orders, each durable before its answer`, [
    figure('one-row commits of SQLite, same disk', each(commits)),
    figure('paper orders, one caller', each(alone)),
    {
      name: `paper orders, ${CALLERS} callers`,
      value: each(orders),
      bound: 'at least as many as commits',
      kept: orders >= commits,
    },
    figure('paper orders per one-row commit', (orders / commits).toFixed(2)),
    figure(`${CALLERS} callers, times one caller`, (orders / alone).toFixed(2)),
  ]);
}

const figure = (name: string, value: string): Figure => ({ name, value, bound: '', kept: true });

/** Places `count` orders; resolves with how many a second. */
async function place(gateway: Gateway, callers: number, count: number): Promise<number> {
  let left = count;
  const caller = async (name: string): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { order } = await gateway.placeOrder(
        // Buying and selling in turn, so that neither cash nor shares run out.
        { ...ORDER, side: left % 2 ? 'BUY' : 'SELL' },
        { caller: name, idempotencyKey: null },
      );
      if (order.status !== 'working' && order.status !== 'filled') {
        throw new Error(`a paper order is ${order.status}: ${order.reason}`);
      }
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: callers }, (_, index) => caller(`caller-${index}`)));
  return count / ((performance.now() - begun) / 1_000);
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
