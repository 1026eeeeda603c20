import type { SandboxClock } from '../kernel/ports.ts';

/** The longest timer that Node has. */
const LONGEST_MS = 2_147_483_647;

export interface RealClock extends SandboxClock {
  /** Cancels all timers. */
  stop(): void;
}

/** The wall clock. Its timers do not keep the process alive: the listeners do. */
export function createRealClock(): RealClock {
  const timers = new Set<NodeJS.Timeout>();
  const clock: RealClock = {
    now: () => Date.now(),
    after(ms, run) {
      let timer: NodeJS.Timeout;
      const wait = (left: number): void => {
        timer = setTimeout(
          () => {
            timers.delete(timer);
            if (left > LONGEST_MS) wait(left - LONGEST_MS);
            else run();
          },
          Math.min(left, LONGEST_MS),
        );
        timer.unref();
        timers.add(timer);
      };
      wait(Math.max(0, ms));
      return () => {
        clearTimeout(timer);
        timers.delete(timer);
      };
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
  return clock;
}
