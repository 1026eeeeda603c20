import { must } from './values.ts';

/**
 * Past instants, newest last; only the newest `capacity` are kept. Adding one and reading one cost
 * the same for a hundred as for a hundred thousand.
 */
export interface Timeline {
  /** `at` is not before the newest instant. */
  push(at: number): void;
  /** Takes out one of the instants that are equal to `from`, and adds `to` as the newest; nothing without one. */
  move(from: number, to: number): void;
  /** 1 is the newest; undefined when there are fewer. */
  nthNewest(n: number): number | undefined;
  /** How many of the kept instants are later than `at`. */
  countAfter(at: number): number;
}

const FIRST_SIZE = 16;

/** Keeps the newest `capacity` instants, 8 bytes each; memory grows as they are added. */
export function createTimeline(capacity: number): Timeline {
  let ring = new Float64Array(Math.min(capacity, FIRST_SIZE));
  let held = 0;
  let next = 0;

  function nthNewest(n: number): number | undefined {
    return n < 1 || n > held ? undefined : ring[placeOf(n)];
  }

  /**
   * Called only when the ring is full for the first time, so its oldest instant is its first one.
   */
  function grow(): void {
    const larger = new Float64Array(Math.min(capacity, ring.length * 2));
    larger.set(ring);
    next = ring.length;
    ring = larger;
  }

  const placeOf = (n: number): number => (next - n + ring.length) % ring.length;

  return {
    nthNewest,
    move(from, to) {
      let n = 1;
      while ((nthNewest(n) ?? -Infinity) > from) n += 1;
      if (nthNewest(n) !== from) return;
      for (; n > 1; n -= 1) ring[placeOf(n)] = must(nthNewest(n - 1), 'a newer one is held');
      ring[placeOf(1)] = to;
    },
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
