import { describe, expect, it } from 'vitest';
import { createEventFeed } from '../../src/events/event-feed.ts';
import { createEventLog, type GatewayEvent } from '../../src/events/event-log.ts';
import { createSqliteJournal } from '../../src/execution/journal/journal.ts';
import type { Change } from '../../src/execution/journal/records.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { silentLog } from '../../src/platform/log.ts';
import { epochMs } from '../../src/units/branded.ts';

const change = (sequence: number): Change => {
  const row: GatewayEvent = {
    ...{ sequence, at: epochMs(1_000), type: 'alert', orderId: null },
    data: { level: 'critical', message: `alert ${sequence}` },
  };
  return { table: 'events', key: String(sequence), row };
};

/** The readers of a journal that a later version has written to, or whose second event is damaged. */
async function readersOf(damage: string) {
  const database: Database = openDatabase(':memory:');
  const { store } = createEventLog(createSqliteJournal(database, null, 'a'));
  await store.commit([[1, 2, 3].map(change)]);
  database.exec(
    `DROP TRIGGER events_do_not_change; UPDATE events SET ${damage} WHERE sequence = 2`,
  );
  const logged: string[] = [];
  const log = { ...silentLog, error: (message: string) => void logged.push(message) };
  const { events } = createEventLog(createSqliteJournal(database, log, 'b'));
  return { events, feed: createEventFeed(events), logged };
}

const DAMAGES = [
  [
    'is of a type that a later version has added',
    `record = json_set(record, '$.type', 'order.moved')`,
  ],
  ['has a time that is none', `record = json_set(record, '$.at', 'soon')`],
  ['is no JSON', `record = '{'`],
] as const;

describe.each(DAMAGES)('an event that %s', (_, damage) => {
  it('does not keep the ones behind it from streams, lists and webhooks', async () => {
    const { feed } = await readersOf(damage);
    const page = await feed.page(0, () => true, 100);
    expect(page.events.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect([page.after, page.more]).toEqual([3, false]);
  });

  it('does not keep the ones behind it from the alerts of people', async () => {
    const { events } = await readersOf(damage);
    const found = await events.eventsAfter(0, 100);
    expect(found.at(-1)?.data).toMatchObject({ message: 'alert 3' });
  });
});

describe('what is told of such an event', () => {
  it('is the event itself where only its type is unknown', async () => {
    const { events } = await readersOf(DAMAGES[0][1]);
    const [, told] = await events.eventsAfter(0, 100);
    expect(told).toMatchObject({ type: 'order.moved', data: { message: 'alert 2' } });
  });

  it.each(DAMAGES.slice(1))('is an alert with its id where it %s', async (_, damage) => {
    const { events, logged } = await readersOf(damage);
    const [, told] = await events.eventsAfter(0, 100);
    expect(told).toMatchObject({
      ...{ sequence: 2, at: 1_000, type: 'alert', epoch: 'a' },
      data: { level: 'critical', message: expect.stringContaining('event 2 (alert) does not fit') },
    });
    // However often it is read.
    expect(await events.eventsAfter(0, 100)).toHaveLength(3);
    expect(logged).toHaveLength(1);
  });
});
