/** A limit for every instrument, and others by instrument (`NSE:INFY`) or underlying (`NIFTY`). */
export interface LimitByInstrument {
  /** Null: none. */
  readonly every: number | null;
  readonly named: ReadonlyMap<string, number>;
}

/** The limits of the settings on orders (docs/brakes.md). Null: no limit. */
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
  readonly value: number | null;
  readonly quantity: number | null;
  readonly openOrders: number | null;
  readonly perMinute: number | null;
  /** Rupees; null where no price is known, or none is needed. */
  readonly lastPrice: number | null;
}

export const NO_LIMITS: OrderLimits = {
  value: null,
  quantity: { every: null, named: new Map() },
  openOrders: { every: null, named: new Map() },
  perMinute: null,
};
