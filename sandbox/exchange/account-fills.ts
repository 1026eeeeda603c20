import type { HoldingLine } from './holding-line.ts';
import type { ManagedFill } from './managed-order.ts';
import type { PositionLine } from './position-line.ts';

export const keyOf = ({
  instrument,
  product,
}: Pick<PositionLine, 'instrument' | 'product'>): string => `${instrument.key}/${product}`;

export function book(line: PositionLine, { side, quantity, price }: ManagedFill): void {
  if (side === 'BUY') {
    line.bought += quantity;
    line.boughtValue += quantity * price;
  } else {
    line.sold += quantity;
    line.soldValue += quantity * price;
  }
}

/** Takes a fill out again. */
const unbook = (line: PositionLine, fill: ManagedFill): void =>
  book(line, { ...fill, quantity: -fill.quantity });

/** Positions as they were before fills of the day: one that they have made is not there. */
export function positionsBefore(
  lines: readonly PositionLine[],
  later: readonly ManagedFill[],
): PositionLine[] {
  const shown = new Map(lines.map((line) => [keyOf(line), { ...line }]));
  for (const fill of later) {
    const line = shown.get(keyOf(fill));
    if (line) unbook(line, fill);
  }
  return [...shown.values()].filter(
    ({ overnight, bought, sold }) => overnight !== 0 || bought !== 0 || sold !== 0,
  );
}

/** The same of holdings: what was sold of them today was not sold yet. */
export function holdingsBefore(
  lines: readonly HoldingLine[],
  later: readonly ManagedFill[],
): HoldingLine[] {
  const sales = later.filter(({ side, product }) => side === 'SELL' && product === 'delivery');
  return lines.map((line) => ({
    ...line,
    soldToday: sales
      .filter(({ instrument }) => instrument.isin === line.instrument.isin)
      .reduce((sum, { quantity }) => sum - quantity, line.soldToday),
  }));
}
