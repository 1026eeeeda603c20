import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOME } from '../src/backup/disarmed.ts';
import { compose } from '../src/compose.ts';
import { memoryEnvironment } from '../src/platform/environment.ts';
import { placePaperOrders, placeRestingOrders } from './place-paper-orders.ts';
import { atMost, percentile, printRows, row, type Row } from './results.ts';
import { benchEnvironment, LIMIT_ORDER, MARKET_ORDER, type Origins } from './settings.ts';
import { openRequests, startBrokers, startGateway, type StartedGateway } from './started.ts';

const SHORT_DAY = 100;
const LONG_DAY = 20_000;
/** The orders that the alternative broker takes in a day (docs/spec/kite-limits.md). */
const LONGEST_BOOK = 5_000;
const OPEN = 10;
const MOST_TIMES = 1.3;

const PAPER = { APP_ROUTE_TRADING: 'paper' };

/** What an order and the list of orders cost late on a day of 20,000 orders. */
export async function benchLongDays(origins: Origins, directory: string): Promise<readonly Row[]> {
  const template = { short: join(directory, 'short-day'), long: join(directory, 'long-day') };
  {
    // Brokers with empty books: the days are given to others below, and a gateway does not trust a
    // book in which rows that it has seen today are missing.
    await using fresh = await startBrokers();
    await fillDay(benchEnvironment(fresh.origins, template.short), SHORT_DAY);
    await fillDay(benchEnvironment(fresh.origins, template.long), LONG_DAY);
  }
  let copies = 0;
  /** Each measurement begins with the days as they are now. */
  const days = (): Days => {
    copies += 1;
    const copy = (path: string): string => {
      cpSync(path, `${path}-${copies}`, { recursive: true });
      // Without it the gateway does not take the directory for a copy, which would send nothing.
      rmSync(join(`${path}-${copies}`, HOME), { force: true });
      return `${path}-${copies}`;
    };
    return { short: copy(template.short), long: copy(template.long) };
  };
  return [
    ...(await paperOrders(origins, days())),
    ...(await liveOrders(origins, days())),
    ...(await liveOrdersWithBook(days(), LONGEST_BOOK, MOST_TIMES)),
    ...(await liveOrdersWithBook(days(), LONG_DAY, null)),
    ...(await listedOrders(origins, days())),
  ];
}

/** Data directories. */
interface Days {
  readonly short: string;
  readonly long: string;
}

/** A day of paper orders in a data directory: most are filled, a tenth cancelled, some open. */
async function fillDay(environment: Record<string, string>, orders: number): Promise<void> {
  const filled = memoryEnvironment({ ...environment, ...PAPER });
  await using composed = await compose({ environment: filled });
  const cancelled = Math.floor(orders / 10);
  await placeRestingOrders(composed.gateway, { open: OPEN, cancelled });
  const count = orders - cancelled - OPEN;
  await placePaperOrders(composed.gateway, { callers: 64, count });
}

/** The journal and the paper account's book both hold the day. */
async function paperOrders(origins: Origins, { short, long }: Days): Promise<readonly Row[]> {
  await using shortDay = await startGateway({ ...benchEnvironment(origins, short), ...PAPER });
  await using longDay = await startGateway({ ...benchEnvironment(origins, long), ...PAPER });
  const took = await placeInTurn({ short: shortDay, long: longDay }, MARKET_ORDER, {
    warmUp: 100,
    samples: 1_000,
    meanPauseMs: 10,
  });
  return rowsOf('paper order', 'in the journal and in the paper book', took);
}

/** The day was on paper; the orders that are measured go to a broker whose book is short. */
async function liveOrders(origins: Origins, { short, long }: Days): Promise<readonly Row[]> {
  await using shortDay = await startGateway(benchEnvironment(origins, short));
  await using longDay = await startGateway(benchEnvironment(origins, long));
  const took = await placeInTurn({ short: shortDay, long: longDay }, LIMIT_ORDER, LIVE);
  return rowsOf('live order', 'in the journal', took);
}

/** The book of the broker holds orders of another program; `most` is the bound, null for none. */
async function liveOrdersWithBook(
  { short, long }: Days,
  rows: number,
  most: number | null,
): Promise<readonly Row[]> {
  await using few = await startBrokers({ rows: SHORT_DAY });
  await using many = await startBrokers({ rows });
  await using shortDay = await startGateway(benchEnvironment(few.origins, short));
  await using longDay = await startGateway(benchEnvironment(many.origins, long));
  const took = await placeInTurn({ short: shortDay, long: longDay }, LIMIT_ORDER, LIVE);
  const where = `in the journal, ${rows} rows of others in the broker's book`;
  return rowsOf('live order', where, took, most);
}

