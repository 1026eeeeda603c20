import { describe, expect, it } from 'vitest';
import { ordersOfTrigger } from '../../src/execution/triggers/trigger.ts';
import { moveOf } from '../../src/execution/triggers/trigger-transitions.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from '../execution/triggers/makers.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { quantitiesOf, reach, withTrigger } from './fired-trigger.ts';

type Row = Readonly<Record<string, unknown>>;

function shown(rig: Rig): readonly Row[] {
  const rows: unknown = elsewhere(rig.sandbox, 'GET', '/gtt/triggers');
  return Array.isArray(rows) ? rows : [];
}

/** From now on the broker's list of triggers is this one. */
function lie(rig: Rig, data: readonly Row[]): void {
  const body = JSON.stringify({ status: 'success', data });
  const match = { method: 'GET', path: '/gtt/triggers' } as const;
  rig.sandbox.faults.add({
    ...{ broker: 'kite', kind: 'lying_2xx_after', match, params: { body } },
  });
}

describe('a row of a trigger that names the order that it has placed', () => {
  it.each([
    ['has ended', 'ended', 'deleted'],
    ['has a word that nobody has listed', 'unrecognised', 'executed'],
  ] as const)('names it also where the trigger %s', (_what, status, rawStatus) => {
    const [leg] = brokerTrigger().legs;
    const legs = [{ ...leg!, brokerOrderId: '250101000000001' }];
    const row = brokerTrigger({ status, rawStatus, legs });
    const waiting = triggerRecord({ state: triggerState('waiting') });
    const after = moveOf(waiting, { type: 'observe', row }, AT);
    expect(ordersOfTrigger(after)).toMatchObject([{ brokerOrderId: '250101000000001' }]);
  });

  it.each(['deleted', 'executed'])(
    'gives its fills to the key also where its word is %s',
    async (status) => {
      await using made = await withTrigger();
      const { rig, key } = made;
      await rig.time.advance(40_000);
      reach(rig);
      await rig.time.advance(1_000);
      // Fired, and tidied up by a person (or called otherwise by the broker) before the list was read.
      lie(
        rig,
        shown(rig).map((row) => ({ ...row, status })),
      );
      await rig.time.advance(60_000);
      expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    },
  );
});
