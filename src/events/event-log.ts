import type { BrokerId } from '../domain/broker.ts';
import type { InstrumentName } from '../domain/instrument.ts';
import type { ChangeStore } from '../platform/single-writer.ts';
import type { EpochMs, OrderId } from '../units/branded.ts';

/** The store of events. */
export interface EventSource {
  /** Oldest first. */
  eventsAfter(sequence: number, limit: number): Promise<readonly StoredEvent[]>;
  /** The sequence number of the newest event; 0 when there is none. */
  lastEvent(): Promise<number>;
}

/** What the ids of events are made of (event-cursor.ts). */
export interface EventEpochs {
  /**
   * The epoch of an event: null for one that an older version wrote, undefined where there is no such
   * event.
   */
  epochOf(sequence: number): Promise<string | null | undefined>;
  /** The sequence before the first event that has an epoch and is still kept. */
  beforeFirstEvent(): Promise<number>;
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
export function createEventLog<
  Change,
  Store extends EventSource & EventEpochs & ChangeStore<Change>,
>(
  store: Store & ChangeStore<Change>,
): { readonly events: EventLog & EventEpochs; readonly store: Store } {
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
      epochOf: async (sequence) => store.epochOf(sequence),
      beforeFirstEvent: async () => store.beforeFirstEvent(),
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
 * One event in the sequence of all events (docs/events.md). It is committed
 * together with the change that it reports, so no event is lost or stored twice.
 */
export interface GatewayEvent {
  /** 1, 2, 3, … without a gap. */
  readonly sequence: number;
  /** Epoch ms. */
  readonly at: EpochMs;
  readonly type: EventType;
  /** The order concerned; null when it concerns none. */
  readonly orderId: OrderId | null;
  /** Plain JSON; holds no secret. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Whom and what it concerns, for filters; absent in events of older versions. */
  readonly about?: EventSubject;
}

/** An event on disk, with the epoch in which it was written; null for one of an older version. */
export interface StoredEvent extends GatewayEvent {
  readonly epoch: string | null;
  /**
   * In an alert that stands in place of an event whose row does not fit: the type of that event. Whom and
   * what it concerned is not known.
   */
  readonly insteadOf?: string;
}

/** Whether an event is of one of these types, or stands in place of one that was. */
export const isOfTypes = (
  { type, insteadOf = type }: StoredEvent,
  types: readonly EventType[],
): boolean => types.some((each) => each === type || each === insteadOf);

/** Whom and what an event concerns. Absent where it concerns none, or all. */
export interface EventSubject {
  /** The key whose order, exit or trigger it is. */
  readonly caller?: string;
  /** The broker of it when it happened. */
  readonly broker?: BrokerId;
  readonly instrument?: InstrumentName;
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
  'trigger.external_delete',
  'order.cancel_all',
  'order.external_cancel',
  'order.external_modify',
  'basket.updated',
  'session.changed',
  'broker.changed',
  'kill_switch.changed',
  'gateway.armed',
  'key.changed',
  'hook.changed',
  'webhook.changed',
  'signal.accepted',
  'signal.refused',
  'alert',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** `critical`: a person must look at once. */
export type AlertLevel = 'warning' | 'critical';
