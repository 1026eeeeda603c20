import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import { journalEvents, journalPostbacks } from '../support/journal-events.ts';
import type { Rig } from '../support/rig.ts';
import { rigWithDisk } from './rig-with-disk.ts';
import { bookReads, BUY, cancel, modify, orderOf, place, placings, RESTING } from './walk.ts';

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

describe('a sync that fails', () => {
  it('before the request leaves is 503, and the order that a crash left on disk is never sent', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    disk().failNextSync();
    const reply = await place(rig, BUY, 'sync');
    expect([reply.status, reply.body.code]).toEqual([503, 'journal_unavailable']);
    await rig.crash();
    await rig.time.advance(5_000);
    const again = await place(rig, BUY, 'sync');
    expect([again.status, again.body.data.status]).toEqual([202, 'uncertain']);
    expect(placings(rig)).toEqual([]);
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

  it('that is engaged in memory alone is not released where the release cannot be written', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    await engage(rig, true);
    await engage(rig, false);
    disk().fail();
    await engage(rig, true);
    expect((await engage(rig, false)).status).toBe(503);
    expect(await read(rig)).toMatchObject({ engaged: true, onDisk: false });
    disk().heal();
    expect((await place(rig, BUY, 'held')).body.code).toBe('kill_switch');
    await rig.time.advance(5_000);
    expect(await read(rig)).toMatchObject({ engaged: true, onDisk: true });
  });

  it('and is released before it was written: both are recorded, with who did it', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { key, caller } = rig.composed.callers.add({ name: 'a program', scope: 'trade' });
    await engage(rig, true);
    await engage(rig, false);
    disk().fail();
    const headers = { authorization: `Bearer ${key.reveal()}` };
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a trader' }, headers);
    // Who engages it again has not engaged it.
    await engage(rig, true);
    disk().heal();
    expect((await engage(rig, false)).body.data).toMatchObject({ engaged: false, onDisk: true });
    await rig.time.advance(10_000);
    const told = journalEvents(rig.dataDirectory, 'kill_switch.changed').slice(2);
    expect(told).toMatchObject([
      { data: { engaged: true, reason: 'a trader', changedBy: caller.id } },
      { data: { engaged: false, reason: 'stop' } },
    ]);
    await rig.restart();
    expect(await read(rig)).toMatchObject({ engaged: false, onDisk: true });
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

const SELL = { ...BUY, side: 'SELL' } as const;
function alerts(rig: Rig): readonly string[] {
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  const rows = database.prepare("SELECT record FROM events WHERE type = 'alert'").all();
  database.close();
  return rows.map(({ record }) => JSON.parse(String(record)).data.message);
}

describe('a disk that is nearly full', () => {
  it('takes no order that opens a position, and says what to do', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    disk().leave('reserve');
    const reply = await place(rig, BUY, 'opens');
    expect([reply.status, reply.body.code]).toEqual([503, 'disk_full']);
    expect(reply.body).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    expect(reply.body.detail).toContain('Free some disk space');
    expect(placings(rig)).toEqual([]);
  });

  it('takes exits, cancels, and changes that only lower a quantity', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    await place(rig, BUY, 'held');
    const resting = await place(rig, RESTING, 'resting');
    const { id } = resting.body.data;
    await rig.time.advance(10_000);
    disk().leave('reserve');
    expect((await place(rig, SELL, 'exit')).status).toBe(201);
    expect((await modify(rig, id, { quantity: 4 })).status).toBe(200);
    const raised = await modify(rig, id, { price: 1_480 });
    expect([raised.status, raised.body.detail]).toEqual([
      503,
      expect.stringContaining('the disk of the data directory is nearly full'),
    ]);
    expect((await cancel(rig, id)).status).toBe(202);
    await rig.time.advance(5_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('sends no further slices of an order that opens a position', async () => {
    await using both = await rigWithDisk({ APP_FREEZE_QUANTITIES: 'NSE:INFY=5' });
    const { rig, disk } = both;
    rig.sandbox.kite.onOrder(() => disk().leave('reserve'));
    const reply = await place(rig, BUY, 'slices');
    expect(rig.sandbox.kite.orders()).toHaveLength(1);
    await rig.time.advance(5_000);
    const order = await orderOf(rig, reply.body.data.id);
    expect([order.status, order.filledQuantity]).toEqual(['partial', 5]);
  });

  it('is told by an alert without anybody asking, and so is its end; then all orders are taken', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    disk().leave('reserve');
    await rig.time.advance(15_000);
    expect(alerts(rig)).toContainEqual(expect.stringContaining('nearly full'));
    disk().leave('ample');
    await rig.time.advance(15_000);
    expect(alerts(rig)).toContainEqual(expect.stringContaining('has space again'));
    expect((await place(rig, BUY, 'after')).status).toBe(201);
  });

  it('keeps no postback, asks for it again, and reads the book of it all the same', async () => {
    // Polls so seldom that only a postback leads to a read.
    await using both = await rigWithDisk({ APP_ORDER_POLL_SECONDS: '60' });
    const { rig, disk } = both;
    await place(rig, BUY, 'told of');
    await rig.time.advance(3_000);
    const sent = rig.sandbox.kite.postbacks()[0];
    // Another message of the same order: the checksum does not cover this part.
    const body = JSON.stringify({ ...JSON.parse(sent?.body ?? '{}'), status_message: 'again' });
    const before = journalPostbacks(rig.dataDirectory).length;
    disk().leave('reserve');
    await rig.time.advance(15_000);
    const reads = bookReads(rig);
    const refused = await rig.postback(body);
    expect([refused.status, refused.body.code]).toEqual([503, 'disk_full']);
    await rig.time.advance(2_000);
    expect(bookReads(rig)).toBeGreaterThan(reads);
    expect(journalPostbacks(rig.dataDirectory)).toHaveLength(before);
    // The broker sends it again, once there is space.
    disk().leave('ample');
    await rig.time.advance(15_000);
    expect((await rig.postback(body)).status).toBe(200);
    expect(journalPostbacks(rig.dataDirectory)).toHaveLength(before + 1);
  });
});
