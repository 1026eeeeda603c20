import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { beginPlacing, loggedInRig, orderOf, place, RESTING, spoilPlacing } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const HELD = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };
const STOP = { ...RESTING, side: 'SELL', quantity: 200, price: 1_600, broker: 'alt' };

describe('POST /api/v1/exits', () => {
  it('answers at once, and ends flat once the book and the positions say so', async () => {
    await using rig = await loggedInRig();
    const { status, body, headers } = await rig.post('/api/v1/exits', HELD);
    expect([status, body.data.status, body.data.side]).toEqual([202, 'running', 'SELL']);
    await rig.time.advance(10_000);
    const exit = await rig.get(String(headers['location']));
    expect(exit.body.data).toMatchObject({ status: 'flat', held: 0, why: null });
    expect(exit.body.data.orders).toMatchObject([{ status: 'filled', quantity: 200 }]);
    const list = await rig.get('/api/v1/exits');
    expect(list.body.data).toMatchObject([{ id: body.data.id, status: 'flat' }]);
  });

  it('passes the kill switch, and what rests for the position is cancelled first', async () => {
    await using rig = await loggedInRig();
    const resting = await place(rig, STOP, 'stop');
    await rig.time.advance(2_000);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a test' });
    const { body } = await rig.post('/api/v1/exits', { ...HELD, quantity: 50 });
    await rig.time.advance(15_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data).toMatchObject({ status: 'partly_flat', why: 'as_asked', held: 150 });
    expect((await orderOf(rig, resting.body.data.id)).status).toBe('cancelled');
  });

  it('of an order cancels it, and sends what is left of it at the market', async () => {
    await using rig = await loggedInRig();
    const resting = await place(rig, { ...STOP, quantity: 80 }, 'stop');
    await rig.time.advance(2_000);
    const { body } = await rig.post('/api/v1/exits', { orderId: resting.body.data.id });
    await rig.time.advance(10_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data.orders).toMatchObject([{ status: 'filled', quantity: 80 }]);
    expect(exit.body.data).toMatchObject({ status: 'partly_flat', held: 120 });
  });

  it('cancels what rests elsewhere for the position only where it is asked to', async () => {
    await using rig = await loggedInRig();
    elsewhere(rig.sandbox, 'POST', '/orders/regular', {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'SELL', quantity: '50' },
      ...{ product: 'CNC', order_type: 'LIMIT', price: '1600', validity: 'DAY' },
    });
    await rig.time.advance(2_000);
    const left = await rig.post('/api/v1/exits', HELD);
    await rig.time.advance(30_000);
    const first = await rig.get(`/api/v1/exits/${left.body.data.id}`);
    expect(first.body.data).toMatchObject({ status: 'partly_flat', why: 'reserved_elsewhere' });
    const { body } = await rig.post('/api/v1/exits', { ...HELD, cancelExternal: true });
    await rig.time.advance(30_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data).toMatchObject({ status: 'flat', held: 0 });
    expect(exit.body.data.orders).toMatchObject([{ status: 'filled', quantity: 50 }]);
  });

  it('leaves what all legs of an iceberg placed elsewhere would sell, and not only the one that shows', async () => {
    await using rig = await loggedInRig();
    elsewhere(rig.sandbox, 'POST', '/orders/iceberg', {
      ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'SELL', quantity: '150' },
      ...{ product: 'CNC', order_type: 'LIMIT', price: '1600', validity: 'DAY' },
      ...{ iceberg_legs: '5', iceberg_quantity: '30' },
    });
    await rig.time.advance(2_000);
    const { body } = await rig.post('/api/v1/exits', HELD);
    await rig.time.advance(30_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data).toMatchObject({ why: 'reserved_elsewhere', held: 150 });
    expect(exit.body.data.orders).toMatchObject([{ status: 'filled', quantity: 50 }]);
  });

  it('is not flat while shares are held under MTF, or are pledged', async () => {
    const unsellable = { 'NSE:INFY': { mtf: 40, collateral: 5 } };
    await using rig = await loggedInRig({ kite: { unsellable } });
    const { body } = await rig.post('/api/v1/exits', HELD);
    await rig.time.advance(10_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data.orders).toMatchObject([{ status: 'filled', quantity: 200 }]);
    expect(exit.body.data).toMatchObject({ status: 'partly_flat', why: 'not_covered' });
    expect(exit.body.data.detail).toContain('40 under MTF among the holdings, 5 pledged');
  });

  it('never sends a leg a second time whose answer was lost', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_after');
    const { body } = await rig.post('/api/v1/exits', HELD);
    await rig.time.advance(60_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data).toMatchObject({ status: 'stopped', why: 'leg_uncertain' });
    const sells = rig.sandbox.kite.orders().filter(({ side }) => side === 'SELL');
    expect(sells.map(({ quantity }) => quantity)).toEqual([200]);
  });

  it('is not delayed by orders that wait', async () => {
    await using rig = await loggedInRig();
    const entries = Array.from({ length: 100 }, (_, index) =>
      beginPlacing(rig, { ...RESTING, price: 1_000 + index }, `entry-${index}`),
    );
    const begun = rig.time.elapsed();
    const { body } = await rig.post('/api/v1/exits', HELD);
    await rig.time.advance(5_000 - (rig.time.elapsed() - begun));
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data).toMatchObject({ status: 'flat' });
    await rig.time.advance(20_000);
    await Promise.all(entries);
  });

  it('is carried on by the next process, and sells once', async () => {
    await using rig = await loggedInRig();
    const { body } = await rig.post('/api/v1/exits', HELD);
    await rig.crash();
    await rig.time.advance(30_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data.status).toMatch(/flat|stopped/);
    const sold = rig.sandbox.kite.orders().filter(({ side }) => side === 'SELL');
    expect(sold.reduce((sum, { filledQuantity }) => sum + filledQuantity, 0)).toBeLessThan(201);
  });
});

