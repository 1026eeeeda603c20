import type { World } from '../world.ts';
import type { Violation } from './context.ts';

/** Tells of something that has held at every look for a while; of each id once. */
export interface Lasting {
  /** Whether it holds for an id at this look. */
  note(id: string, holds: boolean, found: () => Violation): void;
  /** At this look nothing can be said: what has held until now does not count. */
  clear(): void;
}

export function createLasting(
  { time }: World,
  notice: (violation: Violation) => void,
  forMs: number,
): Lasting {
  const since = new Map<string, number>();
  const told = new Set<string>();
  return {
    note(id, holds, found) {
      if (!holds) return void since.delete(id);
      const now = time.now();
      const first = since.get(id) ?? now;
      since.set(id, first);
      if (now - first < forMs || told.has(id)) return;
      told.add(id);
      notice(found());
    },
    clear: () => since.clear(),
  };
}
