import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { Rig } from '../support/rig.ts';
import { beginPlacing, BUY, loggedInRig, place, placings, spoilPlacing } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const SALE = {
  ...{ ...BUY, side: 'SELL', orderType: 'LIMIT', price: 1_530 },
  broker: 'alt',
} as const;

/** Starts the gateway again on a journal in which no record of an order fits. */
async function restartWithQuarantined(rig: Rig): Promise<void> {
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  database.prepare(`UPDATE orders SET record = '{}'`).run();
  database.close();
  await rig.restart();
  await rig.time.advance(10_000);
}

describe('the tag of an order that is quarantined', () => {
  it('is not one that the journal does not know: a further sale like it passes the kill switch', async () => {
    await using rig = await loggedInRig();
    await place(rig, SALE, 'quarantined');
    await rig.time.advance(3_000);
    await restartWithQuarantined(rig);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a test' });
    const reply = await place(rig, SALE, 'another');
    expect(reply.status, reply.text).toBe(201);
    expect(placings(rig)).toHaveLength(2);
  });

  it('does not engage the kill switch where a book shows its row for the first time', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_after');
    beginPlacing(rig, SALE, 'quarantined').catch(() => undefined);
    for (let turns = 0; rig.sandbox.kite.orders().length === 0 && turns < 200; turns += 1) {
      await rig.time.advance(5);
    }
    await rig.crash();
    await restartWithQuarantined(rig);
    const list = await rig.get('/api/v1/orders');
    expect(list.body.data).toMatchObject([{ external: true, status: 'working' }]);
    expect(rig.composed.execution.killSwitch()).toBeNull();
  });
});
