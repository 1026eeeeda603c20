import type { ChangeStore } from '../platform/single-writer.ts';
import type { EpochMs, OrderId } from '../units/branded.ts';

/** The store of events. */
export interface EventSource {
  /** Oldest first. */
  eventsAfter(sequence: number, limit: number): Promise<readonly GatewayEvent[]>;
  /** The sequence number of the newest event; 0 when there is none. */
  lastEvent(): Promise<number>;
}

/**
 * The one sequence of all events, for its followers. A follower remembers the last sequence number
 * that it has handled and reads the events after it. Events are read, not delivered, so none is
 * missed.
 */
export interface EventLog extends EventSource {
  /** Calls the listener soon after further events are on disk; the returned function ends that. */
  onAppended(listener: () => void): () => void;
}

/** The event log, and a store that reports each commit to it. */
export function createEventLog<Change, Store extends EventSource & ChangeStore<Change>>(
  store: Store & ChangeStore<Change>,
): { readonly events: EventLog; readonly store: Store } {
  const listeners = new Set<() => void>();
  const tellAll = (): void => {
    for (const listener of listeners) {
      try {
        listener();
      } catch {
        // The commit has succeeded, so an error of a follower must not look like a failed commit.
      }
    }
  };
  return {
    events: {
      // A store that throws at once is handled like one that rejects.
      eventsAfter: async (sequence, limit) => store.eventsAfter(sequence, limit),
      lastEvent: async () => store.lastEvent(),
      onAppended(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    store: {
      ...store,
      async commit(units: readonly (readonly Change[])[]) {
        const result = await store.commit(units);
        if (result.committed > 0) tellAll();
        return result;
      },
    },
  };
}

/**
 * One event in the sequence of all events (docs/architecture.md, "Events"). It is committed
 * together with the change that it reports, so no event is lost or stored twice.
 */
export interface GatewayEvent {
  /** 1, 2, 3, … without a gap, for the life of the data directory. */
  readonly sequence: number;
  /** Epoch ms. */
  readonly at: EpochMs;
  readonly type: EventType;
  /** The order concerned; null when it concerns none. */
  readonly orderId: OrderId | null;
  /** Plain JSON; holds no secret. */
  readonly data: Readonly<Record<string, unknown>>;
}

export const EVENT_TYPES = [
  'order.updated',
  'order.fill',
  'order.attempt',
  'order.resolved',
  'order.forced',
  'postback.received',
  'exit.updated',
  'closing.updated',
  'trigger.updated',
  'trigger.changed',
  'order.cancel_all',
  'order.external_cancel',
  'order.external_modify',
  'kill_switch.changed',
  'alert',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** `critical`: a person must look at once. */
export type AlertLevel = 'warning' | 'critical';
