import type { BrokerFill, BrokerOrder, UnreadRow } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { isFinalRow } from '../../domain/order.ts';
import { type Change, isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { isRefusedPlace } from '../order/attempt.ts';
import { bindingOf, brokerOrderIdOf, isOver } from '../order/order.ts';
import { createFillMemory, pick } from './fill-memory.ts';
import { isSameRow } from './matching.ts';
import type { BrokerOrderId, TradingDay } from '../../units/branded.ts';

/** What is left to do about one read of a book. */
export interface BookNews {
  /** In the order of the book. */
  readonly rows: readonly BrokerOrder[];
  /**
   * The trades, in the order of the list: also those of these ids that are passed over as an order's that was
   * placed elsewhere. Empty where trades were not read.
   */
  readonly fillsWith: (brokerOrderIds: Iterable<BrokerOrderId>) => readonly BrokerFill[];
  /** Whether the read holds every id observed at the broker earlier the same day. */
  readonly complete: boolean;
  /**
   * `rows` with the rows of these ids, also where nothing is left to do about them; in the book's
   * order.
   */
  readonly rowsWith: (brokerOrderIds: Iterable<BrokerOrderId>) => readonly BrokerOrder[];
}

export interface ReadOfDay {
  /** The broker's day on which the read began. */
  readonly day: TradingDay;
  /** Whose book it is; null where that is not known. */
  readonly account: string | null;
  readonly rows: readonly BrokerOrder[];
  readonly fills: readonly BrokerFill[] | null;
  /** Rows that could not be read: those with an id are in the book all the same. */
  readonly unread: readonly UnreadRow[];
}

/**
 * Remembers which rows and fills of a broker's book nothing is left to do about, so that a read costs
 * what has changed since the last one and not the length of the book. A row is passed over while it is
 * the same object at the same place of the book, its order is over and says what the row says, and neither
 * the order nor what was observed under its id has changed. A book that does not begin with the ids of
 * the read before is looked at as a whole.
 */
export interface BookMemory {
  /** What a read holds that `state` has not taken in. To be called by the decision that takes it in. */
  newsOf(state: ExecutionState, read: ReadOfDay): BookNews;
  /** The decision after the last `newsOf` is on disk. */
  keep(state: ExecutionState): void;
  /** It is not on disk: the next read is looked at as a whole. */
  forget(): void;
  /** A change has been made to the state, or taken back: `row` was put there, or was there before. */
  note(change: Change): void;
}

export function createBookMemory(broker: BrokerId): BookMemory {
  /** Of the last read; '' before one. */
  let day = '';
  let account: string | null = null;
  let complete = false;
  /** Rows of the last read that could not be read, and their ids. */
  let unread = '[]';
  let unreadIds: ReadonlySet<BrokerOrderId | null> = new Set();
  const rows = createRowMemory(broker);
  const fills = createFillMemory(broker);
  /** Broker order ids whose order, or whose observation, has changed since the last `newsOf`. */
  let touched = new Set<BrokerOrderId>();

  function forget(): void {
    [day, complete, touched] = ['', false, new Set()];
    rows.forget();
    fills.forget();
  }

  function isMissing(state: ExecutionState, id: BrokerOrderId): boolean {
    const observed = state.observedIn.get(broker, day, id);
    if (observed?.leaving !== false || isOfOtherAccount(observed, account)) return false;
    return !rows.has(id) && !unreadIds.has(id);
  }

  return {
    newsOf(state, read) {
      const changed = touched;
      touched = new Set();
      // What may be a row that could not be read is passed over, until that row can be read.
      const unreadBefore = unread;
      unread = JSON.stringify(read.unread);
      unreadIds = new Set(read.unread.map(({ brokerOrderId }) => brokerOrderId));
      const isSame = read.day === day && read.account === account && unread === unreadBefore;
      const isNext = isSame && rows.follow(read.rows);
      if (!isNext) {
        forget();
        [day, account] = [read.day, read.account];
        rows.begin(read.rows);
      }
      for (const id of changed) rows.lookAgain(id);
      fills.lookAgain(changed);
      const ids = isNext && complete ? changed : state.observedIn.on(broker, day).keys();
      complete = true;
      for (const id of ids) complete &&= !isMissing(state, id);
      const open = rows.open(state, day);
      fills.take(read.fills);
      const isRemembered = rows.are(read.rows);
      return {
        rows: isRemembered ? open : read.rows,
        fillsWith: fills.openWith,
        complete,
        rowsWith: (brokerOrderIds) => (isRemembered ? rows.openWith(brokerOrderIds) : read.rows),
      };
    },
    keep(state) {
      rows.keep(state, day);
      fills.keep(state, day);
    },
    forget,
    note(change) {
      const { table, row } = change;
      // Before the first read of a day nothing is remembered that could be wrong.
      if (day === '' || row === null) return;
      // A row that was passed over may be that of an order which is refused now.
      if (table === 'attempts' && row.broker === broker && isRefusedPlace(row)) return forget();
      // An id can be observed although no order is bound to it: a book without it is not complete.
      for (const id of idsOf([change], broker)) touched.add(id);
    },
  };
}

/** The ids in a broker's book that changes are about: those of orders, and what was observed under them. */
export function idsOf(changes: readonly Change[], broker: BrokerId): BrokerOrderId[] {
  return changes.flatMap(({ table, row }) => {
    if (table === 'observed' && row?.broker === broker) return row.brokerOrderId;
    return table === 'orders' && row?.broker === broker ? (brokerOrderIdOf(row) ?? []) : [];
  });
}

/** The rows of the last read, and about which of them nothing is left to do. */
interface RowMemory {
  /** Begins with the rows of a read that does not follow the last one. */
  begin(next: readonly BrokerOrder[]): void;
  /** Takes the rows of the next read; false where one is gone, or an id is there twice. */
  follow(next: readonly BrokerOrder[]): boolean;
  /** Whether these are the remembered rows; a read with an id in it twice is not remembered. */
  are(rows: readonly BrokerOrder[]): boolean;
  has(brokerOrderId: BrokerOrderId): boolean;
  /** What is known of this row has changed. */
  lookAgain(brokerOrderId: BrokerOrderId): void;
  /** The rows that are to be looked at, in the order of the book. */
  open(state: ExecutionState, day: TradingDay): BrokerOrder[];
  /** The rows that the last `open` gave, with those of these ids. */
  openWith(brokerOrderIds: Iterable<BrokerOrderId>): BrokerOrder[];
  /** What was decided on the open rows is on disk. */
  keep(state: ExecutionState, day: TradingDay): void;
  forget(): void;
}

function createRowMemory(broker: BrokerId): RowMemory {
  let rows: readonly BrokerOrder[] = [];
  /** By the place of a row in the book. */
  let isDone: boolean[] = [];
  let places = new Map<BrokerOrderId, number>();
  let openPlaces: number[] = [];

  /** Places of rows that are to be looked at, in the order of the book. */
  function findOpen(state: ExecutionState, day: TradingDay): number[] {
    const open = new Set<number>();
    for (let place = 0; place < rows.length; place += 1) {
      if (isDone[place]) continue;
      open.add(place);
      // Where an order has two rows, the later one in the book is the one that counts.
      const id = rows[place]?.brokerOrderId ?? '';
      const orderId = state.observedIn.get(broker, day, id)?.orderId ?? null;
      const order = orderId === null ? undefined : state.orders.get(orderId);
      const bound = order ? places.get(brokerOrderIdOf(order) ?? '') : undefined;
      if (bound !== undefined) open.add(bound);
    }
    return inOrder(open);
  }

  return {
    begin(next) {
      places = new Map(next.map((row, place) => [row.brokerOrderId, place]));
      if (places.size === next.length) rows = next;
    },
    follow(next) {
      if (next === rows) return rows.length > 0;
      if (rows.length === 0 || next.length < rows.length) return false;
      for (let place = 0; place < rows.length; place += 1) {
        const [row, before] = [next[place], rows[place]];
        if (row === before) continue;
        if (row?.brokerOrderId !== before?.brokerOrderId) return false;
        isDone[place] = false;
      }
      for (let place = rows.length; place < next.length; place += 1) {
        const id = next[place]?.brokerOrderId ?? '';
        if (places.has(id)) return false;
        places.set(id, place);
        isDone[place] = false;
      }
      rows = next;
      return true;
    },
    are: (others) => rows === others,
    has: (id) => places.has(id),
    lookAgain(id) {
      const place = places.get(id);
      if (place !== undefined) isDone[place] = false;
    },
    open(state, day) {
      openPlaces = findOpen(state, day);
      return pick(rows, openPlaces);
    },
    openWith(brokerOrderIds) {
      const all = new Set(openPlaces);
      for (const id of brokerOrderIds) {
        const place = places.get(id);
        if (place !== undefined) all.add(place);
      }
      return pick(rows, inOrder(all));
    },
    keep(state, day) {
      for (const place of openPlaces) {
        const row = rows[place];
        isDone[place] = row !== undefined && isSettled(state, { broker, day, row });
      }
    },
    forget() {
      [rows, isDone, places, openPlaces] = [[], [], new Map(), []];
    },
  };
}

/** Whether a row can say nothing more while neither it nor what is known of its order changes. */
function isSettled(
  state: ExecutionState,
  { broker, day, row }: { broker: BrokerId; day: TradingDay; row: BrokerOrder },
): boolean {
  const observed = state.observedIn.get(broker, day, row.brokerOrderId);
  if (!observed) return false;
  const { orderId } = observed;
  const isAlien = (tag: string): boolean => {
    const attempt = state.attempts.get(state.attemptByTag.get(tag) ?? '');
    return attempt !== undefined && attempt.orderId !== orderId;
  };
  if (row.tags.some(isAlien)) return false;
  if (orderId === null) return true;
  const order = state.orders.get(orderId);
  if (!order || !isOver(order)) return false;
  // The trades may tell what it does not.
  if (row.filledQuantity === null && isFinalRow(row.status)) return false;
  const binding = bindingOf(order);
  return isSameRow(binding?.row ?? null, row) && binding?.brokerOrderId === row.brokerOrderId;
}

const inOrder = (places: ReadonlySet<number>): number[] =>
  [...places].sort((left, right) => left - right);
