import type { ChangeStore } from '../platform/single-writer.ts';
import type { GatewayEvent } from './event.ts';

/** Where events are kept. */
export interface EventSource {
  /** Oldest first. */
  eventsAfter(sequence: number, limit: number): Promise<readonly GatewayEvent[]>;
  /** The sequence of the newest one; 0 when there is none. */
  lastEvent(): Promise<number>;
}

/**
 * The one sequence of what happened, for those who follow it. A follower keeps the sequence that it
 * has dealt with, and asks for what came after: nothing is handed out, so nothing can be missed.
 */
export interface EventLog extends EventSource {
  /** Hears that there may be more, soon after it is on disk; the returned function ends that. */
  onAppended(listener: () => void): () => void;
}

/** The log, and the store that tells it of each commit. */
export function createEventLog<Change, Store extends EventSource & ChangeStore<Change>>(
  store: Store & ChangeStore<Change>,
): { readonly events: EventLog; readonly store: Store } {
  const listeners = new Set<() => void>();
  const tellAll = (): void => {
    for (const listener of listeners) {
      try {
        listener();
      } catch {
        // What is on disk is on disk: a follower's mistake must not look like a failed commit.
      }
    }
  };
  return {
    events: {
      // A store that fails at once is a rejection like any other.
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
