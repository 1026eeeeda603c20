import { type BrokerOrder, realId } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { BrokerOrderId } from '../../units/branded.ts';
import { createRowsInTurn } from './rows-by-id.ts';

/**
 * The rows of one read of a book, one for each order. A broker may list an order twice, also as it was before
 * and as it is now: counted twice, it would be reserved twice by an exit, and one that is over would still rest.
 * An end is the truth, then the later change, and the largest quantity that has filled. Rows that only share an
 * id stay, because they may be different orders (docs/orders.md, "Another order's row under the id").
 */
export function oneRowPerOrder(rows: readonly BrokerOrder[]): readonly BrokerOrder[] {
  const kept: BrokerOrder[] = [];
  /** Places in `kept`, by id. */
  const places = new Map<BrokerOrderId, number[]>();
  for (const row of rows) {
    const shared = places.get(row.brokerOrderId) ?? [];
    const place = shared.find((each) => isCopy(kept[each], row));
    const before = place === undefined ? undefined : kept[place];
    if (place !== undefined && before) {
      kept[place] = asOne(before, row);
      continue;
    }
    places.set(row.brokerOrderId, [...shared, kept.length]);
    kept.push(row);
  }
  return kept;
}

/** `oneRowPerOrder` of a book's reads in turn: a list of thousands is looked through only where an id is there twice. */
export function createDistinctRows(): (listed: readonly BrokerOrder[]) => readonly BrokerOrder[] {
  const takeRows = createRowsInTurn();
  return (listed) => {
    if (takeRows(listed)) return listed;
    const rows = oneRowPerOrder(listed);
    takeRows(rows);
    return rows;
  };
}

/** Whether two rows of one id are of the same order, by what never changes in an order. */
function isCopy(one: BrokerOrder | undefined, other: BrokerOrder): boolean {
  return (
    one?.instrument === other.instrument &&
    one.side === other.side &&
    one.product === other.product &&
    one.childOf === other.childOf &&
    one.iceberg?.leg === other.iceberg?.leg &&
    tagsOf(one) === tagsOf(other) &&
    // An order has the exchange's id only once it is there.
    isSameOrUnknown(realId(one.exchangeOrderId), realId(other.exchangeOrderId))
  );
}

const tagsOf = ({ tags }: BrokerOrder): string => [...tags].sort().join(' ');

const isSameOrUnknown = (one: string | null, other: string | null): boolean =>
  one === null || other === null || one === other;

function asOne(before: BrokerOrder, after: BrokerOrder): BrokerOrder {
  const [last, first] = isLater(before, after) ? [before, after] : [after, before];
  const filled = last.filledQuantity;
  // An end that does not say how much has filled stays unknown: what an earlier row says is only a part of it.
  const isUnknown = filled === null && isFinalRow(last.status) && !isFinalRow(first.status);
  if (isUnknown || (first.filledQuantity ?? 0) <= (filled ?? -1)) return last;
  if (first.filledQuantity === null) return last;
  const { filledQuantity, averagePrice } = first;
  const isSome = filledQuantity > 0 && (last.status === 'cancelled' || last.status === 'rejected');
  return {
    ...last,
    ...{ filledQuantity, averagePrice: averagePrice ?? last.averagePrice },
    ...(isSome ? ({ status: 'partial' } as const) : {}),
  };
}

/** Whether of two copies the first is the later state of the order; where nothing tells, the later row counts. */
function isLater(before: BrokerOrder, after: BrokerOrder): boolean {
  const [wasOver, isOver] = [isFinalRow(before.status), isFinalRow(after.status)];
  if (wasOver !== isOver) return wasOver;
  return (before.updatedAt ?? -Infinity) > (after.updatedAt ?? -Infinity);
}
