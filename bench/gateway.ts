import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import { compose } from '../src/compose.ts';
import { memoryEnvironment } from '../src/platform/environment.ts';

/** What the thread of a gateway was held by while it was watched. */
export interface Pauses {
  /** The most of its own time that the thread used between two turns of its event loop, ms. */
  readonly longestMs: number;
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
  let longestMs = 0;
  const begun = used();
  let last = begun;
  const timer = setInterval(() => {
    const now = used();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    delays.disable();
    return { longestMs, delayMs: delays.max / 1e6, usedMs: used() - begun };
  };
}

/** Processor time of this thread, ms. */
function used(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

let stopWatching: () => Pauses = () => ({ longestMs: 0, delayMs: 0, usedMs: 0 });
parentPort?.on('message', (request: GatewayRequest) => {
  if (request === 'watch') stopWatching = watchLoop();
  else if (request === 'pauses') parentPort?.postMessage(stopWatching());
  else void composed[Symbol.asyncDispose]().then(() => parentPort?.postMessage('stopped'));
});
parentPort?.postMessage(url);
