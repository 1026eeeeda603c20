import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import { journalEvents } from '../support/journal-events.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import {
  changeTrigger,
  deleteTrigger,
  LEG,
  PAIR,
  placeTrigger,
  rowsAtBroker,
  sentTriggers,
  spoilTriggers,
  STOP,
  triggerOf,
} from './trigger-walk.ts';
import { loggedInRig, spoilReading } from './walk.ts';

const LOWER = { legs: [{ triggerPrice: 1_440, price: 1_439.5 }] };
const AFTER: readonly FaultKind[] = ['reset_after', 'error_after', 'hang_after', 'lying_2xx_after'];
const BEFORE: readonly FaultKind[] = ['reset_before', 'error_before', 'hang_before'];

async function placed(rig: Rig, body: object = STOP): Promise<string> {
  const reply = await placeTrigger(rig, body, 'stop');
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

const triggerPrices = (rig: Rig) =>
  rowsAtBroker(rig).map(
    (row) =>
      (row as unknown as { condition: { trigger_values: number[] } }).condition.trigger_values,
  );

describe('a modification of a trigger', () => {
  it('keeps its ids, and is sent once for a key', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    const first = await changeTrigger(rig, id, LOWER, 'lower');
    const again = await changeTrigger(rig, id, LOWER, 'lower');
    expect([first.status, again.status]).toEqual([200, 200]);
    expect(first.body.data.legs).toMatchObject([{ ...LEG, triggerPrice: 1_440, price: 1_439.5 }]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(sentTriggers(rig, 'PUT')).toHaveLength(1);
    expect(triggerPrices(rig)).toEqual([[1_440]]);
  });

  it.each(AFTER)('whose answer is lost (%s) is found to be taken', async (kind) => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    spoilTriggers(rig, kind, 'PUT');
    await changeTrigger(rig, id, LOWER, 'lower');
    await rig.time.advance(10_000);
    const again = await changeTrigger(rig, id, LOWER, 'lower');
    expect([again.status, again.body.data.legs[0].triggerPrice]).toEqual([200, 1_440]);
    expect(sentTriggers(rig, 'PUT')).toHaveLength(1);
  });

  it('whose answer names another trigger is found by the list, and is not said to be acknowledged', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    for (const method of ['PUT', 'DELETE'] as const) {
      spoilTriggers(rig, 'wrong_id_2xx_after', method, { params: { row: 'nobody' } });
    }
    await changeTrigger(rig, id, LOWER, 'lower');
    await rig.time.advance(10_000);
    expect((await triggerOf(rig, id)).legs[0].triggerPrice).toBe(1_440);
    await deleteTrigger(rig, id);
    await rig.time.advance(10_000);
    expect(rowsAtBroker(rig).filter(({ status }) => status === 'active')).toEqual([]);
    const events = journalEvents(rig.dataDirectory, 'trigger.changed');
    const states = events.map(({ data }) => (data as { state?: unknown }).state);
    expect(states).toContain('uncertain');
    expect(states).not.toContain('acknowledged');
  });

  it.each(BEFORE)(
    'that never arrived (%s) is found not to be taken, and not sent again',
    async (kind) => {
      await using rig = await loggedInRig();
      const id = await placed(rig);
      spoilTriggers(rig, kind, 'PUT');
      expect((await changeTrigger(rig, id, LOWER, 'lower')).status).toBe(202);
      const open = await changeTrigger(rig, id, { legs: [{ quantity: 5 }] }, 'other');
      expect([open.status, open.body.code]).toEqual([409, 'order_state']);
      await rig.time.advance(60_000);
      const again = await changeTrigger(rig, id, LOWER, 'lower');
      expect([again.status, again.body.code]).toEqual([422, 'change_refused']);
      expect(sentTriggers(rig, 'PUT')).toHaveLength(1);
      expect((await changeTrigger(rig, id, { legs: [{ quantity: 5 }] }, 'next')).status).toBe(200);
    },
  );

  it('on its way at a crash is uncertain, and read from the list', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    spoilTriggers(rig, 'hang_after', 'PUT');
    const lost = rig.begin({
      ...{ method: 'PATCH', path: `/api/v1/triggers/${id}`, json: LOWER },
      headers: { 'idempotency-key': 'lower' },
    });
    lost.catch(() => null);
    await rig.time.advance(500);
    await rig.crash();
    await rig.time.advance(10_000);
    const again = await changeTrigger(rig, id, LOWER, 'lower');
    expect([again.status, again.body.data.legs[0].triggerPrice]).toEqual([200, 1_440]);
    expect(sentTriggers(rig, 'PUT')).toHaveLength(1);
  });

  it('that makes it larger is stopped by the kill switch, one that makes it smaller is not', async () => {
    await using rig = await loggedInRig();
    const buy = { ...LEG, side: 'BUY', price: 1_451 };
    const id = await placed(rig, { ...STOP, legs: [buy] });
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });
    const larger = await changeTrigger(rig, id, { legs: [{ quantity: 11 }] }, 'larger');
    expect([larger.status, larger.body.code]).toEqual([409, 'kill_switch']);
    const smaller = await changeTrigger(rig, id, { legs: [{ quantity: 9 }] }, 'smaller');
    expect([smaller.status, smaller.body.data.legs[0].quantity]).toEqual([200, 9]);
  });

  it('of a pair has one entry for each leg', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig, PAIR);
    const one = await changeTrigger(rig, id, LOWER, 'one');
    expect([one.status, one.body.code]).toEqual([400, 'invalid_request']);
    const both = await changeTrigger(rig, id, { legs: [{}, { triggerPrice: 1_620 }] }, 'both');
    expect(both.status).toBe(200);
    expect(triggerPrices(rig)).toEqual([[1_450, 1_620]]);
  });
});

