import type { UnreadRow } from '../domain/broker-order.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import type { Broker } from '../domain/ports.ts';
import type { BrokerView } from './policy.ts';

/** Whether the orders placed elsewhere at a broker are in a list of orders. The gateway's own are, in any case. */
export interface BookOfList {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** Whether the list has the rows of its book, all of them. */
  readonly read: boolean;
  /** Why not, or not all of them, and what to do about it; null where it has them. */
  readonly reason: string | null;
  /** Rows of the book that cannot be read: each may be an order that the list lacks, and has all others. */
  readonly unreadRows: number;
}

export interface BooksParts {
  /** The brokers that are set up. */
  readonly brokers: readonly Pick<Broker, 'id' | 'mode' | 'trading'>[];
  readonly view: (broker: BrokerId) => BrokerView;
}

/**
 * Whose rows a list of orders has. One account's book is read for a list (docs/spec/routing.md, "Accounts"), so
 * that a list never costs reads of books that nobody asked for; the others are named, with the reason.
 */
export function booksOfList(
  { brokers, view }: BooksParts,
  list: {
    /** The broker that the request names; absent where it names none. */
    readonly named: BrokerId | undefined;
    /** The broker whose book was read; null for the list of a day whose book is gone. */
    readonly read: BrokerId | null;
    readonly isOfToday: boolean;
    /** Rows of the book that was read that cannot be read. */
    readonly unread: readonly UnreadRow[];
  },
): readonly BookOfList[] {
  const taking = brokers.filter(({ trading }) => trading !== undefined);
  const inList = taking.filter(({ id }) => list.named === undefined || id === list.named);
  return inList.map(({ id, mode }) => {
    const unread = id === list.read ? list.unread : [];
    const reason = id === list.read ? unreadRows(id, unread) : whyNot(id);
    return { broker: id, mode, read: reason === null, reason, unreadRows: unread.length };
  });

  function whyNot(broker: BrokerId): string {
    if (!list.isOfToday) return 'brokers keep the book of the present day alone';
    const blocked = view(broker).blocked?.reason;
    if (blocked !== undefined) return blocked;
    return `a list without a broker reads one account: send broker=${broker} for this one`;
  }
}

/** What a list lacks for rows that cannot be read; for people, without their values. Null where there are none. */
function unreadRows(broker: BrokerId, rows: readonly UnreadRow[]): string | null {
  if (rows.length === 0) return null;
  const names = rows.map(
    ({ brokerOrderId, reason }) => `${brokerOrderId ?? 'one without a readable id'} (${reason})`,
  );
  const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
  return `rows of the order book of ${broker} cannot be read: ${shown}. The list has all others`;
}