/** Below Kite's 400 orders a minute at each of the two. */
const LIVE = { warmUp: 30, samples: 300, meanPauseMs: 90 };

interface Took {
  readonly short: number[];
  readonly long: number[];
}

/**
 * Orders to both gateways in turn. Pauses are drawn anew each time, so that orders fall anywhere
 * between two reads of a book, and on top of them: what a read holds up is in the figures.
 */
async function placeInTurn(
  gateways: { readonly short: StartedGateway; readonly long: StartedGateway },
  order: string,
  pace: { readonly warmUp: number; readonly samples: number; readonly meanPauseMs: number },
): Promise<Took> {
  await using requests = openRequests();
  const took: Took = { short: [], long: [] };
  for (let number = 0; number < pace.warmUp + pace.samples; number += 1) {
    for (const day of ['short', 'long'] as const) {
      await sleep(Math.random() * 2 * pace.meanPauseMs);
      const begun = performance.now();
      await requests.post(`${gateways[day].url}/api/v1/orders`, order);
      if (number >= pace.warmUp) took[day].push(performance.now() - begun);
    }
  }
  return took;
}

function rowsOf(
  what: string,
  where: string,
  { short, long }: Took,
  most: number | null = MOST_TIMES,
): readonly Row[] {
  const title = `A ${what} with ${SHORT_DAY} and with ${LONG_DAY} orders of the day ${where}`;
  const shares = [0.5, 0.99];
  return printRows(title, [
    ...shares.flatMap((share) => [
      row(`${what}, ${SHORT_DAY} orders ${where}, p${share * 100}`, percentile(short, share), 'ms'),
      row(`${what}, ${LONG_DAY} orders ${where}, p${share * 100}`, percentile(long, share), 'ms'),
    ]),
    ...shares.map((share) =>
      row(
        `${what}, ${LONG_DAY} over ${SHORT_DAY} orders ${where}, p${share * 100}`,
        percentile(long, share) / percentile(short, share),
        'times',
        most === null ? undefined : atMost(most),
      ),
    ),
  ]);
}

const WALKS = 5;

/** `GET /orders` of the long day on paper: all pages, one after the other. */
async function listedOrders(origins: Origins, { long }: Days): Promise<readonly Row[]> {
  await using gateway = await startGateway({ ...benchEnvironment(origins, long), ...PAPER });
  await using requests = openRequests();
  const pages: { readonly ms: number; readonly bytes: number }[] = [];
  let orders = 0;
  const walk = async (): Promise<number> => {
    let cursor: string | null = null;
    let count = 0;
    do {
      const begun = performance.now();
      const query = cursor === null ? '' : `?cursor=${cursor}`;
      const text = await requests.get(`${gateway.url}/api/v1/orders${query}`);
      pages.push({ ms: performance.now() - begun, bytes: Buffer.byteLength(text) });
      const answer = JSON.parse(text) as { data: unknown[]; meta: { nextCursor: string | null } };
      count += answer.data.length;
      cursor = answer.meta.nextCursor;
    } while (cursor !== null);
    return count;
  };
  // The first one compiles the code that the others run.
  await walk();
  pages.length = 0;
  gateway.watch();
  for (let number = 0; number < WALKS; number += 1) orders = await walk();
  const { longestMs, delayMs } = await gateway.pauses();
  const ms = pages.map((page) => page.ms);
  return printRows(`GET /orders of a day of ${orders} orders, ${WALKS} times, page by page`, [
    row('GET /orders, pages of a day', pages.length / WALKS, 'pages'),
    row('GET /orders, a page, p50', percentile(ms, 0.5), 'ms'),
    row('GET /orders, a page, p99', percentile(ms, 0.99), 'ms'),
    row(
      'GET /orders, the largest answer',
      Math.max(...pages.map(({ bytes }) => bytes)) / 1e6,
      'MB',
      atMost(1),
    ),
    row('GET /orders, longest pause of the event loop', longestMs, 'ms', atMost(20)),
    row('GET /orders, longest delay seen by monitorEventLoopDelay', delayMs, 'ms'),
  ]);
}
