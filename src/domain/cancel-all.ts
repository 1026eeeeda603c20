import type { BrokerId } from './broker.ts';
import type { OrderResponse, Product, Side } from './order.ts';

/** What has become of the cancel of one of many orders (docs/many-orders.md). */
export const CANCEL_RESULTS = [
  'cancelled',
  'cancelling',
  'over',
  'refused',
  'not_sent',
  'uncertain',
] as const;
export type CancelResult = (typeof CANCEL_RESULTS)[number];

export const CANCEL_SCOPES = ['mine', 'account'] as const;
/** `mine`: orders of the same key. `account`: all, orders placed elsewhere included. */
export type CancelScope = (typeof CANCEL_SCOPES)[number];

/** Which open orders to cancel; null filters nothing. */
export interface CancelAllRequest {
  readonly scope: CancelScope;
  readonly broker: BrokerId | null;
  /** By name or security id. */
  readonly instrument: string | null;
  readonly product: Product | null;
  readonly side: Side | null;
}

/** How one of the orders stands. */
export interface CancelledOrder {
  readonly order: OrderResponse;
  readonly result: CancelResult;
  /** For people; null where nothing needs to be said. */
  readonly reason: string | null;
}

export interface CancelAllAnswer {
  readonly orders: readonly CancelledOrder[];
  /** Books that could not be read whole: orders may rest there that are not in the list. */
  readonly errors: readonly { readonly broker: BrokerId; readonly reason: string }[];
  /** How long all requests take at the brokers' limits, counted from the first one. */
  readonly estimatedSeconds: number;
  readonly idempotencyKey: string;
  readonly repeated: boolean;
  /** Whether nothing of it is open any more. */
  readonly settled: boolean;
}
