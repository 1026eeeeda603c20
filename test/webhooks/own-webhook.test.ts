import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { Secret } from '../../src/platform/secret.ts';
import type { OwnWebhook } from '../../src/webhooks/webhook.ts';
import { MOST_WEBHOOKS } from '../../src/webhooks/webhooks.ts';
import { eventBench } from '../support/event-bench.ts';
import { memoryWebhooks } from '../support/memory-webhooks.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const KEY = Buffer.alloc(32, 7);
const OTHER_KEY = Buffer.alloc(32, 8);
const own = (url: string, key = KEY): OwnWebhook => ({
  url,
  secret: new Secret(`whsec_${key.toString('base64')}`),
});
const HERE = 'https://hooks.test/own';
const THERE = 'https://elsewhere.test/own';

async function bench(first: OwnWebhook | null) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const database = openDatabase(':memory:');
  const events = eventBench({ clock: time, scheduler: time }, database);
  const alert = async (): Promise<void> => {
    await events.happen('alert', { level: 'warning', message: 'x' });
    await time.advance(10);
  };
  await alert();
  const made = memoryWebhooks(events, time, { own: first });
  await time.advance(10);
  const again = async (next: OwnWebhook | null) => {
    await time.settle(Promise.resolve(made.webhooks[Symbol.asyncDispose]()));
    await alert();
    const other = memoryWebhooks(events, time, { files: made.files, own: next });
    await time.advance(10);
    return other;
  };
  return { time, alert, again, ...made };
}

describe('the webhook of the settings', () => {
  it('gets what happens from its first start on, signed with its secret, and is shown', async () => {
    const { alert, received, ids, webhooks } = await bench(own(HERE));
    await alert();
    expect(ids()).toEqual(['a-2']);
    const { url, headers, body } = received[0] ?? expect.fail();
    const signed = `a-2.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', KEY).update(signed).digest('base64');
    expect([url, headers['webhook-signature']]).toEqual([HERE, `v1,${signature}`]);
    expect(webhooks.list()).toMatchObject([
      { id: 'wh_settings', url: HERE, types: null, createdBy: 'settings' },
    ]);
  });

  it('is no longer on disk once a start has found it removed from the settings', async () => {
    const { again, files } = await bench(own(HERE));
    const stored = () => String(files.read('data/webhooks.json'));
    await again(own(HERE));
    expect(stored()).toContain('wh_settings');
    await again(null);
    expect(stored()).not.toContain('wh_settings');
  });

  it('goes on where it stopped with another secret, which is not on disk', async () => {
    const { alert, again, files } = await bench(own(HERE));
    await alert();
    const next = await again(own(HERE, OTHER_KEY));
    expect(next.ids()).toEqual(['a-3']);
    const { headers, body } = next.received[0] ?? expect.fail();
    const signed = `a-3.${headers['webhook-timestamp']}.${body}`;
    const signature = createHmac('sha256', OTHER_KEY).update(signed).digest('base64');
    expect(headers['webhook-signature']).toBe(`v1,${signature}`);
    const text = files.read('data/webhooks.json') ?? '';
    expect([text.includes(HERE), /whsec_/.test(text)]).toEqual([true, false]);
  });

  it('is another one with another address: it begins anew', async () => {
    const { alert, again } = await bench(own(HERE));
    await alert();
    const next = await again(own(THERE));
    await alert();
    expect([next.ids(), next.webhooks.list().map(({ url }) => url)]).toEqual([['a-4'], [THERE]]);
  });

  it('goes with its settings, and by no request', async () => {
    const { again, webhooks } = await bench(own(HERE));
    expect([webhooks.remove('wh_settings'), webhooks.list()]).toMatchObject([
      null,
      [{ url: HERE }],
    ]);
    expect((await again(null)).webhooks.list()).toEqual([]);
  });

  it('does not count against the most that there can be', async () => {
    const { webhooks, time } = await bench(own(HERE));
    const add = () => time.settle(webhooks.add({ url: THERE, types: null, by: 'admin' }));
    for (let count = 0; count < MOST_WEBHOOKS; count += 1) expect(await add()).not.toBeNull();
    expect(await add()).toBeNull();
  });
});
