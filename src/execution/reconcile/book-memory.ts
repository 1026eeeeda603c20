import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { exchangeOf } from '../../domain/instrument.ts';
import { type Change, isOfOtherAccount } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { fillKey } from '../order/fills.ts';
import { bindingOf, brokerOrderIdOf, isOver } from '../order/order.ts';
import { isSameRow } from './matching.ts';

/** What is left to do about one read of a book. */
export interface BookNews {
  /** In the order of the book. */
  readonly rows: readonly BrokerOrder[];
  readonly fills: readonly BrokerFill[] | null;
  /** Whether the read holds every id observed at the broker earlier the same day. */
  readonly complete: boolean;
  /**
   * `rows` with the rows of these ids, also where nothing is left to do about them; in the book's
   * order.
   */
  readonly rowsWith: (brokerOrderIds: Iterable<string>) => readonly BrokerOrder[];
}

export interface ReadOfDay {
  /** The broker's day on which the read began. */
  readonly day: string;
  /** Whose book it is; null where that is not known. */
  readonly account: string | null;
  readonly rows: readonly BrokerOrder[];
  readonly fills: readonly BrokerFill[] | null;
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
  let rows: readonly BrokerOrder[] = [];
  /** By the place of a row in the book, as `isRecorded` is for fills. */
  let isDone: boolean[] = [];
  let places = new Map<string, number>();
  let fills: readonly BrokerFill[] = [];
  let isRecorded: boolean[] = [];
  let complete = false;
  /** Broker order ids whose order, or whose observation, has changed since the last `newsOf`. */
  let touched = new Set<string>();
  /** Places that the last `newsOf` has answered. */
  let rowsLookedAt: number[] = [];
  let fillsLookedAt: number[] = [];

  function forget(): void {
    [day, rows, isDone, places, complete] = ['', [], [], new Map(), false];
    [fills, isRecorded, touched, rowsLookedAt, fillsLookedAt] = [[], [], new Set(), [], []];
  }

  /** The rows of a read after which nothing is remembered. One with an id in it twice never is. */
  function begin(next: readonly BrokerOrder[]): void {
    places = new Map(next.map((row, place) => [row.brokerOrderId, place]));
    if (places.size === next.length) rows = next;
  }

  /** The rows of the next read; false where one of before is gone, or an id is there twice. */
  function follow(next: readonly BrokerOrder[]): boolean {
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
  }

  /** Places of rows that are to be looked at, in the order of the book. */
  function openPlaces(state: ExecutionState): number[] {
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
    return [...open].sort((left, right) => left - right);
  }

  function rowsLookedAtWith(brokerOrderIds: Iterable<string>): number[] {
    const all = new Set(rowsLookedAt);
    for (const id of brokerOrderIds) {
      const place = places.get(id);
      if (place !== undefined) all.add(place);
    }
    return [...all].sort((left, right) => left - right);
  }

  function newFills(read: readonly BrokerFill[]): number[] {
    const places: number[] = [];
    for (const [place, fill] of read.entries()) {
      if (fill !== fills[place]) isRecorded[place] = false;
      if (!isRecorded[place]) places.push(place);
    }
    fills = read;
    isRecorded.length = read.length;
    return places;
  }

  function isMissing(state: ExecutionState, id: string): boolean {
    const observed = state.observedIn.get(broker, day, id);
    if (observed?.leaving !== false || isOfOtherAccount(observed, account)) return false;
    return !places.has(id);
  }

  /** Whether a row can say nothing more while neither it nor what is known of its order changes. */
  function isSettled(state: ExecutionState, row: BrokerOrder): boolean {
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
    const binding = bindingOf(order);
    return isSameRow(binding?.row ?? null, row) && binding?.brokerOrderId === row.brokerOrderId;
  }

  function isKnownFill(state: ExecutionState, fill: BrokerFill): boolean {
    const { brokerOrderId, fillId } = fill;
    if (brokerOrderId === null) return false;
    const orderId = state.observedIn.get(broker, day, brokerOrderId)?.orderId ?? null;
    const order = orderId === null ? undefined : state.orders.get(orderId);
    if (!order) return false;
    const exchange = fill.exchange ?? exchangeOf(order.terms.instrument);
    return state.fills.has(fillKey({ broker, day, exchange, brokerOrderId, fillId }));
  }

  return {
    newsOf(state, read) {
      const changed = touched;
      touched = new Set();
      const isNext = read.day === day && read.account === account && follow(read.rows);
      if (!isNext) {
        forget();
        [day, account] = [read.day, read.account];
        begin(read.rows);
      }
      for (const id of changed) {
        const place = places.get(id);
        if (place !== undefined) isDone[place] = false;
      }
      const ids = isNext && complete ? changed : state.observedIn.on(broker, day).keys();
      complete = true;
      for (const id of ids) complete &&= !isMissing(state, id);
      rowsLookedAt = openPlaces(state);
      fillsLookedAt = read.fills ? newFills(read.fills) : [];
      const isRemembered = rows === read.rows;
      return {
        rows: isRemembered ? pick(rows, rowsLookedAt) : read.rows,
        fills: read.fills && pick(read.fills, fillsLookedAt),
        complete,
        rowsWith: (brokerOrderIds) =>
          isRemembered ? pick(rows, rowsLookedAtWith(brokerOrderIds)) : read.rows,
      };
    },
    keep(state) {
      for (const place of rowsLookedAt) {
        const row = rows[place];
        isDone[place] =
          row !== undefined && !touched.has(row.brokerOrderId) && isSettled(state, row);
      }
      for (const place of fillsLookedAt) {
        const fill = fills[place];
        isRecorded[place] = fill !== undefined && isKnownFill(state, fill);
      }
    },
    forget,
    note({ table, row }) {
      // Before the first read of a day nothing is remembered that could be wrong.
      if (day === '' || row === null) return;
      if (table === 'observed' && row.broker === broker) touched.add(row.brokerOrderId);
      if (table === 'orders' && row.broker === broker) {
        const id = brokerOrderIdOf(row);
        if (id !== null) touched.add(id);
      }
    },
  };
}

function pick<Item>(items: readonly Item[], places: readonly number[]): Item[] {
  return places.flatMap((place) => {
    const item = items[place];
    return item === undefined ? [] : [item];
  });
}
