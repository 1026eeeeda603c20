import { describe, expect, it } from 'vitest';
import type { Caller } from '../../src/callers/caller.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { eventFilter } from '../../src/routes/event-filter.ts';
import { eventBench } from '../support/event-bench.ts';
import { memoryWebhooks } from '../support/memory-webhooks.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const READER = {
  ...{ id: 'key_a', name: 'a', scope: 'read', broker: null, mode: null },
} as unknown as Caller;

async function damaged() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const database = openDatabase(':memory:');
  const bench = eventBench({ clock: time, scheduler: time }, database);
  await bench.happen('alert', { level: 'warning', message: 'before' });
  await bench.happen('order.fill', {}, { broker: 'alt', caller: 'key_a' }, 'ord_1');
  await bench.happen('order.fill', {}, { broker: 'alt', caller: 'key_a' }, 'ord_1');
  database.exec(
    `DROP TRIGGER events_do_not_change; UPDATE events SET record = '{' WHERE sequence = 2`,
  );
  return { time, database };
}

describe('an event whose row does not fit', () => {
  const readers = [
    ['asks for its type', { type: ['order.fill'] as const }, READER],
    ['asks for its order', { order: 'ord_1' }, READER],
    ['is confined to a broker', {}, { ...READER, broker: 'alt' } as Caller],
  ] as const;
  it.each(readers)('is told by an alert to a reader that %s', async (_, query, caller) => {
    const { time, database } = await damaged();
    const { feed } = eventBench({ clock: time, scheduler: time }, database, 'b');
    const page = await feed.page(0, eventFilter(query, caller), 100);
    expect(page.events.map(({ sequence }) => sequence)).toContain(2);
  });

  it('is not told to a reader who asks for other types', async () => {
    const { time, database } = await damaged();
    const { feed } = eventBench({ clock: time, scheduler: time }, database, 'b');
    const page = await feed.page(0, eventFilter({ type: ['order.updated'] }, READER), 100);
    expect(page.events).toEqual([]);
  });

  it('is told by an alert to a webhook of its type', async () => {
    const { time, database } = await damaged();
    const events = eventBench({ clock: time, scheduler: time }, database, 'b');
    const { webhooks, files, ids } = memoryWebhooks(events, time);
    await webhooks.add({ url: 'https://hooks.test/', types: ['order.fill'], by: 'admin' });
    await time.settle(Promise.resolve(webhooks[Symbol.asyncDispose]()));
    const kept = String(files.read('data/webhooks.json')).replace('"a-3"', '"a-1"');
    files.replacePrivate('data/webhooks.json', kept);
    const again = memoryWebhooks(events, time, { files });
    await time.advance(1_000);
    expect([ids(), again.ids()]).toEqual([[], ['a-2', 'a-3']]);
  });
});
