import type { BrokerId } from '../domain/broker.ts';
import type { ClosingResponse } from '../domain/closing.ts';
import type { Product, Side } from '../domain/order.ts';

/** Which positions are closed; null and empty do not restrict. */
export interface CloseAllRequest {
  readonly broker: BrokerId | null;
  readonly instrument: string | null;
  readonly product: Product | null;
  /** Of the position: BUY for long ones. */
  readonly side: Side | null;
  /** Delivery shares that are sold too: no others are. */
  readonly holdings: readonly string[];
  readonly includeUndelivered: boolean;
  /** `mine`: what the caller's own orders have bought and sold. */
  readonly scope: 'mine' | 'account';
}

export interface CloseAllResult {
  readonly closing: ClosingResponse;
  readonly repeated: boolean;
}
