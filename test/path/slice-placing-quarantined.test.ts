import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { Rig } from '../support/rig.ts';
import { beginPlacing, BUY, loggedInRig, place, placings, spoilPlacing } from './walk.ts';

const FREEZE = { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' };
/** Goes out in slices of 4, 4 and 2, which rest. */
const LARGE = { ...BUY, orderType: 'LIMIT', price: 1_470, broker: 'alt' } as const;

function damage(rig: Rig, where: string): void {
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  database.exec(`UPDATE attempts SET record = '{}' WHERE kind = 'place' AND ${where}`);
  database.close();
}

describe('a sliced order of which the placing of one slice does not fit', () => {
  it('is not called not sent after a crash, while its broker has that slice', async () => {
    await using rig = await loggedInRig({ environment: FREEZE });
    spoilPlacing(rig, 'hang_after');
    void beginPlacing(rig, LARGE, 'large');
    for (let turns = 0; placings(rig).length < 1 && turns < 200; turns += 1) {
      await rig.time.advance(5);
    }
    await rig.time.advance(100);
    damage(rig, '1 = 1');
    await rig.crash();
    await rig.time.advance(5_000);
    expect(rig.sandbox.kite.orders().map(({ quantity }) => quantity)).toEqual([4]);
    const { body } = await place(rig, LARGE, 'large');
    // Today: 503 order_not_sent, "It never left this machine", retrySafe: true.
    expect([body.code, body.mayHaveExecuted]).not.toEqual(['order_not_sent', false]);
  });

  it('is not told as a smaller order that has filled whole', async () => {
    await using rig = await loggedInRig({ environment: FREEZE });
    const placed = await place(rig, LARGE, 'large');
    expect(placed.status).toBe(201);
    await rig.time.advance(3_000);
    damage(rig, `order_id IN (SELECT id FROM orders WHERE idempotency_key LIKE '%#1')`);
    await rig.restart();
    await rig.time.advance(3_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 146_000);
    await rig.time.advance(5_000);
    const { body } = await rig.get(`/api/v1/orders/${placed.body.data.id}`);
    // Today: status filled, quantity 6, filledQuantity 6. The order was for 10, and 10 have filled.
    const told = body.data ?? { status: null, quantity: 10 };
    expect([told.status, told.quantity]).not.toEqual(['filled', 6]);
  });
});
