import { isOpenPlace, type AttemptRecord } from '../order/attempt.ts';
import type { FillRecord } from '../order/fills.ts';
import {
  brokerOrderIdOf,
  calledAbsentOf,
  fillOf,
  isOver,
  type OrderRecord,
} from '../order/order.ts';
import { FillTimeline, type FillsByTime } from './fill-timeline.ts';
import {
  callerKey,
  type Change,
  ObservedIndex,
  type ObservedRows,
  Quarantine,
  type TableName,
  type Tables,
} from './records.ts';

type Rows<Name extends TableName> = ReadonlyMap<string, Tables[Name]>;

/** What to do about a move that the table does not have: throw, or make that one order disputed. */
export type OnImpossible = 'throw' | 'dispute';

/** The journal in memory, with indexes. Only `applyChange` changes it. */
export interface ExecutionState {
  readonly onImpossible: OnImpossible;
  readonly quarantine: Quarantine;
  readonly orders: Rows<'orders'>;
  readonly attempts: Rows<'attempts'>;
  readonly fills: Rows<'fills'>;
  readonly observed: Rows<'observed'>;
  readonly postbacks: Rows<'postbacks'>;
  readonly portfolios: Rows<'portfolios'>;
  readonly killSwitch: Rows<'killSwitch'>;
  readonly echoes: Rows<'echoes'>;
  readonly amendments: Rows<'amendments'>;
  /** Sequence of the last event. Events themselves are read from the journal. */
  readonly lastEvent: number;
  /** Orders by caller and key. */
  readonly orderByKey: ReadonlyMap<string, string>;
  /** Place attempts by the tag that they carried. */
  readonly attemptByTag: ReadonlyMap<string, string>;
  readonly attemptsOf: ReadonlyMap<string, ReadonlySet<string>>;
  readonly fillsOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** The slices of an order, by its id. */
  readonly slicesOf: ReadonlyMap<string, ReadonlySet<string>>;
  /** Place attempts whose outcome is open: `sending` or `uncertain`. */
  readonly openPlaces: ReadonlySet<string>;
  /** Place attempts called absent. A row that turns up may still prove that wrong. */
  readonly absentPlaces: ReadonlySet<string>;
  /** Orders that may still change: see `needsWatching`. */
  readonly watched: ReadonlySet<string>;
  /** After-market orders, those that are over included: the book of a later day may name them. */
  readonly afterMarket: ReadonlySet<string>;
  /** Orders that are not over, disputed ones among them. */
  readonly openOrders: ReadonlySet<string>;
  /** The orders that were asked for on each of the broker's days. */
  readonly ordersOfDay: ReadonlyMap<string, ReadonlyMap<string, OrderRecord>>;
  readonly fillsByTime: FillsByTime;
  /** The rows of `observed`, by broker, day and broker order id. */
  readonly observedIn: ObservedRows;
}

interface Mutable {
  orders: Map<string, OrderRecord>;
  lastEvent: number;
  orderByKey: Map<string, string>;
  attemptByTag: Map<string, string>;
  attemptsOf: Map<string, Set<string>>;
  fillsOf: Map<string, Set<string>>;
  slicesOf: Map<string, Set<string>>;
  openPlaces: Set<string>;
  absentPlaces: Set<string>;
  watched: Set<string>;
  afterMarket: Set<string>;
  openOrders: Set<string>;
  ordersOfDay: Map<string, Map<string, OrderRecord>>;
  fillsByTime: FillTimeline;
  observedIn: ObservedIndex;
}

export function createState(
  onImpossible: OnImpossible = 'throw',
  quarantine: Quarantine = new Quarantine(),
): ExecutionState {
  return {
    onImpossible,
    quarantine,
    orders: new Map(),
    attempts: new Map(),
    fills: new Map(),
    observed: new Map(),
    postbacks: new Map(),
    portfolios: new Map(),
    killSwitch: new Map(),
    echoes: new Map(),
    amendments: new Map(),
    lastEvent: 0,
    orderByKey: new Map(),
    attemptByTag: new Map(),
    attemptsOf: new Map(),
    fillsOf: new Map(),
    slicesOf: new Map(),
    openPlaces: new Set(),
    absentPlaces: new Set(),
    watched: new Set(),
    afterMarket: new Set(),
    openOrders: new Set(),
    ordersOfDay: new Map(),
    fillsByTime: new FillTimeline(),
    observedIn: new ObservedIndex(),
  };
}

/**
 * The row under a key that another record names. Throws where there is none: the journal is
 * damaged.
 */
export function required<Row>(rows: ReadonlyMap<string, Row>, key: string, what: string): Row {
  const row = rows.get(key);
  if (row === undefined) throw new Error(`the journal names ${what} ${key}, and does not have it`);
  return row;
}

