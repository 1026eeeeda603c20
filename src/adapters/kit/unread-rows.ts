import type { UnreadRow } from '../../domain/broker-order.ts';
import { messageOf } from '../../platform/values.ts';

/** The rows of a reply, each read by itself. */
export interface RowsRead<Row> {
  readonly rows: readonly Row[];
  readonly unread: readonly UnreadRow[];
}

/**
 * Reads each row by itself, so that one that is malformed does not hide the others. `read` throws on a
 * row that it cannot read; `rest` gives what can be read of such a row all the same.
 */
export function readEach<Given, Row>(
  given: readonly Given[],
  read: (row: Given) => Row,
  rest: (row: Given) => Omit<UnreadRow, 'reason'>,
): RowsRead<Row> {
  const rows: Row[] = [];
  const unread: UnreadRow[] = [];
  for (const each of given) {
    try {
      rows.push(read(each));
    } catch (error) {
      unread.push({ ...rest(each), reason: messageOf(error) });
    }
  }
  return { rows, unread };
}

/** The unread rows of lists, for as long as somebody has the list. */
export interface UnreadRows {
  note<List extends object>(list: List, unread: readonly UnreadRow[]): List;
  of(list: object): readonly UnreadRow[];
}

export function createUnreadRows(): UnreadRows {
  const lists = new WeakMap<object, readonly UnreadRow[]>();
  return {
    note(list, unread) {
      if (unread.length > 0) lists.set(list, unread);
      return list;
    },
    of: (list) => lists.get(list) ?? [],
  };
}
