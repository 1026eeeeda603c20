import { createHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { compose } from '../src/compose.ts';
import { memoryEnvironment } from '../src/platform/environment.ts';

/** What the thread of a gateway was held by while it was watched. */
export interface Pauses {
  /** The most of its own time that the thread used between two turns of its event loop, ms. */
  readonly longestMs: number;
  /** The same of the 99th of a hundred turns, ms. */
  readonly p99Ms: number;
  /** The longest delay that perf_hooks' monitorEventLoopDelay saw: the machine's are in it too. */
  readonly delayMs: number;
  /** Processor time of the thread, ms. */
  readonly usedMs: number;
}

export type GatewayRequest = 'stop' | 'watch' | 'pauses';

/** A gateway on a thread of its own, over real sockets and a real disk. */
const composed = await compose({
  environment: memoryEnvironment(workerData as Record<string, string>),
});
const { url } = await composed.listen();

/**
 * A timer of a millisecond that notes how much of the processor its own thread has had since it last
 * ran. Where other programs hold the machine up, wall time grows and this does not.
 */
function watchLoop(): () => Pauses {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  const turns = createHistogram();
  const begun = used();
  let last = begun;
  const timer = setInterval(() => {
    const now = used();
    // In microseconds; a histogram takes whole numbers from one on.
    turns.record(Math.max(1, Math.round((now - last) * 1_000)));
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    delays.disable();
    return {
      longestMs: turns.max / 1_000,
      p99Ms: turns.percentile(99) / 1_000,
      delayMs: delays.max / 1e6,
      usedMs: used() - begun,
    };
  };
}

/** Processor time of this thread, ms. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

let stopWatching = (): Pauses => {
  throw new Error('nothing is watched');
};
parentPort?.on('message', (request: GatewayRequest) => {
  if (request === 'watch') stopWatching = watchLoop();
  else if (request === 'pauses') parentPort?.postMessage(stopWatching());
  else void composed[Symbol.asyncDispose]().then(() => parentPort?.postMessage('stopped'));
});
parentPort?.postMessage(url);
