import { expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { failingDatabase, type FailingDatabase } from '../support/failing-database.ts';
import { BUY, loggedInRig, orderOf, place, spoilPlacing } from './walk.ts';

it('an outcome that reaches the disk late ends an order that did not leave: nobody tries on', async () => {
  let disk!: FailingDatabase;
  await using rig = await loggedInRig({
    environment: { APP_ROUTE_TRADING: 'alt,primary' },
    overrides: {
      openDatabase(path) {
        const database = failingDatabase(openDatabase(path));
        if (path.endsWith('journal.db')) disk = database;
        return database.database;
      },
    },
  });
  spoilPlacing(rig, 'refuse');
  disk.failAfterNext();
  const { body } = await place(rig, BUY, 'refused');
  expect(body.data.status).toBe('sending');
  disk.heal();
  await rig.time.advance(60_000);
  expect(await orderOf(rig, body.data.id)).toMatchObject({ status: 'not_sent' });
  expect(rig.sandbox.primary.orders()).toEqual([]);
});
