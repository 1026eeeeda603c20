import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { loggedInRig, place, placings, RESTING } from './walk.ts';

it('an order that is quarantined with its placing is not told as it stood before the restart', async () => {
  await using rig = await loggedInRig();
  const order = { ...RESTING, broker: 'alt' };
  const { body } = await place(rig, order, 'rests');
  await rig.time.advance(3_000);
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  database.exec(`UPDATE attempts SET record = '{}'`);
  database.close();
  await rig.restart();
  await rig.time.advance(3_000);
  rig.sandbox.exchange.setPrice('NSE:INFY', 146_000);
  await rig.time.advance(10_000);
  expect(rig.sandbox.kite.orders().map(({ status }) => status)).toEqual(['COMPLETE']);
  // docs/orders.md, "Rows that do not fit": a request with its key, or for its id, gets 503. Today: 200 and 201,
  // `working`, nothing filled, for ever.
  const read = await rig.get(`/api/v1/orders/${body.data.id}`);
  expect([read.status, read.body.code], read.text).toEqual([503, 'journal_unavailable']);
  const again = await place(rig, order, 'rests');
  expect([again.status, again.body.code, again.body.mayHaveExecuted], again.text).toEqual([
    503,
    'journal_unavailable',
    true,
  ]);
  expect(placings(rig)).toHaveLength(1);
});
