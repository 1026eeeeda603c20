import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import { openDatabase } from '../../src/platform/database.ts';
import type { Rig } from '../support/rig.ts';
import { loggedInRig, orderOf, place, RESTING, spoilReading } from './walk.ts';

const spoilCancel = (rig: Rig, kind: FaultKind, more: Partial<FaultRule> = {}): string =>
  rig.sandbox.faults.add({
    broker: 'kite',
    kind,
    match: { method: 'DELETE', path: '/orders' },
    times: 1,
    ...more,
  });

const cancels = (rig: Rig) => rig.sent.filter(({ method }) => method === 'DELETE');
const cancelUnder = (rig: Rig, id: string, key: string) =>
  rig.call({
    method: 'DELETE',
    path: `/api/v1/orders/${id}`,
    headers: { 'idempotency-key': key },
  });

function alerts(rig: Rig): readonly string[] {
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  const rows = database.prepare("SELECT record FROM events WHERE type = 'alert'").all();
  database.close();
  return rows.map(({ record }) => JSON.parse(String(record)).data.message);
}

async function resting(rig: Rig): Promise<string> {
  const { id } = (await place(rig, RESTING, 'resting')).body.data;
  await rig.time.advance(5_000);
  return id;
}

describe('a cancel whose answer is lost', () => {
  it('goes out again while the order works, and its key sends no other', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilCancel(rig, 'error_before');
    expect((await cancelUnder(rig, id, 'c')).status).toBe(202);
    await rig.time.advance(10_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
    expect(cancels(rig)).toHaveLength(2);
    const again = await cancelUnder(rig, id, 'c');
    expect([again.status, again.body.data.status]).toEqual([200, 'cancelled']);
    expect(cancels(rig)).toHaveLength(2);
  });

  it('goes out again after a crash in the middle of it', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilCancel(rig, 'hang_before');
    void rig.begin({ method: 'DELETE', path: `/api/v1/orders/${id}` });
    await rig.time.advance(1_000);
    expect(cancels(rig)).toHaveLength(1);
    await rig.crash();
    await rig.time.advance(15_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('does not go out again once the order has filled', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilCancel(rig, 'error_before');
    rig.sandbox.exchange.setPrice('NSE:INFY', 146_000);
    await cancelUnder(rig, id, 'c');
    await rig.time.advance(30_000);
    expect((await orderOf(rig, id)).status).toBe('filled');
    expect(cancels(rig).length).toBeLessThanOrEqual(1);
  });
});

describe('a cancel that the broker acknowledges and does not carry out', () => {
  it('goes out again, and is told after the third', async () => {
    await using rig = await loggedInRig();
    const id = await resting(rig);
    spoilCancel(rig, 'lying_2xx_before', { times: 3 });
    expect((await cancelUnder(rig, id, 'c')).status).toBe(202);
    await rig.time.advance(30_000);
    expect(alerts(rig)).toContainEqual(expect.stringContaining('was cancelled 3 times'));
    await rig.time.advance(60_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });
});

describe('a cancel of an after-market order', () => {
  it('waits a second at most for the book after a restart', async () => {
    await using rig = await loggedInRig({ start: '2026-11-05T20:00:00+05:30' });
    const { id } = (await place(rig, { ...RESTING, amo: true }, 'amo')).body.data;
    await rig.time.advance(5_000);
    spoilReading(rig, 'hang_before', '/orders');
    await rig.restart();
    void rig.begin({ method: 'DELETE', path: `/api/v1/orders/${id}` });
    await rig.time.advance(1_500);
    expect(cancels(rig)).toHaveLength(1);
  });
});
