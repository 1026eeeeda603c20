import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { HttpReply } from '../../src/platform/http.ts';
import { PARK_AFTER_MS } from '../../src/webhooks/deliveries.ts';
import { eventBench } from '../support/event-bench.ts';
import { ANSWERED, memoryWebhooks } from '../support/memory-webhooks.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const URL = 'https://hooks.test/orders';
const failed = (status: number): HttpReply => ({ ...ANSWERED, status }) as HttpReply;

function bench() {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const database = openDatabase(':memory:');
  const events = eventBench({ clock: time, scheduler: time }, database);
  const made = memoryWebhooks(events, time);
  const add = () => made.webhooks.add({ url: URL, types: null, by: 'admin' });
  const alert = async (): Promise<void> => {
    await events.happen('alert', { level: 'warning', message: 'x' });
    await time.advance(10);
  };
  /** Stops it, or kills it, and starts another one on what is on disk. */
  const again = async (how: 'stopped' | 'killed') => {
    const files = made.files;
    const kept = how === 'killed' ? files.read('data/webhooks.json') : null;
    await time.settle(Promise.resolve(made.webhooks[Symbol.asyncDispose]()));
    if (kept !== null) files.replacePrivate('data/webhooks.json', kept);
    return memoryWebhooks(events, time, { files });
  };
  return { ...{ time, events, add, alert, again }, ...made };
}

describe('a webhook', () => {
  it('gets each event once, in order, signed, as streams and lists have it', async () => {
    const { time, add, alert, received, ids } = bench();
    await alert();
    const secret = (await add())?.secret ?? '';
    for (let count = 0; count < 70; count += 1) await alert();
    await time.advance(1_000);
    expect(ids()).toEqual(Array.from({ length: 70 }, (_, place) => `a-${place + 2}`));
    const { url, headers, body = '' } = received[0] ?? expect.fail();
    expect(url).toBe(URL);
    expect(JSON.parse(body)).toMatchObject({ id: 'a-2', type: 'alert', data: { message: 'x' } });
    const signed = `a-2.${headers['webhook-timestamp']}.${body}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    expect(headers['webhook-signature']).toBe(
      `v1,${createHmac('sha256', key).update(signed).digest('base64')}`,
    );
    expect(Number(headers['webhook-timestamp']) * 1_000).toBeLessThanOrEqual(time.now());
  });

  it('leaves no row of what it was sent: one record has how far it is', async () => {
    const { time, add, alert, files, webhooks, ids } = bench();
    await add();
    const sizes: number[] = [];
    for (let count = 0; count < 300; count += 1) {
      await alert();
      if (count % 100 < 99) continue;
      await time.advance(2_000);
      sizes.push(files.read('data/webhooks.json')?.length ?? 0);
    }
    expect([ids().length, webhooks.list().length]).toEqual([300, 1]);
    // The ids of the events are of three digits each time.
    expect(new Set(sizes).size).toBe(1);
  });

  it('is tried again with the same event, and nothing overtakes it', async () => {
    const { time, add, alert, answers, ids, webhooks } = bench();
    await add();
    let times = 0;
    answers(() => ((times += 1) <= 3 ? failed(503) : ANSWERED));
    await alert();
    await alert();
    expect(webhooks.list()[0]?.failing).toMatchObject({ times: 1, reason: 'it answered 503' });
    await time.advance(60_000);
    expect(ids()).toEqual(['a-1', 'a-1', 'a-1', 'a-1', 'a-2']);
    expect(webhooks.list()[0]?.failing).toBeNull();
  });

  it('is not sent anything again after a restart that it has taken', async () => {
    const { add, alert, again, ids } = bench();
    await add();
    await alert();
    const next = await again('stopped');
    await alert();
    expect([ids(), next.ids()]).toEqual([['a-1'], ['a-2']]);
  });

  it('misses nothing after a crash, and knows by its id what comes again', async () => {
    const { time, add, alert, again, ids, answers } = bench();
    await add();
    await alert();
    await time.advance(2_000);
    answers(() => failed(500));
    await alert();
    const next = await again('killed');
    await alert();
    await time.advance(5_000);
    expect([ids().slice(0, 2), next.ids()]).toEqual([
      ['a-1', 'a-2'],
      ['a-2', 'a-3'],
    ]);
  });

  it('that takes nothing for a day is parked, over restarts, until it is revived', async () => {
    const { time, add, alert, again, answers, webhooks, ids } = bench();
    const { id } = (await add()) ?? expect.fail();
    answers(() => failed(302));
    await alert();
    await time.advance(PARK_AFTER_MS + 600_000);
    const tries = ids().length;
    expect(webhooks.list()[0]).toMatchObject({
      failing: { reason: 'it answered 302, and redirects are not followed' },
      parkedAt: expect.any(Number),
    });
    await alert();
    expect(ids().length).toBe(tries);
    const next = await again('stopped');
    await time.advance(PARK_AFTER_MS);
    expect(next.ids()).toEqual([]);
    expect(next.webhooks.revive(id)?.parkedAt).toBeNull();
    await time.advance(1_000);
    expect(next.ids()).toEqual(['a-1', 'a-2']);
    expect(next.webhooks.revive('wh_x')).toBeNull();
  });

  it('that says that it is gone is parked at once', async () => {
    const { add, alert, answers, webhooks, ids } = bench();
    await add();
    answers(() => failed(410));
    await alert();
    await alert();
    expect(ids()).toEqual(['a-1']);
    expect(webhooks.list()[0]?.parkedAt).not.toBeNull();
  });

  it('says that events are missing where they were removed before it took them', async () => {
    const { time, events, add, alert, answers, webhooks, ids } = bench();
    await add();
    answers(() => failed(410));
    for (let count = 0; count < 5; count += 1) await alert();
    events.store.removeEvents({ before: time.now(), atLeast: 2, atMost: 2 }, 100);
    answers(() => ANSWERED);
    webhooks.revive(webhooks.list()[0]?.id ?? '');
    await time.advance(1_000);
    expect(ids()).toEqual(['a-1', 'a-4', 'a-5']);
    expect(webhooks.list()[0]?.hasGap).toBe(true);
  });

  it('gets what it wants alone, and nothing once it is deleted', async () => {
    const { time, events, webhooks, alert, ids } = bench();
    await webhooks.add({ url: URL, types: ['postback.received'], by: 'admin' });
    await alert();
    await events.happen('postback.received');
    await time.advance(10);
    expect(ids()).toEqual(['a-2']);
    expect(webhooks.remove(webhooks.list()[0]?.id ?? '')).not.toBeNull();
    await events.happen('postback.received');
    await time.advance(60_000);
    expect([ids(), webhooks.list(), webhooks.remove('wh_x')]).toEqual([['a-2'], [], null]);
  });

  it('that is slow holds up no other one', async () => {
    const { add, alert, answers, received, webhooks } = bench();
    await add();
    await webhooks.add({ url: 'https://other.test/', types: null, by: 'admin' });
    const never = new Promise<HttpReply>(() => undefined);
    answers(({ url }) => (url === URL ? never : ANSWERED));
    for (let count = 0; count < 3; count += 1) await alert();
    const others = received.filter(({ url }) => url !== URL);
    expect([others.length, received.length]).toEqual([3, 4]);
  });

  it('is one of ten at most', async () => {
    const { add, webhooks } = bench();
    for (let count = 0; count < 10; count += 1) expect(await add()).not.toBeNull();
    expect([await add(), webhooks.list().length]).toEqual([null, 10]);
  });
});
