import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Started } from './started.ts';
import type { Heard, ReadersGiven } from './stream-readers.ts';

async function start<Message>(file: string, workerData: unknown) {
  const worker = new Worker(new URL(file, import.meta.url), { workerData });
  const [message] = (await once(worker, 'message')) as [Message];
  return { worker, message };
}

async function startServer(file: string, workerData: unknown): Promise<Started> {
  const { worker, message: url } = await start<string>(file, workerData);
  return { url, [Symbol.asyncDispose]: async () => void (await worker.terminate()) };
}

export const startTicker = (ticksASecond: number): Promise<Started> =>
  startServer('./tick-server.ts', { ticksASecond });

export const startRelay = (tickerUrl: string, instruments: number): Promise<Started> =>
  startServer('./tick-relay.ts', { tickerUrl, instruments });

export interface StartedReaders extends AsyncDisposable {
  /** Since it was asked last. */
  heard(): Promise<Heard>;
}

/** Resolves once every reader is connected. */
export async function startReaders(given: ReadersGiven): Promise<StartedReaders> {
  const { worker } = await start<'open'>('./stream-readers.ts', given);
  return {
    async heard() {
      worker.postMessage('heard');
      const [heard] = (await once(worker, 'message')) as [Heard];
      return heard;
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}
