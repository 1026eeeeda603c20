import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, orderOf, place, RESTING, spoilReading } from './walk.ts';

const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '7' },
  ...{ order_type: 'LIMIT', product: 'CNC', validity: 'DAY', price: '1465' },
};

/** A LIMIT order that a person has placed in the broker's app, as the book shows it. */
async function placedElsewhere(rig: Rig, form: object = {}): Promise<string> {
  const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', { ...FORM, ...form });
  await rig.time.advance(2_000);
  return `alt:${String(id)}`;
}

const change = (
  rig: Rig,
  method: 'PATCH' | 'DELETE',
  id: string,
  {
    json,
    key,
    headers = {},
  }: { json?: object; key?: string; headers?: Record<string, string> } = {},
) =>
  rig.call({
    ...{ method, path: `/api/v1/orders/${id}` },
    ...(json ? { json } : {}),
    headers: { ...headers, ...(key === undefined ? {} : { 'idempotency-key': key }) },
  });

const sent = (rig: Rig, method: 'PUT' | 'DELETE'): number =>
  rig.sent.filter((each) => each.method === method && each.url.includes('/orders/')).length;

async function requestsOf(rig: Rig, id: string) {
  return (await rig.get(`/api/v1/orders/${id}/history`)).body.data.requests;
}

const loseAnswer = (rig: Rig, method: 'PUT' | 'DELETE', kind: 'hang_before' | 'hang_after') =>
  rig.sandbox.faults.add({
    ...{ broker: 'kite', kind, times: 1 },
    match: { method, path: '/orders' },
  });

describe('a cancel of an order placed elsewhere', () => {
  it('is one request, and is journalled with who asked for it and its outcome', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    const { key, caller } = rig.composed.callers.add({ name: 'a program', scope: 'trade' });
    const headers = { authorization: `Bearer ${key.reveal()}` };
    const reply = await change(rig, 'DELETE', id, { headers, key: 'out' });
    expect([reply.status, reply.headers['idempotency-key']]).toEqual([202, 'out']);
    expect(reply.body).toMatchObject({
      data: { id, external: true, status: 'working' },
      meta: { broker: 'alt', mode: 'live' },
    });
    await rig.time.advance(2_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
    expect(sent(rig, 'DELETE')).toBe(1);
    expect(await requestsOf(rig, id)).toMatchObject([
      { kind: 'cancel', by: caller.id, outcome: 'acknowledged', changes: null, orderId: id },
    ]);
    const told = journalEvents(rig.dataDirectory, 'order.external_cancel');
    expect(told.map(({ data }) => [data['by'], data['outcome']])).toEqual([
      [caller.id, null],
      [caller.id, 'acknowledged'],
    ]);
  });

  it('is not sent again under its key, and is refused once the order is over', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    await change(rig, 'DELETE', id, { key: 'out' });
    await rig.time.advance(2_000);
    const again = await change(rig, 'DELETE', id, { key: 'out' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    const other = await change(rig, 'DELETE', id, { key: 'other' });
    expect([other.status, other.body.code]).toEqual([409, 'order_state']);
    expect(sent(rig, 'DELETE')).toBe(1);
  });

  it('goes out under the kill switch, and while the book cannot be read', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    await orderOf(rig, id);
    spoilReading(rig, 'hang_before', '/orders');
    await rig.time.advance(2_000);
    const reply = await change(rig, 'DELETE', id);
    expect([reply.status, sent(rig, 'DELETE')]).toEqual([202, 1]);
    rig.sandbox.faults.clear();
    await rig.time.advance(30_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('whose answer is lost is 202, and known once the row says so', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    loseAnswer(rig, 'DELETE', 'hang_before');
    const lost = await change(rig, 'DELETE', id, { key: 'out' });
    expect([lost.status, lost.body.data.status]).toEqual([202, 'working']);
    const again = await change(rig, 'DELETE', id, { key: 'out' });
    expect([again.status, sent(rig, 'DELETE')]).toEqual([202, 1]);
    await change(rig, 'DELETE', id, { key: 'new' });
    await rig.time.advance(2_000);
    expect((await change(rig, 'DELETE', id, { key: 'out' })).status).toBe(200);
    expect((await requestsOf(rig, id)).map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      'uncertain',
      'acknowledged',
    ]);
  });

  it('of which a crash lost the answer is uncertain, and is sent again for a new key alone', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    loseAnswer(rig, 'DELETE', 'hang_before');
    const path = `/api/v1/orders/${id}`;
    const headers = { 'idempotency-key': 'out' };
    void rig.begin({ method: 'DELETE', path, headers }).catch(() => undefined);
    await rig.time.advance(1_500);
    await rig.crash();
    await rig.time.advance(30_000);
    expect(await requestsOf(rig, id)).toMatchObject([{ kind: 'cancel', outcome: 'uncertain' }]);
    expect((await change(rig, 'DELETE', id, { key: 'out' })).status).toBe(202);
    expect(sent(rig, 'DELETE')).toBe(1);
    await change(rig, 'DELETE', id);
    await rig.time.advance(2_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('of an order of the gateway names the id of that one', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'mine');
    await rig.time.advance(2_000);
    const reply = await change(rig, 'DELETE', `alt:${String(body.data.brokerOrderId)}`);
    expect([reply.status, reply.body.code]).toEqual([409, 'order_state']);
    expect(reply.body.detail).toContain(body.data.id);
    expect((await change(rig, 'DELETE', 'alt:261106000009999')).status).toBe(404);
    expect(sent(rig, 'DELETE')).toBe(0);
  });

  it('at another broker is refused to a key that is confined', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    const confined = { name: 'paper', scope: 'trade', mode: 'paper' };
    const added = await rig.post('/api/v1/keys', confined);
    const headers = { authorization: `Bearer ${String(added.body.data.key)}` };
    const json = { price: 1_466 };
    expect((await change(rig, 'PATCH', id, { headers, json })).status).toBe(404);
    expect((await change(rig, 'DELETE', id, { headers })).status).toBe(404);
    for (const what of ['fills', 'history']) {
      const read = { method: 'GET', path: `/api/v1/orders/${id}/${what}`, headers } as const;
      expect((await rig.call(read)).status).toBe(404);
    }
    expect(sent(rig, 'DELETE') + sent(rig, 'PUT')).toBe(0);
  });
});

