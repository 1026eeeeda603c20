import type { Row } from './book-view.ts';

/** Positions of which some figures are of an earlier moment than the others. */
export interface PositionSplit {
  /** The moment of the figures that are behind, epoch ms. */
  asOf: number;
  /** Whether the quantity is behind what was traded; else it is ahead of it. */
  isQuantityBehind: boolean;
}

export interface SplitFields {
  quantity: string;
  /** What was traded, the other figures by which a quantity can be worked out. */
  traded: readonly string[];
  /** What names a position. */
  names: readonly string[];
}

/** The rows of now with the figures of `before`, of the quantity or of all that was traded. */
export function splitPositions(
  now: readonly Row[],
  before: readonly Row[],
  fields: SplitFields,
  isQuantityBehind: boolean,
): Row[] {
  const nameOf = (row: Row): string => fields.names.map((name) => String(row[name])).join(' ');
  const earlier = new Map(before.map((row) => [nameOf(row), row]));
  const behind = isQuantityBehind ? [fields.quantity] : fields.traded;
  return now.map((row) => {
    const old = earlier.get(nameOf(row));
    const figures = behind.map((name) => [name, old ? old[name] : 0] as const);
    return { ...row, ...Object.fromEntries(figures) };
  });
}
