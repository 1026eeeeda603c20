import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { failingDatabase, type FailingDatabase } from '../support/failing-database.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, orderOf, place, placings } from './walk.ts';

interface RigWithDisk extends AsyncDisposable {
  readonly rig: Rig;
  /** The journal's, as the present life has it. */
  readonly disk: () => FailingDatabase;
}

async function rigWithDisk(): Promise<RigWithDisk> {
  let disk: FailingDatabase | null = null;
  const rig = await loggedInRig({
    overrides: {
      openDatabase(path) {
        const database = openDatabase(path);
        if (!path.endsWith('journal.db')) return database;
        disk = failingDatabase(database);
        return disk.database;
      },
    },
  });
  return { rig, disk: () => disk!, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe('a full disk', () => {
  it('before the request leaves is 503, with nothing sent', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    disk().fail();
    const reply = await place(rig, BUY, 'full');
    expect([reply.status, reply.body.code]).toEqual([503, 'journal_unavailable']);
    expect(reply.body).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    expect(placings(rig)).toEqual([]);
  });

  it('leaves the key free: the same request goes out once the disk has space', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    disk().fail();
    await place(rig, BUY, 'full');
    disk().heal();
    expect((await place(rig, BUY, 'full')).status).toBe(201);
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
  });

  it('after the request has left is 202, and the outcome is written when the disk has space', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    rig.sandbox.kite.onOrder(() => disk().fail());
    const reply = await place(rig, BUY, 'left');
    expect(reply.status).toBe(202);
    await rig.time.advance(5_000);
    disk().heal();
    await rig.time.advance(5_000);
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      status: 'filled',
      brokerOrderId: rig.sandbox.kite.orders()[0]?.orderId,
    });
    expect(placings(rig)).toHaveLength(1);
  });

  it('after the request has left, and a crash on top of it, loses nothing', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    rig.sandbox.kite.onOrder(() => disk().fail());
    const reply = await place(rig, BUY, 'left');
    await rig.crash();
    await rig.time.advance(5_000);
    expect(await orderOf(rig, reply.body.data.id)).toMatchObject({
      status: 'filled',
      boundBy: 'tag',
    });
  });
});

describe('the kill switch on a full disk', () => {
  const engage = (rig: Rig, engaged: boolean) =>
    rig.post('/api/v1/kill-switch', { engaged, reason: 'stop' });
  const read = async (rig: Rig) => (await rig.get('/api/v1/kill-switch')).body.data;

  it('holds at once, says that it is not on disk, and is written when the disk has space', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    disk().fail();
    const reply = await engage(rig, true);
    expect([reply.status, reply.body.data]).toMatchObject([200, { engaged: true, onDisk: false }]);
    disk().heal();
    expect((await place(rig, BUY, 'held')).body.code).toBe('kill_switch');
    expect(placings(rig)).toEqual([]);
    await rig.time.advance(5_000);
    expect(await read(rig)).toMatchObject({ engaged: true, onDisk: true });
    await rig.restart();
    expect(await read(rig)).toMatchObject({ engaged: true, onDisk: true });
  });

  it('is not released where the release cannot be written', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    await engage(rig, true);
    disk().fail();
    expect((await engage(rig, false)).status).toBe(503);
    expect(await read(rig)).toMatchObject({ engaged: true, onDisk: true });
  });

  it('that was released before it could be written stays released', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    disk().fail();
    await engage(rig, true);
    disk().heal();
    expect((await engage(rig, false)).body.data).toMatchObject({ engaged: false, onDisk: true });
    await rig.time.advance(10_000);
    expect(await read(rig)).toMatchObject({ engaged: false, onDisk: true });
  });
});
