import type { BrokerId, Mode } from './broker.ts';
import type { ExecutionResult } from './execution-result.ts';
import type { MarginEstimate } from './margin.ts';
import type { OrderRequest } from './order.ts';
import type { ProblemFields } from './problem.ts';

/** A larger basket is refused. */
export const MOST_IN_BASKET = 50;

/** What has become of one order of a basket (docs/many-orders.md, "A basket of orders"). */
export const BASKET_RESULTS = [
  'acknowledged',
  'uncertain',
  'refused',
  'not_sent',
  'checked',
] as const;
export type BasketOrderResult = (typeof BASKET_RESULTS)[number];

export interface BasketRequest {
  readonly orders: readonly {
    readonly request: OrderRequest;
    /** Its own idempotency key: no other order of the basket has it. */
    readonly clientOrderId: string;
    /** As in CallContext; false when absent. */
    readonly force?: boolean;
  }[];
  /** One after the other, up to the first that is not acknowledged. */
  readonly ordered: boolean;
  /** Only checks, and says what the orders would block. */
  readonly dryRun: boolean;
}

/** What orders of one account would block. */
export interface BasketMargin {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** The orders that are counted. */
  readonly orders: number;
  /** Null where the broker has told none. */
  readonly estimate: MarginEstimate | null;
  /** Why there is none, for people; null where there is one. */
  readonly error: string | null;
}

/** By the orders of the request, in its order. */
export interface BasketAnswer {
  readonly orders: readonly BasketOrderAnswer[];
  /** What the new orders of a dry run would block, by account; null otherwise. */
  readonly margins: readonly BasketMargin[] | null;
}

export interface BasketOrderAnswer {
  readonly clientOrderId: string;
  readonly result: BasketOrderResult;
  /** As `placeOrder` resolves; null where it would reject, and in a dry run. */
  readonly placed: ExecutionResult | null;
  /** As `placeOrder` rejects; null where it would resolve, and in a dry run. */
  readonly problem: ProblemFields | null;
}
