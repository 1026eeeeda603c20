import { describe, expect, it } from 'vitest';
import { type Rig } from '../support/rig.ts';
import { bookReads, BUY, loggedInRig, orderOf, place, RESTING } from './walk.ts';

/** Polls so seldom that within a test only a postback leads to a read. */
const RARELY = { environment: { APP_ORDER_POLL_SECONDS: '60' } };

/** A postback that the broker has sent, with a part that its checksum does not cover changed. */
async function genuine(rig: Rig, note: string): Promise<Record<string, unknown>> {
  await place(rig, BUY, `for-a-postback-${note}`);
  await rig.time.advance(3_000);
  const sent = rig.sandbox.kite.postbacks()[0];
  if (!sent) throw new Error('the sandbox has sent no postback');
  return { ...(JSON.parse(sent.body) as Record<string, unknown>), status_message: note };
}

describe('a postback', () => {
  it('leads to a read of the book long before the next poll is due', async () => {
    await using rig = await loggedInRig(RARELY);
    const placed = await place(rig, RESTING, 'woken');
    await rig.time.advance(5_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 146_000);
    await rig.time.advance(2_000);
    expect(rig.sandbox.kite.postbacks().length).toBeGreaterThan(0);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
    });
  });

  it('that is lost is made up for by the next poll', async () => {
    await using rig = await loggedInRig(RARELY);
    rig.sandbox.faults.add({ broker: 'kite', kind: 'postback_lost' });
    const placed = await place(rig, RESTING, 'lost');
    await rig.time.advance(5_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 146_000);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'working' });
    await rig.time.advance(60_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'filled' });
  });

  it('is taken when its checksum holds, and once', async () => {
    await using rig = await loggedInRig();
    const body = JSON.stringify(await genuine(rig, 'first'));
    const first = await rig.postback(body);
    expect([first.status, first.body.data]).toEqual([200, { received: 'accepted' }]);
    const again = await rig.postback(body);
    expect([again.status, again.body.data]).toEqual([200, { received: 'repeated' }]);
  });

  it('is remembered over a restart', async () => {
    await using rig = await loggedInRig();
    const body = JSON.stringify(await genuine(rig, 'kept'));
    await rig.postback(body);
    await rig.restart();
    expect((await rig.postback(body)).body.data).toEqual({ received: 'repeated' });
  });

  it('that is forged is refused, and nothing is read for it', async () => {
    await using rig = await loggedInRig(RARELY);
    const forged = { ...(await genuine(rig, 'forged')), checksum: 'f'.repeat(64) };
    await rig.time.advance(120_000);
    const before = bookReads(rig);
    const reply = await rig.postback(JSON.stringify(forged));
    await rig.time.advance(5_000);
    expect([reply.status, reply.body.code]).toEqual([401, 'unauthorized']);
    expect(bookReads(rig)).toBe(before);
  });

  it('is never the truth itself: a status under a right checksum is read in the book', async () => {
    await using rig = await loggedInRig(RARELY);
    const placed = await place(rig, RESTING, 'told');
    await rig.time.advance(2_000);
    rig.sandbox.faults.add({
      broker: 'kite',
      kind: 'postback_forged',
      params: { mode: 'replayed' },
      times: 1,
    });
    const id: string = placed.body.data.id;
    await rig.call({ method: 'PATCH', path: `/api/v1/orders/${id}`, json: { price: 1_460 } });
    await rig.time.advance(5_000);
    const replayed = rig.sandbox.kite.postbacks().find(({ forged }) => forged);
    expect(replayed?.body).toContain('"COMPLETE"');
    expect(await orderOf(rig, id)).toMatchObject({ status: 'working', filledQuantity: 0 });
  });

  it.each([
    ['empty', ''],
    ['no JSON', 'order_id=1'],
    ['no postback', '{"hello":"there"}'],
  ])('that is %s is refused as malformed', async (_what, body) => {
    await using rig = await loggedInRig();
    const reply = await rig.postback(body);
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request']);
  });
});
