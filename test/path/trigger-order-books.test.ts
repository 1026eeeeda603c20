import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { quantitiesOf, reach, reachWithoutFill, withTrigger } from './fired-trigger.ts';
import { alertsOf, triggerOf } from './trigger-walk.ts';

type Row = Readonly<Record<string, unknown>>;

/** What the broker itself shows. */
function shown(rig: Rig, path: '/orders' | '/trades'): readonly Row[] {
  const rows: unknown = elsewhere(rig.sandbox, 'GET', path);
  return Array.isArray(rows) ? rows : [];
}

/** From now on the broker shows these rows; ends with the returned function. */
function lie(rig: Rig, path: '/orders' | '/trades', data: readonly Row[]): () => void {
  const body = JSON.stringify({ status: 'success', data });
  const match = { method: 'GET', path: new RegExp(`^${path}$`) };
  const id = rig.sandbox.faults.add({
    ...{ broker: 'kite', kind: 'lying_2xx_after', match, params: { body } },
  });
  return () => void rig.sandbox.faults.remove(id);
}

describe('books that tell of the order of a trigger in other ways', () => {
  it.each([
    ['of another instrument', { tradingsymbol: 'RELIANCE' }],
    ['of the other side', { transaction_type: 'BUY' }],
  ])('a trade %s under its id is no fill of it', async (_which, other) => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    reachWithoutFill(rig);
    await rig.time.advance(40_000);
    const [row = {}] = shown(rig, '/orders');
    const trade = {
      ...{ trade_id: '71', order_id: row['order_id'], exchange: 'NSE', tradingsymbol: 'INFY' },
      ...{ transaction_type: 'SELL', quantity: 4, average_price: 1_449.5 },
      ...{ exchange_order_id: row['exchange_order_id'], product: 'CNC' },
    };
    lie(rig, '/orders', [{ ...row, filled_quantity: 3, average_price: 1_449.5 }]);
    const trades = [
      { ...trade, quantity: 3 },
      { ...trade, trade_id: '72', ...other },
    ];
    lie(rig, '/trades', trades);
    await rig.time.advance(10_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-3], uncertainOrders: [] });
    expect((await triggerOf(rig, id)).legs[0].filledQuantity).toBe(3);
  });

  it('whose row the book lacks has filled what its trades tell, and leaves the books in doubt', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    reachWithoutFill(rig);
    await rig.time.advance(40_000);
    const back = lie(rig, '/orders', []);
    reach(rig);
    await rig.time.advance(20_000);
    expect(shown(rig, '/trades')).toHaveLength(1);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [id] });
    back();
    await rig.time.advance(10_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });

  it('that fills after its end has filled that, and an alert says so', async () => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    reachWithoutFill(rig);
    await rig.time.advance(40_000);
    const rows = shown(rig, '/orders').map((row) => ({ ...row, status: 'CANCELLED' }));
    const back = lie(rig, '/orders', rows);
    await rig.time.advance(10_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [] });
    reach(rig);
    await rig.time.advance(5_000);
    back();
    await rig.time.advance(20_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
    const told = (await alertsOf(rig)).filter((text) =>
      text.includes(`of trigger ${id} had ended`),
    );
    expect(told).toEqual([expect.stringContaining('with 0 filled; its broker now shows 10')]);
  });

  it('that fills later than that is corrected by the comparison of the day', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    reachWithoutFill(rig);
    await rig.time.advance(40_000);
    const rows = shown(rig, '/orders').map((row) => ({ ...row, status: 'CANCELLED' }));
    const back = lie(rig, '/orders', rows);
    await rig.time.advance(400_000);
    reach(rig);
    await rig.time.advance(5_000);
    back();
    const reads = rig.sent.length;
    await rig.time.advance(600_000);
    expect(rig.sent.slice(reads).filter(({ url }) => url.endsWith('/orders'))).toEqual([]);
    await rig.time.advanceTo('2026-11-06T15:52:00+05:30');
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });
});
