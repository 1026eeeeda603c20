import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { quantitiesOf, reach, withTrigger } from './fired-trigger.ts';
import { alertsOf, deleteTrigger, sentTriggers, triggerOf } from './trigger-walk.ts';

type Row = Readonly<Record<string, unknown>>;

/** What the broker itself has. */
function shown(rig: Rig): readonly Row[] {
  const rows: unknown = elsewhere(rig.sandbox, 'GET', '/gtt/triggers');
  return Array.isArray(rows) ? rows : [];
}

/** From now on the broker's list of triggers is this one; ends with the returned function. */
function lie(rig: Rig, data: readonly Row[]): () => void {
  const body = JSON.stringify({ status: 'success', data });
  const match = { method: 'GET', path: '/gtt/triggers' };
  const id = rig.sandbox.faults.add({
    ...{ broker: 'kite', kind: 'lying_2xx_after', match, params: { body } },
  });
  return () => void rig.sandbox.faults.remove(id);
}

const criticalAbout = async (rig: Rig, words: string): Promise<readonly string[]> =>
  (await alertsOf(rig)).filter((text) => text.includes(words));

/** The row with other fields of its condition and its orders. */
function withOther(row: Row, other: Row): Row {
  const { condition, orders } = row as { condition: Row; orders: readonly Row[] };
  return {
    ...{ ...row, condition: { ...condition, ...other } },
    orders: orders.map((order) => ({ ...order, ...other })),
  };
}

describe('the row of a trigger that cannot be read', () => {
  it.each([
    ['but for its id', (row: Row) => ({ ...row, orders: 'none' })],
    ['nor its id', (row: Row) => ({ ...row, id: null, orders: 'none' })],
  ])('%s leaves the books of its key in doubt, with one critical alert', async (_which, odd) => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    await rig.time.advance(40_000);
    reach(rig);
    await rig.time.advance(1_000);
    const back = lie(rig, shown(rig).map(odd));
    await rig.time.advance(40_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [id] });
    await rig.time.advance(300_000);
    expect(await criticalAbout(rig, 'has not been readable for a minute')).toHaveLength(1);
    expect((await triggerOf(rig, id)).status).toBe('waiting');
    back();
    await rig.time.advance(20_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [-10], uncertainOrders: [] });
  });

  it('of another trigger says nothing of it', async () => {
    await using made = await withTrigger();
    const { rig, key } = made;
    await rig.time.advance(40_000);
    lie(rig, [...shown(rig), { id: 77, orders: 'none' }]);
    await rig.time.advance(120_000);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [] });
  });
});

describe('another trigger under the id of one', () => {
  const OTHERS = [
    ['of another instrument', { tradingsymbol: 'RELIANCE' }],
    ['of the other side', { transaction_type: 'BUY' }],
  ] as const;

  it.each(OTHERS)('%s is not taken for it, and is not deleted', async (_which, other) => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    await rig.time.advance(40_000);
    const later = { created_at: '2026-11-06 10:59:00' };
    const again = shown(rig).map((row): Row => ({ ...withOther(row, other), ...later }));
    lie(rig, again);
    await rig.time.advance(32_000);
    expect(await criticalAbout(rig, 'shows another one of')).toHaveLength(1);
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [id] });
    const { status, body } = await deleteTrigger(rig, id);
    expect([status, body.code]).toEqual([503, 'order_not_sent']);
    expect(body.detail).toContain('is another trigger now');
    expect(sentTriggers(rig, 'DELETE')).toEqual([]);
    await rig.time.advance(120_000);
    expect((await triggerOf(rig, id)).status).toBe('ended');
    const { body: list } = await rig.get('/api/v1/triggers?broker=alt');
    expect(list.data).toMatchObject([{ id: null, triggerId: String(again[0]?.['id']) }]);
  });

  it.each(
    OTHERS.flatMap(([which, other]) => [
      [`${which} that was made when it was`, other, {}] as const,
      [`${which} of which it is not told when it was made`, other, { created_at: null }] as const,
    ]),
  )('%s is that one, changed since', async (_which, other, times) => {
    await using made = await withTrigger();
    const { rig, key, id } = made;
    await rig.time.advance(40_000);
    lie(
      rig,
      shown(rig).map((row) => ({ ...withOther(row, other), ...times })),
    );
    await rig.time.advance(120_000);
    expect((await triggerOf(rig, id)).status).toBe('waiting');
    expect(await quantitiesOf(rig, key)).toEqual({ quantities: [], uncertainOrders: [] });
    const { status } = await deleteTrigger(rig, id);
    expect(status).toBe(202);
    expect(sentTriggers(rig, 'DELETE')).toHaveLength(1);
  });
});
