import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { serveSandbox } from '../sandbox/transport/serve.ts';
import { BENCH_KITE, BENCH_PRIMARY_TOKEN, type Origins } from './settings.ts';

export interface BrokersGiven {
  /** Orders of another program in Kite's book. */
  readonly rows?: number;
  /** Many instruments, and limits that are kept: for prices. */
  readonly market?: { readonly shares: number; readonly latencyMs: [number, number] };
  /** What a request takes, ms, where there is no `market`. */
  readonly latencyMs?: [number, number];
  /** Where Kite sends postbacks; nowhere when absent. */
  readonly postbackUrl?: string;
}

/** Fills an order of one share at Kite. */
export interface FillRequest {
  readonly fill: string;
  /** Rupees. */
  readonly price: number;
}

/** When prices were asked for (epoch ms), and how many of the requests broke a limit. */
export interface PriceRequests {
  readonly kite: readonly number[];
  readonly primary: readonly number[];
  readonly limitBreaks: number;
}

const given = (workerData ?? {}) as BrokersGiven;
const { rows = 0, market, latencyMs, postbackUrl = null } = given;

/** The sandbox brokers on a thread of their own, as they are on a machine of their own. */
const sandbox = await serveSandbox({
  settings: {
    market: 'always-open',
    enforceLimits: market !== undefined,
    ...(latencyMs ? { latencyMs } : {}),
    ...(market ? { moreShares: market.shares, latencyMs: market.latencyMs } : {}),
    kite: { ...BENCH_KITE, redirectUrl: 'http://127.0.0.1/callback', postbackUrl },
    primary: { accessToken: BENCH_PRIMARY_TOKEN, clientId: '1' },
  },
});

/** Orders that are in Kite's book before the bench begins, by another program; they are over. */
const AT_ONCE = 200;
const { kite } = sandbox.sandbox;
for (let placed = 0; placed < rows; placed += AT_ONCE) {
  const orders = Array.from({ length: Math.min(AT_ONCE, rows - placed) }, (_, index) =>
    kite.placeByHand({
      instrument: 'NSE:INFY',
      // In turn, so that neither cash nor shares run out.
      side: index % 2 ? 'SELL' : 'BUY',
      quantity: 1,
      product: 'intraday',
    }),
  );
  while (orders.some(({ orderId }) => kite.order(orderId)?.final !== true)) await sleep(5);
}
const origins: Origins = {
  kite: sandbox.kiteOrigin,
  primary: sandbox.primaryOrigin,
  token: kite.loginDirect(),
};
parentPort?.postMessage(origins);

parentPort?.on('message', (request: 'priceRequests' | FillRequest) => {
  if (request !== 'priceRequests') {
    sandbox.sandbox.kite.fillByHand(request.fill, 1, Math.round(request.price * 100));
    return;
  }
  const { kite, primary } = sandbox.sandbox;
  const asked = (broker: typeof kite | typeof primary): number[] =>
    broker.requests().flatMap(({ endpoint, at }) => (endpoint.includes('/quote') ? [at] : []));
  const limitBreaks = kite.limitBreaks().length + primary.limitBreaks().length;
  const answer: PriceRequests = { kite: asked(kite), primary: asked(primary), limitBreaks };
  parentPort?.postMessage(answer);
});
