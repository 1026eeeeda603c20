import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../package.json' with { type: 'json' };
import { atMost, pauseRows, percentile, printRows, row, type Row } from './results.ts';
import { BENCH_ADMIN_KEY, benchEnvironment } from './settings.ts';
import { openRequests, startBrokers, startGateway } from './started.ts';
import { startReaders, startTicker } from './started-streams.ts';

/** About as many instruments as Kite's list and the primary brokerage's have together. */
const LISTED = 90_000;
const LIVE = 1_000;
const SETTLED_MS = 20_000;

/** Memory of a gateway with the lists of both brokers and 1,000 live symbols. */
export async function benchStreamMemory(directory: string): Promise<readonly Row[]> {
  await using brokers = await startBrokers({ market: { shares: LISTED, latencyMs: [1, 2] } });
  await using ticker = await startTicker(1);
  const child = fork(fileURLToPath(new URL('./gateway-process.ts', import.meta.url)), [], {
    // As `npm start` does.
    execArgv: packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--')),
    env: {
      ...benchEnvironment(brokers.origins, join(directory, 'memory')),
      APP_ALT_BROKER_TICKER_URL: ticker.url,
    },
  });
  try {
    const [url] = (await once(child, 'message')) as [string];
    await using requests = openRequests();
    await requests.get(`${url}/api/v1/instruments?q=SHARE1&limit=1`);
    const resident = async (): Promise<number> => {
      child.send('memory');
      const [{ residentBytes }] = (await once(child, 'message')) as [{ residentBytes: number }];
      return residentBytes / 2 ** 20;
    };
    await sleep(SETTLED_MS);
    const before = await resident();
    const instruments = Array.from({ length: LIVE }, (_, index) => `NSE:SHARE${index + 1}`);
    await using readers = await startReaders({
      url: `${url.replace('http', 'ws')}/api/v1/stream`,
      ...{ keys: [BENCH_ADMIN_KEY], isSlow: false },
      subscribe: { action: 'subscribe', mode: 'full', instruments },
    });
    await sleep(SETTLED_MS);
    const { messages } = await readers.heard();
    const after = await resident();
    return printRows(`Memory with ${LISTED} instruments in each list and ${LIVE} live symbols`, [
      row('messages of the stream', messages, 'messages'),
      row('resident memory without a stream', before, 'MB'),
      row('resident memory', after, 'MB', atMost(300)),
    ]);
  } finally {
    child.kill();
  }
}

const CALLERS = 200;
const EACH = 10;
const WARM_UP_MS = 8_000;
const LASTS_MS = 20_000;

/** Callers who each ask for ten symbols of 1,000 once a second, which the ticker carries. */
export async function benchCallersWithTicks(directory: string): Promise<readonly Row[]> {
  await using brokers = await startBrokers({ market: { shares: LIVE, latencyMs: [60, 160] } });
  await using ticker = await startTicker(5);
  await using gateway = await startGateway({
    ...benchEnvironment(brokers.origins, join(directory, 'callers')),
    APP_ALT_BROKER_TICKER_URL: ticker.url,
  });
  await using requests = openRequests();
  const ages: number[] = [];
  let errors = 0;
  const begun = performance.now();
  const isCounted = (): boolean => performance.now() - begun > WARM_UP_MS;
  const caller = async (number: number): Promise<void> => {
    await sleep(Math.random() * 1_000);
    while (performance.now() - begun < WARM_UP_MS + LASTS_MS) {
      const next = performance.now() + 1_000;
      const names = Array.from(
        { length: EACH },
        (_, index) => `NSE:SHARE${((number * EACH + index) % LIVE) + 1}`,
      );
      const url = `${gateway.url}/api/v1/ltp?instruments=${names.join(',')}`;
      const text = await requests.get(url).catch(() => null);
      if (text === null && isCounted()) errors += 1;
      if (text !== null && isCounted()) {
        ages.push((JSON.parse(text) as { meta: { ageMs: number } }).meta.ageMs);
      }
      await sleep(Math.max(0, next - performance.now()));
    }
  };
  gateway.watch();
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
  const pauses = await gateway.pauses();
  const { kite, limitBreaks } = await brokers.priceRequests();
  const perSecond = kite.length / ((performance.now() - begun) / 1_000);
  const what = `${CALLERS} callers of ${EACH} symbols with ticks`;
  return printRows(`${what}, each second`, [
    row(`${what}: requests to the broker`, perSecond, '/s', atMost(1)),
    row(`${what}: requests above a limit`, limitBreaks, 'requests', atMost(0)),
    row(`${what}: errors`, errors, 'answers', atMost(0)),
    row(`${what}: answers`, ages.length, 'answers'),
    row(`${what}: age of the oldest price of an answer, p50`, percentile(ages, 0.5), 'ms'),
    row(
      `${what}: age of the oldest price of an answer, p99`,
      percentile(ages, 0.99),
      'ms',
      atMost(1_000),
    ),
    ...pauseRows(what, pauses),
  ]);
}
