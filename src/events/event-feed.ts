import { eventIdOf, isOfEpoch, readEventId, writeEventId } from './event-cursor.ts';
import type { EventEpochs, EventLog, StoredEvent } from './event-log.ts';

/** A page of events, and how far it was read. */
export interface EventPage {
  /** Oldest first. */
  readonly events: readonly StoredEvent[];
  /** Everything up to this sequence was looked at. */
  readonly after: number;
  /** The id of that event: what a reader goes on from. */
  readonly cursor: string;
  /** Whether there are events that this page did not look at. */
  readonly more: boolean;
}

/**
 * The events for readers outside of the gateway: by cursor, filtered, in pages (docs/events.md). Events
 * are read from the journal alone, so that nobody is told what is not on disk.
 */
export interface EventFeed {
  /** The cursor of the newest event. */
  newest(): Promise<string>;
  /** The sequence before the oldest event that is kept. */
  beforeOldest(): Promise<number>;
  /** The sequence that a cursor stands for; null where it has expired, or is of another journal. */
  locate(cursor: string): Promise<number | null>;
  /** At most `limit` wanted events after a sequence; looks at no more than a few thousand events. */
  page(after: number, wanted: (event: StoredEvent) => boolean, limit: number): Promise<EventPage>;
  /** Calls the listener soon after further events are on disk; the returned function ends that. */
  readonly onAppended: EventLog['onAppended'];
}

/** Events that are read from the journal at once. */
const READ_AT_ONCE = 200;
/** A page that finds few wanted events ends after so many: other work has its turn between pages. */
const MOST_LOOKED_AT = 2_000;
/** The newest events, which most readers want, are read from the journal once for all of them. */
const KEPT_IN_MEMORY = 1_000;

export function createEventFeed(log: EventLog & EventEpochs): EventFeed {
  let recent: readonly StoredEvent[] = [];

  /** As the log has it, from memory where that reaches back far enough. */
  async function eventsAfter(after: number, limit: number): Promise<readonly StoredEvent[]> {
    const [first] = recent;
    const last = recent.at(-1);
    if (first !== undefined && last !== undefined && first.sequence <= after + 1) {
      if (after < last.sequence) {
        const from = after + 1 - first.sequence;
        return recent.slice(from, from + limit);
      }
    }
    const found = await log.eventsAfter(after, limit);
    remember(found);
    return found;
  }

  /** Only what follows on what is there, or is newer than all of it. */
  function remember(found: readonly StoredEvent[]): void {
    const [first] = found;
    if (first === undefined) return;
    const last = recent.at(-1)?.sequence ?? 0;
    if (first.sequence <= last) return;
    const before = first.sequence === last + 1 ? recent : [];
    recent = [...before, ...found].slice(-KEPT_IN_MEMORY);
  }

  async function cursorAt(sequence: number): Promise<string> {
    return writeEventId((await log.epochOf(sequence)) ?? null, sequence);
  }

  return {
    newest: async () => cursorAt(await log.lastEvent()),
    beforeOldest: () => log.beforeFirstEvent(),
    async locate(cursor) {
      const position = readEventId(cursor);
      if (position === null) return null;
      const before = await log.beforeFirstEvent();
      const { sequence } = position;
      if (sequence < before) return null;
      if (sequence === 0) return isOfEpoch(position, null) ? 0 : null;
      return isOfEpoch(position, await log.epochOf(sequence)) ? sequence : null;
    },
    async page(after, wanted, limit) {
      const events: StoredEvent[] = [];
      let [position, looked] = [after, 0];
      let last: StoredEvent | null = null;
      for (;;) {
        const found = await eventsAfter(position, READ_AT_ONCE);
        for (const event of found) {
          [position, last] = [event.sequence, event];
          if (wanted(event)) events.push(event);
          if (events.length >= limit) break;
        }
        looked += found.length;
        if (found.length === 0 || events.length >= limit || looked >= MOST_LOOKED_AT) {
          const more = position < (await log.lastEvent());
          const cursor = last === null ? await cursorAt(position) : eventIdOf(last);
          return { events, after: position, cursor, more };
        }
      }
    },
    onAppended: (listener) => log.onAppended(listener),
  };
}
