import { describe, expect, it } from 'vitest';
import { type FailingDatabase, failingJournal } from '../support/failing-database.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import {
  alertsOf,
  changeTrigger,
  deleteTrigger,
  LEG,
  placeTrigger,
  refuseDeletion,
  rowsAtBroker,
  sentTriggers,
  spoilTriggers,
  STOP,
  triggerOf,
} from './trigger-walk.ts';
import { loggedInRig, spoilReading } from './walk.ts';

interface RigWithDisk extends AsyncDisposable {
  readonly rig: Rig;
  /** The journal's, as the present life has it. */
  readonly disk: () => FailingDatabase;
  /** A trigger that waits, and that a list has shown. */
  readonly id: string;
}

async function rigWithTrigger(): Promise<RigWithDisk> {
  const journal = failingJournal();
  const rig = await loggedInRig({
    overrides: { openDatabase: journal.openDatabase },
  });
  const reply = await placeTrigger(rig, STOP, 'stop');
  expect(reply.status, reply.text).toBe(201);
  await rig.time.advance(5_000);
  const { id } = reply.body.data;
  return { rig, id, disk: journal.disk, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe.each([true, false])(
  'a deletion of a trigger that has not left yet (disk full: %s)',
  (isFull) => {
    it('keeps it from leaving', async () => {
      let connectingMs = 0;
      const journal = failingJournal();
      await using rig = await loggedInRig({
        connectingMs: () => connectingMs,
        overrides: { openDatabase: journal.openDatabase },
      });
      await rig.time.advance(5_000);
      connectingMs = 4_000;
      const placed = placeTrigger(rig, STOP, 'stop');
      await rig.time.advance(1_000);
      const [listed] = (await rig.call({ method: 'GET', path: '/api/v1/triggers' })).body.data;
      expect(listed.status).toBe('sending');
      if (isFull) journal.disk().fail();
      const deleted = await deleteTrigger(rig, listed.id);
      expect([deleted.status, deleted.body.meta.onDisk ?? true]).toEqual([202, !isFull]);
      journal.disk().heal();
      await placed;
      connectingMs = 0;
      await rig.time.advance(20_000);
      expect([sentTriggers(rig, 'POST'), rowsAtBroker(rig)]).toEqual([[], []]);
      expect(await triggerOf(rig, listed.id)).toMatchObject({
        status: 'not_sent',
        reason: 'it was deleted before it was sent',
      });
      // Nothing is left to be deleted, so that the deletion is done.
      const again = await deleteTrigger(rig, listed.id);
      expect([again.status, again.body.data.status]).toEqual([200, 'not_sent']);
    });
  },
);

const deletions = (rig: Rig) => sentTriggers(rig, 'DELETE');

describe('a deletion of a trigger on a disk that takes nothing', () => {
  it('goes out, says that it is not on disk, and is written once the disk has space', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    const reply = await deleteTrigger(rig, id);
    expect([reply.status, reply.body.meta.onDisk]).toEqual([202, false]);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
    disk().heal();
    await rig.time.advance(5_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
    const again = await deleteTrigger(rig, id);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(deletions(rig)).toHaveLength(1);
  });

  it.each([
    ['whose answer is lost', 'reset_before'],
    ['that is acknowledged and not carried out', 'lying_2xx_before'],
  ] as const)('%s is sent again while the disk is full', async (_which, kind) => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    spoilTriggers(rig, kind, 'DELETE');
    const reply = await deleteTrigger(rig, id);
    expect([reply.status, reply.body.meta.onDisk]).toEqual([202, false]);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'active' }]);
    await rig.time.advance(10_000);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
    expect(deletions(rig)).toHaveLength(2);
    disk().heal();
    await rig.time.advance(10_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
    expect(deletions(rig)).toHaveLength(2);
  });

  it('whose answer is lost is not sent again where a list shows that it has worked', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    spoilTriggers(rig, 'reset_after', 'DELETE');
    expect((await deleteTrigger(rig, id)).status).toBe(202);
    await rig.time.advance(120_000);
    expect(deletions(rig)).toHaveLength(1);
  });

  it('is sent once, however often it is asked for while its answer is open', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    spoilReading(rig, 'error_before', '/gtt/triggers');
    spoilTriggers(rig, 'reset_before', 'DELETE');
    for (const key of ['one', 'two', 'three']) {
      expect((await deleteTrigger(rig, id, key)).status).toBe(202);
    }
    expect(deletions(rig)).toHaveLength(1);
  });

  it('goes on from the journal once the disk has space, also over a crash', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    const reading = spoilReading(rig, 'error_before', '/gtt/triggers');
    spoilTriggers(rig, 'reset_before', 'DELETE');
    await deleteTrigger(rig, id);
    disk().heal();
    await rig.time.advance(2_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'waiting', deleteWanted: true });
    await rig.crash();
    rig.sandbox.faults.remove(reading);
    await rig.time.advance(20_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
  });

  it('of one whose outcome is open is kept, and goes out once that is known', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk } = both;
    const legs = [{ ...LEG, triggerPrice: 1_400, price: 1_399 }];
    spoilTriggers(rig, 'reset_after', 'POST');
    const lost = await placeTrigger(rig, { ...STOP, legs }, 'lost');
    expect(lost.body.data.status).toBe('uncertain');
    disk().fail();
    const { id } = lost.body.data;
    const reply = await deleteTrigger(rig, id);
    expect([reply.status, reply.body.meta.onDisk]).toEqual([202, false]);
    expect(deletions(rig)).toHaveLength(0);
    disk().heal();
    await rig.time.advance(20_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
    expect(deletions(rig)).toHaveLength(1);
  });

  it('that the broker refuses the second time is told to a person', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    spoilTriggers(rig, 'reset_before', 'DELETE');
    await deleteTrigger(rig, id);
    refuseDeletion(rig);
    await rig.time.advance(10_000);
    disk().heal();
    await rig.time.advance(5_000);
    expect(deletions(rig)).toHaveLength(2);
    expect(await alertsOf(rig)).toContainEqual(
      expect.stringContaining('sent again while the disk'),
    );
    expect((await deleteTrigger(rig, id, 'other')).status).toBe(200);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
  });

  it('that finds no connection when it is sent again goes on', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    spoilTriggers(rig, 'reset_before', 'DELETE');
    await deleteTrigger(rig, id);
    spoilTriggers(rig, 'refuse', 'DELETE', { times: 2 });
    await rig.time.advance(60_000);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
    disk().heal();
    await rig.time.advance(10_000);
    expect((await deleteTrigger(rig, id)).status).toBe(200);
  });

  it('that finds no connection at all has not left, and its key is free', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    spoilTriggers(rig, 'refuse', 'DELETE');
    const first = await deleteTrigger(rig, id);
    expect([first.status, first.body.code]).toEqual([503, 'order_not_sent']);
    await rig.time.advance(60_000);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'active' }]);
    disk().heal();
    await rig.time.advance(2_000);
    expect((await deleteTrigger(rig, id)).status).toBe(200);
  });

  it('by a person in the app is not taken for a refusal', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    spoilTriggers(rig, 'reset_before', 'DELETE');
    await deleteTrigger(rig, id);
    const [row] = rowsAtBroker(rig);
    elsewhere(rig.sandbox, 'DELETE', `/gtt/triggers/${row?.id ?? 0}`);
    await rig.time.advance(30_000);
    expect(deletions(rig)).toHaveLength(1);
    disk().heal();
    await rig.time.advance(10_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
  });
});

