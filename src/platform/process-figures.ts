import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the process says of itself. A port: in a simulation there is no process to measure. */
export interface ProcessFigures {
  /** Begins to measure the delay of the event loop; the returned function ends that. */
  start(): () => void;
  /** How late timers ran since the last call, in seconds; null before `start`. */
  eventLoopDelay(): {
    readonly mean: number;
    readonly p99: number;
    readonly longest: number;
  } | null;
  memory(): { readonly residentBytes: number; readonly heapBytes: number };
}

const NANOSECONDS = 1e9;
/** How often the delay is looked at, ms: what a timer of this length waits longer is the delay. */
const RESOLUTION_MS = 20;

export function createProcessFigures(): ProcessFigures {
  let delays: ReturnType<typeof monitorEventLoopDelay> | null = null;
  /** The histogram holds the whole time between two looks. */
  const late = (nanoseconds: number): number =>
    Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000);
  return {
    start() {
      const started = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
      started.enable();
      delays = started;
      return () => {
        started.disable();
        delays = null;
      };
    },
    eventLoopDelay() {
      if (delays === null) return null;
      const { mean, max } = delays;
      const p99 = delays.percentile(99);
      delays.reset();
      // Nothing was measured yet: its mean is not a number, and its longest is the least that it can tell.
      if (!Number.isFinite(mean)) return { mean: 0, p99: 0, longest: 0 };
      return { mean: late(mean), p99: late(p99), longest: late(max) };
    },
    memory() {
      const { rss, heapUsed } = process.memoryUsage();
      return { residentBytes: rss, heapBytes: heapUsed };
    },
  };
}
