import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { KiteConnect } from 'kiteconnect';
import { Agent, request } from 'undici';
import {
  BENCH_ADMIN_KEY,
  BENCH_KITE,
  benchEnvironment,
  benchOrder,
  type Origins,
} from './settings.ts';
import { percentile, printFigures, type Figure } from './statistics.ts';

/** Bursts below Kite's 10 orders a second and 400 a minute, which the gateway keeps to. */
const BURST = 8;
const PAUSE_MS = 1_250;
/** Pauses vary by so much: equal ones would be in step with the reads of the book, a second apart. */
const PAUSES_DIFFER_MS = 500;
const WARM_UP = 40;
const SAMPLES = 240;

const WAYS = ['direct', 'bare', 'gateway'] as const;

const GATEWAYS_ORDER = JSON.stringify({
  instrument: 'NSE:INFY',
  side: 'BUY',
  quantity: 1,
  orderType: 'LIMIT',
  product: 'INTRADAY',
  price: 1550,
});

/** The same order by three ways in turn: by the SDK itself, through a bare server, through us. */
export async function benchLiveOrders(origins: Origins, directory: string): Promise<boolean> {
  const sdk = new KiteConnect({ api_key: BENCH_KITE.apiKey, root: origins.kite });
  sdk.setAccessToken(origins.token);
  const bare = await startWorker('./bare.ts', {
    directory,
    origin: origins.kite,
    token: origins.token,
  });
  const gateway = await startWorker('./gateway.ts', benchEnvironment(origins, `${directory}/live`));
  const agent = new Agent();
  const headers = {
    authorization: `Bearer ${BENCH_ADMIN_KEY}`,
    'content-type': 'application/json',
  };
  const ways = {
    direct: (number: number) => sdk.placeOrder('regular', benchOrder(`direct${number}`)),
    bare: () => post(agent, bare.url, headers, JSON.stringify(benchOrder('bare'))),
    gateway: (number: number) =>
      post(
        agent,
        `${gateway.url}/api/v1/orders`,
        { ...headers, 'idempotency-key': `bench-${number}` },
        GATEWAYS_ORDER,
      ),
  };
  const took = { direct: [] as number[], bare: [] as number[], gateway: [] as number[] };
  for (let number = 0; number < WARM_UP + SAMPLES; number += 1) {
    // None of them is always the first after a pause.
    for (const way of WAYS.map((_, place) => WAYS[(place + number) % WAYS.length]!)) {
      const begun = performance.now();
      await ways[way](number);
      if (number >= WARM_UP) took[way].push(performance.now() - begun);
    }
    if (number % BURST === BURST - 1) {
      await sleep(PAUSE_MS + ((number * 37) % PAUSES_DIFFER_MS));
    }
  }
  await agent.close();
  gateway.worker.postMessage('stop');
  await once(gateway.worker, 'message');
  await Promise.all([gateway, bare].map(({ worker }) => worker.terminate()));
  return printFigures(
    `An order, ${SAMPLES} times each way, in turn; the servers with two durable commits`,
    [
      ...figures('directly with the SDK', took.direct),
      ...figures('through a bare server with two synced rows', took.bare),
      ...figures('through the gateway', took.gateway),
      added(took, 0.5, 1.5),
      added(took, 0.99, 10),
      ...addedToBare(took),
    ],
  );
}

const ms = (value: number): string => `${value.toFixed(2)} ms`;

function figures(name: string, samples: readonly number[]): Figure[] {
  return [0.5, 0.99].map((share) => ({
    name: `${name}, p${share * 100}`,
    value: ms(percentile(samples, share)),
    bound: '',
    kept: true,
  }));
}

type Took = Readonly<Record<'direct' | 'bare' | 'gateway', readonly number[]>>;

function added({ direct, gateway }: Took, share: number, boundMs: number): Figure {
  const value = percentile(gateway, share) - percentile(direct, share);
  return {
    name: `added by the gateway, p${share * 100} less p${share * 100}`,
    value: ms(value),
    bound: `at most ${boundMs} ms`,
    kept: value <= boundMs,
  };
}

/** What a bare server adds is the machine's; how many times that the gateway adds is the gateway's. */
function addedToBare({ direct, bare, gateway }: Took): Figure[] {
  const [alone, least, ours] = [direct, bare, gateway].map((samples) => percentile(samples, 0.5));
  const times = (ours! - alone!) / (least! - alone!);
  return [
    { name: 'gateway less bare server, p50', value: ms(ours! - least!), bound: '', kept: true },
    {
      name: 'added, times what a bare server adds',
      value: times.toFixed(2),
      bound: '',
      kept: true,
    },
  ];
}

async function post(
  dispatcher: Agent,
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<void> {
  const answer = await request(url, { method: 'POST', dispatcher, headers, body });
  const text = await answer.body.text();
  if (answer.statusCode !== 201) throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
}

interface Started {
  readonly worker: Worker;
  readonly url: string;
}

async function startWorker(file: string, workerData: unknown): Promise<Started> {
  const worker = new Worker(new URL(file, import.meta.url), { workerData });
  const [url] = (await once(worker, 'message')) as [string];
  return { worker, url };
}
