import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { CHARTINK, SCAN, TRADINGVIEW } from '../signals/support/templates.ts';
import { addHook, alertAt, hookRig, ordersOf } from './hooks.ts';

/** An alert as its sender writes it: JSON.stringify would round the id. */
const alertWithId = (rig: Rig, id: string): string =>
  `{"id":${id},"action":"buy","exchange":"NSE","ticker":"INFY","quantity":1,` +
  `"at":"${new Date(rig.time.now()).toISOString()}"}`;

describe('an alert whose id is a number', () => {
  it('of more digits than JSON numbers keep is refused: the next id could be the same one', async () => {
    await using both = await hookRig({ hook: { template: { ...TRADINGVIEW, id: '{id}' } } });
    const { rig, hook } = both;
    const refused = await hook.post(alertWithId(rig, '1700000000000012345'));
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('send it as a text'),
    ]);
    const ids = ['"1700000000000012345"', '"1700000000000012346"', '123456789012345'];
    for (const id of ids) expect((await hook.post(alertWithId(rig, id))).status).toBe(202);
    await rig.time.advance(3_000);
    expect(await ordersOf(rig)).toHaveLength(3);
  });
});

describe('an alert with a list', () => {
  it('of which an entry is no text or number is refused, and noted', async () => {
    await using both = await hookRig({ hook: { template: CHARTINK } });
    const { rig, hook } = both;
    const reply = await hook.post({ ...SCAN, stocks: [{ toString: 1, valueOf: 2 }, 'TCS'] });
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request']);
    const { body } = await rig.get('/api/v1/events?type=signal.refused');
    expect(body.data).toHaveLength(1);
    expect(await ordersOf(rig)).toEqual([]);
  });
});

describe('two hooks that are given one name at once', () => {
  it('have one event, of the change that was made', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const other = await addHook(rig, { key: { name: 'other' }, hook: { name: 'other' } });
    const rename = (id: string) =>
      rig.begin({ method: 'PATCH', path: `/api/v1/hooks/${id}`, json: { name: 'same' } });
    const replies = await rig.time.settle(Promise.all([rename(hook.id), rename(other.id)]));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
    const { body } = await rig.get('/api/v1/events?type=hook.changed');
    const changed = body.data.filter(
      (event: { data: { change: string } }) => event.data.change === 'changed',
    );
    expect(changed).toHaveLength(1);
  });
});

describe('the signals of a key', () => {
  it('are in the events of that key and of admins, as in their list', async () => {
    await using both = await hookRig();
    const { rig, hook } = both;
    const made = await rig.post('/api/v1/keys', { name: 'reader', scope: 'read' });
    await hook.post(alertAt(rig));
    await rig.time.advance(2_000);
    const headers = { authorization: `Bearer ${made.body.data.key}` };
    const path = '/api/v1/events?type=signal.accepted';
    const [own, others] = [await rig.get(path), await rig.call({ path, headers })];
    expect([own.body.data.length, others.body.data.length]).toEqual([1, 0]);
    expect((await rig.call({ path: '/api/v1/signals', headers })).body.data).toEqual([]);
  });
});
