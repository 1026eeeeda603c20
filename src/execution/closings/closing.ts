import type { BrokerId } from '../../domain/broker.ts';
import type { ClosingPosition, ClosingResponse, ClosingUnread } from '../../domain/closing.ts';
import type { ExitEnd } from '../../domain/exit.ts';
import type { FilledBefore } from '../exits/exit.ts';
import type { ClosingId, EpochMs, TradingDay } from '../../units/branded.ts';

/** The caller of what the gateway closes by itself. No key has this id. */
export const GATEWAY_CALLER = 'gateway';

/** How a closing has ended, over all its positions. */
export interface ClosingOver {
  readonly end: ExitEnd;
  readonly detail: string;
  /** Epoch ms. */
  readonly at: EpochMs;
}

/** A closing of positions, as the journal has it. Each position is ended by an exit of its own. */
export interface ClosingRecord {
  readonly id: ClosingId;
  readonly caller: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the request: tells a repeat from another request under the same key. */
  readonly requestHash: string;
  readonly day: TradingDay;
  readonly positions: readonly ClosingPosition[];
  /** Absent where every row could be read. */
  readonly unread?: readonly ClosingUnread[];
  /** The accounts whose positions they are, as far as the brokers told them: nothing is done in others. */
  readonly accounts?: readonly { readonly broker: BrokerId; readonly account: string }[];
  /** For each position what had been filled on its closing side at the plan; null where all of it is closed. */
  readonly filledBefore?: readonly (FilledBefore | null)[];
  /** A caller has asked that no further exit begin, and that those under way end. */
  readonly isCancelWanted: boolean;
  readonly over: ClosingOver | null;
  /** Epoch ms, as `updatedAt`. */
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** Order requests that leave within a second, at each of the brokers. */
const ORDERS_PER_SECOND = 10;

export function closingResponse(closing: ClosingRecord): ClosingResponse {
  const { id, idempotencyKey, positions, unread = [], over, createdAt, updatedAt } = closing;
  const left = positions.filter(({ status }) => status === 'waiting' || status === 'running');
  return {
    ...{ id, clientOrderId: idempotencyKey, positions, unread, createdAt, updatedAt },
    status: over?.end ?? 'running',
    detail: over?.detail ?? `${left.length} of ${positions.length} positions are not closed yet`,
    estimatedSeconds: secondsFor(left),
  };
}

/** Brokers work side by side. */
function secondsFor(left: readonly ClosingPosition[]): number {
  const ofBroker = new Map<BrokerId, number>();
  for (const { broker } of left) ofBroker.set(broker, (ofBroker.get(broker) ?? 0) + 1);
  return Math.ceil(Math.max(0, ...ofBroker.values()) / ORDERS_PER_SECOND);
}

/** The key of the exit of one of its positions. Callers cannot use it: it names an id that is ours. */
export const exitKey = (id: ClosingId, place: number): string => `${id}#${place + 1}`;
