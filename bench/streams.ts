import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pauses } from './gateway.ts';
import { benchPostbackEvents } from './postback-events.ts';
import { atMost, pauseRows, percentile, printRows, row, type Row } from './results.ts';
import { BENCH_ADMIN_KEY, benchEnvironment, MARKET_ORDER, type Origins } from './settings.ts';
import { openRequests, startBrokers, type StartedGateway, startGateway } from './started.ts';
import { benchCallersWithTicks, benchStreamMemory } from './stream-memory.ts';
import { startReaders, type StartedReaders, startRelay, startTicker } from './started-streams.ts';

const SYMBOLS = 1_000;
const MARKET = { market: { shares: SYMBOLS, latencyMs: [60, 160] as [number, number] } };
const TICKS_A_SECOND = 5;
const READERS = 20;
const STREAMED = 500;
const WARM_UP_MS = 4_000;
const LASTS_MS = 10_000;

/** Streams of prices: what they add to a tick, to an order, and how their cost grows. */
export async function benchStreams(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'abg-bench-'));
  try {
    await using brokers = await startBrokers(MARKET);
    await using ticker = await startTicker(TICKS_A_SECOND);
    const environment = (name: string) =>
      streamEnvironment(brokers.origins, join(directory, name), ticker.url);
    return [
      ...(await addedToTicks(environment('ticks'), ticker.url)),
      ...(await addedToOrders(environment('orders'))),
      ...(await growth(environment)),
      ...(await benchPostbackEvents(join(directory, 'postbacks'))),
      ...(await benchCallersWithTicks(directory)),
      ...(await benchStreamMemory(directory)),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

const streamEnvironment = (origins: Origins, directory: string, tickerUrl: string) => ({
  ...benchEnvironment(origins, directory),
  APP_ALT_BROKER_TICKER_URL: tickerUrl,
  APP_ROUTE_TRADING: 'paper',
  // Ticks carry the time as their price: a share may cost crores.
  APP_PAPER_CASH: '1000000000000',
});

const namesOf = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `NSE:SHARE${index + 1}`);

const adminKeys = (count: number): readonly string[] => Array<string>(count).fill(BENCH_ADMIN_KEY);

function readersOf(
  { url }: StartedGateway,
  keys: readonly string[],
  { symbols = STREAMED, isSlow = false } = {},
): Promise<StartedReaders> {
  // All readers of one key want the same, and a key may want 3,000.
  const instruments = namesOf(symbols);
  return startReaders({
    url: `${url.replace('http', 'ws')}/api/v1/stream`,
    ...{ keys, isSlow, subscribe: { action: 'subscribe', mode: 'quote', instruments } },
  });
}

/** Keys of which each may have as many instruments as three readers want. */
async function makeKeys(
  { url }: StartedGateway,
  post: (url: string, body: string) => Promise<string>,
  count: number,
): Promise<readonly string[]> {
  const keys: string[] = [];
  for (let number = 0; number < count; number += 1) {
    const body = JSON.stringify({ name: `reader ${number}`, scope: 'read' });
    const { data } = JSON.parse(await post(`${url}/api/v1/keys`, body)) as {
      data: { key: string };
    };
    keys.push(data.key);
  }
  return keys;
}

/** From the ticker to a reader, by the gateway and by a server that only passes bytes on. */
async function addedToTicks(
  environment: Readonly<Record<string, string>>,
  tickerUrl: string,
): Promise<readonly Row[]> {
  const measured = async (readers: StartedReaders): Promise<readonly number[]> => {
    await sleep(WARM_UP_MS);
    await readers.heard();
    await sleep(LASTS_MS);
    return (await readers.heard()).latencies;
  };
  async function byGateway() {
    await using gateway = await startGateway(environment);
    await using requests = openRequests();
    await requests.get(`${gateway.url}/api/v1/instruments?q=SHARE1&limit=1`);
    const keys = await makeKeys(gateway, requests.post, READERS);
    await using readers = await readersOf(gateway, keys);
    gateway.watch();
    const latencies = await measured(readers);
    return { latencies, pauses: await gateway.pauses() };
  }
  async function bare(): Promise<readonly number[]> {
    await using relay = await startRelay(tickerUrl, STREAMED);
    await using readers = await startReaders({
      ...{ url: relay.url, keys: adminKeys(READERS), subscribe: null, isSlow: false },
    });
    return await measured(readers);
  }
  const { latencies: gateways, pauses } = await byGateway();
  const bares = await bare();
  const added = (share: number): number => percentile(gateways, share) - percentile(bares, share);
  const title = `${STREAMED} symbols, ${TICKS_A_SECOND} ticks a second each, ${READERS} readers`;
  return printRows(title, [
    row('a tick through the gateway, p50', percentile(gateways, 0.5), 'ms'),
    row('a tick through the gateway, p99', percentile(gateways, 0.99), 'ms'),
    row('the same bytes through a bare relay, p99', percentile(bares, 0.99), 'ms'),
    row('what the gateway adds to a tick, p50', added(0.5), 'ms'),
    row('what the gateway adds to a tick, p99', added(0.99), 'ms', atMost(5)),
    ...pauseRows(`${READERS} readers of ticks`, pauses),
  ]);
}

const TURNS = 3;
const ORDERS_A_TURN = 60;
const SLOW_READERS = 200;

/** Paper orders, one after the other: alone, beside streams, and beside streams that take nothing. */
async function addedToOrders(
  environment: Readonly<Record<string, string>>,
): Promise<readonly Row[]> {
  await using gateway = await startGateway(environment);
  await using requests = openRequests();
  await requests.get(`${gateway.url}/api/v1/instruments?q=SHARE1&limit=1`);
  const keys = await makeKeys(gateway, requests.post, SLOW_READERS);
  const waits = { alone: [] as number[], streams: [] as number[], slow: [] as number[] };
  const place = async (into: number[]): Promise<void> => {
    for (let number = 0; number < ORDERS_A_TURN; number += 1) {
      const side = number % 2 ? 'SELL' : 'BUY';
      const begun = performance.now();
      await requests.post(
        `${gateway.url}/api/v1/orders`,
        JSON.stringify({ ...JSON.parse(MARKET_ORDER), side }),
      );
      into.push(performance.now() - begun);
      await sleep(10);
    }
  };
  // The first orders compile the code that the others run.
  await place([]);
  gateway.watch();
  for (let turn = 0; turn < TURNS; turn += 1) {
    await place(waits.alone);
    {
      await using readers = await readersOf(gateway, keys.slice(0, READERS));
      await sleep(1_000);
      await place(waits.streams);
      await readers.heard();
    }
    {
      await using readers = await readersOf(gateway, keys, { isSlow: true });
      await sleep(1_000);
      await place(waits.slow);
      await readers.heard();
    }
    await sleep(500);
  }
  const pauses = await gateway.pauses();
  const p99 = (samples: readonly number[]): number => percentile(samples, 0.99);
  return printRows('Paper orders beside streams of prices', [
    row('an order alone, p99', p99(waits.alone), 'ms'),
    row('an order beside streams, p99', p99(waits.streams), 'ms'),
    row('an order beside slow readers, p99', p99(waits.slow), 'ms'),
    row(
      'an order beside streams, p99, over alone',
      p99(waits.streams) / p99(waits.alone),
      'times',
      atMost(1.5),
    ),
    row(
      `an order beside ${SLOW_READERS} slow readers, p99, over alone`,
      p99(waits.slow) / p99(waits.alone),
      'times',
      atMost(1.5),
    ),
    ...pauseRows('orders and streams', pauses),
  ]);
}

const LOADS = [125, 250, 500, 1_000];
const GROWTH_MS = 8_000;

/** What the gateway's thread uses at 1, 2, 4 and 8 times the load. */
async function growth(
  environment: (name: string) => Readonly<Record<string, string>>,
): Promise<readonly Row[]> {
  const used: number[] = [];
  let heaviest: Pauses | null = null;
  for (const symbols of LOADS) {
    await using gateway = await startGateway(environment(`load-${symbols}`));
    await using requests = openRequests();
    await requests.get(`${gateway.url}/api/v1/instruments?q=SHARE1&limit=1`);
    const keys = await makeKeys(gateway, requests.post, READERS);
    await using readers = await readersOf(gateway, keys, { symbols });
    await sleep(WARM_UP_MS);
    gateway.watch();
    await sleep(GROWTH_MS);
    heaviest = await gateway.pauses();
    used.push((heaviest.usedMs / GROWTH_MS) * 1_000);
    await readers.heard();
  }
  const [first = NaN] = used;
  return printRows(
    `The gateway's thread with ${READERS} readers, at 1, 2, 4 and 8 times the load`,
    [
      ...LOADS.flatMap((symbols, index) => {
        const share = (used[index] ?? NaN) / first;
        const times = symbols / (LOADS[0] ?? 1);
        return [
          row(`${symbols} symbols: processor time in a second`, used[index] ?? NaN, 'ms'),
          ...(times > 1
            ? [row(`${times} times the load, over once`, share, 'times', atMost(times))]
            : []),
        ];
      }),
      ...(heaviest ? pauseRows(`${LOADS.at(-1)} symbols`, heaviest) : []),
    ],
  );
}
