import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
import type { BrokersGiven, FillRequest, PriceRequests } from './brokers.ts';
import type { GatewayRequest, Pauses } from './gateway.ts';
import { BENCH_ADMIN_KEY, type Origins } from './settings.ts';

/** A server of the bench on a thread of its own. Disposing it stops the server and its thread. */
export interface Started extends AsyncDisposable {
  readonly url: string;
}

export interface StartedGateway extends Started {
  /** Notes from now on what holds the gateway's thread. */
  watch(): void;
  /** Since `watch`. */
  pauses(): Promise<Pauses>;
}

async function startWorker<Message>(file: string, workerData: unknown) {
  const worker = new Worker(new URL(file, import.meta.url), { workerData });
  const [message] = (await once(worker, 'message')) as [Message];
  return { worker, message };
}

export async function startBare(origins: Origins, directory: string): Promise<Started> {
  const given = { directory, origin: origins.kite, token: origins.token };
  const { worker, message: url } = await startWorker<string>('./bare.ts', given);
  return {
    url,
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

/** A bare Express server that answers a text as JSON. */
export async function startBareQuotes(text: string): Promise<Started> {
  const { worker, message: url } = await startWorker<string>('./bare-quotes.ts', { text });
  return {
    url,
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

export interface StartedBrokers extends AsyncDisposable {
  readonly origins: Origins;
  /** Since the start. */
  priceRequests(): Promise<PriceRequests>;
  /** Fills an order of one share at Kite; `price` in rupees. */
  fill(brokerOrderId: string, price: number): void;
}

export async function startBrokers(given: BrokersGiven = {}): Promise<StartedBrokers> {
  const { worker, message: origins } = await startWorker<Origins>('./brokers.ts', given);
  return {
    origins,
    async priceRequests() {
      worker.postMessage('priceRequests');
      const [requests] = (await once(worker, 'message')) as [PriceRequests];
      return requests;
    },
    fill(brokerOrderId, price) {
      const message: FillRequest = { fill: brokerOrderId, price };
      worker.postMessage(message);
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

export async function startGateway(
  environment: Readonly<Record<string, string>>,
): Promise<StartedGateway> {
  const { worker, message: url } = await startWorker<string>('./gateway.ts', environment);
  const tell = (message: GatewayRequest): void => worker.postMessage(message);
  return {
    url,
    watch: () => tell('watch'),
    async pauses() {
      tell('pauses');
      const [pauses] = (await once(worker, 'message')) as [Pauses];
      return pauses;
    },
    async [Symbol.asyncDispose]() {
      tell('stop');
      await once(worker, 'message');
      await worker.terminate();
    },
  };
}

const HEADERS = {
  authorization: `Bearer ${BENCH_ADMIN_KEY}`,
  'content-type': 'application/json',
};

/** Sends requests of the bench; the answer's text. Rejects where the status is another one. */
export interface Requests extends AsyncDisposable {
  post(url: string, body: string, key?: string): Promise<string>;
  get(url: string): Promise<string>;
}

export function openRequests(): Requests {
  const dispatcher = new Agent();
  async function send(url: string, options: object, wanted: number): Promise<string> {
    const answer = await request(url, { dispatcher, ...options });
    const text = await answer.body.text();
    if (answer.statusCode === wanted) return text;
    throw new Error(`${url} answered ${answer.statusCode}: ${text}`);
  }
  return {
    post: (url, body, key) =>
      send(
        url,
        {
          method: 'POST',
          headers: key === undefined ? HEADERS : { ...HEADERS, 'idempotency-key': key },
          body,
        },
        201,
      ),
    get: (url) => send(url, { headers: HEADERS }, 200),
    [Symbol.asyncDispose]: () => dispatcher.close(),
  };
}
