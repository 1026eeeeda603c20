import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig } from '../support/rig.ts';
import {
  LEG,
  PAIR,
  placeElsewhere,
  placeTrigger,
  refuseDeletion,
  rowsAtBroker,
  sentTriggers,
  spoilTriggers,
  STOP,
  triggerOf,
} from './trigger-walk.ts';
import { loggedInRig, place, RESTING, spoilReading } from './walk.ts';

const ALL = '/api/v1/orders/cancel-all';
const WITH = { triggers: true };

const cancelAll = (rig: Rig, json: object = {}, headers: Record<string, string> = {}) =>
  rig.post(ALL, json, headers);
const keyed = (key: string) => ({ 'idempotency-key': key });

async function placed(rig: Rig, body: object = STOP, key = 'stop'): Promise<string> {
  const reply = await placeTrigger(rig, body, key);
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

/** A key of its own, which is no admin's. */
function traderOf(rig: Rig): Record<string, string> {
  const { key } = rig.composed.callers.add({ name: 'a program', scope: 'trade' });
  return { authorization: `Bearer ${key.reveal()}` };
}

const statuses = (rig: Rig) => rowsAtBroker(rig).map(({ status }) => status);

describe('POST /api/v1/orders/cancel-all with triggers', () => {
  it('deletes the triggers of the key beside its orders, and answers each', async () => {
    await using rig = await loggedInRig();
    const resting = await place(rig, RESTING, 'resting');
    const ids = [await placed(rig), await placed(rig, PAIR, 'pair')];
    const { status, body } = await cancelAll(rig, WITH);
    expect(body.data).toMatchObject([{ id: resting.body.data.id, result: 'cancelled' }]);
    expect(body.meta.triggers).toMatchObject(
      ids.map((id) => ({ id, broker: 'alt', status: 'ended', result: 'cancelled' })),
    );
    expect([status, statuses(rig)]).toEqual([200, ['deleted', 'deleted']]);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(2);
  });

  it('leaves all triggers where they are not asked for', async () => {
    await using rig = await loggedInRig();
    await placed(rig);
    for (const body of [{}, { triggers: false }, { scope: 'account' }]) {
      expect((await cancelAll(rig, body)).body.meta.triggers).toBeUndefined();
    }
    expect(statuses(rig)).toEqual(['active']);
  });

  it('takes only what the filters hit, a pair where either leg does', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig, PAIR);
    const none = [{ side: 'BUY' }, { product: 'MIS' }, { instrument: 'NSE:TCS' }];
    for (const filter of [...none, { broker: 'paper' }]) {
      const { status, body } = await cancelAll(rig, { ...WITH, ...filter });
      expect([status, body.meta.triggers]).toEqual([200, []]);
    }
    expect(sentTriggers(rig, 'DELETE')).toEqual([]);
    const filters = { side: 'SELL', product: 'CNC', instrument: 'NSE_1594', broker: 'alt' };
    const { body } = await cancelAll(rig, { ...WITH, ...filters });
    expect(body.meta.triggers).toMatchObject([{ id, result: 'cancelled' }]);
  });

  it('leaves those of other keys and those placed elsewhere, unless asked for the account', async () => {
    await using rig = await loggedInRig();
    const own = await placed(rig);
    const other = placeElsewhere(rig, { triggerPrice: 1_430, price: 1_429 });
    const mine = await cancelAll(rig, WITH, traderOf(rig));
    expect([mine.status, mine.body.meta.triggers]).toEqual([200, []]);
    expect(sentTriggers(rig, 'DELETE')).toEqual([]);
    const { status, body } = await cancelAll(rig, { ...WITH, scope: 'account' });
    expect(body.meta.triggers).toMatchObject([
      { id: own, result: 'cancelled' },
      { id: null, triggerId: other, broker: 'alt', result: 'cancelled', status: 'ended' },
    ]);
    expect([status, statuses(rig)]).toEqual([200, ['deleted', 'deleted']]);
  });

  it('tells in events what it is about, and each deletion of one placed elsewhere before and after', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    const other = placeElsewhere(rig, { triggerPrice: 1_430, price: 1_429 });
    await cancelAll(rig, { ...WITH, scope: 'account' });
    const about = journalEvents(rig.dataDirectory, 'order.cancel_all').at(-1);
    expect(about?.data).toMatchObject({
      triggerIds: [id],
      externalTriggers: [{ broker: 'alt', triggerId: other, instrument: 'NSE:INFY' }],
    });
    const deletions = journalEvents(rig.dataDirectory, 'trigger.external_delete');
    expect(deletions.map(({ data }) => data)).toMatchObject([
      { triggerId: other, outcome: null },
      { triggerId: other, outcome: 'acknowledged' },
    ]);
  });

  it('is about the same triggers when it is repeated, and sends nothing twice', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    const other = placeElsewhere(rig, { triggerPrice: 1_430, price: 1_429 });
    const asked = { ...WITH, scope: 'account' };
    await cancelAll(rig, asked, keyed('out'));
    await rig.time.advance(10_000);
    await placed(rig, { ...STOP, legs: [{ ...LEG, triggerPrice: 1_400, price: 1_399 }] }, 'later');
    placeElsewhere(rig, { triggerPrice: 1_420, price: 1_419 });
    const again = await cancelAll(rig, asked, keyed('out'));
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.meta.triggers).toMatchObject([
      { id, result: 'cancelled' },
      { triggerId: other, result: 'cancelled' },
    ]);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(2);
    const without = await cancelAll(rig, { scope: 'account' }, keyed('out'));
    expect([without.status, without.body.code]).toEqual([422, 'idempotency_conflict']);
  });

  it('is never "nothing to do" where the list of triggers cannot be read', async () => {
    await using rig = await loggedInRig();
    placeElsewhere(rig);
    const fault = spoilReading(rig, 'error_before', '/gtt/triggers');
    const partly = await cancelAll(rig, { ...WITH, scope: 'account' }, keyed('out'));
    expect([partly.status, partly.body.meta.triggers]).toEqual([202, []]);
    expect(partly.body.meta.errors).toMatchObject([
      { broker: 'alt', reason: expect.stringContaining('the list of triggers of alt') },
    ]);
    await rig.time.advance(30_000);
    const books = spoilReading(rig, 'hang_before', '/orders');
    const neither = await cancelAll(rig, { ...WITH, scope: 'account', broker: 'alt' });
    expect([neither.status, neither.body.code]).toEqual([503, 'broker_unavailable']);
    for (const each of [fault, books]) rig.sandbox.faults.remove(each);
    // Placed since the request: it is not meant.
    placeElsewhere(rig, { triggerPrice: 1_420, price: 1_419 });
    const again = await cancelAll(rig, { ...WITH, scope: 'account' }, keyed('out'));
    expect([again.status, again.body.meta.triggers]).toMatchObject([
      200,
      [{ result: 'cancelled' }],
    ]);
  });

  it('says so where a row of the list cannot be read', async () => {
    await using rig = await loggedInRig();
    placeElsewhere(rig);
    spoilTriggers(rig, 'bad_row', 'GET', { times: Infinity, params: { form: 1 } });
    const { status, body } = await cancelAll(rig, { ...WITH, scope: 'account' });
    expect(status).toBe(202);
    expect(body.meta.errors).toMatchObject([{ broker: 'alt', reason: expect.any(String) }]);
  });

  it('reads no list for a key without triggers, and deletes those that it has where none can be read', async () => {
    await using rig = await loggedInRig();
    const fault = spoilReading(rig, 'error_before', '/gtt/triggers');
    const none = await cancelAll(rig, WITH);
    expect([none.status, none.body.meta]).toMatchObject([200, { triggers: [], errors: [] }]);
    rig.sandbox.faults.remove(fault);
    const id = await placed(rig);
    spoilReading(rig, 'error_before', '/gtt/triggers');
    const { status, body } = await cancelAll(rig, WITH);
    expect([status, body.meta.triggers]).toMatchObject([202, [{ id, result: 'cancelling' }]]);
    expect(body.meta.errors).toMatchObject([{ broker: 'alt' }]);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
  });

  it('keeps the deletion of one whose outcome is open', async () => {
    await using rig = await loggedInRig();
    spoilTriggers(rig, 'reset_after', 'POST');
    const lost = await placeTrigger(rig, STOP, 'lost');
    const fault = spoilReading(rig, 'error_before', '/gtt/triggers');
    const { status, body } = await cancelAll(rig, WITH);
    const { id } = lost.body.data;
    expect([status, body.meta.triggers]).toMatchObject([202, [{ id, result: 'uncertain' }]]);
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(20_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
  });

  it('answers a refusal, and one that has placed its order, each for itself', async () => {
    await using rig = await loggedInRig();
    const refused = await placed(rig);
    const other = await placed(rig, PAIR, 'pair');
    refuseDeletion(rig);
    const { body } = await cancelAll(rig, WITH);
    expect(body.meta.triggers).toMatchObject([
      { id: refused, result: 'refused', status: 'waiting' },
      { id: other, result: 'cancelled' },
    ]);
    const key = keyed('later');
    const fault = spoilTriggers(rig, 'hang_before', 'DELETE');
    const late = rig.begin({ method: 'POST', path: ALL, json: WITH, headers: key });
    await rig.time.advance(1_000);
    rig.sandbox.exchange.setPrice('NSE:INFY', 144_900);
    await rig.time.settle(late);
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(60_000);
    const again = await cancelAll(rig, WITH, key);
    expect(again.body.meta.triggers).toMatchObject([{ id: refused, result: 'over' }]);
  });

  it('passes the kill switch', async () => {
    await using rig = await loggedInRig();
    await placed(rig);
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    const { body } = await cancelAll(rig, WITH);
    expect(body.meta.triggers).toMatchObject([{ result: 'cancelled' }]);
  });

  it('does not send one placed elsewhere again after a crash that lost its answer', async () => {
    await using rig = await loggedInRig();
    placeElsewhere(rig);
    spoilTriggers(rig, 'hang_before', 'DELETE');
    const asked = { ...WITH, scope: 'account' };
    rig.begin({ method: 'POST', path: ALL, json: asked, headers: keyed('out') }).catch(() => null);
    await rig.time.advance(1_500);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
    await rig.crash();
    await rig.time.advance(5_000);
    const again = await cancelAll(rig, asked, keyed('out'));
    expect([again.status, again.body.meta.triggers]).toMatchObject([
      202,
      [{ result: 'cancelling', reason: expect.stringContaining('sent before') }],
    ]);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
    const [row] = rowsAtBroker(rig);
    elsewhere(rig.sandbox, 'DELETE', `/gtt/triggers/${row?.id ?? 0}`);
    const third = await cancelAll(rig, asked, keyed('out'));
    expect([third.status, third.body.meta.triggers]).toMatchObject([
      200,
      [{ result: 'cancelled' }],
    ]);
  });
});
