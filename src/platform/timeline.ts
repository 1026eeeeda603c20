import { must } from './must.ts';
/**
 * Instants that have passed, newest last; only as many as anybody asks about are kept. Adding one and
 * asking for one cost the same whether a hundred or a hundred thousand are held.
 */
export interface Timeline {
  /** Not before the newest. */
  push(at: number): void;
  /** 1 is the newest; undefined when there have not been so many. */
  nthNewest(n: number): number | undefined;
  /** How many are later than `at`, as far as they are kept. */
  countAfter(at: number): number;
}

const FIRST_SIZE = 16;

/** Keeps the newest `capacity`: 8 bytes each, taken as they are needed. */
export function createTimeline(capacity: number): Timeline {
  let ring = new Float64Array(Math.min(capacity, FIRST_SIZE));
  let held = 0;
  let next = 0;

  function nthNewest(n: number): number | undefined {
    return n < 1 || n > held ? undefined : ring[(next - n + ring.length) % ring.length];
  }

  /** Only ever of a ring that is full for the first time: its oldest is its first. */
  function grow(): void {
    const larger = new Float64Array(Math.min(capacity, ring.length * 2));
    larger.set(ring);
    next = ring.length;
    ring = larger;
  }

  return {
    nthNewest,
    push(at) {
      if (held === ring.length && held < capacity) grow();
      ring[next] = at;
      next = (next + 1) % ring.length;
      held = Math.min(held + 1, ring.length);
    },
    countAfter(at) {
      let later = 0;
      let beyond = held + 1;
      while (beyond - later > 1) {
        const middle = (later + beyond) >> 1;
        if (must(nthNewest(middle), 'the middle is among those held') > at) later = middle;
        else beyond = middle;
      }
      return later;
    },
  };
}
