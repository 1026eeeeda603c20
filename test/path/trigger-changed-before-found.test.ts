import { describe, expect, it } from 'vitest';
import type { BrokerTrigger } from '../../src/domain/trigger.ts';
import { applyChange, createState } from '../../src/execution/journal/state.ts';
import { decideTriggerRead } from '../../src/execution/triggers/decide-trigger-read.ts';
import { plus } from '../../src/units/branded.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from '../execution/triggers/makers.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import { placeTrigger, rowsAtBroker, spoilTriggers, STOP, triggerOf } from './trigger-walk.ts';
import { loggedInRig, spoilReading } from './walk.ts';

const [LEG] = brokerTrigger().legs;
const withLeg = (other: object): BrokerTrigger => brokerTrigger({ legs: [{ ...LEG!, ...other }] });

describe('a trigger whose answer was lost', () => {
  it.each([
    ['a person has cut to five shares since', withLeg({ quantity: 5 })],
    ['a person has moved since', withLeg({ triggerPrice: 1_440, price: 1_439.5 })],
    ['the broker has rounded to its tick', withLeg({ price: 1_449.45 })],
    ['the broker dates in UTC', brokerTrigger({ createdAt: plus(AT, -5.5 * 3_600_000) })],
  ])(
    'is not called absent beside a row that nobody owns and no list had before: one that %s',
    (_, row) => {
      const state = createState();
      const trigger = triggerRecord({ state: triggerState('uncertain') });
      applyChange(state, { table: 'triggers', key: trigger.id, row: trigger });
      const { changes } = decideTriggerRead(state, {
        ...{ broker: 'alt', list: { triggers: [row], unread: [] }, account: null },
        ...{ isAfter: () => true, isLasting: () => true, isTold: () => false },
        at: plus(AT, 400_000),
      });
      for (const change of changes) applyChange(state, change);
      expect(state.triggers.get(trigger.id)?.state.kind).toBe('uncertain');
    },
  );

  it('is not called absent beside such a row where no list was read before it either', () => {
    const state = createState();
    const trigger = triggerRecord({ state: triggerState('uncertain'), baseline: null });
    applyChange(state, { table: 'triggers', key: trigger.id, row: trigger });
    const { changes } = decideTriggerRead(state, {
      ...{ broker: 'alt', list: { triggers: [withLeg({ quantity: 5 })], unread: [] } },
      ...{ account: null, isAfter: () => true, isLasting: () => true, isTold: () => false },
      at: plus(AT, 400_000),
    });
    for (const change of changes) applyChange(state, change);
    expect(state.triggers.get(trigger.id)?.state.kind).toBe('uncertain');
  });

  it('is not called not placed because a person has changed it in the broker’s app meanwhile', async () => {
    await using rig = await loggedInRig();
    spoilTriggers(rig, 'reset_after', 'POST');
    const placed = await placeTrigger(rig, STOP, 'stop');
    const id: string = placed.body.data.id;
    const [row] = rowsAtBroker(rig);
    const fault = spoilReading(rig, 'error_before', '/gtt/triggers');
    const about = { exchange: 'NSE', tradingsymbol: 'INFY' };
    const order = { transaction_type: 'SELL', product: 'CNC', order_type: 'LIMIT', quantity: 5 };
    elsewhere(rig.sandbox, 'PUT', `/gtt/triggers/${row?.id}`, {
      type: 'single',
      condition: JSON.stringify({ ...about, trigger_values: [1_450], last_price: 1_500 }),
      orders: JSON.stringify([{ ...about, ...order, price: 1_449.5 }]),
    });
    rig.sandbox.faults.remove(fault);
    await rig.time.advance(400_000);
    expect(rowsAtBroker(rig)).toMatchObject([{ status: 'active' }]);
    expect((await triggerOf(rig, id)).status).not.toBe('absent');
    // 422 says "not placed", and its caller would place another one.
    expect((await placeTrigger(rig, STOP, 'stop')).status).toBe(202);
  });
});
