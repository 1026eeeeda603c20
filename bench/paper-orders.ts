import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { compose } from '../src/compose.ts';
import { memoryEnvironment } from '../src/platform/environment.ts';
import { placePaperOrders } from './place-paper-orders.ts';
import { atLeast, printRows, row, type Row } from './results.ts';
import { benchEnvironment, type Origins } from './settings.ts';

const CALLERS = 64;
const WARM_UP = 1_000;
const ORDERS = 20_000;
/** What one caller alone places: each commit is then for one order. */
const ALONE = 2_000;

/** Paper orders from many callers at once, beside one caller, and what one synced row a commit brings. */
export async function benchPaperOrders(
  origins: Origins,
  directory: string,
): Promise<readonly Row[]> {
  const composed = await compose({
    environment: memoryEnvironment({
      ...benchEnvironment(origins, directory),
      APP_ROUTE_TRADING: 'paper',
    }),
  });
  const rate = async (callers: number, count: number): Promise<number> => {
    const begun = performance.now();
    await placePaperOrders(composed.gateway, { callers, count });
    return count / ((performance.now() - begun) / 1_000);
  };
  await rate(CALLERS, WARM_UP);
  const alone = await rate(1, ALONE);
  const together = await rate(CALLERS, ORDERS);
  await composed[Symbol.asyncDispose]();
  const commits = ungroupedCommits(directory);
  return printRows('Paper orders, each durable before its answer', [
    row('one-row commits of SQLite, same disk', commits, '/s'),
    row('paper orders, one caller', alone, '/s'),
    row(`paper orders, ${CALLERS} callers`, together, '/s'),
    row('paper orders per one-row commit', together / commits, 'times'),
    row(`paper orders, ${CALLERS} callers over one caller`, together / alone, 'times', atLeast(4)),
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
