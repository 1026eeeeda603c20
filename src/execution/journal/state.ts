import { KeyBooks } from '../books/key-books.ts';
import { isOpenPlace, isRefusedPlace, type AttemptRecord } from '../order/attempt.ts';
import { changesOfExternal } from '../external/external-change.ts';
import type { FillRecord } from '../order/fills.ts';
import {
  brokerOrderIdOf,
  calledAbsentOf,
  fillOf,
  isOver,
  type OrderRecord,
} from '../order/order.ts';
import type { ExecutionState, MutableState, OnImpossible } from './execution-state.ts';
import { inSet, listOnDay, member } from './indexes.ts';
import { ObservedIndex } from './observed-index.ts';
import { Quarantine } from './quarantined.ts';
import { callerKey, type Change } from './records.ts';
import { must } from '../../platform/values.ts';
import type { OrderId } from '../../units/branded.ts';

export type { ExecutionState, MutableState, OnImpossible } from './execution-state.ts';

export function createState(
  onImpossible: OnImpossible = 'throw',
  quarantine: Quarantine = new Quarantine(),
  books: KeyBooks = new KeyBooks(),
): MutableState {
  return {
    onImpossible,
    quarantine,
    orders: new Map(),
    attempts: new Map(),
    fills: new Map(),
    observed: new Map(),
    ...{ portfolios: new Map(), killSwitch: new Map() },
    switchNotOnDisk: { record: null },
    ...{ cancelsNotOnDisk: new Set(), outcomesNotOnDisk: new Set() },
    disk: { isLow: false },
    keys: new Map(),
    ...{ echoes: new Map(), amendments: new Map() },
    ...{ exits: new Map(), closings: new Map() },
    cancelRuns: new Map(),
    externalChanges: new Map(),
    ...{ triggers: new Map(), triggerChanges: new Map() },
    lastEvent: 0,
    orderByKey: new Map(),
    attemptByTag: new Map(),
    attemptsOf: new Map(),
    fillsOf: new Map(),
    otherDayFillsOf: new Map(),
    slicesOf: new Map(),
    openPlaces: new Set(),
    absentPlaces: new Set(),
    refusedPlaces: new Set(),
    watched: new Set(),
    afterMarket: new Set(),
    openOrders: new Set(),
    ordersOfDay: new Map(),
    observedIn: new ObservedIndex(),
    books,
  };
}

/** The row that another record names. Throws where there is none: the journal is damaged. */
export function required<Id extends string, T>(rows: ReadonlyMap<Id, T>, key: Id, what: string): T {
  const row = rows.get(key);
  if (row === undefined) throw new Error(`the journal names ${what} ${key}, and does not have it`);
  return row;
}

/** Sum of the fills known of an order. */
export function filledByTrades(state: ExecutionState, orderId: OrderId): number {
  let sum = 0;
  for (const fill of fillsOfOrder(state, orderId)) sum += fill.quantity;
  return sum;
}

/** All fills of an order; for a sliced order, the fills of its slices. */
export function fillsOfOrder(state: ExecutionState, orderId: OrderId): FillRecord[] {
  return [orderId, ...(state.slicesOf.get(orderId) ?? [])]
    .flatMap((id) => [...(state.fillsOf.get(id) ?? [])])
    .map((key) => required(state.fills, key, 'fill'));
}

/** Whether a request to change an order may still be on its way. */
export const isUnderWay = (
  { outcomesNotOnDisk }: ExecutionState,
  { id, state }: Pick<AttemptRecord, 'id' | 'state'>,
): boolean => state.kind === 'sending' && !outcomesNotOnDisk.has(id);

/** Of an order placed elsewhere, the requests to change it. */
export function attemptsOfOrder(state: ExecutionState, orderId: OrderId): AttemptRecord[] {
  if (orderId.includes(':')) return [...changesOfExternal(state, orderId)];
  return [...(state.attemptsOf.get(orderId) ?? [])].map((id) =>
    required(state.attempts, id, 'attempt'),
  );
}

/**
 * Whether the book must be read for an order: while it works or is uncertain, and, once it is final,
 * until every share that the broker says was filled has been seen as a fill.
 */
export function needsWatching(state: ExecutionState, order: OrderRecord): boolean {
  switch (order.state.kind) {
    case 'disputed':
    case 'accepted':
    // Its slices are watched, and its state follows from them.
    case 'sliced':
      return false;
    default:
      break;
  }
  if (!isOver(order)) return true;
  // A person can be wrong: until the day is over, the row may still turn up.
  const calledAbsent = calledAbsentOf(order);
  if (calledAbsent?.by === 'person' && calledAbsent.bookGone !== true) return true;
  const { filledQuantity } = fillOf(order);
  return (
    brokerOrderIdOf(order) !== null &&
    (filledQuantity === null || filledByTrades(state, order.id) < filledQuantity)
  );
}

