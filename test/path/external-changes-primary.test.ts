import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig } from '../support/rig.ts';
import { orderOf, pinnedRig, place, RESTING } from './walk.ts';

/** A rig whose book of the primary brokerage has been read. */
async function rigOf(environment: Record<string, string> = {}): Promise<Rig> {
  const rig = await pinnedRig({ environment });
  await rig.time.advance(2_000);
  return rig;
}

/** A LIMIT order that a person has placed in the primary brokerage's app, as its book shows it. */
async function placedInApp(rig: Rig): Promise<string> {
  const hand = { instrument: 'NSE:INFY', side: 'BUY', quantity: 7, limitPaise: 146_500 } as const;
  const { orderId } = rig.sandbox.primary.placeByHand(hand);
  await rig.time.advance(2_000);
  return `primary:${orderId}`;
}

/** An order of the app that waits for a price: the brokerage changes it by calls of its own. */
async function stopInApp(rig: Rig): Promise<string> {
  const listed = rig.sandbox.exchange.instruments().find(({ key }) => key === 'NSE:INFY');
  const reaction = rig.sandbox.handle({
    method: 'POST',
    url: 'http://primary.test/smart/order',
    headers: {
      authorization: rig.sandbox.primary.liveToken() ?? '',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      ...{ txn_type: 'BUY', exchange: 'NSE', segment: 'EQUITY', product: 'CNC', validity: 'DAY' },
      ...{ security_id: listed?.primary.securityId, qty: 7, algo_id: '99999' },
      ...{ order_type: 'TRIGGER', trigger_price: 1_590, trigger_limit_price: 1_600 },
    }),
  });
  if (reaction.kind !== 'answer' || reaction.status !== 200) {
    throw new Error(JSON.stringify(reaction));
  }
  await rig.time.advance(2_000);
  const [waiting] = rig.sandbox.primary.orders();
  return `primary:${String(waiting?.orderId)}`;
}

const change = (
  rig: Rig,
  method: 'PATCH' | 'DELETE',
  id: string,
  { json, key }: { json?: object; key?: string } = {},
) =>
  rig.call({
    ...{ method, path: `/api/v1/orders/${id}` },
    ...(json ? { json } : {}),
    headers: key === undefined ? {} : { 'idempotency-key': key },
  });

const sent = (rig: Rig, path: string): number =>
  rig.sent.filter(({ url }) => url === `http://primary.test${path}`).length;

const cancels = (rig: Rig): number => sent(rig, '/order/cancel');
const modifications = (rig: Rig): number => sent(rig, '/order/modify');

async function requestsOf(rig: Rig, id: string) {
  return (await rig.get(`/api/v1/orders/${id}/history`)).body.data.requests;
}

const spoil = (
  rig: Rig,
  path: '/order/cancel' | '/order/modify',
  kind: 'hang_before' | 'hang_after' | 'rate_limited',
) =>
  rig.sandbox.faults.add({
    ...{ broker: 'primary', kind, times: 1 },
    match: { method: 'POST', path },
  });

