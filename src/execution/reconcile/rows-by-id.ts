import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerOrderId } from '../../units/branded.ts';

/** The rows of one read of a book by their ids: a question about one order looks at one row, not at thousands. */
export interface RowsById {
  has(brokerOrderId: BrokerOrderId): boolean;
  /** The rows of this id, in the order of the book: a broker may show an id twice. Empty where there is none. */
  of(brokerOrderId: BrokerOrderId): readonly BrokerOrder[];
}

/** By list of one read, which nobody changes. */
const known = new WeakMap<readonly BrokerOrder[], RowsById>();

const NO_ROWS: readonly BrokerOrder[] = [];

/** The rows of a list by their ids. A list is looked through once, however often it is asked about. */
export function rowsById(rows: readonly BrokerOrder[]): RowsById {
  let found = known.get(rows);
  if (!found) known.set(rows, (found = indexOf(rows)));
  return found;
}

function indexOf(rows: readonly BrokerOrder[]): RowsById {
  const lists = new Map<BrokerOrderId, BrokerOrder[]>();
  for (const row of rows) {
    const list = lists.get(row.brokerOrderId);
    if (list) list.push(row);
    else lists.set(row.brokerOrderId, [row]);
  }
  return { has: (id) => lists.has(id), of: (id) => lists.get(id) ?? NO_ROWS };
}

/**
 * Takes the lists of a book's reads, one after the other, so that `rowsById` of the last one costs what has been
 * added since the one before. A list that does not begin with the ids of the one before, or has an id twice, is
 * looked through as a whole when it is asked about. Returns whether each id is there once.
 */
export function createRowsInTurn(): (next: readonly BrokerOrder[]) => boolean {
  let rows: readonly BrokerOrder[] = [];
  let places = new Map<BrokerOrderId, number>();

  /** Whether `places` are those of the ids of `next`. */
  function follow(next: readonly BrokerOrder[]): boolean {
    if (next.length < rows.length) return false;
    for (let place = 0; place < rows.length; place += 1) {
      const [row, before] = [next[place], rows[place]];
      if (row !== before && row?.brokerOrderId !== before?.brokerOrderId) return false;
    }
    for (let place = rows.length; place < next.length; place += 1) {
      const id = next[place]?.brokerOrderId ?? '';
      if (places.has(id)) return false;
      places.set(id, place);
    }
    return true;
  }

  return (next) => {
    if (next === rows) return true;
    // What is known by place is of the new list from now on.
    known.delete(rows);
    if (!follow(next)) {
      places = new Map(next.map((row, place) => [row.brokerOrderId, place]));
      if (places.size < next.length) {
        [rows, places] = [[], new Map()];
        return false;
      }
    }
    rows = next;
    known.set(next, byPlace(next, places));
    return true;
  };
}

function byPlace(
  rows: readonly BrokerOrder[],
  places: ReadonlyMap<BrokerOrderId, number>,
): RowsById {
  return {
    has: (id) => places.has(id),
    of(id) {
      const row = rows[places.get(id) ?? -1];
      return row === undefined ? NO_ROWS : [row];
    },
  };
}