describe('a deletion of a trigger', () => {
  it('is confirmed by the list, and done again only for another key', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    const first = await deleteTrigger(rig, id);
    const again = await deleteTrigger(rig, id);
    expect([first.status, first.body.data.status, again.status]).toEqual([200, 'ended', 200]);
    expect((await deleteTrigger(rig, id, 'other')).status).toBe(200);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
  });

  it.each(AFTER)('whose answer is lost (%s) is found in the list', async (kind) => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    spoilTriggers(rig, kind, 'DELETE');
    await deleteTrigger(rig, id);
    await rig.time.advance(5_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
  });

  it.each(BEFORE)(
    'that never arrived (%s) is sent again once the list shows that',
    async (kind) => {
      await using rig = await loggedInRig();
      const id = await placed(rig);
      spoilTriggers(rig, kind, 'DELETE');
      expect((await deleteTrigger(rig, id)).status).toBe(202);
      await rig.time.advance(20_000);
      expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
      expect(sentTriggers(rig, 'DELETE')).toHaveLength(2);
    },
  );

  it('is not held back by a modification whose outcome is open', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    spoilTriggers(rig, 'reset_before', 'PUT');
    expect((await changeTrigger(rig, id, LOWER, 'lower')).status).toBe(202);
    const { status, body } = await deleteTrigger(rig, id);
    expect([status, body.data.status]).toEqual([200, 'ended']);
  });

  it('that was kept is not forgotten where it finds no connection', async () => {
    await using rig = await loggedInRig();
    spoilTriggers(rig, 'reset_after', 'POST');
    const { id } = (await placeTrigger(rig, STOP, 'stop')).body.data;
    expect((await deleteTrigger(rig, id)).status).toBe(202);
    spoilTriggers(rig, 'refuse', 'DELETE', { times: 2 });
    await rig.time.advance(60_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
  });

  it('is not undone by another request for it that finds no connection', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    const reading = spoilReading(rig, 'error_before', '/gtt/triggers');
    spoilTriggers(rig, 'reset_before', 'DELETE');
    expect((await deleteTrigger(rig, id)).status).toBe(202);
    spoilTriggers(rig, 'refuse', 'DELETE');
    const other = await deleteTrigger(rig, id, 'other');
    expect([other.status, other.body.code]).toEqual([503, 'order_not_sent']);
    rig.sandbox.faults.remove(reading);
    await rig.time.advance(60_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
  });

  it('that leaves no way to the broker at all is not kept: the answer says so', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    spoilTriggers(rig, 'refuse', 'DELETE');
    const reply = await deleteTrigger(rig, id);
    expect([reply.status, reply.body.code]).toEqual([503, 'order_not_sent']);
    await rig.time.advance(60_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'waiting', deleteWanted: false });
  });

  it('of one that has triggered says so', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    rig.sandbox.exchange.setPrice('NSE:INFY', 144_900);
    await rig.time.advance(40_000);
    const { status, body } = await deleteTrigger(rig, id);
    expect([status, body.code]).toEqual([409, 'order_state']);
  });

  it('is sent where the list cannot be read', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    await rig.time.advance(2_000);
    const fault = spoilReading(rig, 'error_before', '/gtt/triggers');
    const { status, body } = await deleteTrigger(rig, id);
    expect([status, body.data.status]).toEqual([202, 'waiting']);
    rig.sandbox.faults.remove(fault);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
    await rig.time.advance(10_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
  });
});

describe('a trigger that lists have lacked for so long that it is called ended', () => {
  async function lacked(rig: Rig): Promise<{ id: string; showAgain: () => void }> {
    const id = await placed(rig);
    const fault = spoilTriggers(rig, 'truncated_book', 'GET', {
      times: Infinity,
      params: { drop: 1 },
    });
    await rig.time.advance(120_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
    return { id, showAgain: () => rig.sandbox.faults.remove(fault) };
  }

  it('is deleted at the broker all the same, which may have it', async () => {
    await using rig = await loggedInRig();
    const { id } = await lacked(rig);
    expect((await deleteTrigger(rig, id)).status).toBe(200);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
    expect(rig.sandbox.kite.triggers()).toMatchObject([{ status: 'deleted' }]);
    await deleteTrigger(rig, id, 'again');
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
  });

  it('is gone where the broker refuses to delete it', async () => {
    await using rig = await loggedInRig();
    const { id } = await lacked(rig);
    const [own] = rig.sandbox.kite.triggers();
    elsewhere(rig.sandbox, 'DELETE', `/gtt/triggers/${own?.id ?? 0}`);
    expect((await deleteTrigger(rig, id)).status).toBe(200);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended' });
  });

  it('is known to be gone once lists go on to lack it, where the answer is lost', async () => {
    await using rig = await loggedInRig();
    const { id } = await lacked(rig);
    spoilTriggers(rig, 'reset_after', 'DELETE');
    expect((await deleteTrigger(rig, id)).status).toBe(202);
    await rig.time.advance(180_000);
    expect((await deleteTrigger(rig, id)).status).toBe(200);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
  });

  it('is seen to wait where the answer is lost, and a list shows it again', async () => {
    await using rig = await loggedInRig();
    const { id, showAgain } = await lacked(rig);
    spoilTriggers(rig, 'reset_before', 'DELETE');
    expect((await deleteTrigger(rig, id)).status).toBe(202);
    showAgain();
    await rig.time.advance(10_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'waiting' });
    await rig.time.advance(120_000);
    expect((await deleteTrigger(rig, id)).status).toBe(422);
    await deleteTrigger(rig, id, 'once more');
    expect(rig.sandbox.kite.triggers()).toMatchObject([{ status: 'deleted' }]);
  });
});
