import type { OrderMarks } from './order.ts';

/** A limit for every instrument, and others by instrument (`NSE:INFY`) or underlying (`NIFTY`). */
export interface LimitByInstrument {
  /** Null: none. */
  readonly every: number | null;
  readonly named: ReadonlyMap<string, number>;
}

/** Limits on orders, of the settings or of one key (docs/brakes.md). Null: no limit. */
export interface OrderLimits {
  /** Rupees of one order. */
  readonly value: number | null;
  /** Shares or units of one order. */
  readonly quantity: LimitByInstrument;
  /** Orders of one instrument that are open at one account. */
  readonly openOrders: LimitByInstrument;
  readonly perMinute: number | null;
}

/** The limits that hold for one order, and the last known price of its instrument. */
export interface AppliedLimits {
  readonly sets: readonly AppliedSet[];
  /** Rupees; null where no price is known, or none is needed. */
  readonly lastPrice: number | null;
}

/** Those of the settings, or those of the key that sends the order. */
export interface AppliedSet {
  /** Null for the settings. */
  readonly key: { readonly id: string; readonly name: string } | null;
  readonly value: number | null;
  readonly quantity: number | null;
  readonly openOrders: number | null;
  readonly perMinute: number | null;
}

/** What holds for the orders of one key: what stops them, beside what stops all orders (docs/keys.md). */
export interface KeyBrakes {
  readonly name: string;
  /** What its orders carry that do not say it themselves; absent for nothing. */
  readonly marks?: OrderMarks;
  /** Why its orders are stopped, for people; null while they are not. */
  readonly stopped: string | null;
  readonly limits: OrderLimits;
  /** Rupees of loss in a day that stop it; absent or null for none. */
  readonly maxDailyLoss?: number | null;
}
