import type { TableName } from './records.ts';

/** A row of the journal that does not fit its schema: it is not used, and a person has to look. */
export interface QuarantinedRow {
  readonly table: TableName;
  /** The row's key as its table has it. */
  readonly key: string;
  /** The order that it is, or that it belongs to; null where it belongs to none. */
  readonly orderId: string | null;
  /** Where and what does not fit, without the row's values. */
  readonly reason: string;
}

/** What is still known of a placing whose row, or whose order's row, does not fit. */
export interface QuarantinedPlacing {
  readonly orderId: string;
  readonly day: string;
  readonly tag: string | null;
  readonly fingerprint: string | null;
}

/**
 * What the rows that do not fit still stand for: their order ids stay taken (rows of the book that they
 * own go to no other order), their tags stay ours, and an order like one of them is not sent on its day
 * to a broker without tags.
 */
export class Quarantine {
  readonly rows: readonly QuarantinedRow[];
  readonly #orders: ReadonlySet<string>;
  readonly #placings: readonly QuarantinedPlacing[];
  readonly #tags: ReadonlySet<string>;

  constructor(
    rows: readonly QuarantinedRow[] = [],
    orders: ReadonlySet<string> = new Set(),
    placings: readonly QuarantinedPlacing[] = [],
  ) {
    this.rows = rows;
    this.#orders = orders;
    this.#placings = placings;
    this.#tags = new Set(placings.flatMap(({ tag }) => tag ?? []));
  }

  hasOrder(id: string): boolean {
    return this.#orders.has(id);
  }

  hasTag(tag: string): boolean {
    return this.#tags.has(tag);
  }

  /** An order of that day with this fingerprint whose record does not fit; null when there is none. */
  openDuplicate(fingerprint: string, day: string): string | null {
    const found = this.#placings.find(
      (placing) => placing.fingerprint === fingerprint && placing.day >= day,
    );
    return found?.orderId ?? null;
  }
}
