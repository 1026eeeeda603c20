import { describe, expect, it } from 'vitest';
import { createRig, type Rig } from '../support/rig.ts';

const read = async (rig: Rig, headers: Record<string, string> = {}) =>
  (await rig.call({ method: 'GET', path: '/api/v1/kill-switch', headers })).body.data.stoppedKeys;

describe('the kill switch', () => {
  it('tells which keys are stopped: an admin of all, another key of itself', async () => {
    await using rig = await createRig();
    const add = (name: string) => rig.composed.callers.add({ name, scope: 'trade' });
    const [one, other, third] = ['one', 'other', 'third'].map(add);
    const idOf = (made: typeof one) => String(made?.caller.id);
    const headersOf = (made: typeof one) => ({ authorization: `Bearer ${made?.key.reveal()}` });
    expect(await read(rig)).toEqual([]);
    for (const made of [one, other, third]) {
      const path = `/api/v1/keys/${idOf(made)}/kill-switch`;
      await rig.post(path, { engaged: true, reason: 'enough' });
    }
    rig.composed.callers.setStop(idOf(third), null);
    const stopped = (made: typeof one, name: string) =>
      expect.objectContaining({ id: idOf(made), name, reason: 'enough' });
    expect(await read(rig)).toEqual([stopped(one, 'one'), stopped(other, 'other')]);
    expect(await read(rig, headersOf(other))).toEqual([stopped(other, 'other')]);
    expect(await read(rig, headersOf(third))).toEqual([]);
    const { body } = await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'all' });
    expect(body.data.stoppedKeys).toHaveLength(2);
    rig.composed.callers.revoke(idOf(one));
    expect(await read(rig)).toEqual([stopped(other, 'other')]);
  });
});
