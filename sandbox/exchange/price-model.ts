import { HOUR_MS, MINUTE_MS } from '../kernel/ist.ts';
import { hashUnit } from '../kernel/ports.ts';

/**
 * [period, amplitude as a share of the price]. They add up to 3.4 %, well inside the band of 10 %.
 */
const octaves: readonly (readonly [number, number])[] = [
  [4 * HOUR_MS, 0.015],
  [HOUR_MS, 0.008],
  [15 * MINUTE_MS, 0.005],
  [4 * MINUTE_MS, 0.003],
  [MINUTE_MS, 0.0015],
  [15_000, 0.001],
  [1_000, 0.0003],
];

/** How long a price stays the same: two reads in one bucket return the same price. */
export const BUCKET_MS = 1_000;

/** The price of one instrument at `at` as a multiple of its base: about 1. */
export type PriceModel = (instrument: number, at: number) => number;

/**
 * Layers of smooth noise instead of summed steps: any instant can be computed alone, in any order,
 * and reading a price does not change it. The ends of each layer's current cell are cached, because
 * nearly every read is in the same cell as the one before.
 */
export function createPriceModel(seed: number): PriceModel {
  const ends = new Map<number, { cell: number; from: number; to: number }>();

  function endsOf(instrument: number, layer: number, cell: number): { from: number; to: number } {
    const key = instrument * 8 + layer;
    const known = ends.get(key);
    if (known?.cell === cell) return known;
    const made = {
      cell,
      from: hashUnit(seed, instrument, layer, cell),
      to: hashUnit(seed, instrument, layer, cell + 1),
    };
    ends.set(key, made);
    return made;
  }

  return (instrument, at) => {
    const time = Math.floor(at / BUCKET_MS) * BUCKET_MS;
    let factor = 1;
    let layer = 0;
    for (const [period, amplitude] of octaves) {
      const position = time / period;
      const cell = Math.floor(position);
      const within = position - cell;
      const { from, to } = endsOf(instrument, layer, cell);
      const eased = within * within * (3 - 2 * within);
      factor += amplitude * (2 * (from + (to - from) * eased) - 1);
      layer += 1;
    }
    return factor;
  };
}
