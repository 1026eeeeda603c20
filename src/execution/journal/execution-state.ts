import type { KeyBrakes } from '../../domain/order-limits.ts';
import type { KeyBooks } from '../books/key-books.ts';
import type { OrderRecord } from '../order/order.ts';
import type { AttemptId, EpochMs, OrderId, TradingDay, TriggerId } from '../../units/branded.ts';
import type { ObservedIndex, ObservedRows } from './observed-index.ts';
import type { Quarantine } from './quarantined.ts';
import type { KeyOf, TableName, Tables } from './records.ts';

type Rows<Name extends TableName> = ReadonlyMap<KeyOf<Name>, Tables[Name]>;

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
  readonly portfolios: Rows<'portfolios'>;
  readonly killSwitch: Rows<'killSwitch'>;
  /** An engaged kill switch that could not be written yet: it holds all the same. */
  readonly switchNotOnDisk: {
    record: Tables['killSwitch'] | null;
    /** When what was on disk then had last changed; null where nothing was. */
    since?: EpochMs | null;
  };
  /**
   * Orders with a cancel, and triggers with a deletion, that could not be written: what has not left yet stays here
   * all the same.
   */
  readonly cancelsNotOnDisk: Set<OrderId | TriggerId>;
  /** Cancels that were answered, and are on disk as `sending`, because their outcome could not be written yet. */
  readonly outcomesNotOnDisk: Set<AttemptId>;
  /** Whether the disk is nearly full: then only ways out are taken (submit/brakes.ts). */
  readonly disk: { isLow: boolean };
  /** What stops the orders of single keys, by caller (submit/brakes.ts). Stored with the keys. */
  readonly keys: Map<string, KeyBrakes>;
  readonly echoes: Rows<'echoes'>;
  readonly amendments: Rows<'amendments'>;
  readonly exits: Rows<'exits'>;
  readonly closings: Rows<'closings'>;
  /** By caller and key. */
  readonly cancelRuns: Rows<'cancelRuns'>;
  readonly externalChanges: Rows<'externalChanges'>;
  readonly triggers: Rows<'triggers'>;
  readonly triggerChanges: Rows<'triggerChanges'>;
  /** Sequence of the last event. Events themselves are read from the journal. */
  readonly lastEvent: number;
  /** Orders by caller and key. */
  readonly orderByKey: ReadonlyMap<string, OrderId>;
  /** Place attempts by the tag that they carried. */
  readonly attemptByTag: ReadonlyMap<string, AttemptId>;
  readonly attemptsOf: ReadonlyMap<OrderId, ReadonlySet<AttemptId>>;
  readonly fillsOf: ReadonlyMap<OrderId, ReadonlySet<string>>;
  /** Those of them that a book of another day than the order's has shown, or one of which the day was mistaken. */
  readonly otherDayFillsOf: ReadonlyMap<OrderId, ReadonlySet<string>>;
  readonly slicesOf: ReadonlyMap<OrderId, ReadonlySet<OrderId>>;
  /** Place attempts whose outcome is open: `sending` or `uncertain`. */
  readonly openPlaces: ReadonlySet<AttemptId>;
  /** Place attempts called absent. A row that turns up may still prove that wrong. */
  readonly absentPlaces: ReadonlySet<AttemptId>;
  /** Place attempts that a broker has refused. A row may prove that wrong, too. */
  readonly refusedPlaces: ReadonlySet<AttemptId>;
  /** Orders that may still change: see `needsWatching`. */
  readonly watched: ReadonlySet<OrderId>;
  /** After-market orders, those that are over included: the book of a later day may name them. */
  readonly afterMarket: ReadonlySet<OrderId>;
  /** Orders that are not over, disputed ones among them. */
  readonly openOrders: ReadonlySet<OrderId>;
  /** The orders that were asked for on each of the broker's days. */
  readonly ordersOfDay: ReadonlyMap<TradingDay, ReadonlyMap<OrderId, OrderRecord>>;
  /** The rows of `observed`, by broker, day and broker order id. */
  readonly observedIn: ObservedRows;
  /** What the orders of each key have bought and sold (docs/keys.md). */
  readonly books: KeyBooks;
}

/** Events, the inbox of postbacks and signals are on disk alone. */
type StoredTable = Exclude<TableName, 'events' | 'postbacks' | 'signals'>;
type MutableTables = { readonly [Name in StoredTable]: Map<KeyOf<Name>, Tables[Name]> };

/** The state as `applyChange` changes it. Everything else is given it as an ExecutionState. */
export interface MutableState extends Omit<ExecutionState, StoredTable>, MutableTables {
  lastEvent: number;
  readonly orderByKey: Map<string, OrderId>;
  readonly attemptByTag: Map<string, AttemptId>;
  readonly attemptsOf: Map<OrderId, Set<AttemptId>>;
  readonly fillsOf: Map<OrderId, Set<string>>;
  readonly otherDayFillsOf: Map<OrderId, Set<string>>;
  readonly slicesOf: Map<OrderId, Set<OrderId>>;
  readonly openPlaces: Set<AttemptId>;
  readonly absentPlaces: Set<AttemptId>;
  readonly refusedPlaces: Set<AttemptId>;
  readonly watched: Set<OrderId>;
  readonly afterMarket: Set<OrderId>;
  readonly openOrders: Set<OrderId>;
  readonly ordersOfDay: Map<TradingDay, Map<OrderId, OrderRecord>>;
  readonly observedIn: ObservedIndex;
}
