/** What was bought and sold. */
interface Traded {
  readonly buyQuantity: number;
  readonly sellQuantity: number;
}

/** The figures of one row of the positions; null where the broker does not tell them. */
export interface FiguresOfRow {
  readonly quantity: number;
  /** With what was carried over. */
  readonly sums: Traded | null;
  readonly day: Traded | null;
  /** Carried over from the day before, negative when short. */
  readonly carried: number | null;
}

/**
 * What the other figures of a row make of its quantity, where that is another number: the broker has brought some of
 * them up to date, and not the others. A row that tells of no trade contradicts nothing: its figures may be left out.
 */
export function otherQuantities(row: FiguresOfRow): {
  readonly otherQuantities?: readonly number[];
} {
  const { quantity, sums, day, carried } = row;
  if (!sums?.buyQuantity && !sums?.sellQuantity && !day?.buyQuantity && !day?.sellQuantity) {
    return {};
  }
  const others = new Set<number>();
  if (day && carried !== null) others.add(carried + day.buyQuantity - day.sellQuantity);
  if (sums && !isOfDayAlone(sums, row)) {
    // A side of the day that is ahead of its sum counts: the sum is the one that is behind.
    others.add(sums.buyQuantity - Math.max(sums.sellQuantity, day?.sellQuantity ?? 0));
    others.add(Math.max(sums.buyQuantity, day?.buyQuantity ?? 0) - sums.sellQuantity);
  }
  others.delete(quantity);
  return others.size > 0 ? { otherQuantities: [...others] } : {};
}

/** Whether the sums do not have what was carried over. */
function isOfDayAlone(sums: Traded, { day, carried }: FiguresOfRow): boolean {
  if (carried === null || carried === 0) return false;
  return (
    sums.buyQuantity === (day?.buyQuantity ?? 0) && sums.sellQuantity === (day?.sellQuantity ?? 0)
  );
}
