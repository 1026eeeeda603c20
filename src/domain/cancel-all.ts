import type { BrokerId } from './broker.ts';
import type { InstrumentName } from './instrument.ts';
import type { OrderResponse, Product, Side } from './order.ts';
import type { OwnTriggerStatus, TriggerStatus } from './trigger.ts';
import type { TriggerId } from '../units/branded.ts';

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
  /** Also deletes the triggers that the filters hit; absent: orders alone. */
  readonly triggers?: true;
}

/** How one of the orders stands. */
export interface CancelledOrder {
  readonly order: OrderResponse;
  readonly result: CancelResult;
  /** For people; null where nothing needs to be said. */
  readonly reason: string | null;
  /** The cancel, or deletion, is not on disk: a restart forgets it. */
  readonly onDisk?: false;
}

/** How one of the triggers stands. */
export interface CancelledTrigger {
  /** Null for one placed elsewhere. */
  readonly id: TriggerId | null;
  /** The broker's id; null where it is not known. */
  readonly triggerId: string | null;
  readonly broker: BrokerId;
  readonly instrument: InstrumentName;
  /** Null where no list shows it. */
  readonly status: OwnTriggerStatus | TriggerStatus | null;
  readonly result: CancelResult;
  /** For people; null where nothing needs to be said. */
  readonly reason: string | null;
  /** The cancel, or deletion, is not on disk: a restart forgets it. */
  readonly onDisk?: false;
}

export interface CancelAllAnswer {
  readonly orders: readonly CancelledOrder[];
  /** Absent where triggers were not asked for. */
  readonly triggers?: readonly CancelledTrigger[];
  /** Books and lists of triggers that could not be read whole: what is in no list may rest there. */
  readonly errors: readonly { readonly broker: BrokerId; readonly reason: string }[];
  /** How long all requests take at the brokers' limits, counted from the first one. */
  readonly estimatedSeconds: number;
  readonly idempotencyKey: string;
  readonly repeated: boolean;
  /** Whether nothing of it is open any more. */
  readonly settled: boolean;
}
