import { seededRandom } from '../../sandbox/kernel/ports.ts';

/** A seeded source of choices. Each use has a stream of its own, so that one does not shift another. */
export interface Dice {
  /** A number in [from, to). */
  between(from: number, to: number): number;
  /** A whole number in [from, to]. */
  whole(from: number, to: number): number;
  chance(probability: number): boolean;
  pick<T>(choices: readonly T[]): T;
  bytes(count: number): Uint8Array;
}

export function createDice(seed: string): Dice {
  const random = seededRandom(seed);
  const whole = (from: number, to: number): number =>
    from + Math.floor(random.next() * (to - from + 1));
  return {
    between: (from, to) => from + random.next() * (to - from),
    whole,
    chance: (probability) => random.next() < probability,
    pick: (choices) => choices[Math.floor(random.next() * choices.length)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => whole(0, 255)),
  };
}