describe('a cancel of an order placed in the app of the primary brokerage', () => {
  it('is one request, is journalled, and is not sent again under its key', async () => {
    await using rig = await rigOf();
    const id = await placedInApp(rig);
    expect(await orderOf(rig, id)).toMatchObject({ external: true, status: 'working' });
    const reply = await change(rig, 'DELETE', id, { key: 'out' });
    expect([reply.status, reply.headers['idempotency-key']]).toEqual([202, 'out']);
    expect(reply.body).toMatchObject({
      data: { id, external: true },
      meta: { broker: 'primary', mode: 'live' },
    });
    await rig.time.advance(2_000);
    const again = await change(rig, 'DELETE', id, { key: 'out' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.body.data.status).toBe('cancelled');
    const other = await change(rig, 'DELETE', id, { key: 'other' });
    expect([other.status, other.body.code]).toEqual([409, 'order_state']);
    expect(cancels(rig)).toBe(1);
    expect(await requestsOf(rig, id)).toMatchObject([
      { kind: 'cancel', outcome: 'acknowledged', changes: null, orderId: id },
    ]);
    expect(journalEvents(rig.dataDirectory, 'order.external_cancel')).toHaveLength(2);
  });

  it.each([
    ['hang_before', 202, 'working'],
    ['hang_after', 200, 'cancelled'],
  ] as const)(
    'whose answer is lost (%s) is resolved by reading, and never repeated',
    async (kind, status, state) => {
      await using rig = await rigOf();
      const id = await placedInApp(rig);
      spoil(rig, '/order/cancel', kind);
      expect((await change(rig, 'DELETE', id, { key: 'out' })).status).toBe(status);
      await rig.time.advance(60_000);
      const again = await change(rig, 'DELETE', id, { key: 'out' });
      expect([again.status, again.body.data.status, cancels(rig)]).toEqual([status, state, 1]);
      expect(await requestsOf(rig, id)).toMatchObject([{ kind: 'cancel', outcome: 'uncertain' }]);
    },
  );

  it('that the broker refuses says so, also when it is repeated', async () => {
    await using rig = await rigOf();
    const id = await placedInApp(rig);
    spoil(rig, '/order/cancel', 'rate_limited');
    for (let round = 0; round < 2; round += 1) {
      const reply = await change(rig, 'DELETE', id, { key: 'no' });
      expect([reply.status, reply.body.code]).toEqual([422, 'change_refused']);
    }
    expect(cancels(rig)).toBe(1);
    await change(rig, 'DELETE', id, { key: 'new' });
    await rig.time.advance(2_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('goes out under the kill switch, and while the book cannot be read', async () => {
    await using rig = await rigOf();
    const id = await placedInApp(rig);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    await orderOf(rig, id);
    const match = { method: 'GET', path: '/order-book' };
    rig.sandbox.faults.add({ broker: 'primary', kind: 'hang_before', match });
    await rig.time.advance(2_000);
    const reply = await change(rig, 'DELETE', id);
    expect([reply.status, cancels(rig)]).toEqual([202, 1]);
    rig.sandbox.faults.clear();
    await rig.time.advance(30_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('of which a crash lost the answer is uncertain, and is sent again for a new key alone', async () => {
    await using rig = await rigOf();
    const id = await placedInApp(rig);
    spoil(rig, '/order/cancel', 'hang_before');
    const path = `/api/v1/orders/${id}`;
    const headers = { 'idempotency-key': 'out' };
    void rig.begin({ method: 'DELETE', path, headers }).catch(() => undefined);
    await rig.time.advance(1_500);
    await rig.crash();
    await rig.time.advance(30_000);
    expect(await requestsOf(rig, id)).toMatchObject([{ kind: 'cancel', outcome: 'uncertain' }]);
    expect((await change(rig, 'DELETE', id, { key: 'out' })).status).toBe(202);
    expect(cancels(rig)).toBe(1);
    await change(rig, 'DELETE', id, { key: 'new' });
    await rig.time.advance(2_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('of an order of the gateway names the id of that one', async () => {
    await using rig = await rigOf();
    const { body } = await place(rig, { ...RESTING, broker: 'primary' }, 'mine');
    await rig.time.advance(2_000);
    const reply = await change(rig, 'DELETE', `primary:${String(body.data.brokerOrderId)}`);
    expect([reply.status, reply.body.code]).toEqual([409, 'order_state']);
    expect(reply.body.detail).toContain(body.data.id);
    expect((await change(rig, 'DELETE', 'primary:NOSUCHORDER-1')).status).toBe(404);
    expect(cancels(rig)).toBe(0);
  });

  it('of one that waits for a price goes by the call for such orders', async () => {
    await using rig = await rigOf();
    const id = await stopInApp(rig);
    expect((await orderOf(rig, id)).external).toBe(true);
    const reply = await change(rig, 'DELETE', id, { key: 'out' });
    expect([reply.status, sent(rig, '/smart/order/cancel'), cancels(rig)]).toEqual([202, 1, 0]);
    await rig.time.advance(2_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });
});

describe('a modification of an order placed in the app of the primary brokerage', () => {
  it('is one request, answered with what the broker has taken, and journalled', async () => {
    await using rig = await rigOf();
    const id = await placedInApp(rig);
    const reply = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'dearer' });
    expect([reply.status, reply.body.data.price]).toEqual([200, 1_466]);
    await rig.time.advance(2_000);
    const again = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'dearer' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.body.data).toMatchObject({ price: 1_466, quantity: 7 });
    const conflict = await change(rig, 'PATCH', id, { json: { price: 1_467 }, key: 'dearer' });
    expect([conflict.status, conflict.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(modifications(rig)).toBe(1);
    expect(await requestsOf(rig, id)).toMatchObject([
      { kind: 'modify', outcome: 'acknowledged', changes: { price: 1_466, quantity: null } },
    ]);
    expect(journalEvents(rig.dataDirectory, 'order.external_modify')).toHaveLength(2);
  });

  it('of the quantity alone leaves the price as it is at the broker', async () => {
    await using rig = await rigOf();
    const id = await placedInApp(rig);
    const reply = await change(rig, 'PATCH', id, { json: { quantity: 6 } });
    expect([reply.status, reply.body.data.quantity]).toEqual([200, 6]);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, id)).toMatchObject({ quantity: 6, price: 1_465 });
  });

  it.each([
    ['hang_before', 202, 1_465],
    ['hang_after', 200, 1_466],
  ] as const)(
    'whose answer is lost (%s) is resolved by reading, and never repeated',
    async (kind, status, price) => {
      await using rig = await rigOf();
      const id = await placedInApp(rig);
      spoil(rig, '/order/modify', kind);
      const reply = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'lost' });
      expect([reply.status, reply.body.data.price]).toEqual([status, price]);
      await rig.time.advance(60_000);
      const again = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'lost' });
      expect([again.status, modifications(rig)]).toEqual([status, 1]);
      expect(await requestsOf(rig, id)).toMatchObject([{ kind: 'modify', outcome: 'uncertain' }]);
    },
  );

  it('that the broker refuses says so, also when it is repeated', async () => {
    await using rig = await rigOf();
    const id = await placedInApp(rig);
    // Below the day's circuit: the brokerage refuses it in its own words.
    for (let round = 0; round < 2; round += 1) {
      const reply = await change(rig, 'PATCH', id, { json: { price: 500 }, key: 'no' });
      expect([reply.status, reply.body.code]).toEqual([422, 'change_refused']);
      expect(reply.body.detail).toContain('circuit');
    }
    expect(modifications(rig)).toBe(1);
    expect((await orderOf(rig, id)).price).toBe(1_465);
  });

  it('of one that waits for a price changes its prices together, by the call for such orders', async () => {
    await using rig = await rigOf();
    const id = await stopInApp(rig);
    expect(await orderOf(rig, id)).toMatchObject({ price: 1_600, triggerPrice: 1_590 });
    const json = { triggerPrice: 1_592, price: 1_602 };
    const reply = await change(rig, 'PATCH', id, { json, key: 'higher' });
    expect([reply.status, sent(rig, '/smart/order/modify'), modifications(rig)]).toEqual([
      200, 1, 0,
    ]);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, id)).toMatchObject({ quantity: 7, ...json });
    expect((await change(rig, 'PATCH', id, { json, key: 'higher' })).status).toBe(200);
    expect(sent(rig, '/smart/order/modify')).toBe(1);
  });

  it('is stopped by the kill switch unless it makes the order smaller', async () => {
    await using rig = await rigOf();
    const id = await placedInApp(rig);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    for (const json of [{ quantity: 8 }, { price: 1_470 }]) {
      const reply = await change(rig, 'PATCH', id, { json });
      expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    }
    expect(modifications(rig)).toBe(0);
    expect((await change(rig, 'PATCH', id, { json: { quantity: 6 } })).body.data.quantity).toBe(6);
  });

  it('does not make one that was lost long before, and is valued by what that may have made', async () => {
    await using rig = await rigOf({ APP_MAX_ORDER_VALUE: '12000' });
    const id = await placedInApp(rig);
    spoil(rig, '/order/modify', 'hang_before');
    expect((await change(rig, 'PATCH', id, { json: { quantity: 8 } })).status).toBe(202);
    await rig.time.advance(600_000);
    const reply = await change(rig, 'PATCH', id, { json: { price: 1_466 } });
    expect([reply.status, reply.body.data.quantity]).toEqual([200, 7]);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, id)).toMatchObject({ quantity: 7, price: 1_466 });
    spoil(rig, '/order/modify', 'hang_before');
    expect((await change(rig, 'PATCH', id, { json: { price: 1_400 } })).status).toBe(202);
    const larger = await change(rig, 'PATCH', id, { json: { quantity: 8 } });
    expect(larger.status).toBe(200);
    const above = await change(rig, 'PATCH', id, { json: { quantity: 9 } });
    expect([above.status, above.body.code]).toEqual([409, 'limit_reached']);
  });
});
