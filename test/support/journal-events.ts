import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { PostbackRecord } from '../../src/execution/journal/records.ts';
import type { EventType, GatewayEvent } from '../../src/events/event-log.ts';

/** The postbacks in a gateway's inbox, read beside the gateway from what is on disk. */
export function journalPostbacks(dataDirectory: string): readonly PostbackRecord[] {
  const database = new DatabaseSync(join(dataDirectory, 'journal.db'), { readOnly: true });
  try {
    return database
      .prepare('SELECT record FROM postbacks')
      .all()
      .map(({ record }) => JSON.parse(String(record)) as PostbackRecord);
  } finally {
    database.close();
  }
}

/** What a gateway's journal tells, oldest first, read beside the gateway from what is on disk. */
export function journalEvents(dataDirectory: string, type: EventType): readonly GatewayEvent[] {
  const database = new DatabaseSync(join(dataDirectory, 'journal.db'), { readOnly: true });
  try {
    return database
      .prepare('SELECT record FROM events WHERE type = ? ORDER BY sequence')
      .all(type)
      .map(({ record }) => JSON.parse(String(record)) as GatewayEvent);
  } finally {
    database.close();
  }
}
