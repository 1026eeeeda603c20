import { describe, expect, it } from 'vitest';
import type { InProcessReply } from '../support/in-process-http.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place, RESTING, restartLongAfter, spoilPlacing } from './walk.ts';

const ask = (
  rig: Rig,
  method: 'PATCH' | 'DELETE',
  id: string,
  key: string,
  json?: object,
): Promise<InProcessReply> =>
  rig.call({
    ...{ method, path: `/api/v1/orders/${id}`, headers: { 'idempotency-key': key } },
    ...(json ? { json } : {}),
  });

const told = ({ status, body, headers }: InProcessReply) => [
  status,
  body.data?.status ?? body.code,
  headers['idempotent-replayed'],
];
const AS_IT_IS = [200, 'cancelled', 'true'];
const CONFLICT = [422, 'idempotency_conflict', undefined];
const NOTHING_CHANGES = [409, 'order_state', undefined];

async function restingOrder(rig: Rig): Promise<string> {
  const { body } = await place(rig, RESTING, 'resting');
  await rig.time.advance(2_000);
  return body.data.id;
}

describe('an order that is in memory no more', () => {
  it('is answered as it stands under the keys of its modification and its cancel, and changes under no other', async () => {
    await using rig = await loggedInRig();
    const id = await restingOrder(rig);
    expect((await ask(rig, 'PATCH', id, 'dearer', { price: 1_475 })).status).toBe(200);
    await rig.time.advance(2_000);
    await ask(rig, 'DELETE', id, 'cancel');
    await restartLongAfter(rig);
    const sent = rig.sent.length;
    expect(told(await ask(rig, 'PATCH', id, 'dearer', { price: 1_475 }))).toEqual(AS_IT_IS);
    expect(told(await ask(rig, 'DELETE', id, 'cancel'))).toEqual(AS_IT_IS);
    expect(told(await ask(rig, 'PATCH', id, 'dearer', { price: 1_476 }))).toEqual(CONFLICT);
    expect(told(await ask(rig, 'PATCH', id, 'other', { price: 1_475 }))).toEqual(NOTHING_CHANGES);
    expect(told(await ask(rig, 'DELETE', id, 'other'))).toEqual(NOTHING_CHANGES);
    const changes = rig.sent.slice(sent).filter(({ method }) => method !== 'GET');
    expect(changes).toEqual([]);
  });

  it('is answered under the key of the cancel of its slices', async () => {
    await using rig = await loggedInRig({ environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' } });
    const id = await restingOrder(rig);
    await ask(rig, 'DELETE', id, 'slices');
    await rig.time.advance(3_000);
    await restartLongAfter(rig);
    expect(told(await ask(rig, 'DELETE', id, 'slices'))).toEqual(AS_IT_IS);
    expect(told(await ask(rig, 'DELETE', id, 'other'))).toEqual(NOTHING_CHANGES);
  });

  it('is answered under the key of its resolution', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'error_before');
    const { id } = (await place(rig, BUY, 'never there')).body.data;
    const say = (json: object, key = 'word') =>
      rig.post(`/api/v1/orders/${id}/resolve`, json, { 'idempotency-key': key });
    expect((await say({ absent: true })).status).toBe(200);
    await restartLongAfter(rig);
    expect(told(await say({ absent: true }))).toEqual([200, 'rejected', 'true']);
    expect(told(await say({ placed: '1' }))).toEqual(CONFLICT);
    expect(told(await say({ absent: true }, 'other'))).toEqual(NOTHING_CHANGES);
  });
});
