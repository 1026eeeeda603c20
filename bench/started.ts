import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { Agent, request } from 'undici';
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

/** Kite's book holds `rows` orders of another program before anything else happens. */
export async function startBrokers(rows = 0): Promise<AsyncDisposable & { origins: Origins }> {
  const { worker, message: origins } = await startWorker<Origins>('./brokers.ts', { rows });
  return {
    origins,
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
