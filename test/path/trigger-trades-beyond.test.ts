import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { quantitiesOf, reachWithoutFill, withTrigger } from './fired-trigger.ts';
import { triggerOf } from './trigger-walk.ts';

type Row = Readonly<Record<string, unknown>>;

function lie(rig: Rig, path: '/orders' | '/trades', data: readonly Row[]): void {
  rig.sandbox.faults.add({
    ...{ broker: 'kite', kind: 'lying_2xx_after' },
    match: { method: 'GET', path: new RegExp(`^${path}$`) },
    params: { body: JSON.stringify({ status: 'success', data }) },
  });
}

describe('the order of a trigger', () => {
  it('has filled no more than it was for, as any order, where the broker lists its trade under two ids', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    reachWithoutFill(rig);
    await rig.time.advance(40_000);
    const [row = {}] = elsewhere(rig.sandbox, 'GET', '/orders') as unknown as readonly Row[];
    const filled = { status: 'COMPLETE', filled_quantity: 10, pending_quantity: 0 };
    const trade = {
      ...{ trade_id: '71', order_id: row['order_id'], exchange: 'NSE', tradingsymbol: 'INFY' },
      ...{ transaction_type: 'SELL', quantity: 10, average_price: 1_449.5, product: 'CNC' },
      exchange_order_id: row['exchange_order_id'],
    };
    lie(rig, '/orders', [{ ...row, ...filled, average_price: 1_449.5 }]);
    lie(rig, '/trades', [trade, { ...trade, trade_id: '72' }]);
    await rig.time.advance(10_000);
    expect((await triggerOf(rig, id)).legs[0].filledQuantity).toBe(10);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });
});
