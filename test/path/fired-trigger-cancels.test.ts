import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { otherKey, reach, reachWithoutFill, withTrigger } from './fired-trigger.ts';
import { spoilTriggers } from './trigger-walk.ts';
import { spoilReading } from './walk.ts';

const ALL = '/api/v1/orders/cancel-all';

const cancelAll = (
  rig: Rig,
  { authorization }: { readonly authorization: string },
  body: object = {},
  key: string | null = null,
) => rig.post(ALL, body, { authorization, ...(key === null ? {} : { 'idempotency-key': key }) });

const cancelsSent = (rig: Rig): number =>
  rig.sent.filter(({ method, url }) => method === 'DELETE' && url.includes('/orders/')).length;

const rowOf = (rig: Rig) => rig.sandbox.kite.orders().find(({ side }) => side === 'SELL');

/** A trigger of a key whose order rests at the broker. */
async function withResting() {
  const made = await withTrigger();
  const other = await otherKey(made.rig);
  reachWithoutFill(made.rig);
  await made.rig.time.advance(60_000);
  return { ...made, other, resting: `alt:${rowOf(made.rig)?.orderId ?? ''}` };
}

describe('a cancel of all orders of a key', () => {
  it('cancels the order of its trigger, and sends that once under its key', async () => {
    await using made = await withResting();
    const { rig, headers, id, resting } = made;
    const { status, body } = await cancelAll(rig, headers, {}, 'all');
    expect([status, body.meta.errors]).toEqual([200, []]);
    expect(body.data).toMatchObject([
      { id: resting, result: 'cancelled', order: { external: true, triggeredBy: id } },
    ]);
    const again = await cancelAll(rig, headers, {}, 'all');
    expect(again.body.data).toMatchObject([{ id: resting, result: 'cancelled' }]);
    expect(cancelsSent(rig)).toBe(1);
  });

  it('says how much of it had filled', async () => {
    await using made = await withResting();
    const { rig, headers } = made;
    rig.sandbox.kite.fillByHand(rowOf(rig)?.orderId ?? '', 4, 144_950);
    const { body } = await cancelAll(rig, headers);
    expect(body.data).toMatchObject([
      { result: 'cancelled', order: { status: 'partial', filledQuantity: 4 } },
    ]);
    const positions = await rig.get(`/api/v1/keys/${made.key}/positions`);
    expect(positions.body.data.positions).toMatchObject([{ quantity: -4 }]);
  });

  it('leaves it where it is another key that asks, or the filters do not hit it', async () => {
    await using made = await withResting();
    const { rig, headers, other } = made;
    const admin = await rig.post(ALL, {});
    for (const reply of [
      admin,
      await cancelAll(rig, other),
      await cancelAll(rig, headers, { side: 'BUY' }),
      await cancelAll(rig, headers, { instrument: 'NSE:TCS' }),
      await cancelAll(rig, headers, { broker: 'paper' }),
    ]) {
      expect([reply.status, reply.body.data]).toEqual([200, []]);
    }
    expect(cancelsSent(rig)).toBe(0);
  });

  it('is cancelled once with the orders of the account', async () => {
    await using made = await withResting();
    const { rig, id, resting } = made;
    const { body } = await rig.post(ALL, { scope: 'account', broker: 'alt' });
    expect(body.data).toMatchObject([
      { id: resting, result: 'cancelled', order: { triggeredBy: id } },
    ]);
    expect(cancelsSent(rig)).toBe(1);
  });

  it('cancels one that was placed a moment ago', async () => {
    await using made = await withTrigger();
    const { rig, headers } = made;
    await rig.time.advance(5_000);
    reachWithoutFill(rig);
    await rig.time.advance(2_000);
    const { status, body } = await cancelAll(rig, headers);
    expect([status, body.data.length, body.data[0]?.result]).toEqual([200, 1, 'cancelled']);
  });

  it('goes by the last book where the next one cannot be read', async () => {
    await using made = await withResting();
    const { rig, headers, resting } = made;
    spoilReading(rig, 'error_before', '/orders');
    await rig.time.advance(100);
    const { status, body } = await cancelAll(rig, headers);
    expect([status, cancelsSent(rig), body.meta.errors.length]).toEqual([202, 1, 1]);
    expect(body.data).toMatchObject([{ id: resting, result: 'cancelling' }]);
    expect(rowOf(rig)?.status).toBe('CANCELLED');
  });

  it.each([
    ['can be read', 'error_before'],
    ['is answered within three seconds', 'hang_before'],
  ] as const)(
    'names and leaves an order that may be of its trigger, while no list %s',
    async (_while, fault) => {
      await using made = await withTrigger();
      const { rig, headers, id } = made;
      const others = await otherKey(rig);
      await rig.time.advance(5_000);
      const list = spoilTriggers(rig, fault, 'GET', { times: 1_000 });
      reachWithoutFill(rig);
      await rig.time.advance(3_000);
      const resting = `alt:${rowOf(rig)?.orderId ?? ''}`;
      const begun = rig.time.elapsed();
      const open = await cancelAll(rig, headers);
      expect([open.status, open.body.data]).toEqual([202, []]);
      expect(rig.time.elapsed() - begun).toBeLessThan(4_000);
      const [error] = open.body.meta.errors;
      expect([error.reason.includes(resting), error.reason.includes(id)]).toEqual([true, true]);
      const other = await cancelAll(rig, others);
      expect([other.status, other.body.meta.errors]).toEqual([200, []]);
      rig.sandbox.faults.remove(list);
      await rig.time.advance(60_000);
      const { status, body } = await cancelAll(rig, headers);
      expect([status, body.data[0]?.id, body.data[0]?.result]).toEqual([200, resting, 'cancelled']);
    },
  );

  it('says of one that has filled that it is over by sending nothing', async () => {
    await using made = await withTrigger();
    const { rig, headers } = made;
    reach(rig);
    await rig.time.advance(60_000);
    const { status, body } = await cancelAll(rig, headers);
    expect([status, body.data, cancelsSent(rig)]).toEqual([200, [], 0]);
  });
});
