import type { BrokerId } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { Row } from '../../platform/database.ts';
import type { OrderId, TradingDay } from '../../units/branded.ts';
import type { ExternalChangeRecord } from '../external/external-change.ts';
import type { TableName, Tables } from './records.ts';

/** The rows of a table, those that do not fit apart. */
export interface Found<Name extends TableName> {
  readonly rows: Tables[Name][];
  readonly unfit: { readonly columns: Row; readonly reason: string }[];
}

export type AllFound = {
  readonly [Name in Exclude<TableName, 'events' | 'postbacks' | 'signals'>]: Found<Name>;
};

/** A row of the journal that does not fit its schema: it is not used, and a person has to look. */
export interface QuarantinedRow {
  readonly table: TableName;
  /** The row's key as its table has it. */
  readonly key: string;
  /** The order that it is, or that it belongs to; null where it belongs to none. */
  readonly orderId: OrderId | null;
  /** Where and what does not fit, without the row's values. */
  readonly reason: string;
  /** What a person looks at, as far as it can still be read: `NSE:INFY at alt`. */
  readonly about: readonly string[];
}

/** What is still known of an order that cannot be used; null for what cannot be read. */
export interface QuarantinedOrder {
  readonly id: OrderId;
  readonly caller: string;
  readonly broker: BrokerId;
  readonly day: TradingDay;
  readonly instrument: InstrumentName | null;
  readonly product: string | null;
  readonly side: Side | null;
  readonly quantity: number | null;
}

/** What is still known of a placing whose row, or whose order's row, does not fit. */
export interface QuarantinedPlacing {
  readonly orderId: OrderId;
  readonly day: TradingDay;
  readonly tag: string | null;
  readonly fingerprint: string | null;
}

/** What a change of an order placed elsewhere is one under; the database takes one of each that may have left. */
export type ExternalChangeKey = Pick<
  ExternalChangeRecord,
  'by' | 'kind' | 'broker' | 'day' | 'brokerOrderId' | 'idempotencyKey'
>;

export const externalChangeKey = (change: ExternalChangeKey): string =>
  [
    ...[change.by, change.kind, change.broker, change.day, change.brokerOrderId],
    change.idempotencyKey,
  ].join('\n');

/** What is still known of orders that cannot be used. */
interface QuarantinedOrders {
  readonly orders: ReadonlySet<OrderId>;
  readonly placings: readonly QuarantinedPlacing[];
  /** By `callerKey`. */
  readonly keys: ReadonlyMap<string, OrderId>;
  /** Those that may have filled. Of a sliced order these are its slices, not the order itself. */
  readonly terms: readonly QuarantinedOrder[];
  /** Of changes of orders placed elsewhere that may have left (`externalChangeKey`). */
  readonly externalKeys: ReadonlySet<string>;
}

/**
 * What the rows that do not fit still stand for: their order ids stay taken (rows of the book that they
 * own go to no other order), their tags stay ours, and an order like one of them is not sent on its day
 * to a broker without tags. Nothing else is known of them, so what a book shows of them counts as placed elsewhere.
 */
export class Quarantine {
  readonly rows: readonly QuarantinedRow[];
  readonly #orders: ReadonlySet<OrderId>;
  readonly #placings: readonly QuarantinedPlacing[];
  readonly #tags: ReadonlySet<string>;
  readonly #keys: ReadonlyMap<string, OrderId>;
  readonly #externalKeys: ReadonlySet<string>;
  /** The orders that may have filled: of a sliced order its slices, not the order itself. */
  readonly orders: readonly QuarantinedOrder[];

  constructor(rows: readonly QuarantinedRow[] = [], known: Partial<QuarantinedOrders> = {}) {
    const { orders = new Set(), placings = [], keys = new Map() } = known;
    this.rows = rows;
    this.orders = known.terms ?? [];
    this.#keys = keys;
    this.#externalKeys = known.externalKeys ?? new Set();
    this.#orders = orders;
    this.#placings = placings;
    this.#tags = new Set(placings.flatMap(({ tag }) => tag ?? []));
  }

  hasOrder(id: OrderId): boolean {
    return this.#orders.has(id);
  }

  /** The quarantined order that was placed under a key (`callerKey`); undefined where there is none. */
  orderUnder(key: string): OrderId | undefined {
    return this.#keys.get(key);
  }

  /** Whether a change of an order placed elsewhere that cannot be read was made under this key. */
  hasExternalChange(change: ExternalChangeKey): boolean {
    return this.#externalKeys.has(externalChangeKey(change));
  }

  hasTag(tag: string): boolean {
    return this.#tags.has(tag);
  }

  /** The tags of an order's placings, as far as they are known. */
  tagsOf(id: OrderId): readonly string[] {
    return this.#placings.flatMap(({ orderId, tag }) => (orderId === id ? (tag ?? []) : []));
  }

  /** An order of that day with such a fingerprint whose record does not fit; null when there is none. */
  openDuplicate(isRival: (fingerprint: string) => boolean, day: TradingDay): OrderId | null {
    const open = this.#placings.filter((placing) => placing.day >= day);
    const found = open.find(({ fingerprint }) => isRival(fingerprint ?? ''));
    return found?.orderId ?? null;
  }
}

/** Throws `journal_unavailable` for an order that is quarantined: the journal says how it stood once, not how it stands. */
export function mustNotBeQuarantined(quarantine: Quarantine, orderId: OrderId): void {
  if (!quarantine.hasOrder(orderId)) return;
  throw new GatewayProblem({
    code: 'journal_unavailable',
    detail:
      `a row of order ${orderId} in the journal, or of one of its slices, does not fit, so how the order stands is ` +
      "not known: look at it in the broker's app",
    mayHaveExecuted: true,
  });
}
