import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import type { Rig } from '../support/rig.ts';
import {
  alertsOf,
  deleteTrigger,
  LEG,
  placeElsewhere,
  placeTrigger,
  rowsAtBroker,
  sentTriggers,
  spoilTriggers,
  STOP,
  triggerOf,
} from './trigger-walk.ts';
import { loggedInRig, spoilReading } from './walk.ts';

const resolve = (rig: Rig, id: string, json: object) =>
  rig.post(`/api/v1/triggers/${id}/resolve`, json, { 'idempotency-key': 'word' });

/** Places one whose answer is lost; the broker has it where the fault comes after. */
async function placeLost(rig: Rig, kind: FaultKind = 'reset_after'): Promise<string> {
  spoilTriggers(rig, kind, 'POST');
  const { status, body } = await placeTrigger(rig, STOP, 'stop');
  expect([status, body.data.status]).toEqual([202, 'uncertain']);
  return body.data.id;
}

describe('a trigger whose answer is lost', () => {
  it.each([
    'reset_after',
    'cut_after',
    'error_after',
    'lying_2xx_after',
    'no_id_2xx_after',
    'hang_after',
    'html_2xx_after',
  ] as const)('(%s) is found in the list, and never sent again', async (kind) => {
    await using rig = await loggedInRig();
    const id = await placeLost(rig, kind);
    await rig.time.advance(15_000);
    const [row] = rowsAtBroker(rig);
    expect(await triggerOf(rig, id)).toMatchObject({
      ...{ status: 'waiting', triggerId: String(row?.id) },
    });
    expect((await placeTrigger(rig, STOP, 'stop')).status).toBe(201);
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
  });

  it.each(['reset_before', 'error_before', 'hang_before', 'lying_2xx_before'] as const)(
    '(%s) is absent once whole lists have lacked it for five minutes, and not before',
    async (kind) => {
      await using rig = await loggedInRig();
      const id = await placeLost(rig, kind);
      await rig.time.advance(280_000);
      expect(await triggerOf(rig, id)).toMatchObject({ status: 'uncertain' });
      await rig.time.advance(40_000);
      expect(await triggerOf(rig, id)).toMatchObject({ status: 'absent' });
      const again = await placeTrigger(rig, STOP, 'stop');
      expect([again.status, again.body.code]).toEqual([422, 'order_refused']);
      expect(sentTriggers(rig, 'POST')).toHaveLength(1);
    },
  );

  it('stays uncertain while the list cannot be read', async () => {
    await using rig = await loggedInRig();
    const id = await placeLost(rig, 'reset_before');
    const fault = spoilReading(rig, 'error_before', '/gtt/triggers');
    await rig.time.advance(900_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'uncertain' });
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(400_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'absent' });
  });

  it('is not one that was there before, or of other terms', async () => {
    await using rig = await loggedInRig();
    placeElsewhere(rig);
    await rig.time.advance(1_000);
    const id = await placeLost(rig, 'reset_before');
    placeElsewhere(rig, { quantity: 11 });
    placeElsewhere(rig, { triggerPrice: 1_451 });
    await rig.time.advance(20_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'uncertain', triggerId: null });
  });

  it('is for a person where several could be it', async () => {
    await using rig = await loggedInRig();
    const id = await placeLost(rig);
    const other = placeElsewhere(rig);
    await rig.time.advance(20_000);
    const [row] = rowsAtBroker(rig);
    const candidates = [String(row?.id), other];
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'uncertain', candidates });
    expect((await alertsOf(rig)).join()).toContain(`may be any of ${candidates.join(', ')}`);
    await rig.time.advance(900_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'uncertain' });
    const said = await resolve(rig, id, { placed: other });
    expect([said.status, said.body.data.triggerId]).toEqual([200, other]);
  });

  it('is not taken for one that a person has placed a minute later, while its own row is late', async () => {
    await using rig = await loggedInRig();
    spoilTriggers(rig, 'late_rows', 'POST', { params: { delayMs: 120_000 } });
    const id = await placeLost(rig);
    await rig.time.advance(60_000);
    const other = placeElsewhere(rig);
    await rig.time.advance(20_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'uncertain', candidates: [other] });
    // Its own was made at once: whatever came later, it is that one.
    await rig.time.advance(60_000);
    const [own] = rowsAtBroker(rig);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'waiting', triggerId: `${own?.id}` });
  });

  it('is found after a crash', async () => {
    await using rig = await loggedInRig();
    spoilTriggers(rig, 'hang_after', 'POST');
    const lost = rig.begin({
      ...{ method: 'POST', path: '/api/v1/triggers', json: STOP },
      headers: { 'idempotency-key': 'stop' },
    });
    lost.catch(() => null);
    await rig.time.advance(500);
    expect(rowsAtBroker(rig)).toHaveLength(1);
    await rig.crash();
    await rig.time.advance(20_000);
    const again = await placeTrigger(rig, STOP, 'stop');
    expect([again.status, again.body.data.status]).toEqual([201, 'waiting']);
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
  });

  it('keeps another of the same terms from being sent', async () => {
    await using rig = await loggedInRig();
    await placeLost(rig, 'reset_before');
    const { status, body } = await placeTrigger(rig, STOP, 'second');
    expect([status, body.code]).toEqual([503, 'order_not_sent']);
    expect(sentTriggers(rig, 'POST')).toHaveLength(1);
  });

  it('that turns up after it was called absent engages the kill switch', async () => {
    await using rig = await loggedInRig();
    const id = await placeLost(rig, 'reset_before');
    expect((await resolve(rig, id, { absent: true })).body.data.status).toBe('absent');
    const late = placeElsewhere(rig);
    await rig.time.advance(60_000);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'waiting', triggerId: late });
    expect((await rig.get('/api/v1/kill-switch')).body.data.engaged).toBe(true);
  });

  it('is deleted once it is found, where that was asked for', async () => {
    await using rig = await loggedInRig();
    const id = await placeLost(rig);
    const fault = spoilReading(rig, 'error_before', '/gtt/triggers');
    const { status, body } = await deleteTrigger(rig, id);
    expect([status, body.data.deleteWanted]).toEqual([202, true]);
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(20_000);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
    expect(await triggerOf(rig, id)).toMatchObject({ status: 'ended', deleteWanted: false });
  });
});

describe("a person's word", () => {
  it('has to name a trigger that the broker has, with the same terms', async () => {
    await using rig = await loggedInRig();
    const id = await placeLost(rig, 'reset_before');
    const other = placeElsewhere(rig, { quantity: 11 });
    const unknown = await resolve(rig, id, { placed: '999' });
    expect([unknown.status, unknown.body.code]).toEqual([409, 'order_state']);
    const differs = await resolve(rig, id, { placed: other });
    expect(differs.text).toContain('other terms');
    const forced = await resolve(rig, id, { placed: other, force: true });
    expect([forced.status, forced.body.data.triggerId]).toEqual([200, other]);
  });

  it('is not taken on one whose outcome is known', async () => {
    await using rig = await loggedInRig();
    const { body } = await placeTrigger(rig, { ...STOP, legs: [LEG] }, 'stop');
    const said = await resolve(rig, body.data.id, { absent: true });
    expect([said.status, said.body.code]).toEqual([409, 'order_state']);
  });
});
