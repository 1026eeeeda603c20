import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { refuseAfter } from './refuse-after.ts';
import { rigWithDisk } from './rig-with-disk.ts';
import { cancel, orderOf, place, placings, RESTING } from './walk.ts';

const cancels = (rig: Rig) => rig.sent.filter(({ method }) => method === 'DELETE');

const spoil = (rig: Rig, kind: FaultKind) =>
  rig.sandbox.faults.add({ ...{ broker: 'kite', kind, times: 1 }, match: { method: 'DELETE' } });

describe('a cancel on a disk that takes nothing', () => {
  it('goes out, and says that it is not on disk', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(5_000);
    disk().fail();
    const reply = await cancel(rig, id);
    expect([reply.status, reply.body.meta.onDisk]).toEqual([202, false]);
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCEL PENDING');
    disk().heal();
    await rig.time.advance(5_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('says so for each of many', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(5_000);
    disk().fail();
    const cancelAll = () => rig.post('/api/v1/orders/cancel-all', {});
    const unwritten = await cancelAll();
    expect(unwritten.body.data).toMatchObject([{ id, onDisk: false }]);
    disk().heal();
    await rig.time.advance(5_000);
    const second = (await place(rig, { ...RESTING, quantity: 3 }, 'second')).body.data;
    await rig.time.advance(5_000);
    const [written] = (await cancelAll()).body.data;
    expect([written.id, written.onDisk]).toEqual([second.id, undefined]);
  });

  it('names what rests in the broker’s own app, also where the request could still be written', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    // The book is read while an order of the gateway is open.
    await place(rig, RESTING, 'resting');
    const { order_id: external } = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '7' },
      ...{ product: 'CNC', order_type: 'LIMIT', price: '1465', validity: 'DAY' },
    });
    await rig.time.advance(5_000);
    disk().failAfterNext();
    const { body } = await rig.post('/api/v1/orders/cancel-all', { scope: 'account' });
    const ids = body.data.map(({ id }: { readonly id: string }) => id);
    expect(ids).toContain(`alt:${String(external)}`);
  });

  it('finds what was placed elsewhere, where the disk takes nothing of the book', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    await rig.time.advance(5_000);
    const { order_id: external } = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '7' },
      ...{ product: 'CNC', order_type: 'LIMIT', price: '1465', validity: 'DAY' },
    });
    await rig.time.advance(5_000);
    disk().fail();
    const { status, body } = await rig.post('/api/v1/orders/cancel-all', { scope: 'account' });
    expect([status, body.code]).toEqual([202, undefined]);
    expect(body.data.map(({ id }: { readonly id: string }) => id)).toEqual([
      `alt:${String(external)}`,
    ]);
    // What else rests there is not known.
    expect(body.meta.errors).toMatchObject([
      { broker: 'alt', reason: expect.stringMatching('disk') },
    ]);
    expect(cancels(rig)).toHaveLength(1);
  });

  it('finds a single order of elsewhere, also where no book was taken in before', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { order_id: external } = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '7' },
      ...{ product: 'CNC', order_type: 'LIMIT', price: '1465', validity: 'DAY' },
    });
    disk().fail();
    await rig.time.advance(5_000);
    const reply = await cancel(rig, `alt:${String(external)}`);
    expect([reply.status, reply.body.code]).toEqual([202, undefined]);
    expect(cancels(rig)).toHaveLength(1);
  });

  it('goes out once, however often it is asked for within three seconds', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(5_000);
    disk().fail();
    for (let count = 0; count < 3; count += 1) expect((await cancel(rig, id)).status).toBe(202);
    expect(cancels(rig)).toHaveLength(1);
  });

  it('is done although the broker calls it refused, where the row shows it', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(20_000);
    refuseAfter(rig, 'alt', 'RMS:Margin Exceeds');
    disk().fail();
    const reply = await cancel(rig, id);
    expect([reply.status, reply.body.code]).toEqual([202, undefined]);
    disk().heal();
    await rig.time.advance(5_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
    expect(cancels(rig)).toHaveLength(1);
  });

  it('that the broker cannot take yet is sent again, although nothing of it is on disk', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    disk().fail();
    // The broker answers that the order is still being processed.
    const reply = await cancel(rig, id);
    expect([reply.status, reply.body.meta.onDisk]).toEqual([202, false]);
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('PUT ORDER REQ RECEIVED');
    await rig.time.advance(5_000);
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCELLED');
    expect(cancels(rig)).toHaveLength(2);
  });

  it.each([
    ['whose answer is lost', 'error_before', 4_000],
    ['that is acknowledged and not carried out', 'lying_2xx_before', 12_000],
  ] as const)('%s is sent again', async (_which, kind, laterMs) => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(5_000);
    disk().fail();
    rig.sandbox.faults.add({ broker: 'kite', kind, match: { method: 'DELETE' }, times: 1 });
    const reply = await cancel(rig, id);
    expect([reply.status, reply.body.meta.onDisk]).toEqual([202, false]);
    await rig.time.advance(laterMs);
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCELLED');
    expect(cancels(rig)).toHaveLength(2);
    disk().heal();
    await rig.time.advance(20_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('of an order whose outcome is open is kept, and goes out once it is found', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    rig.sandbox.faults.add({
      broker: 'kite',
      kind: 'reset_after',
      match: { method: 'POST', path: '/orders' },
      times: 1,
    });
    rig.sandbox.kite.onOrder(() => disk().fail());
    const placed = await place(rig, RESTING, 'lost');
    const { id } = placed.body.data;
    expect((await cancel(rig, id)).status).toBe(202);
    disk().heal();
    await rig.time.advance(20_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
    expect(placings(rig)).toHaveLength(1);
  });

  it.each([
    ['refused for a moment twice', ['rate_limited', 'rate_limited']],
    ['refused for a moment, and does not leave the next time', ['rate_limited', 'refuse']],
  ] as const)('that is %s is kept once the disk takes it', async (_which, kinds) => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(5_000);
    disk().fail();
    spoil(rig, kinds[0]);
    const reply = await cancel(rig, id);
    expect([reply.status, reply.body.meta.onDisk]).toEqual([202, false]);
    spoil(rig, kinds[1]);
    disk().heal();
    await rig.time.advance(2_000);
    await rig.logIn();
    await rig.time.advance(20_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('is sent less often the longer the disk takes nothing', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(5_000);
    disk().fail();
    const match = { method: 'DELETE' };
    rig.sandbox.faults.add({ broker: 'kite', kind: 'rate_limited', match });
    expect((await cancel(rig, id)).status).toBe(202);
    await rig.time.advance(60_000);
    expect(cancels(rig)).toHaveLength(5);
    rig.sandbox.faults.clear();
    disk().heal();
    await rig.time.advance(20_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('that did not leave is sent at once where it is asked for again', async () => {
    await using both = await rigWithDisk();
    const { rig, disk } = both;
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(5_000);
    disk().fail();
    spoil(rig, 'refuse');
    const failed = await cancel(rig, id);
    expect([failed.status, failed.body.code]).toEqual([503, 'order_not_sent']);
    expect((await cancel(rig, id)).status).toBe(202);
    expect(rig.sandbox.kite.orders()[0]?.status).toBe('CANCEL PENDING');
  });
});
