import type { UnreadRow } from '../../domain/broker-order.ts';
import { messageOf } from '../../platform/values.ts';

/** What is known of a row of which nothing can be read. */
export const NOTHING_READ: Omit<UnreadRow, 'reason'> = {
  brokerOrderId: null,
  exchangeOrderId: null,
  instrument: null,
  side: null,
  quantity: null,
  tags: [],
};

/** The rows of a reply, each read by itself. */
export interface RowsRead<Row, Unread = UnreadRow> {
  readonly rows: readonly Row[];
  readonly unread: readonly Unread[];
}

/**
 * Reads each row by itself, so that one that is malformed does not hide the others. `read` throws on a
 * row that it cannot read; `rest` gives what can be read of such a row all the same.
 */
export function readEach<Given, Row, Rest>(
  given: readonly Given[],
  read: (row: Given) => Row,
  rest: (row: Given) => Rest,
): RowsRead<Row, Rest & { readonly reason: string }> {
  const rows: Row[] = [];
  const unread: (Rest & { readonly reason: string })[] = [];
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
export interface UnreadRows<Unread = UnreadRow> {
  note<List extends object>(list: List, unread: readonly Unread[]): List;
  of(list: object): readonly Unread[];
}

export function createUnreadRows<Unread = UnreadRow>(): UnreadRows<Unread> {
  const lists = new WeakMap<object, readonly Unread[]>();
  return {
    note(list, unread) {
      if (unread.length > 0) lists.set(list, unread);
      return list;
    },
    of: (list) => lists.get(list) ?? [],
  };
}
