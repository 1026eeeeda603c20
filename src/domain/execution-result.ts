import type { OrderResponse } from './order.ts';

/**
 * The result of a change to an order (the spec's ExecutionResult). `order` is in its present state;
 * `settled` is false while the outcome is open (HTTP 202).
 */
export interface ExecutionResult {
  readonly order: OrderResponse;
  /** Null for a change of an order placed elsewhere that was asked for without one. */
  readonly idempotencyKey: string | null;
  readonly settled: boolean;
  /** True when the key was used before and this is the order that it placed. */
  readonly repeated: boolean;
  /** False for a cancel that went out although it could not be written to disk. */
  readonly onDisk?: false;
}
