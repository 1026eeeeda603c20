import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SIGNALS_KEPT } from '../../src/execution/journal/signal-retention.ts';
import { openDatabase } from '../../src/platform/database.ts';
import type { Rig } from '../support/rig.ts';
import { alertAt, hookRig, ordersOf, signalsOf } from './hooks.ts';
import { placings } from './walk.ts';

/** Writes so many copies of the only signal there is, as if they had come after it. */
function multiply(rig: Rig, copies: number): void {
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  database.exec(`
    WITH RECURSIVE count(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM count WHERE n < ${copies})
    INSERT INTO signals SELECT printf('sig_ffff%06d', n), hook_id, caller, 'copy ' || n, state, record
    FROM signals, count`);
  database.close();
}

function signalsOnDisk(rig: Rig): number {
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  const found = database.prepare('SELECT count(*) AS count FROM signals').get();
  database.close();
  return Number(found?.['count']);
}

describe('signals that are more than are kept', () => {
  it('go oldest first, and a repeat of an alert whose signal is gone places nothing', async () => {
    await using both = await hookRig({ key: { mode: 'live' }, hook: { mode: 'live' } });
    const { rig, hook } = both;
    const alert = alertAt(rig);
    await hook.post(alert);
    await rig.time.advance(2_000);
    const [first] = await signalsOf(rig);
    const [order] = await ordersOf(rig);
    multiply(rig, SIGNALS_KEPT.atMost);
    await rig.time.advance(3_600_000);
    expect(signalsOnDisk(rig)).toBe(SIGNALS_KEPT.atMost);

    const repeat = await hook.post(alert);
    expect(repeat.status).toBe(202);
    expect(repeat.body.data.id).not.toBe(first.id);
    await rig.time.advance(2_000);
    const { body } = await rig.get('/api/v1/signals?limit=500');
    const signals: { id: string; orders: { orderId: string }[] }[] = body.data;
    expect(signalsOnDisk(rig)).toBe(SIGNALS_KEPT.atMost + 1);
    expect(signals.every(({ orders }) => orders[0]?.orderId === order?.id)).toBe(true);
    expect([(await ordersOf(rig)).length, placings(rig).length]).toEqual([1, 1]);
  });
});