describe('triggers on a full disk', () => {
  it('are deleted where the disk is nearly full: the space that is kept is for that', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().leave('reserve');
    const reply = await deleteTrigger(rig, id);
    expect([reply.status, reply.body.data.status]).toEqual([200, 'ended']);
    expect(reply.body.meta.onDisk).toBeUndefined();
  });

  it('are not changed where the disk takes nothing', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk, id } = both;
    disk().fail();
    const reply = await changeTrigger(rig, id, { legs: [{ triggerPrice: 1_440 }] }, 'lower');
    expect([reply.status, reply.body.code]).toEqual([503, 'journal_unavailable']);
    expect(sentTriggers(rig, 'PUT')).toHaveLength(0);
  });

  it('are changed where it is nearly full, if nothing becomes larger by that', async () => {
    await using both = await rigWithTrigger();
    const { rig, disk } = both;
    const legs = [{ ...LEG, side: 'BUY', price: 1_451 }];
    const { id } = (await placeTrigger(rig, { ...STOP, legs }, 'buy')).body.data;
    disk().leave('reserve');
    const smaller = await changeTrigger(rig, id, { legs: [{ quantity: 9 }] }, 'smaller');
    expect(smaller.status).toBe(200);
    const larger = await changeTrigger(rig, id, { legs: [{ quantity: 11 }] }, 'larger');
    expect([larger.status, larger.body.code]).toEqual([503, 'disk_full']);
  });
});