describe('a modification of an order placed elsewhere', () => {
  it('whose answer names another order is not said to be acknowledged', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'wrong_id_2xx_after', times: 1, params: { row: 'nobody' } },
      match: { method: 'PUT', path: '/orders' },
    });
    await change(rig, 'PATCH', id, { json: { price: 1_460 } });
    expect(await requestsOf(rig, id)).toMatchObject([{ kind: 'modify', outcome: 'uncertain' }]);
    await rig.time.advance(2_000);
    expect((await orderOf(rig, id)).price).toBe(1_460);
  });

  it('is one request, answered with what the broker has taken, and journalled', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    const reply = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'dearer' });
    expect([reply.status, reply.body.data.price]).toEqual([200, 1_466]);
    const again = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'dearer' });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    const conflict = await change(rig, 'PATCH', id, { json: { price: 1_467 }, key: 'dearer' });
    expect([conflict.status, conflict.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(sent(rig, 'PUT')).toBe(1);
    expect(await requestsOf(rig, id)).toMatchObject([
      { kind: 'modify', outcome: 'acknowledged', changes: { price: 1_466, quantity: null } },
    ]);
    expect(journalEvents(rig.dataDirectory, 'order.external_modify')).toHaveLength(2);
  });

  it.each([
    ['hang_before', 202, 1_465],
    ['hang_after', 200, 1_466],
  ] as const)(
    'whose answer is lost (%s) is resolved by reading, and never repeated',
    async (kind, status, price) => {
      await using rig = await loggedInRig();
      const id = await placedElsewhere(rig);
      loseAnswer(rig, 'PUT', kind);
      const reply = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'lost' });
      expect([reply.status, reply.body.data.price]).toEqual([status, price]);
      await rig.time.advance(60_000);
      const again = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'lost' });
      expect([again.status, sent(rig, 'PUT')]).toEqual([status, 1]);
      expect(await requestsOf(rig, id)).toMatchObject([{ outcome: 'uncertain' }]);
    },
  );

  it('is checked as that of an order of ours', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    const offTick = await change(rig, 'PATCH', id, { json: { price: 1_466.03 } });
    expect([offTick.status, offTick.body.code]).toEqual([400, 'price_off_tick']);
    const readOnly = rig.composed.callers.add({ name: 'reader', scope: 'read' });
    const headers = { authorization: `Bearer ${readOnly.key.reveal()}` };
    expect((await change(rig, 'PATCH', id, { headers, json: { price: 1_466 } })).status).toBe(403);
    expect(sent(rig, 'PUT')).toBe(0);
  });

  it('is stopped by the kill switch unless it makes the order smaller', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    for (const json of [{ quantity: 8 }, { price: 1_470 }]) {
      const reply = await change(rig, 'PATCH', id, { json });
      expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    }
    expect(sent(rig, 'PUT')).toBe(0);
    expect((await change(rig, 'PATCH', id, { json: { quantity: 6 } })).body.data.quantity).toBe(6);
  });

  it('is compared with the limits of the key that asks for it', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    const limits = { maxOrderQuantity: 10 };
    const added = await rig.post('/api/v1/keys', { name: 'small', scope: 'trade', limits });
    const headers = { authorization: `Bearer ${String(added.body.data.key)}` };
    const reply = await change(rig, 'PATCH', id, { headers, json: { quantity: 11 } });
    expect([reply.status, reply.body.code]).toEqual([409, 'limit_reached']);
    expect((await change(rig, 'PATCH', id, { headers, json: { quantity: 10 } })).status).toBe(200);
    expect(sent(rig, 'PUT')).toBe(1);
  });

  it('of a sale of what is held passes the kill switch, since the order does not count against itself', async () => {
    await using rig = await loggedInRig();
    const bought = { ...BUY, quantity: 7, product: 'INTRADAY' };
    await place(rig, bought, 'held');
    await rig.time.advance(5_000);
    const sale = { transaction_type: 'SELL', price: '1550', product: 'MIS' };
    const id = await placedElsewhere(rig, sale);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    const reply = await change(rig, 'PATCH', id, { json: { price: 1_540 } });
    expect([reply.status, reply.body.data?.price]).toEqual([200, 1_540]);
  });

  it('of words that the gateway does not know is refused', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig, { validity: 'TTL', validity_ttl: '5' });
    const reply = await change(rig, 'PATCH', id, { json: { price: 1_466 } });
    expect([reply.status, reply.body.code]).toEqual([409, 'order_state']);
    expect(reply.body.detail).toContain('validity TTL');
    await change(rig, 'DELETE', id);
    await rig.time.advance(2_000);
    expect((await orderOf(rig, id)).status).toBe('cancelled');
  });

  it('that the broker refuses says so, also when it is repeated', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'rate_limited', times: 1 },
      match: { method: 'PUT', path: '/orders' },
    });
    for (const expected of ['change_refused', 'change_refused']) {
      const reply = await change(rig, 'PATCH', id, { json: { price: 1_466 }, key: 'no' });
      expect(reply.body.code).toBe(expected);
    }
    expect(sent(rig, 'PUT')).toBe(1);
  });
});

describe('a used key of a change of an order placed elsewhere', () => {
  it('is not answered "nothing was sent" where the book cannot be read', async () => {
    await using rig = await loggedInRig();
    const id = await placedElsewhere(rig);
    const asked = { json: { price: 1_466 }, key: 'dearer' };
    expect((await change(rig, 'PATCH', id, asked)).status).toBe(200);
    await rig.time.advance(2_000);
    spoilReading(rig, 'error_before', '/orders');
    const again = await change(rig, 'PATCH', id, asked);
    expect([again.status, again.body.code]).toEqual([503, 'broker_unavailable']);
    expect([again.body.mayHaveExecuted, again.body.retrySafe]).toEqual([true, false]);
    const fresh = await change(rig, 'PATCH', id, { ...asked, key: 'fresh' });
    expect([fresh.status, fresh.body.mayHaveExecuted]).toEqual([503, false]);
    expect(sent(rig, 'PUT')).toBe(1);
  });
});