/** Sum of the fills known of an order. */
export function filledByTrades(state: ExecutionState, orderId: string): number {
  let sum = 0;
  for (const fill of fillsOfOrder(state, orderId)) sum += fill.quantity;
  return sum;
}

/** All fills of an order; for a sliced order, the fills of its slices. */
export function fillsOfOrder(state: ExecutionState, orderId: string): FillRecord[] {
  return [orderId, ...(state.slicesOf.get(orderId) ?? [])]
    .flatMap((id) => [...(state.fillsOf.get(id) ?? [])])
    .map((key) => required(state.fills, key, 'fill'));
}

export function attemptsOfOrder(state: ExecutionState, orderId: string): AttemptRecord[] {
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
  if (calledAbsentOf(order)?.by === 'person') return true;
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
export function applyChange(state: ExecutionState, change: Change): readonly Change[] {
  const mutable = state as unknown as Mutable;
  if (change.table === 'events') {
    mutable.lastEvent = change.row?.sequence ?? mutable.lastEvent - 1;
    return [{ table: 'events', key: change.key, row: null }];
  }
  const rows = state[change.table] as unknown as Map<string, unknown>;
  const before = rows.get(change.key) ?? null;
  if (change.row === null) rows.delete(change.key);
  else rows.set(change.key, change.row);
  keepInStep(state, mutable, change, before);
  return [{ table: change.table, key: change.key, row: before } as Change];
}

function keepInStep(
  state: ExecutionState,
  mutable: Mutable,
  change: Exclude<Change, { table: 'events' }>,
  before: unknown,
): void {
  switch (change.table) {
    case 'orders': {
      const order = change.row ?? (before as OrderRecord);
      const key = callerKey(order.caller, order.idempotencyKey);
      if (change.row === null) mutable.orderByKey.delete(key);
      else mutable.orderByKey.set(key, order.id);
      if (order.parentId !== null) {
        member(mutable.slicesOf, order.parentId, order.id, change.row !== null);
        if (state.slicesOf.get(order.parentId)?.size === 0) {
          mutable.slicesOf.delete(order.parentId);
        }
        watch(state, mutable, order.parentId);
      }
      watch(state, mutable, order.id);
      inSet(mutable.afterMarket, order.id, change.row !== null && order.terms.amo);
      inSet(mutable.openOrders, order.id, change.row !== null && !isOver(order));
      listOnDay(mutable.ordersOfDay, order, change.row !== null);
      return;
    }
    case 'attempts': {
      const attempt = change.row ?? (before as AttemptRecord);
      member(mutable.attemptsOf, attempt.orderId, attempt.id, change.row !== null);
      if (attempt.kind === 'place') {
        if (change.row === null) mutable.attemptByTag.delete(attempt.tag);
        else mutable.attemptByTag.set(attempt.tag, attempt.id);
      }
      const open = change.row !== null && isOpenPlace(change.row);
      inSet(mutable.openPlaces, attempt.id, open);
      inSet(mutable.absentPlaces, attempt.id, change.row?.state.kind === 'absent');
      return;
    }
    case 'fills': {
      const fill = change.row ?? (before as FillRecord);
      member(mutable.fillsOf, fill.orderId, fill.key, change.row !== null);
      if (before !== null) mutable.fillsByTime.remove(before as FillRecord);
      if (change.row !== null) mutable.fillsByTime.put(change.row);
      watch(state, mutable, fill.orderId);
      return;
    }
    case 'observed': {
      if (change.row !== null) mutable.observedIn.put(change.row);
      else mutable.observedIn.remove(before as Tables['observed']);
      return;
    }
    default:
      return;
  }
}

function watch(state: ExecutionState, mutable: Mutable, orderId: string): void {
  const order = state.orders.get(orderId);
  inSet(mutable.watched, orderId, order !== undefined && needsWatching(state, order));
}

/** An order that changes keeps its place: they are listed in the order in which they came in. */
function listOnDay(
  days: Map<string, Map<string, OrderRecord>>,
  order: OrderRecord,
  present: boolean,
): void {
  const orders = days.get(order.day) ?? new Map<string, OrderRecord>();
  if (present) orders.set(order.id, order);
  else orders.delete(order.id);
  if (orders.size > 0) days.set(order.day, orders);
  else days.delete(order.day);
}

function member(
  sets: Map<string, Set<string>>,
  key: string,
  value: string,
  present: boolean,
): void {
  let set = sets.get(key);
  if (!set) sets.set(key, (set = new Set()));
  inSet(set, value, present);
}

function inSet(set: Set<string>, value: string, present: boolean): void {
  if (present) set.add(value);
  else set.delete(value);
}
