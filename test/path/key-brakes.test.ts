import { describe, expect, it } from 'vitest';
import type { InProcessReply } from '../support/in-process-http.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, cancel, loggedInRig, modify, orderOf, place, placings, RESTING } from './walk.ts';

const codeOf = ({ status, body }: InProcessReply): unknown[] => [status, body.code ?? null];
/** The account opens with 200. */
const SELL = { ...BUY, side: 'SELL' } as const;

/** A key of scope trade, and calls with it. */
async function keyIn(rig: Rig, limits: object = {}) {
  const request = { name: 'momentum', scope: 'trade', limits };
  const made = await rig.post('/api/v1/keys', request);
  expect(made.status, made.text).toBe(201);
  const { id, key } = made.body.data;
  const headers = { authorization: `Bearer ${key}` };
  return {
    id,
    place: (order: object, as: string) =>
      rig.post('/api/v1/orders', order, { ...headers, 'idempotency-key': as }),
    post: (path: string, json: object) => rig.post(path, json, headers),
  };
}

describe('the limits of a key', () => {
  it('stop its orders, not those of others, and no way out', async () => {
    await using rig = await loggedInRig();
    const key = await keyIn(rig, { maxOrderQuantity: 5, maxOrderValue: 20_000 });
    const refused = await key.place(RESTING, 'ten');
    expect(codeOf(refused)).toEqual([409, 'limit_reached']);
    expect(refused.body.detail).toMatch(/maxOrderQuantity of the key momentum/);
    expect(placings(rig)).toEqual([]);
    expect((await place(rig, RESTING, 'of the admin')).status).toBe(201);
    expect((await key.place(SELL, 'a way out')).status).toBe(201);
    expect((await key.place({ ...RESTING, quantity: 5 }, 'five')).status).toBe(201);
  });

  it('count its own orders of a minute, also after a restart', async () => {
    await using rig = await loggedInRig();
    const key = await keyIn(rig, { maxOrdersPerMinute: 1 });
    expect((await place(rig, RESTING, 'of the admin')).status).toBe(201);
    expect((await key.place(RESTING, 'one')).status).toBe(201);
    await rig.restart();
    await rig.time.advance(2_000);
    const second = await key.place(RESTING, 'two');
    expect(codeOf(second)).toEqual([409, 'limit_reached']);
    expect(second.body.detail).toMatch(/1 orders were made within the last minute, by the key/);
  });

  it('hold for what changes its orders, whoever asks for it, and change with it', async () => {
    await using rig = await loggedInRig();
    const key = await keyIn(rig, { maxOrderQuantity: 10 });
    const { id } = (await key.place(RESTING, 'one')).body.data;
    await rig.time.advance(2_000);
    expect(codeOf(await modify(rig, id, { quantity: 11 }))).toEqual([409, 'limit_reached']);
    const path = `/api/v1/keys/${key.id}`;
    const more = { limits: { maxOrderQuantity: { named: { INFY: 11 } } } };
    const changed = await rig.call({ method: 'PATCH', path, json: more });
    expect(changed.body.data.limits.maxOrderQuantity).toEqual({ every: null, named: { INFY: 11 } });
    const larger = await modify(rig, id, { quantity: 11 });
    expect(larger.status, larger.text).toBe(200);
  });

  it.each([
    [{ maxOrderValue: 0 }, 'body.limits.maxOrderValue'],
    [{ maxOrderQuantity: 1.5 }, 'body.limits.maxOrderQuantity'],
    [{ maxOpenOrders: { named: { nifty: 1 } } }, 'body.limits.maxOpenOrders'],
    [{ maxLoss: 1 }, 'body.limits'],
  ])('are refused as %j', async (limits, path) => {
    await using rig = await loggedInRig();
    const reply = await rig.post('/api/v1/keys', { name: 'a', scope: 'trade', limits });
    expect(codeOf(reply)).toEqual([400, 'invalid_request']);
    expect(reply.body.detail).toContain(path);
  });
});

describe('the kill switch of a key', () => {
  const STOP = { engaged: true, reason: 'it sends too much' };

  it('is engaged by the key itself, stops its orders alone, and lets ways out pass', async () => {
    await using rig = await loggedInRig();
    const key = await keyIn(rig);
    const resting = (await key.place(RESTING, 'resting')).body.data;
    const stopped = await key.post('/api/v1/keys/me/kill-switch', STOP);
    expect(stopped.body).toMatchObject({
      data: { id: key.id, stopped: { reason: 'it sends too much', by: key.id } },
      meta: { onDisk: true },
    });
    const refused = await key.place(RESTING, 'stopped');
    expect(codeOf(refused)).toEqual([409, 'kill_switch']);
    expect(refused.body.detail).toContain('the key momentum is stopped: it sends too much');
    expect((await place(rig, RESTING, 'of the admin')).status).toBe(201);
    expect((await key.place(SELL, 'a way out')).status).toBe(201);
    expect(codeOf(await modify(rig, resting.id, { price: 1_475 }))).toEqual([409, 'kill_switch']);
    expect((await cancel(rig, resting.id)).status).toBe(202);
    await rig.time.advance(3_000);
    expect((await orderOf(rig, resting.id)).status).toBe('cancelled');
    expect((await rig.get('/api/v1/kill-switch')).body.data.engaged).toBe(false);
  });

  it('holds over a restart, until an admin releases it', async () => {
    await using rig = await loggedInRig();
    const key = await keyIn(rig);
    await key.post('/api/v1/keys/me/kill-switch', STOP);
    await rig.restart();
    await rig.time.advance(2_000);
    expect(codeOf(await key.place(RESTING, 'stopped'))).toEqual([409, 'kill_switch']);
    const release = { engaged: false, reason: 'mended' };
    const own = await key.post('/api/v1/keys/me/kill-switch', release);
    expect(codeOf(own)).toEqual([403, 'forbidden']);
    expect((await rig.post(`/api/v1/keys/${key.id}/kill-switch`, release)).status).toBe(200);
    expect((await key.place(RESTING, 'released')).status).toBe(201);
  });

  it('is engaged for another key by an admin alone, and never for the admin key', async () => {
    await using rig = await loggedInRig();
    const key = await keyIn(rig);
    const other = await rig.post('/api/v1/keys', { name: 'other', scope: 'trade' });
    const path = `/api/v1/keys/${other.body.data.id}/kill-switch`;
    expect(codeOf(await key.post(path, STOP))).toEqual([403, 'forbidden']);
    expect((await rig.post(path, STOP)).body.data.stopped.by).toBe('admin');
    expect(codeOf(await rig.post('/api/v1/keys/me/kill-switch', STOP))).toEqual([409, 'admin_key']);
  });

  it('stays for what a revoked key has placed', async () => {
    await using rig = await loggedInRig();
    const key = await keyIn(rig);
    const { id } = (await key.place(RESTING, 'resting')).body.data;
    await rig.call({ method: 'DELETE', path: `/api/v1/keys/${key.id}` });
    const reply = await modify(rig, id, { price: 1_475 });
    expect(codeOf(reply)).toEqual([409, 'kill_switch']);
    expect(reply.body.detail).toContain('it was revoked');
    expect((await cancel(rig, id)).status).toBe(202);
  });
});
