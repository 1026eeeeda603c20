import { describe, expect, it } from 'vitest';
import { type FailingDatabase, failingJournal } from '../support/failing-database.ts';
import type { Rig } from '../support/rig.ts';
import { deleteTrigger, placeTrigger, rowsAtBroker, STOP } from './trigger-walk.ts';
import { loggedInRig, modify, place, RESTING } from './walk.ts';

interface RigWithDisk extends AsyncDisposable {
  readonly rig: Rig;
  readonly disk: () => FailingDatabase;
  /** An order of ours that rests. */
  readonly id: string;
}

async function rigWithOrder(): Promise<RigWithDisk> {
  const journal = failingJournal();
  const rig = await loggedInRig({ overrides: { openDatabase: journal.openDatabase } });
  const { id } = (await place(rig, RESTING, 'resting')).body.data;
  await rig.time.advance(5_000);
  return { rig, id, disk: journal.disk, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

const cancels = (rig: Rig): number => rig.sent.filter(({ method }) => method === 'DELETE').length;

describe('on a disk that can be neither written nor read', () => {
  it.each([
    ['without a key', {}],
    ['under a new key', { 'idempotency-key': 'cancel-1' }],
  ])('a cancel goes out %s', async (_how, headers) => {
    await using both = await rigWithOrder();
    const { rig, disk, id } = both;
    disk().vanish();
    const reply = await rig.call({ method: 'DELETE', path: `/api/v1/orders/${id}`, headers });
    disk().heal();
    expect([reply.status, reply.body.meta.onDisk, cancels(rig)]).toEqual([202, false, 1]);
  });

  it('a cancel of all goes out under a key', async () => {
    await using both = await rigWithOrder();
    const { rig, disk } = both;
    disk().vanish();
    await rig.post('/api/v1/orders/cancel-all', {}, { 'idempotency-key': 'all-1' });
    disk().heal();
    expect(cancels(rig)).toBe(1);
  });

  it('the deletion of a trigger goes out', async () => {
    await using both = await rigWithOrder();
    const { rig, disk } = both;
    const { id } = (await placeTrigger(rig, STOP, 'stop')).body.data;
    await rig.time.advance(5_000);
    disk().vanish();
    const reply = await deleteTrigger(rig, id, 'deletion-1');
    disk().heal();
    expect([reply.status, reply.body.meta.onDisk]).toEqual([202, false]);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
  });

  it('a change does not, since its key may have been used', async () => {
    await using both = await rigWithOrder();
    const { rig, disk, id } = both;
    disk().vanish();
    const reply = await rig.call({
      ...{ method: 'PATCH', path: `/api/v1/orders/${id}`, json: { price: 1_471 } },
      headers: { 'idempotency-key': 'change-1' },
    });
    disk().heal();
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(rig.sent.filter(({ method }) => method === 'PUT')).toEqual([]);
    expect((await modify(rig, id, { price: 1_471 })).status).toBe(200);
  });
});