/**
 * Applies one change in place; returns the changes that take it back. Everything that is derived
 * from rows is kept in step here and nowhere else.
 */
export function applyChange(state: MutableState, change: Change): readonly Change[] {
  const { key } = change;
  switch (change.table) {
    case 'events':
      state.lastEvent = change.row?.sequence ?? state.lastEvent - 1;
      return [{ table: 'events', key, row: null }];
    case 'orders': {
      const before = put(state.orders, change);
      noteOrder(state, must(change.row ?? before, PRESENT), change.row !== null);
      return [{ table: 'orders', key, row: before }];
    }
    case 'attempts': {
      const before = put(state.attempts, change);
      noteAttempt(state, must(change.row ?? before, PRESENT), change.row !== null);
      return [{ table: 'attempts', key, row: before }];
    }
    case 'fills': {
      const before = put(state.fills, change);
      noteFill(state, change.row, before);
      return [{ table: 'fills', key, row: before }];
    }
    case 'observed': {
      const before = put(state.observed, change);
      if (change.row !== null) state.observedIn.put(change.row);
      else state.observedIn.remove(must(before, PRESENT));
      return [{ table: 'observed', key, row: before }];
    }
    case 'postbacks':
      // The inbox is on disk alone (postback-inbox.ts).
      return [];
    case 'signals':
      // On disk alone (signals/signal-journal.ts).
      return [];
    case 'portfolios':
      return [{ table: 'portfolios', key, row: put(state.portfolios, change) }];
    case 'killSwitch':
      return [{ table: 'killSwitch', key, row: put(state.killSwitch, change) }];
    case 'echoes':
      return [{ table: 'echoes', key, row: put(state.echoes, change) }];
    case 'amendments':
      return [{ table: 'amendments', key, row: put(state.amendments, change) }];
    case 'exits':
      return [{ table: 'exits', key, row: put(state.exits, change) }];
    case 'closings':
      return [{ table: 'closings', key, row: put(state.closings, change) }];
    case 'cancelRuns':
      return [{ table: 'cancelRuns', key, row: put(state.cancelRuns, change) }];
    case 'externalChanges':
      return [{ table: 'externalChanges', key, row: put(state.externalChanges, change) }];
    case 'triggers':
      state.books.touch(key);
      return [{ table: 'triggers', key, row: put(state.triggers, change) }];
    case 'triggerChanges':
      return [{ table: 'triggerChanges', key, row: put(state.triggerChanges, change) }];
  }
}

const PRESENT = 'only a row that is there is taken out';

/** Puts a row in its table, or takes it out; returns the one that was there. */
function put<Row>(
  rows: Map<string, Row>,
  { key, row }: { readonly key: string; readonly row: Row | null },
): Row | null {
  const before = rows.get(key) ?? null;
  if (row === null) rows.delete(key);
  else rows.set(key, row);
  return before;
}

function noteOrder(state: MutableState, order: OrderRecord, present: boolean): void {
  state.books.touch(order.id);
  const key = callerKey(order.caller, order.idempotencyKey);
  if (present) state.orderByKey.set(key, order.id);
  else state.orderByKey.delete(key);
  if (order.parentId !== null) {
    member(state.slicesOf, order.parentId, order.id, present);
    if (state.slicesOf.get(order.parentId)?.size === 0) state.slicesOf.delete(order.parentId);
    watch(state, order.parentId);
  }
  watch(state, order.id);
  inSet(state.afterMarket, order.id, present && order.terms.amo);
  inSet(state.openOrders, order.id, present && !isOver(order));
  listOnDay(state.ordersOfDay, order, present);
}

function noteAttempt(state: MutableState, attempt: AttemptRecord, present: boolean): void {
  state.books.touch(attempt.orderId);
  member(state.attemptsOf, attempt.orderId, attempt.id, present);
  if (attempt.kind === 'place') {
    if (present) state.attemptByTag.set(attempt.tag, attempt.id);
    else state.attemptByTag.delete(attempt.tag);
  }
  inSet(state.openPlaces, attempt.id, present && isOpenPlace(attempt));
  inSet(state.absentPlaces, attempt.id, present && attempt.state.kind === 'absent');
  inSet(state.refusedPlaces, attempt.id, present && isRefusedPlace(attempt));
}

function noteFill(state: MutableState, row: FillRecord | null, before: FillRecord | null): void {
  const fill = must(row ?? before, PRESENT);
  state.books.touch(fill.orderId);
  member(state.fillsOf, fill.orderId, fill.key, row !== null);
  if (fill.day !== state.orders.get(fill.orderId)?.day) {
    member(state.otherDayFillsOf, fill.orderId, fill.key, row !== null);
  }
  watch(state, fill.orderId);
}

function watch(state: MutableState, orderId: OrderId): void {
  const order = state.orders.get(orderId);
  inSet(state.watched, orderId, order !== undefined && needsWatching(state, order));
}
