import { createEventFeed } from '../../src/events/event-feed.ts';
import {
  createEventLog,
  type EventSubject,
  type EventType,
  type GatewayEvent,
} from '../../src/events/event-log.ts';
import { createSqliteJournal } from '../../src/execution/journal/journal.ts';
import type { Change } from '../../src/execution/journal/records.ts';
import type { Clock, Scheduler } from '../../src/platform/clock.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { createEventReaders } from '../../src/routes/event-readers.ts';

/** What happens, without a gateway: events on the journal of a database, and who reads them. */
export function eventBench(
  { clock, scheduler }: { readonly clock: Clock; readonly scheduler: Scheduler },
  database: Database = openDatabase(':memory:'),
  epoch = 'a',
) {
  const { events, store } = createEventLog(createSqliteJournal(database, null, epoch));
  const feed = createEventFeed(events);
  return {
    database,
    store,
    events,
    feed,
    readers: createEventReaders({ feed, clock, scheduler }),
    /** Commits one event, and returns its sequence. */
    async happen(
      type: EventType,
      data: GatewayEvent['data'] = {},
      about: EventSubject = {},
      orderId: string | null = null,
    ): Promise<number> {
      const sequence = (await events.lastEvent()) + 1;
      const row = { sequence, at: clock.now(), type, orderId, data, about };
      const change: Change = { table: 'events', key: String(sequence), row };
      const { error } = await store.commit([[change]]);
      if (error !== null) throw error;
      return sequence;
    },
  };
}
export type EventBench = ReturnType<typeof eventBench>;
