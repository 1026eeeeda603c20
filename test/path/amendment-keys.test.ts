import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/platform/http.ts';
import type { InProcessReply } from '../support/in-process-http.ts';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { BUY, loggedInRig, orderOf, place, RESTING, spoilPlacing } from './walk.ts';

type Method = 'PATCH' | 'DELETE';

const DEARER = { price: 1_475 };

/** The same request as often as it is called, under one key. */
const amend = (
  rig: Rig,
  method: Method,
  id: string,
  key: string,
  json: object = DEARER,
): Promise<InProcessReply> => rig.call(amendment(method, id, key, json));

const amendment = (method: Method, id: string, key: string, json: object = DEARER) => ({
  method,
  path: `/api/v1/orders/${id}`,
  headers: { 'idempotency-key': key },
  ...(method === 'PATCH' ? { json } : {}),
});

/** Requests to change an order that have left. */
const changesSent = (rig: Rig, method: 'PUT' | 'DELETE'): readonly HttpRequest[] =>
  rig.sent.filter((each) => each.method === method && each.url.includes('/orders/'));

async function restingOrder(rig: Rig): Promise<string> {
  const placed = await place(rig, RESTING, 'resting');
  await rig.time.advance(2_000);
  return placed.body.data.id;
}

const loseAnswer = (rig: Rig, method: 'PUT' | 'DELETE'): string =>
  rig.sandbox.faults.add({
    broker: 'kite',
    kind: 'hang_after',
    match: { method, path: '/orders' },
    times: 1,
  });

describe('a key of a modification', () => {
  it('sends one request, however often it is asked', async () => {
    await using rig = await loggedInRig();
    const id = await restingOrder(rig);
    const replies = [];
    for (let each = 0; each < 3; each += 1) {
      replies.push(await amend(rig, 'PATCH', id, 'once'));
      await rig.time.advance(2_000);
    }
    expect(changesSent(rig, 'PUT')).toHaveLength(1);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(replies.map(({ headers }) => headers['idempotent-replayed'])).toEqual([
      undefined,
      'true',
      'true',
    ]);
    expect(replies[2]?.body.data).toMatchObject({ id, price: 1_475 });
  });

  it('sends one request when it is asked twice at one moment', async () => {
    await using rig = await loggedInRig({ sandbox: { latencyMs: [300, 300] } });
    const id = await restingOrder(rig);
    const ask = () => rig.begin(amendment('PATCH', id, 'together'));
    const both = await rig.time.settle(Promise.all([ask(), ask()]));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(changesSent(rig, 'PUT')).toHaveLength(1);
  });

  it('used for another modification of the order is a conflict, and sends nothing', async () => {
    await using rig = await loggedInRig();
    const id = await restingOrder(rig);
    await amend(rig, 'PATCH', id, 'taken');
    const reply = await amend(rig, 'PATCH', id, 'taken', { price: 1_480 });
    expect([reply.status, reply.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(changesSent(rig, 'PUT')).toHaveLength(1);
  });

  it('is a key of its own for each order, and for a cancel', async () => {
    await using rig = await loggedInRig();
    const first = await restingOrder(rig);
    const second = (await place(rig, RESTING, 'another')).body.data.id;
    await rig.time.advance(2_000);
    await amend(rig, 'PATCH', first, 'shared');
    await amend(rig, 'PATCH', second, 'shared', { price: 1_480 });
    await amend(rig, 'DELETE', first, 'shared');
    expect(changesSent(rig, 'PUT')).toHaveLength(2);
    expect(changesSent(rig, 'DELETE')).toHaveLength(1);
  });

  it('is free again when the request is known not to have left', async () => {
    await using rig = await loggedInRig();
    const id = await restingOrder(rig);
    rig.sandbox.faults.add({ broker: 'kite', kind: 'refuse', match: { method: 'PUT' }, times: 1 });
    const refused = await amend(rig, 'PATCH', id, 'freed');
    expect([refused.status, refused.body.code]).toEqual([503, 'order_not_sent']);
    const again = await amend(rig, 'PATCH', id, 'freed', { price: 1_480 });
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined]);
    await rig.time.advance(2_000);
    expect(await orderOf(rig, id)).toMatchObject({ price: 1_480 });
  });

  it('stays used while the answer is lost, over a restart as well', async () => {
    await using rig = await loggedInRig();
    const id = await restingOrder(rig);
    loseAnswer(rig, 'PUT');
    // Its row, which is read afterwards, shows it.
    expect((await amend(rig, 'PATCH', id, 'lost')).status).toBe(200);
    await rig.restart();
    await rig.time.advance(2_000);
    const again = await amend(rig, 'PATCH', id, 'lost');
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.data).toMatchObject({ price: 1_475 });
    expect(changesSent(rig, 'PUT')).toHaveLength(1);
  });

  it('of another caller is another key', async () => {
    await using rig = await loggedInRig();
    const id = await restingOrder(rig);
    await amend(rig, 'PATCH', id, 'mine');
    await rig.time.advance(2_000);
    const { key } = rig.composed.callers.add({ name: 'second', scope: 'trade' });
    const request = amendment('PATCH', id, 'mine', { price: 1_480 });
    const headers = { ...request.headers, authorization: `Bearer ${key.reveal()}` };
    const reply = await rig.call({ ...request, headers });
    expect([reply.status, reply.body.detail]).toEqual([200, undefined]);
    expect(changesSent(rig, 'PUT')).toHaveLength(2);
  });
});

