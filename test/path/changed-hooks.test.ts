import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failingJournal } from '../support/failing-database.ts';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig } from '../support/rig.ts';
import { TRADINGVIEW } from '../signals/support/templates.ts';
import { addHook, alertAt, hookRig, ordersOf } from './hooks.ts';
import { loggedInRig } from './walk.ts';

const HALF = { ...TRADINGVIEW, order: { ...TRADINGVIEW.order, quantity: 5 } };

/** Changes a hook with the admin key. */
const change = (rig: Rig, id: string, json: unknown) =>
  rig.call({ method: 'PATCH', path: `/api/v1/hooks/${id}`, json });

describe('a hook that is changed', () => {
  it('follows the next alert as it now says, also after a restart, and no earlier one again', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const earlier = alertAt(rig);
    await hook.post(earlier);
    await rig.time.advance(2_000);
    const changed = await change(rig, hook.id, { template: HALF });
    expect(changed.status, changed.text).toBe(200);
    await rig.restart();
    await rig.time.advance(2_000);

    const again = await hook.post(earlier);
    expect([again.status, again.body.code]).toEqual([422, 'idempotency_conflict']);
    expect((await hook.post(alertAt(rig))).status).toBe(202);
    await rig.time.advance(2_000);
    const quantities = (await ordersOf(rig)).map(({ quantity }) => quantity);
    expect(quantities.toSorted()).toEqual([10, 5]);
    const [added, ...told] = journalEvents(rig.dataDirectory, 'hook.changed');
    expect(added?.data).toMatchObject({ change: 'added', hook: { id: hook.id } });
    expect(told.map(({ data }) => data)).toEqual([
      {
        hook: { id: hook.id, name: 'tradingview', key: hook.keyId, mode: 'paper' },
        ...{ change: 'changed', fields: ['template'], by: expect.any(String) },
      },
    ]);
    const inTold = JSON.stringify(told);
    expect([inTold.includes(hook.secret), inTold.includes('instrument')]).toEqual([false, false]);
  });

  it('takes alerts of its new addresses alone', async () => {
    await using both = await hookRig({
      rig: { environment: { APP_HOOKS_FORWARDED_HEADER: 'X-Real-IP' } },
    });
    const { rig, hook } = both;
    const from = (address: string, seconds: number) => {
      const at = new Date(rig.time.now() + seconds * 1_000).toISOString();
      return hook.post(alertAt(rig, { at }), { 'x-real-ip': address });
    };
    expect((await from('192.0.2.1', 0)).status).toBe(202);
    await change(rig, hook.id, { addresses: ['198.51.100.0/24'] });
    expect((await from('192.0.2.1', 1)).status).toBe(403);
    expect((await from('198.51.100.7', 2)).status).toBe(202);
  });

  it('stays as it was where the event of the change cannot be written', async () => {
    const journal = failingJournal();
    await using rig = await loggedInRig({
      overrides: { openDatabase: journal.openDatabase },
    });
    const hook = await addHook(rig);
    await rig.time.advance(100);
    journal.disk().fail();
    const failed = await change(rig, hook.id, { template: HALF });
    expect([failed.status, failed.body.code]).toEqual([503, 'journal_unavailable']);
    journal.disk().heal();
    const [listed] = (await rig.get('/api/v1/hooks')).body.data;
    expect(listed).toMatchObject({ changedAt: null, template: { order: TRADINGVIEW.order } });
    const told = journalEvents(rig.dataDirectory, 'hook.changed');
    expect(told.map(({ data }) => data.change)).toEqual(['added']);
  });

  it('tells that it was not made where its event could be written, and the file of the hooks could not', async () => {
    await using rig = await loggedInRig();
    const hook = await addHook(rig);
    const path = join(rig.dataDirectory, 'hooks.json');
    rmSync(path);
    mkdirSync(path);
    expect((await change(rig, hook.id, { template: HALF })).status).toBe(503);
    await rig.time.advance(100);
    const told = journalEvents(rig.dataDirectory, 'hook.changed');
    expect(told.map(({ data }) => data.change)).toEqual(['added', 'changed', 'not_made']);
  });
});
