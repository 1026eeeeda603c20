import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { changeTrigger, LEG, placeTrigger, rowsAtBroker, STOP, triggerOf } from './trigger-walk.ts';
import { loggedInRig } from './walk.ts';

interface Edit {
  readonly side?: string;
  readonly quantity?: number;
  readonly triggerPrice?: number;
  readonly price?: number;
}

/** A person changes the one trigger in the broker's app, and the gateway reads its list. */
async function changeElsewhere(rig: Rig, edit: Edit): Promise<void> {
  const { side = 'SELL', quantity = 10, triggerPrice = 1_450, price = 1_449.5 } = edit;
  const about = { exchange: 'NSE', tradingsymbol: 'INFY' };
  const order = { transaction_type: side, product: 'CNC', order_type: 'LIMIT', quantity, price };
  const [row] = rowsAtBroker(rig);
  elsewhere(rig.sandbox, 'PUT', `/gtt/triggers/${row?.id}`, {
    type: 'single',
    condition: JSON.stringify({ ...about, trigger_values: [triggerPrice], last_price: 1_500 }),
    orders: JSON.stringify([{ ...about, ...order }]),
  });
  await rig.time.advance(65_000);
}

interface Row {
  readonly condition: { readonly trigger_values: readonly number[] };
  readonly orders: readonly { readonly quantity: number; readonly price: number }[];
}

/** The quantity, the trigger price and the price that the broker has. */
function atBroker(rig: Rig): readonly (number | undefined)[] {
  const [row] = rowsAtBroker(rig) as unknown as readonly Row[];
  const [order] = row?.orders ?? [];
  return [order?.quantity, row?.condition.trigger_values[0], order?.price];
}

async function placed(rig: Rig, body: object = STOP): Promise<string> {
  const reply = await placeTrigger(rig, body, 'stop');
  expect(reply.status, reply.text).toBe(201);
  return reply.body.data.id;
}

const engage = (rig: Rig) => rig.post('/api/v1/kill-switch', { engaged: true, reason: 'test' });

describe('a trigger that a person has changed in the broker’s app', () => {
  it('keeps the smaller quantity when a change names its prices alone', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    // Five of the ten were sold by hand, and the stop was cut to the other five.
    await changeElsewhere(rig, { quantity: 5 });
    const reply = await changeTrigger(
      rig,
      id,
      { legs: [{ triggerPrice: 1_460, price: 1_459.5 }] },
      'trail',
    );
    expect(reply.status, reply.text).toBe(200);
    expect(atBroker(rig)).toEqual([5, 1_460, 1_459.5]);
  });

  it('keeps the other prices when a change names its quantity alone', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    await changeElsewhere(rig, { triggerPrice: 1_470, price: 1_469.5 });
    await changeTrigger(rig, id, { legs: [{ quantity: 5 }] }, 'cut');
    expect(atBroker(rig)).toEqual([5, 1_470, 1_469.5]);
  });

  it('shows what it now is at the broker', async () => {
    await using rig = await loggedInRig();
    const id = await placed(rig);
    await changeElsewhere(rig, { quantity: 5 });
    expect((await triggerOf(rig, id)).legs).toMatchObject([{ ...LEG, quantity: 5 }]);
  });

  it('is not made larger under the kill switch, not even to what it was', async () => {
    await using rig = await loggedInRig();
    const buy = { ...LEG, side: 'BUY', price: 1_451 };
    const id = await placed(rig, { ...STOP, legs: [buy] });
    await changeElsewhere(rig, { side: 'BUY', quantity: 1, price: 1_451 });
    await engage(rig);
    const reply = await changeTrigger(rig, id, { legs: [{ quantity: 10 }] }, 'restore');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    await changeTrigger(rig, id, { legs: [{ triggerPrice: 1_440, price: 1_441 }] }, 'lower');
    expect(atBroker(rig)).toEqual([1, 1_440, 1_441]);
  });
});
