import type { StoredEvent } from '../../events/event-log.ts';
import type { Database, Row } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import { epochMs } from '../../units/branded.ts';
import { removeInOne, type Retention } from './old-rows.ts';
import { readRow } from './row-schemas.ts';

/**
 * Events have the epoch in which they were written, and only the oldest ones may go (docs/events.md,
 * "How long events are kept"). Events of older versions have no epoch.
 */
export const EVENTS_GO_OLDEST_FIRST = `
ALTER TABLE events ADD COLUMN epoch TEXT;
DROP TRIGGER events_are_kept;
CREATE TRIGGER events_go_oldest_first BEFORE DELETE ON events
  WHEN OLD.sequence <> (SELECT min(sequence) FROM events)
    OR OLD.sequence = (SELECT max(sequence) FROM events)
  BEGIN SELECT raise(ABORT, 'events are append-only: only the oldest ones may go'); END;
`;

/** What the readers of events need of the journal besides the events themselves. */
export interface EventRows {
  /**
   * The epoch of the event with a sequence: null for one that an older version wrote, undefined where
   * the journal does not have it.
   */
  epochOf(sequence: number): Promise<string | null | undefined>;
  /** The sequence before the first event that has an epoch and is still there. */
  beforeFirstEvent(): Promise<number>;
  /**
   * Removes events, at most `step` of them; how many went. The newest one never goes: the next sequence follows
   * from it. Throws where the database refuses.
   */
  removeEvents(retention: Retention, step: number): number;
}

/**
 * The events after a sequence, oldest first. A row that does not fit is told as an alert in its place, so that no
 * reader loses the events behind it; the log has it once.
 */
export function createEventReader(
  database: Database,
  log: Log | null,
): (sequence: number, limit: number) => StoredEvent[] {
  const after = database.prepare(
    `SELECT sequence, at, type, order_id, record, epoch FROM events
     WHERE sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const logged = new Set<number>();

  function eventOf(row: Row): Omit<StoredEvent, 'epoch'> {
    const read = readRow('events', row['record']);
    if (read.kind === 'row') return read.row;
    const event = unreadEvent(row, read.reason);
    if (!logged.has(event.sequence)) log?.error(String(event.data['message']));
    logged.add(event.sequence);
    return event;
  }

  return (sequence, limit) =>
    after.all(sequence, limit).map((row) => ({
      ...eventOf(row),
      epoch: row['epoch'] === null ? null : String(row['epoch']),
    }));
}

/** What the columns beside a row tell of an event that the row itself does not. */
function unreadEvent(row: Row, reason: string): Omit<StoredEvent, 'epoch'> {
  const [sequence, at] = [Number(row['sequence']), Number(row['at'])];
  const type = String(row['type']);
  const message =
    `event ${sequence} (${type}) does not fit in the journal (${reason}), so what it told is not known: ` +
    'look at the orders, exits and triggers of that time';
  return {
    sequence,
    at: epochMs(Number.isFinite(at) ? at : 0),
    type: 'alert',
    insteadOf: type,
    orderId: row['order_id'] === null ? null : String(row['order_id']),
    // An alert that cannot be read may have been a critical one.
    data: { level: type === 'alert' ? 'critical' : 'warning', message },
  };
}

export function createEventRows(database: Database): EventRows {
  const epochAt = database.prepare('SELECT epoch FROM events WHERE sequence = ?');
  const lastWithout = database.prepare(
    'SELECT max(sequence) AS last FROM events WHERE epoch IS NULL',
  );
  const first = database.prepare('SELECT min(sequence) AS first FROM events');
  const oldest = database.prepare('SELECT sequence, at FROM events ORDER BY sequence LIMIT ?');
  const newest = database.prepare('SELECT max(sequence) AS last FROM events');
  const remove = database.prepare('DELETE FROM events WHERE sequence <= ?');

  /** The last of the oldest events that go; null where none does. */
  function lastToGo({ before, atLeast, atMost }: Retention, step: number): number | null {
    const last = Number(newest.get()?.['last'] ?? 0);
    let found: number | null = null;
    for (const row of oldest.all(step)) {
      const sequence = Number(row['sequence']);
      const isOld = epochMs(Number(row['at'])) < before && sequence <= last - atLeast;
      if (!isOld && sequence > last - atMost) break;
      found = sequence;
    }
    return found;
  }

  return {
    epochOf: async (sequence) => {
      const row = epochAt.get(sequence);
      if (row === undefined) return undefined;
      return row['epoch'] === null ? null : String(row['epoch']);
    },
    beforeFirstEvent: async () => {
      const unnamed = Number(lastWithout.get()?.['last'] ?? 0);
      return Math.max(unnamed, Number(first.get()?.['first'] ?? 1) - 1);
    },
    removeEvents(retention, step) {
      const upTo = lastToGo(retention, step);
      return upTo === null ? 0 : removeInOne(database, () => remove.run(upTo));
    },
  };
}
