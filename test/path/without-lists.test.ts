import { describe, expect, it } from 'vitest';
import { BUY, loggedInRig, place, placings } from './walk.ts';

const LIMIT = { ...BUY, orderType: 'LIMIT', price: 1_400 };

/** Both brokers' instrument lists cannot be had, as after a start while they are away. */
function loseLists(rig: Awaited<ReturnType<typeof loggedInRig>>): void {
  const lists = { times: 1_000, params: { status: 503 } };
  rig.sandbox.faults.add({
    broker: 'kite',
    kind: 'error_before',
    match: { path: '/instruments' },
    ...lists,
  });
  rig.sandbox.faults.add({
    broker: 'primary',
    kind: 'error_before',
    match: { path: '/market/instruments' },
    ...lists,
  });
}

describe('a gateway without instrument lists', () => {
  it('answers a used key with the order that it made, by either name of the instrument', async () => {
    await using rig = await loggedInRig();
    const first = await place(rig, LIMIT, 'used');
    await rig.time.advance(5_000);
    loseLists(rig);
    await rig.restart();
    const again = await place(rig, LIMIT, 'used');
    expect([again.status, again.body.data?.id]).toEqual([201, first.body.data.id]);
    const byCode = await place(rig, { ...LIMIT, instrument: 'NSE_1594' }, 'used');
    expect(byCode.body.data?.id).toBe(first.body.data.id);
    expect(placings(rig)).toHaveLength(1);
  });

  it('refuses another request under a used key, and sends nothing', async () => {
    await using rig = await loggedInRig();
    await place(rig, LIMIT, 'used');
    loseLists(rig);
    await rig.restart();
    const other = await place(rig, { ...LIMIT, quantity: 11 }, 'used');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(placings(rig)).toHaveLength(1);
  });

  it('cancels an order all the same', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, LIMIT, 'to-cancel');
    await rig.time.advance(5_000);
    loseLists(rig);
    await rig.restart();
    const reply = await rig.call({ method: 'DELETE', path: `/api/v1/orders/${body.data.id}` });
    expect([200, 202], reply.text).toContain(reply.status);
    await rig.time.advance(5_000);
    expect(rig.sandbox.kite.orders()[0]).toMatchObject({ status: 'CANCELLED' });
  });

  it('does not say that there are no instruments', async () => {
    await using rig = await loggedInRig();
    loseLists(rig);
    await rig.restart();
    const reply = await rig.get('/api/v1/instruments?q=INFY');
    expect([reply.status, reply.body.code]).toEqual([503, 'no_broker']);
  });
});
