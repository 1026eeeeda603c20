import { describe, expect, it } from 'vitest';
import { createEventFeed } from '../../src/events/event-feed.ts';
import { createEventLog, type GatewayEvent } from '../../src/events/event-log.ts';
import { eventIdOf } from '../../src/events/event-cursor.ts';
import { createSqliteJournal } from '../../src/execution/journal/journal.ts';
import type { Change } from '../../src/execution/journal/records.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { epochMs } from '../../src/units/branded.ts';

const change = (sequence: number, caller = 'a'): Change => {
  const row: GatewayEvent = {
    ...{ sequence, at: epochMs(1_000), type: 'alert', orderId: null, data: {} },
    about: { caller },
  };
  return { table: 'events', key: String(sequence), row };
};

/** A gateway's events, as one that starts at `epoch` on this database has them. */
function started(database: Database, epoch: string) {
  const { events, store } = createEventLog(createSqliteJournal(database, null, epoch));
  const feed = createEventFeed(events);
  const write = async (from: number, to: number, callerOf?: (each: number) => string) => {
    const all = Array.from({ length: to - from + 1 }, (_, place) => from + place);
    await store.commit([all.map((each) => change(each, callerOf?.(each)))]);
  };
  const read = async (after: number, limit = 100) => {
    const page = await feed.page(after, () => true, limit);
    return { ids: page.events.map(eventIdOf), cursor: page.cursor, more: page.more };
  };
  return { feed, write, read, store };
}

describe('events for readers', () => {
  it('have ids that say when their gateway began, and go on after a restart', async () => {
    const database = openDatabase(':memory:');
    await started(database, 'a').write(1, 2);
    const second = started(database, 'b');
    await second.write(3, 3);
    const page = await second.read(0);
    expect(page).toEqual({ ids: ['a-1', 'a-2', 'b-3'], cursor: 'b-3', more: false });
    expect(await second.feed.newest()).toBe('b-3');
    expect(await second.feed.locate('a-2')).toBe(2);
  });

  it('of which none is there have a cursor before the first one', async () => {
    const { feed, write, read } = started(openDatabase(':memory:'), 'a');
    const cursor = await feed.newest();
    await write(1, 1);
    expect(cursor).toBe('0-0');
    expect(await feed.locate(cursor)).toBe(0);
    expect((await read(0)).ids).toEqual(['a-1']);
  });

  it('that a restored backup lacks have cursors that have expired, also once as many were written', async () => {
    const [real, backup] = [openDatabase(':memory:'), openDatabase(':memory:')];
    for (const database of [real, backup]) await started(database, 'a').write(1, 3);
    await started(real, 'b').write(4, 5);
    const restored = started(backup, 'c');
    expect(await restored.feed.locate('b-5')).toBeNull();
    await restored.write(4, 6);
    expect(await restored.feed.locate('b-4')).toBeNull();
    expect(await restored.feed.locate('a-3')).toBe(3);
    expect((await restored.read(3)).ids).toEqual(['c-4', 'c-5', 'c-6']);
  });

  it('that were removed have cursors that have expired', async () => {
    const { feed, write, store, read } = started(openDatabase(':memory:'), 'a');
    await write(1, 6);
    store.removeEvents({ before: epochMs(2_000), atLeast: 3, atMost: 100 }, 100);
    expect(await feed.locate('a-2')).toBeNull();
    expect(await feed.locate('0-0')).toBeNull();
    expect(await feed.locate('a-4')).toBe(4);
    expect(await feed.beforeOldest()).toBe(3);
    expect((await read(3)).ids).toEqual(['a-4', 'a-5', 'a-6']);
  });

  it('of an older version are not told: they do not carry the order', async () => {
    const database = openDatabase(':memory:');
    const { feed, write } = started(database, 'a');
    await write(1, 2);
    // As a migration finds them.
    database.exec('DROP TRIGGER events_do_not_change; UPDATE events SET epoch = NULL');
    expect(await feed.beforeOldest()).toBe(2);
    expect(await feed.newest()).toBe('0-2');
    expect(await feed.locate('0-2')).toBe(2);
    expect(await feed.locate('0-1')).toBeNull();
  });

  it('are read to the end in pages, and once each, whatever the filter', async () => {
    const { feed, write } = started(openDatabase(':memory:'), 'a');
    await write(1, 5_000, (each) => (each % 1_000 === 0 ? 'mine' : 'other'));
    const mine: number[] = [];
    for (let after = 0, more = true; more;) {
      const page = await feed.page(after, ({ about }) => about?.caller === 'mine', 2);
      expect(page.events.length).toBeLessThanOrEqual(2);
      mine.push(...page.events.map(({ sequence }) => sequence));
      ({ after, more } = page);
    }
    expect(mine).toEqual([1_000, 2_000, 3_000, 4_000, 5_000]);
  });

  it('are the same from memory and from the journal, however readers take turns', async () => {
    const { feed, write } = started(openDatabase(':memory:'), 'a');
    const wrong: string[] = [];
    let last = 0;
    for (let round = 0; round < 40; round += 1) {
      await write(last + 1, last + 90);
      last += 90;
      for (const back of [0, 1, 45, 90, 700, 1_300, 3_000]) {
        const after = Math.max(0, last - back);
        const { events } = await feed.page(after, () => true, 120);
        const found = events.map(({ sequence }) => sequence);
        const expected = Array.from(
          { length: Math.min(120, last - after) },
          (_, place) => after + 1 + place,
        );
        if (String(found) !== String(expected)) wrong.push(`round ${round}, ${back} back`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
