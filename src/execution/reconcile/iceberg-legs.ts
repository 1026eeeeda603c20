import type { BrokerOrder, IcebergLeg } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';

/**
 * What the later legs of an iceberg order may still fill, beyond the leg that its row shows: everything there
 * is, where the row cannot tell. 0 for other orders, and for a leg that ended unfilled: no other leg follows it.
 */
function afterLeg({ iceberg, status }: BrokerOrder): number {
  if (iceberg === undefined) return 0;
  if (isFinalRow(status) && status !== 'filled') return 0;
  return iceberg === null ? Infinity : iceberg.later;
}

/**
 * What the later legs of iceberg orders may still fill that rows of one instrument show. The broker places a leg
 * once the one before it has filled, as an order with a row of its own, and no id joins the two: a leg that has
 * filled is followed by a row of the same number of legs and the same total whose leg is the next one. Until the
 * book has that row, the leg that has filled counts.
 */
export function laterLegs(rows: readonly BrokerOrder[]): number {
  let later = 0;
  /** How many rows show a leg; each follows one that has filled. */
  let shown: Map<string, number> | null = null;
  for (const row of rows) {
    const left = afterLeg(row);
    if (left === 0) continue;
    const { iceberg, status } = row;
    if (status === 'filled' && iceberg) {
      shown ??= countLegs(rows);
      const next = nameOf(iceberg, iceberg.leg + 1);
      const following = shown.get(next) ?? 0;
      shown.set(next, following - 1);
      if (following > 0) continue;
    }
    later += left;
  }
  return later;
}

const nameOf = ({ legs, total }: IcebergLeg, leg: number): string => `${leg}/${legs} of ${total}`;

function countLegs(rows: readonly BrokerOrder[]): Map<string, number> {
  const shown = new Map<string, number>();
  for (const { iceberg } of rows) {
    if (!iceberg) continue;
    const name = nameOf(iceberg, iceberg.leg);
    shown.set(name, (shown.get(name) ?? 0) + 1);
  }
  return shown;
}
