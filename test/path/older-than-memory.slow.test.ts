import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { BUY, loggedInRig, orderOf, place, restartLongAfter } from './walk.ts';

// Nine days of virtual time take seconds.

describe('slices of an earlier week', () => {
  it('are all there after a restart while one of them is open: nothing filled is forgotten', async () => {
    await using rig = await loggedInRig({ environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' } });
    const { body } = await place(rig, BUY, 'old');
    await rig.time.advance(3_000);
    const parent = await orderOf(rig, body.data.id);
    // One of them turns out to be disputed: its broker's book is gone.
    const { state } = rig.composed.execution;
    const [slice] = [...state.orders.values()].filter(({ parentId }) => parentId !== null);
    const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
    const disputed = (id: string): void => {
      const statement = database.prepare(
        "UPDATE orders SET status = 'disputed', record = json_set(record, '$.status', 'disputed') WHERE id = ?",
      );
      statement.run(id);
    };
    disputed(slice!.id);
    disputed(parent.id);
    database.close();
    await restartLongAfter(rig);
    const after = rig.composed.execution.state;
    expect(after.slicesOf.get(parent.id)?.size).toBe(3);
    const fills = await rig.get(`/api/v1/orders/${parent.id}/fills`);
    const filled = fills.body.data.map(({ quantity }: { quantity: number }) => quantity);
    expect(filled.reduce((sum: number, each: number) => sum + each, 0)).toBe(10);
  });
});

describe('a postback', () => {
  it('is remembered over a restart after more days than memory reaches back', async () => {
    await using rig = await loggedInRig({ environment: { APP_ORDER_POLL_SECONDS: '60' } });
    await place(rig, BUY, 'for-a-postback');
    await rig.time.advance(3_000);
    const { body } = rig.sandbox.kite.postbacks()[0]!;
    await rig.postback(body);
    await restartLongAfter(rig);
    const again = await rig.postback(body);
    expect([again.status, again.body.data]).toEqual([200, { received: 'repeated' }]);
  });
});
