import type { Answer } from '../domain/answer.ts';
import type { BrokerId } from '../domain/broker.ts';
import type {
  BrokerTrigger,
  ListedTriggerStatus,
  TriggerChangeStatus,
  TriggerLegChange,
  TriggerRequest,
  TriggerResponse,
} from '../domain/trigger.ts';

/** A trigger of an account, of the gateway or placed elsewhere. */
export interface ListedTrigger extends Omit<BrokerTrigger, 'triggerId' | 'status'> {
  /** Ours, or that of the order that it is; null for one placed elsewhere. */
  readonly id: string | null;
  /** Null for one of the gateway of which it is not known whether the broker has it. */
  readonly triggerId: string | null;
  readonly status: ListedTriggerStatus;
}

/** What became of a request to place or change a trigger. */
export interface TriggerCallResult {
  readonly trigger: TriggerResponse;
  readonly idempotencyKey: string;
  readonly repeated: boolean;
  /** Of a change; null where nothing had to be asked of the broker, and for a placing. */
  readonly change: { readonly status: TriggerChangeStatus; readonly reason: string | null } | null;
  /** False for a deletion that was sent, or is kept, although the disk did not take it. */
  readonly onDisk?: false;
}

export interface TriggerContext {
  /** The caller's id. */
  readonly caller: string;
  /** Null makes one. */
  readonly idempotencyKey: string | null;
  /** Of admins only: lets one that reduces pass a brake where its account cannot be read. */
  readonly force?: boolean;
}

/** A trigger with the price that its broker is told; null lets the gateway ask for it. */
export interface TriggerPlacing extends TriggerRequest {
  readonly lastPrice: number | null;
}

export interface TriggerModification {
  /** One for each leg. */
  readonly legs: readonly TriggerLegChange[];
  readonly lastPrice: number | null;
}

export type TriggerResolveWord =
  | { readonly kind: 'placed'; readonly triggerId: string; readonly force: boolean }
  | { readonly kind: 'absent' }
  /** What its order has filled, which no book tells any more: shares or units, and rupees. */
  | {
      readonly kind: 'filled';
      readonly quantity: number;
      readonly averagePrice: number | null;
    };

/** Triggers as every entry point sees them (docs/triggers.md). */
export interface TriggerCalls {
  /** Orders that wait at the broker for a price; those of its order book where it keeps no list of them. */
  getTriggers(options?: {
    readonly broker?: BrokerId | undefined;
  }): Promise<Answer<readonly ListedTrigger[]>>;
  /** By our id: `trg_…`, or `ord_…` where the broker's triggers are orders. */
  getTrigger(id: string): Promise<TriggerResponse>;
  placeTrigger(request: TriggerPlacing, context: TriggerContext): Promise<TriggerCallResult>;
  modifyTrigger(
    id: string,
    changes: TriggerModification,
    context: TriggerContext,
  ): Promise<TriggerCallResult>;
  deleteTrigger(id: string, context: TriggerContext): Promise<TriggerCallResult>;
  /** A manual resolution: a person says what became of a trigger whose outcome is open. */
  resolveTrigger(
    id: string,
    word: TriggerResolveWord,
    context: TriggerContext,
  ): Promise<TriggerCallResult>;
}
