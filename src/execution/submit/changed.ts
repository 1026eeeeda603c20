import type { Scheduler } from '../../platform/scheduler.ts';

/** Wakes those who wait for the state to change. */
export interface Changed {
  notify(): void;
  /** Resolves at the next change, or after `ms`. */
  wait(ms: number): Promise<void>;
}

export function createChanged(scheduler: Scheduler): Changed {
  const waiting = new Set<() => void>();
  return {
    notify() {
      for (const wake of [...waiting]) wake();
    },
    wait(ms) {
      return new Promise((resolve) => {
        const wake = (): void => {
          waiting.delete(wake);
          cancel();
          resolve();
        };
        const cancel = scheduler.after(ms, wake);
        waiting.add(wake);
      });
    },
  };
}
