import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/execution/journal/records.ts';
import { systemClock, systemScheduler } from '../../src/platform/clock.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { silentLog } from '../../src/platform/log.ts';
import { openAlertFile } from '../../src/telegram/alert-file.ts';
import { createAlerts } from '../../src/telegram/alerts.ts';
import { readPage } from '../../src/routes/event-readers.ts';
import { order } from '../routes/support/samples.ts';
import { eventBench } from '../support/event-bench.ts';
import { fakeMessenger } from '../support/fake-messenger.ts';
import { memoryWebhooks } from '../support/memory-webhooks.ts';
import type { VirtualTime } from '../support/virtual-time.ts';
import { memoryFiles } from '../token-store/support/memory-files.ts';

const EVENTS = 20_000;
const time = { ...systemClock, ...systemScheduler } as unknown as VirtualTime;

/** A journal with many events of orders, and a gateway that has just started on it. */
async function manyEvents() {
  const database = openDatabase(':memory:');
  const before = eventBench({ clock: time, scheduler: time }, database);
  const all = Array.from({ length: EVENTS }, (_, place): Change => {
    const row = {
      ...{ sequence: place + 1, at: systemClock.now(), type: 'order.updated', orderId: 'ord_1' },
      ...{ data: { order: order({ status: 'working' }) }, about: { broker: 'alt' } },
    } as const;
    return { table: 'events', key: String(row.sequence), row } as unknown as Change;
  });
  const { error } = await before.store.commit([all]);
  if (error !== null) throw error;
  await before.happen('alert', { level: 'warning', message: 'wanted' });
  return eventBench({ clock: time, scheduler: time }, database, 'b');
}

/** A page looks at 2,000 events at most: so many turns others have at the least. */
const FEW = EVENTS / 2_000 / 2;
const LAST = EVENTS + 1;

/** How many turns of the event loop others have until `isDone`. */
async function turnsUntil(isDone: () => boolean): Promise<number> {
  let turns = 0;
  for (const until = performance.now() + 20_000; !isDone() && performance.now() < until;) {
    await new Promise<void>((resolve) => void setImmediate(resolve));
    turns += 1;
  }
  expect(isDone()).toBe(true);
  return turns;
}

describe('a long way through events that are not wanted leaves turns to other work', () => {
  it('of a list that waits', async () => {
    const bench = await manyEvents();
    let isDone = false;
    const request = {
      ...{ caller: 'key', after: 0, wanted: ({ type }: { type: string }) => type === 'alert' },
      ...{ limit: 100, waitMs: 30_000, holds: () => true },
    };
    void readPage(bench.readers, request).then(() => (isDone = true));
    expect(await turnsUntil(() => isDone)).toBeGreaterThanOrEqual(FEW);
  });

  it('of a webhook', async () => {
    const bench = await manyEvents();
    const files = memoryFiles();
    const first = memoryWebhooks(bench, time, { files });
    await first.webhooks.add({ url: 'https://hooks.test/', types: ['alert'], by: 'admin' });
    await first.webhooks[Symbol.asyncDispose]();
    const kept = String(files.read('data/webhooks.json')).replace(/"a-\d+"/, '"a-1"');
    files.replacePrivate('data/webhooks.json', kept);
    const again = memoryWebhooks(bench, time, { files });
    const turns = await turnsUntil(() => again.ids().includes(`a-${LAST}`));
    await again.webhooks[Symbol.asyncDispose]();
    expect(turns).toBeGreaterThanOrEqual(FEW);
  });

  it('of the alerts of the chat', async () => {
    const bench = await manyEvents();
    const files = memoryFiles();
    files.replacePrivate('alerts.json', '{"version":1,"after":1,"open":[],"told":[]}');
    const file = openAlertFile({ files, log: silentLog, path: 'alerts.json' });
    const messenger = fakeMessenger();
    const parts = { events: bench.events, messenger, file, log: silentLog };
    const alerts = createAlerts({ ...parts, clock: time, scheduler: time });
    const turns = await turnsUntil(() => messenger.texts.length > 0);
    await alerts[Symbol.asyncDispose]();
    expect(turns).toBeGreaterThanOrEqual(FEW);
  });
});
