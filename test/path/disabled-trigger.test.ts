import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { withTrigger } from './fired-trigger.ts';
import { deleteTrigger, rowsAtBroker, sentTriggers, triggerOf } from './trigger-walk.ts';

describe('a trigger that the broker has disabled, and that a person has enabled again', () => {
  it('is deleted when that is asked for', async () => {
    await using made = await withTrigger();
    const { rig, id } = made;
    const rows = elsewhere(rig.sandbox, 'GET', '/gtt/triggers') as unknown as readonly object[];
    const data = rows.map((row) => ({ ...row, status: 'disabled' }));
    const fault = rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'lying_2xx_after' },
      match: { method: 'GET', path: '/gtt/triggers' },
      params: { body: JSON.stringify({ status: 'success', data }) },
    });
    await rig.time.advance(40_000);
    expect((await triggerOf(rig, id)).status).toBe('ended');
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(60_000);
    // The list of the account shows it waiting, under the gateway's own id.
    const { body } = await rig.get('/api/v1/triggers?broker=alt');
    expect(body.data).toMatchObject([{ id, status: 'waiting' }]);
    await deleteTrigger(rig, id);
    await rig.time.advance(5_000);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'deleted' }]);
  });
});
