import type { BrokerId, Mode } from '../../domain/broker.ts';
import type {
  BrokerTrigger,
  OwnTriggerStatus,
  TriggerChangeKind,
  TriggerChangeStatus,
  TriggerTerms,
} from '../../domain/trigger.ts';
import type { EpochMs, TradingDay, TriggerId } from '../../units/branded.ts';
import type { TriggerOrder } from './trigger-order.ts';

/** The broker's trigger that a trigger of the gateway was found to be. */
export interface TriggerBinding {
  /** The broker's id. */
  readonly triggerId: string;
  /** By the acknowledgement, by its terms in the broker's list, or by a person's word. */
  readonly by: 'id' | 'match' | 'person';
}

/** One state with the fields of that state alone; `trigger-transitions.ts` moves it. */
export type TriggerState =
  | { readonly kind: 'sending' }
  | { readonly kind: 'refused' | 'not_sent'; readonly reason: string }
  | {
      readonly kind: 'uncertain';
      readonly reason: string;
      /** Since when whole lists have lacked it; null while none has. */
      readonly absentSince: EpochMs | null;
      /** The broker's ids of triggers of which each could be it. */
      readonly candidates: readonly string[];
    }
  | { readonly kind: 'absent'; readonly reason: string; readonly by: 'reads' | 'person' }
  | {
      readonly kind: 'waiting';
      readonly binding: TriggerBinding;
      /** As the list showed it last; null before the first time. */
      readonly row: BrokerTrigger | null;
      /** Since when whole lists have lacked it; null while they show it. */
      readonly missingSince: EpochMs | null;
    }
  | { readonly kind: 'triggered'; readonly binding: TriggerBinding; readonly row: BrokerTrigger }
  | {
      readonly kind: 'ended';
      readonly binding: TriggerBinding;
      readonly row: BrokerTrigger | null;
      readonly reason: string | null;
      /** Set where lists have lost it although nobody had deleted it: it may have triggered. */
      readonly isUntold?: true;
    };

/** A trigger that a caller asked for, as the journal has it (docs/triggers.md). */
export interface TriggerRecord {
  readonly id: TriggerId;
  readonly caller: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the request: tells a repeat from another request under the same key. */
  readonly requestHash: string;
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** The broker's day on which it was asked for. */
  readonly day: TradingDay;
  readonly terms: TriggerTerms;
  /** Terms that changes have replaced, and that a list may still show; absent once one has shown the present ones. */
  readonly replacedTerms?: readonly TriggerTerms[];
  /** The price that the broker was told, rupees. */
  readonly lastPrice: number;
  /** The ids of the broker's list before the request; null where that could not be read. */
  readonly baseline: readonly string[] | null;
  /** The account of the session; absent where that was not known. */
  readonly account?: string;
  /** The broker's time when the request was about to leave, as far as it is known; epoch ms. */
  readonly brokerAt: EpochMs;
  /** It is to be deleted once that can be done. */
  readonly isDeleteWanted: boolean;
  readonly state: TriggerState;
  /**
   * The orders that the broker has placed by it, and what they have filled; absent before one is named, and of
   * triggers that had triggered before the journal kept this.
   */
  readonly orders?: readonly TriggerOrder[];
  /** Epoch ms, as `updatedAt`. */
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** A change of a trigger that a caller, or the gateway for one, asked for under a key. */
export interface TriggerChangeRecord {
  /** Ours. */
  readonly triggerId: TriggerId;
  readonly kind: TriggerChangeKind;
  readonly caller: string;
  readonly idempotencyKey: string;
  readonly requestHash: string;
  /** What a modification was to make of it; null for a deletion and a resolution. */
  readonly terms: TriggerTerms | null;
  readonly state: TriggerChangeStatus;
  /** Why it is refused, not sent, uncertain or not taken; null otherwise. */
  readonly reason: string | null;
  /** Epoch ms, as `settledAt`. */
  readonly at: EpochMs;
  readonly settledAt: EpochMs | null;
}

export const triggerStatusOf = ({ state }: TriggerRecord): OwnTriggerStatus => state.kind;

const OVER: ReadonlySet<OwnTriggerStatus> = new Set([
  'triggered',
  'ended',
  'refused',
  'not_sent',
  'absent',
]);

/** Whether it can place no order any more, as far as is known. */
export const isTriggerOver = (trigger: TriggerRecord): boolean =>
  OVER.has(triggerStatusOf(trigger));

/** Whether it may still place an order: it waits at the broker, or may. */
export const mayStillTrigger = (trigger: TriggerRecord): boolean => !isTriggerOver(trigger);

/** The orders that the broker has placed by it. */
export const ordersOfTrigger = ({ orders }: TriggerRecord): readonly TriggerOrder[] => orders ?? [];

const mayHaveFilledMore = ({ state, filledQuantity, isRowMissing }: TriggerOrder): boolean =>
  state === 'lost' || filledQuantity === null || (state === 'open' && isRowMissing === true);

/**
 * Whether it may have filled more than is known: its outcome is open, no list says what became of it, or it is not
 * known how much its order has filled.
 */
export function isFillUnknown(trigger: TriggerRecord): boolean {
  const { state, orders } = trigger;
  if (orders?.some(mayHaveFilledMore)) return true;
  switch (state.kind) {
    case 'sending':
    case 'uncertain':
      return true;
    case 'waiting':
      return state.missingSince !== null;
    case 'triggered':
      return orders?.length === 0 && state.row.legs.every(({ reason }) => reason === null);
    case 'ended':
      return state.isUntold === true && (orders ?? []).length === 0;
    default:
      return false;
  }
}

/** Whether nothing tells any more how much its order has filled, so that a person has to say it. */
export function isFillLost(trigger: TriggerRecord): boolean {
  const { state } = trigger;
  if (state.kind !== 'triggered' && state.kind !== 'ended') return false;
  const orders = ordersOfTrigger(trigger);
  if (orders.some((order) => order.state === 'open')) return false;
  const isUntold = state.kind === 'ended' && state.isUntold === true && orders.length === 0;
  return isUntold || orders.some((order) => order.state === 'lost');
}

/** Whether nothing can come of it any more, and all is known that it has filled: it may leave memory. */
export const isSettled = (trigger: TriggerRecord): boolean =>
  isTriggerOver(trigger) &&
  !isFillUnknown(trigger) &&
  ordersOfTrigger(trigger).every(({ state }) => state !== 'open');

/** The last of the broker's days on which its orders have traded; null without one. */
export const lastDayOf = (trigger: TriggerRecord): TradingDay | null =>
  ordersOfTrigger(trigger).reduce(
    (last: TradingDay | null, { day }) => (last === null || day > last ? day : last),
    null,
  );

export const triggerBindingOf = ({ state }: TriggerRecord): TriggerBinding | null =>
  'binding' in state ? state.binding : null;

export const triggerRowOf = ({ state }: TriggerRecord): BrokerTrigger | null =>
  'row' in state ? state.row : null;

/** Whether nobody knows yet whether the broker has taken it. */
export const isOpenChange = ({ state }: Pick<TriggerChangeRecord, 'state'>): boolean =>
  state === 'sending' || state === 'uncertain';

export const triggerChangeKey = (
  row: Pick<TriggerChangeRecord, 'triggerId' | 'kind' | 'caller' | 'idempotencyKey'>,
): string => [row.kind, row.triggerId, row.caller, row.idempotencyKey].join('\n');
