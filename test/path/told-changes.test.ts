import { describe, expect, it } from 'vitest';
import { failingJournal } from '../support/failing-database.ts';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig } from '../support/rig.ts';
import { addHook } from './hooks.ts';
import { loggedInRig } from './walk.ts';

const call = async (rig: Rig, method: string, path: string, json?: unknown) => {
  const reply = await rig.call({ method, path, ...(json === undefined ? {} : { json }) });
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body.data;
};

async function told(rig: Rig, type: 'key.changed' | 'hook.changed' | 'webhook.changed') {
  await rig.time.advance(100);
  return journalEvents(rig.dataDirectory, type).map(({ data }) => data);
}

describe('a change of a key', () => {
  it('is an event with who asked for it, and without the key', async () => {
    await using rig = await loggedInRig();
    const made = await call(rig, 'POST', '/api/v1/keys', { name: 'strategy', scope: 'trade' });
    const at = `/api/v1/keys/${made.id}`;
    await call(rig, 'PATCH', at, { name: 'momentum', algoId: 'ALGO1' });
    await call(rig, 'POST', `${at}/kill-switch`, { engaged: true, reason: 'it misbehaves' });
    await call(rig, 'POST', `${at}/kill-switch`, { engaged: false, reason: 'mended' });
    const rotated = await call(rig, 'POST', `${at}/rotate`);
    await call(rig, 'DELETE', at);
    const named = (name: string) => ({ id: made.id, name, scope: 'trade' });
    const rest = { fields: [], by: 'admin' };
    const events = await told(rig, 'key.changed');
    expect(events).toEqual([
      { key: named('strategy'), change: 'added', ...rest },
      { key: named('momentum'), change: 'changed', ...rest, fields: ['algoId', 'name'] },
      { key: named('momentum'), change: 'stopped', ...rest },
      { key: named('momentum'), change: 'released', ...rest },
      { key: named('momentum'), change: 'rotated', ...rest },
      { key: named('momentum'), change: 'revoked', ...rest },
    ]);
    const text = JSON.stringify(events);
    expect([text.includes(made.key), text.includes(rotated.key)]).toEqual([false, false]);
  });

  it('does not wait for a journal that takes nothing', async () => {
    const journal = failingJournal();
    await using rig = await loggedInRig({ overrides: { openDatabase: journal.openDatabase } });
    const { id } = await call(rig, 'POST', '/api/v1/keys', { name: 'strategy', scope: 'trade' });
    await rig.time.advance(1_000);
    journal.disk().fail();
    const revoked = await call(rig, 'DELETE', `/api/v1/keys/${id}`);
    expect(revoked.revokedAt).not.toBeNull();
    await rig.time.advance(1_000);
    journal.disk().heal();
    expect((await told(rig, 'key.changed')).map(({ change }) => change)).toEqual(['added']);
    expect(rig.log.join('')).toContain('could not be written as an event');
  });
});

describe('a hook or a webhook', () => {
  it('has an event when it is added, when its secret changes and when it is deleted', async () => {
    await using rig = await loggedInRig();
    const hook = await addHook(rig);
    await call(rig, 'POST', `/api/v1/hooks/${hook.id}/rotate`);
    await call(rig, 'DELETE', `/api/v1/hooks/${hook.id}`);
    expect(await told(rig, 'hook.changed')).toMatchObject([
      { hook: { id: hook.id, key: hook.keyId }, change: 'added', by: 'admin' },
      { hook: { id: hook.id }, change: 'rotated', by: 'admin' },
      { hook: { id: hook.id }, change: 'deleted', by: 'admin' },
    ]);
  });

  it('of events names the webhook by its id: its address may hold a secret', async () => {
    await using rig = await loggedInRig();
    const url = 'https://hooks.example.com/secret-path';
    const { id } = await call(rig, 'POST', '/api/v1/webhooks', { url, types: ['order.fill'] });
    await call(rig, 'POST', `/api/v1/webhooks/${id}/revive`);
    await call(rig, 'DELETE', `/api/v1/webhooks/${id}`);
    const webhook = { id, types: ['order.fill'] };
    expect(await told(rig, 'webhook.changed')).toEqual([
      { webhook, change: 'added', by: 'admin' },
      { webhook, change: 'revived', by: 'admin' },
      { webhook, change: 'deleted', by: 'admin' },
    ]);
  });
});
