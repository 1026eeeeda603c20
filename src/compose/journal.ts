import { join } from 'node:path';
import { epochStartingAt } from '../events/event-cursor.ts';
import { createEventFeed, type EventFeed } from '../events/event-feed.ts';
import { createEventLog, type EventEpochs, type EventLog } from '../events/event-log.ts';
import { removeOldEvents } from '../execution/journal/event-retention.ts';
import { removeOldSignals } from '../execution/journal/signal-retention.ts';
import { createJournalMark } from '../execution/journal/journal-mark.ts';
import { createSqliteJournal, type Journal } from '../execution/journal/journal.ts';
import type { DiskSpace, Room } from '../platform/disk-reserve.ts';
import type { Log } from '../platform/log.ts';
import type { Ports } from './ports.ts';

export interface ComposedJournal {
  readonly journal: Journal;
  readonly events: EventLog & EventEpochs;
  /** The events for readers outside of the gateway. */
  readonly feed: EventFeed;
  readonly lookAtDisk: () => DiskSpace;
  readonly tagMark: string;
}

export interface JournalParts {
  readonly ports: Ports;
  readonly dataDirectory: string;
  readonly log: Log;
  /** See JournalMarkParts. */
  readonly accepted: number | null;
  /** Closes what this opens. */
  readonly stack: AsyncDisposableStack;
}

/** What is written of an order takes some 10 kB, so the reserve is for at least a hundred ways out. */
const JOURNAL_ROOM: Room = { reserveBytes: 2 * 1_024 * 1_024, logPages: 2_000 };

/** The journal of the data directory, checked against its mark, and its events. */
export async function composeJournal(parts: JournalParts): Promise<ComposedJournal> {
  const { ports, dataDirectory, log, accepted, stack } = parts;
  const path = join(dataDirectory, 'journal.db');
  const file = ports.openDatabase(path, JOURNAL_ROOM);
  stack.defer(() => file.close());
  const mark = createJournalMark({
    ...ports,
    journal: createSqliteJournal(file, log, epochStartingAt(ports.clock.now())),
    path: join(dataDirectory, 'journal-mark.json'),
    journalPath: path,
    ...{ log, accepted },
  });
  await mark.check();
  stack.defer(() => mark.stop());
  const { events, store: journal } = createEventLog(mark.marked);
  stack.defer(removeOldEvents({ ...ports, journal, log }));
  stack.defer(removeOldSignals({ ...ports, journal, log }));
  return {
    ...{ journal, events, feed: createEventFeed(events) },
    lookAtDisk: () => file.reserve?.look() ?? 'ample',
    tagMark: mark.tagMark(),
  };
}