describe('a key of a cancel', () => {
  it('sends one request, and then answers the order as it now stands', async () => {
    await using rig = await loggedInRig();
    const id = await restingOrder(rig);
    await amend(rig, 'DELETE', id, 'once');
    await rig.time.advance(3_000);
    const again = await amend(rig, 'DELETE', id, 'once');
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true']);
    expect(again.body.data).toMatchObject({ id, status: 'cancelled' });
    expect(changesSent(rig, 'DELETE')).toHaveLength(1);
  });

  it('of an order that is not found yet is used by the cancel that is kept', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'hang_after');
    rig.sandbox.faults.add({ broker: 'kite', kind: 'late_rows', match: {} });
    const { id } = (await place(rig, RESTING, 'open')).body.data;
    const first = await amend(rig, 'DELETE', id, 'kept');
    const again = await amend(rig, 'DELETE', id, 'kept');
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([
      202,
      202,
      'true',
    ]);
  });
});

describe('a key of a cancel of a sliced order', () => {
  const slicedRig = (sandbox: RigOptions['sandbox'] = {}): Promise<Rig> =>
    loggedInRig({ environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' }, sandbox });
  const slicesOf = (rig: Rig): readonly string[] =>
    [...rig.composed.execution.state.slicesOf.values()].flatMap((ids) => [...ids]);
  const told = ({ status, body, headers }: InProcessReply) => [
    status,
    body.data?.status ?? body.code,
    headers['idempotent-replayed'],
  ];

  it('sends one request for each slice', async () => {
    await using rig = await slicedRig();
    const id = await restingOrder(rig);
    await amend(rig, 'DELETE', id, 'slices');
    await amend(rig, 'DELETE', id, 'slices');
    await rig.time.advance(3_000);
    expect(changesSent(rig, 'DELETE')).toHaveLength(3);
  });

  it('answers the order as it now stands once all slices have ended, after a restart as well', async () => {
    await using rig = await slicedRig();
    const id = await restingOrder(rig);
    await amend(rig, 'DELETE', id, 'once');
    await rig.time.advance(3_000);
    expect(told(await amend(rig, 'DELETE', id, 'once'))).toEqual([200, 'cancelled', 'true']);
    await rig.restart();
    expect(told(await amend(rig, 'DELETE', id, 'once'))).toEqual([200, 'cancelled', 'true']);
    expect(told(await amend(rig, 'DELETE', id, 'new'))).toEqual([409, 'order_state', undefined]);
    expect(changesSent(rig, 'DELETE')).toHaveLength(3);
  });

  it('answers all who ask at one moment, and sends one request for each slice', async () => {
    await using rig = await slicedRig({ latencyMs: [300, 300] });
    const id = await restingOrder(rig);
    const ask = () => rig.begin(amendment('DELETE', id, 'together'));
    const all = await rig.time.settle(Promise.all([ask(), ask(), ask()]));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(all.map(({ headers }) => headers['idempotent-replayed'])).toEqual([
      undefined,
      'true',
      'true',
    ]);
    expect(changesSent(rig, 'DELETE')).toHaveLength(3);
  });

  it('sends again for the slice whose cancel is known not to have left, and for no other', async () => {
    await using rig = await slicedRig();
    const id = await restingOrder(rig);
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'refuse', match: { method: 'DELETE' }, times: 1 },
    });
    const part = await amend(rig, 'DELETE', id, 'part');
    // The cancels of two slices have left: "nothing was sent" would be wrong.
    expect(told(part)).toEqual([503, 'broker_unavailable', undefined]);
    expect(part.body.mayHaveExecuted).toBe(true);
    expect(part.body.detail).toMatch(/^slice ord_.* is not cancelled: .* 2 of 3 slices/);
    await rig.time.advance(3_000);
    const open = rig.sandbox.kite.orders().filter(({ status }) => status !== 'CANCELLED');
    expect(open).toHaveLength(1);
    const sent = changesSent(rig, 'DELETE').length;
    const again = await amend(rig, 'DELETE', id, 'part');
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    await rig.time.advance(3_000);
    expect(changesSent(rig, 'DELETE')).toHaveLength(sent + 1);
    expect(told(await amend(rig, 'DELETE', id, 'part'))).toEqual([200, 'cancelled', 'true']);
  });

  it('is another key for a slice of it alone', async () => {
    await using rig = await slicedRig();
    const id = await restingOrder(rig);
    for (const slice of slicesOf(rig)) {
      await amend(rig, 'DELETE', slice, 'shared');
    }
    await rig.time.advance(3_000);
    expect(told(await amend(rig, 'DELETE', id, 'shared'))).toEqual([409, 'order_state', undefined]);
  });

  it('is not used by a modification, which names the slices instead', async () => {
    await using rig = await slicedRig();
    const id = await restingOrder(rig);
    for (let each = 0; each < 2; each += 1) {
      const reply = await amend(rig, 'PATCH', id, 'other');
      expect(told(reply)).toEqual([409, 'order_state', undefined]);
    }
    const [slice = ''] = slicesOf(rig);
    expect((await amend(rig, 'PATCH', slice, 'other')).status).toBe(200);
    await amend(rig, 'DELETE', id, 'end');
    await rig.time.advance(3_000);
    expect(told(await amend(rig, 'PATCH', slice, 'other'))).toEqual([200, 'cancelled', 'true']);
    expect(changesSent(rig, 'PUT')).toHaveLength(1);
  });
});

describe('a key of a resolution', () => {
  it('resolves once, and records who did', async () => {
    await using rig = await loggedInRig();
    spoilPlacing(rig, 'error_before');
    const { id } = (await place(rig, BUY, 'never there')).body.data;
    const say = (json: object) =>
      rig.post(`/api/v1/orders/${id}/resolve`, json, { 'idempotency-key': 'word' });
    const first = await say({ absent: true });
    const again = await say({ absent: true });
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers['idempotency-key']).toBe('word');
    expect(again.body.data).toMatchObject({ id, status: 'rejected' });
    const other = await say({ placed: '1' });
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
    const resolved = journalEvents(rig.dataDirectory, 'order.resolved');
    expect(resolved).toHaveLength(1);
    expect(resolved[0]?.data).toMatchObject({ resolution: { kind: 'absent' } });
    expect(resolved[0]?.data['by']).toBe('admin');
  });
});
