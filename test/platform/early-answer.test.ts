import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HttpReply, HttpTransport } from '../../src/platform/http.ts';
import { createHttpTransport } from '../../src/platform/http-transport.ts';
import { drain } from '../support/virtual-time.ts';
import type { EarlyServer } from './support/early-server.ts';
import { handScheduler, reply } from './support/loopback.ts';

const TIMED_OUT = reply('{"status":"error","message":"Request Timeout"}', '408 Request Timeout');
const TAKEN = reply('{"status":"success"}');

let transport: HttpTransport;
beforeEach(() => {
  transport = createHttpTransport(handScheduler());
});
afterEach(() => transport.close());

interface Running extends AsyncDisposable {
  readonly origin: string;
  readonly connections: () => number;
  readonly requests: () => number;
  /** Keeps this thread busy until the server has sent what it sends unasked, this often. */
  speakMeanwhile(times: number): void;
}

const shared = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

async function earlyServer(earlyConnections: number): Promise<Running> {
  const speak = shared();
  const seen = shared();
  const early: EarlyServer = { early: TIMED_OUT, earlyConnections, answer: TAKEN, speak, seen };
  const url = new URL('./support/early-server.ts', import.meta.url);
  const worker = new Worker(url, { workerData: early });
  const port = await new Promise<number>((resolve) => worker.once('message', resolve));
  return {
    origin: `http://127.0.0.1:${port}`,
    connections: () => Atomics.load(seen, 0),
    requests: () => Atomics.load(seen, 1),
    speakMeanwhile(times) {
      Atomics.store(speak, 0, 1);
      for (let spoken = 0; spoken < times; spoken = Atomics.load(speak, 1)) {
        Atomics.wait(speak, 1, spoken, 5_000);
      }
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

const send = (url: string, fresh = true): Promise<HttpReply> =>
  transport.send({ method: 'POST', url, headers: {}, body: 'order', deadlineMs: 5_000, fresh });

describe('an answer that began before its request was written', () => {
  it('is not taken for it, also when it arrived while the thread was at the disk', async () => {
    await using server = await earlyServer(1);
    transport.connectAhead({ url: server.origin });
    while (server.connections() < 1) await drain();
    await drain(2);
    server.speakMeanwhile(1);
    // No turn of the event loop has passed since: the bytes are not read yet.
    const answer = await send(server.origin);
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    // The request left once, on another connection.
    expect([server.connections(), server.requests()]).toEqual([2, 1]);
  });

  it('is not taken for that of a read on a shared connection', async () => {
    await using server = await earlyServer(1);
    expect(await send(server.origin, false)).toMatchObject({ status: 200 });
    server.speakMeanwhile(1);
    expect(await send(server.origin, false)).toMatchObject({ kind: 'answered', status: 200 });
    expect([server.connections(), server.requests()]).toEqual([2, 2]);
  });

  it('on every waiting connection makes the request open another one', async () => {
    await using server = await earlyServer(3);
    for (let count = 0; count < 3; count += 1) transport.connectAhead({ url: server.origin });
    while (server.connections() < 3) await drain();
    await drain(2);
    server.speakMeanwhile(3);
    const answers = await Promise.all([send(server.origin), send(server.origin)]);
    expect(answers.map((each) => each.kind === 'answered' && each.status)).toEqual([200, 200]);
    expect(server.requests()).toBe(2);
  });
});