describe('a request for an exit', () => {
  it.each([
    [{ instrument: 'NSE:INFY' }, 'body'],
    [{ instrument: 'NSE:INFY', product: 'CNC', orderId: 'ord_1' }, 'body'],
    [{ orderId: 'ord_1', cancelExternal: true }, 'body'],
    [{ ...HELD, quantity: 0 }, 'body.quantity'],
    [{ ...HELD, price: 1 }, 'body'],
  ])('%j is refused, and nothing is begun', async (json, path) => {
    await using rig = await loggedInRig();
    const { status, body } = await rig.post('/api/v1/exits', json);
    expect([status, body.code, body.errors[0].path]).toEqual([400, 'invalid_request', path]);
    expect((await rig.get('/api/v1/exits')).body.data).toEqual([]);
  });

  it('under the same key answers the same exit', async () => {
    await using rig = await loggedInRig();
    const key = { 'idempotency-key': 'one exit' };
    const first = await rig.post('/api/v1/exits', HELD, key);
    const again = await rig.post('/api/v1/exits', HELD, key);
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true']);
    expect(again.body.data.id).toBe(first.body.data.id);
    const anywhere = { instrument: HELD.instrument, product: HELD.product };
    for (const other of [{ ...HELD, quantity: 1 }, { ...HELD, broker: 'paper' }, anywhere]) {
      const { status, body } = await rig.post('/api/v1/exits', other, key);
      expect([status, body.code]).toEqual([422, 'idempotency_conflict']);
    }
  });

  it('of an unknown id is answered 404', async () => {
    await using rig = await loggedInRig();
    const { status, body } = await rig.get(
      '/api/v1/exits/exit_01a1af55-db90-7a4b-ba81-f16a5cd8f0b3',
    );
    expect([status, body.code]).toEqual([404, 'unknown_exit']);
  });
});
