import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { KiteConnect } from 'kiteconnect';
import { atMost, percentile, printRows, row, type Row } from './results.ts';
import { BENCH_KITE, benchEnvironment, benchOrder, LIMIT_ORDER, type Origins } from './settings.ts';
import { openRequests, startBare, startGateway } from './started.ts';

/** Bursts below Kite's 10 orders a second and 400 a minute, which the gateway keeps to. */
const BURST = 8;
const PAUSE_MS = 1_250;
/** Pauses vary by so much: equal ones would be in step with the reads of the book, a second apart. */
const PAUSES_DIFFER_MS = 500;
const WARM_UP = 40;
const SAMPLES = 480;

const WAYS = ['direct', 'bare', 'gateway'] as const;
type Took = Readonly<Record<(typeof WAYS)[number], number[]>>;

/** The same order by three ways in turn: by the SDK itself, through a bare server, through us. */
export async function benchLiveOrders(
  origins: Origins,
  directory: string,
): Promise<readonly Row[]> {
  const sdk = new KiteConnect({ api_key: BENCH_KITE.apiKey, root: origins.kite });
  sdk.setAccessToken(origins.token);
  await using bare = await startBare(origins, directory);
  await using gateway = await startGateway(benchEnvironment(origins, join(directory, 'live')));
  await using requests = openRequests();
  const ways = {
    direct: (number: number) => sdk.placeOrder('regular', benchOrder(`direct${number}`)),
    bare: () => requests.post(bare.url, JSON.stringify(benchOrder('bare'))),
    gateway: (number: number) =>
      requests.post(`${gateway.url}/api/v1/orders`, LIMIT_ORDER, `bench-${number}`),
  };
  const took: Took = { direct: [], bare: [], gateway: [] };
  for (let number = 0; number < WARM_UP + SAMPLES; number += 1) {
    // None of them is always the first after a pause.
    for (const way of [...WAYS.slice(number % 3), ...WAYS.slice(0, number % 3)]) {
      const begun = performance.now();
      await ways[way](number);
      if (number >= WARM_UP) took[way].push(performance.now() - begun);
    }
    if (number % BURST === BURST - 1) {
      await sleep(PAUSE_MS + ((number * 37) % PAUSES_DIFFER_MS));
    }
  }
  return printRows(`A live order, ${SAMPLES} times each way, in turn; both servers commit twice`, [
    ...latencies('live order, directly with the SDK', took.direct),
    ...latencies('live order, through a bare server with two synced rows', took.bare),
    ...latencies('live order, through the gateway', took.gateway),
    row('added by the gateway, p50', added(took, 'gateway', 0.5), 'ms'),
    row('added by the gateway, p99', added(took, 'gateway', 0.99), 'ms'),
    row(
      'added, as a multiple of what the bare server adds, p50',
      times(took, 0.5),
      'times',
      atMost(2),
    ),
    row(
      'added, as a multiple of what the bare server adds, p99',
      times(took, 0.99),
      'times',
      atMost(2.5),
    ),
  ]);
}

function latencies(name: string, samples: readonly number[]): Row[] {
  return [0.5, 0.99].map((share) =>
    row(`${name}, p${share * 100}`, percentile(samples, share), 'ms'),
  );
}

function added(took: Took, way: 'bare' | 'gateway', share: number): number {
  return percentile(took[way], share) - percentile(took.direct, share);
}

/** What a bare server adds is the machine's; how many times that the gateway adds is the gateway's. */
function times(took: Took, share: number): number {
  return added(took, 'gateway', share) / added(took, 'bare', share);
}
