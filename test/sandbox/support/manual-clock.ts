import type { SandboxClock } from '../../../sandbox/kernel/ports.ts';

export interface ManualClock extends SandboxClock {
  /** Advances the time and runs the due timers in order. */
  advance(ms: number): void;
}

export function manualClock(startsAt: number): ManualClock {
  let now = startsAt;
  let count = 0;
  const queue: { at: number; order: number; run: () => void }[] = [];
  return {
    now: () => now,
    after(ms, run) {
      count += 1;
      const entry = { at: now + ms, order: count, run };
      queue.push(entry);
      return () => {
        const index = queue.indexOf(entry);
        if (index >= 0) queue.splice(index, 1);
      };
    },
    advance(ms) {
      const until = now + ms;
      for (;;) {
        queue.sort((a, b) => a.at - b.at || a.order - b.order);
        const next = queue[0];
        if (!next || next.at > until) break;
        queue.shift();
        now = next.at;
        next.run();
      }
      now = until;
    },
  };
}
