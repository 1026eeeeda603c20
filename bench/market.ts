import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { atLeast, atMost, pauseRows, percentile, printRows, row, type Row } from './results.ts';
import { benchEnvironment, type Origins } from './settings.ts';
import {
  openRequests,
  type Requests,
  startBareQuotes,
  startBrokers,
  type StartedBrokers,
  startGateway,
} from './started.ts';

const SYMBOLS = 2_000;
/** What a request to a broker takes, ms. */
const LATENCY_MS: [number, number] = [60, 160];
const MARKET = { market: { shares: SYMBOLS, latencyMs: LATENCY_MS } };

/** Prices for many callers, without ticks: what a broker is asked for, and how old the answers are. */
export async function benchMarket(): Promise<readonly Row[]> {
  const directory = mkdtempSync(join(tmpdir(), 'abg-bench-'));
  try {
    return [
      ...(await cachedQuotes(join(directory, 'cached'))),
      ...(await manyCallers('alt', join(directory, 'alt'), { perSecond: 1, oldestMs: 5_000 })),
      ...(await manyCallers('primary', join(directory, 'primary'), {
        perSecond: 5,
        oldestMs: 2_000,
      })),
      ...(await oneSymbol(join(directory, 'one'))),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A gateway whose prices come from one broker, without ticks. */
const environmentFor = (origins: Origins, directory: string, broker: 'alt' | 'primary') => ({
  ...benchEnvironment(origins, directory),
  APP_ALT_BROKER_TICKER_URL: '',
  APP_ROUTE_MARKET_DATA: broker,
});

interface Answered {
  readonly data: Readonly<Record<string, unknown>>;
  readonly meta: { readonly ageMs: number };
}

const TURNS = 6;
const TURN_MS = 1_500;
const AT_ONCE = 16;

/** The same answer from memory, by the gateway and by a bare server in turn. */
async function cachedQuotes(directory: string): Promise<readonly Row[]> {
  await using brokers = await startBrokers(MARKET);
  await using gateway = await startGateway(environmentFor(brokers.origins, directory, 'alt'));
  await using requests = openRequests();
  const path = '/api/v1/quotes?instruments=NSE:INFY&maxAgeMs=60000';
  await using bare = await startBareQuotes(await requests.get(`${gateway.url}${path}`));
  const rates = { gateway: [] as number[], bare: [] as number[] };
  gateway.watch();
  for (let turn = 0; turn <= TURNS; turn += 1) {
    for (const [way, url] of [
      ['gateway', gateway.url],
      ['bare', bare.url],
    ] as const) {
      const rate = await rateOf(requests, `${url}${path}`);
      // The first turn compiles the code that the others run.
      if (turn > 0) rates[way].push(rate);
    }
  }
  const [gateways, bares] = [percentile(rates.gateway, 0.5), percentile(rates.bare, 0.5)];
  return printRows(`A quote from memory, ${AT_ONCE} requests at once`, [
    row('quotes from memory, through the gateway', gateways, '/s'),
    row('the same JSON from a bare Express route', bares, '/s'),
    row('quotes from memory, over a bare route', gateways / bares, 'times', atLeast(0.75)),
    ...pauseRows('quotes from memory', await gateway.pauses()),
  ]);
}

async function rateOf(requests: Requests, url: string): Promise<number> {
  const begun = performance.now();
  let count = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - begun < TURN_MS) {
      await requests.get(url);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return count / ((performance.now() - begun) / 1_000);
}

const CALLERS = 200;
const EACH = 10;
const WARM_UP_MS = 12_000;
const LASTS_MS = 30_000;

/** Callers who each ask for ten symbols of 2,000 once a second. */
async function manyCallers(
  broker: 'alt' | 'primary',
  directory: string,
  most: { readonly perSecond: number; readonly oldestMs: number },
): Promise<readonly Row[]> {
  await using brokers = await startBrokers(MARKET);
  await using gateway = await startGateway(environmentFor(brokers.origins, directory, broker));
  await using requests = openRequests();
  const ages: number[] = [];
  const waits: number[] = [];
  let errors = 0;
  const begun = performance.now();
  const isCounted = (): boolean => performance.now() - begun > WARM_UP_MS;

  async function ask(caller: number): Promise<void> {
    const names = Array.from({ length: EACH }, (_, index) => {
      const number = ((caller * EACH + index + Math.floor(Math.random() * SYMBOLS)) % SYMBOLS) + 1;
      return `NSE:SHARE${number}`;
    });
    const asked = performance.now();
    const url = `${gateway.url}/api/v1/quotes?instruments=${names.join(',')}`;
    const text = await requests.get(url).catch(() => null);
    if (!isCounted()) return;
    if (text === null) errors += 1;
    else ages.push((JSON.parse(text) as Answered).meta.ageMs);
    waits.push(performance.now() - asked);
  }

  async function caller(number: number): Promise<void> {
    await sleep(Math.random() * 1_000);
    while (performance.now() - begun < WARM_UP_MS + LASTS_MS) {
      const next = performance.now() + 1_000;
      await ask(number);
      await sleep(Math.max(0, next - performance.now()));
    }
  }

  await sleep(200);
  gateway.watch();
  await Promise.all(Array.from({ length: CALLERS }, (_, number) => caller(number)));
  const pauses = await gateway.pauses();
  const asked = await brokers.priceRequests();
  const calls = asked[broker === 'alt' ? 'kite' : 'primary'];
  const [first = 0, last = 0] = [calls.at(0), calls.at(-1)];
  const perSecond = (calls.length - 1) / ((last - first) / 1_000);
  const what = `${CALLERS} callers of ${EACH} symbols at ${broker}`;
  const title = `${CALLERS} callers of ${EACH} symbols of ${SYMBOLS}, each second, at ${broker}`;
  return printRows(title, [
    row(`${what}: requests to the broker`, perSecond, '/s', atMost(most.perSecond)),
    row(`${what}: requests above a limit`, asked.limitBreaks, 'requests', atMost(0)),
    row(`${what}: errors`, errors, 'answers', atMost(0)),
    row(`${what}: answers`, ages.length, 'answers'),
    row(`${what}: age of the oldest price of an answer, p50`, percentile(ages, 0.5), 'ms'),
    row(
      `${what}: age of the oldest price of an answer, p99`,
      percentile(ages, 0.99),
      'ms',
      atMost(most.oldestMs),
    ),
    row(`${what}: wait for an answer, p50`, percentile(waits, 0.5), 'ms'),
    row(`${what}: wait for an answer, p99`, percentile(waits, 0.99), 'ms'),
    ...pauseRows(what, pauses),
  ]);
}

const FEW = 16;
const ONE_SYMBOL_MS = 12_000;

/** Sixteen callers of one symbol, each as fast as it is answered, at a broker that allows one call a second. */
async function oneSymbol(directory: string): Promise<readonly Row[]> {
  await using brokers: StartedBrokers = await startBrokers(MARKET);
  await using gateway = await startGateway(environmentFor(brokers.origins, directory, 'alt'));
  await using requests = openRequests();
  const url = `${gateway.url}/api/v1/quotes?instruments=NSE:INFY`;
  const waits: number[] = [];
  let errors = 0;
  const begun = performance.now();
  const caller = async (): Promise<void> => {
    for (let number = 0; performance.now() - begun < ONE_SYMBOL_MS; number += 1) {
      const asked = performance.now();
      await requests.get(url).catch(() => void (errors += 1));
      // The first answer of each waits for the broker.
      if (number > 0) waits.push(performance.now() - asked);
      await sleep(20);
    }
  };
  gateway.watch();
  await Promise.all(Array.from({ length: FEW }, caller));
  const pauses = await gateway.pauses();
  const { kite } = await brokers.priceRequests();
  const what = `${FEW} callers of one symbol`;
  return printRows(`${FEW} callers of one symbol, without ticks, at one call a second`, [
    row(`${what}: errors`, errors, 'answers', atMost(0)),
    row(`${what}: answers`, waits.length, 'answers'),
    row(`${what}: requests to the broker`, kite.length / (ONE_SYMBOL_MS / 1_000), '/s'),
    row(`${what}: wait for an answer after the first, p50`, percentile(waits, 0.5), 'ms'),
    row(
      `${what}: wait for an answer after the first, p99`,
      percentile(waits, 0.99),
      'ms',
      atMost(20),
    ),
    ...pauseRows(what, pauses),
  ]);
}
