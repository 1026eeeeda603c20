import type { ExitRequest } from '../../src/router/gateway.ts';
import type { OrderModification, OrderRequest, OrderStatus } from '../../src/domain/order.ts';

/** An order as a caller put it. */
export interface AskedOrder {
  readonly request: OrderRequest;
  /** `NSE:INFY`, however the request spells it. */
  readonly instrument: string;
}

/** A cancel that the gateway has answered with the order. */
export interface AskedCancel {
  /** When it was answered, epoch ms. */
  readonly at: number;
  readonly wanted: string;
  /** The order's status in the answer. */
  readonly status: OrderStatus;
}

/** A cancel that a caller has asked for, whatever became of it. Epoch ms. */
export interface TriedCancel {
  readonly at: number;
  readonly wanted: string;
}

/** A modification that a caller has asked for, whatever became of it. */
export interface AskedChange {
  /** Epoch ms. */
  readonly at: number;
  readonly wanted: string;
  readonly changes: OrderModification;
}

/** What callers asked for, in their own words: the checker holds it against what brokers received. */
export interface Asked {
  /** By `caller/key`: what was first asked for under a key. */
  readonly orders: Map<string, AskedOrder>;
  readonly cancels: AskedCancel[];
  readonly tried: TriedCancel[];
  readonly changes: AskedChange[];
  /** Ways out, by `caller/key`. */
  readonly exits: Map<string, ExitRequest>;
}

export const nothingAsked = (): Asked => ({
  orders: new Map(),
  cancels: [],
  tried: [],
  changes: [],
  exits: new Map(),
});
