import { describe, expect, it } from 'vitest';
import { createSqliteJournal } from '../../src/execution/journal.ts';
import { reduceBook } from '../../src/execution/reduce-book.ts';
import { trueOwner } from '../../src/execution/wrong-ids.ts';
import { openDatabase } from '../../src/platform/database.ts';
import {
  accept,
  attemptRecord,
  bookRow,
  eventsOf,
  fillRecord,
  ist,
  observation,
  orderRecord,
  OTHER_TAG,
  seenOrder,
  stateOf,
  TAG,
  terms,
} from './support/makers.ts';

/** The first was lost on its way; the second was acknowledged with the first one's id. */
const mixedUp = (more: Parameters<typeof stateOf>[0] = {}) =>
  stateOf({
    orders: [
      orderRecord({
        id: 'ord_1',
        status: 'uncertain',
        brokerOrderId: null,
        filledQuantity: null,
      }),
      orderRecord({
        id: 'ord_2',
        idempotencyKey: 'second',
        status: 'working',
        brokerOrderId: 'b1',
        boundBy: 'id',
        filledQuantity: null,
      }),
    ],
    attempts: [
      attemptRecord({ id: 'att_1', orderId: 'ord_1', state: 'uncertain', tag: TAG }),
      attemptRecord({ id: 'att_2', orderId: 'ord_2', state: 'acknowledged', tag: OTHER_TAG }),
    ],
    seen: [seenOrder({ orderId: 'ord_2' })],
    ...more,
  });
const shown = () => observation({ rows: [bookRow({ tags: [TAG], filledQuantity: 4 })] });

describe('a row that carries the tag of another order than the one it was acknowledged for', () => {
  it('goes to the order of its tag, and the other one is open again', () => {
    const state = mixedUp();
    const decision = reduceBook(state, shown());
    accept(state, decision);
    expect(state.orders.get('ord_1')).toMatchObject({
      brokerOrderId: 'b1',
      boundBy: 'tag',
      filledQuantity: 4,
    });
    expect(state.orders.get('ord_2')).toMatchObject({
      status: 'uncertain',
      brokerOrderId: null,
      filledQuantity: null,
    });
    expect(state.attempts.get('att_2')?.state).toBe('uncertain');
    expect(eventsOf(decision).some(({ type }) => type === 'alert')).toBe(true);
  });

  it('then leaves the other to be found by its own tag', () => {
    const state = mixedUp();
    accept(state, reduceBook(state, shown()));
    const own = bookRow({ brokerOrderId: 'b2', tags: [OTHER_TAG] });
    accept(state, reduceBook(state, observation({ rows: [...shown().rows, own] })));
    expect(state.orders.get('ord_2')).toMatchObject({ brokerOrderId: 'b2', boundBy: 'tag' });
  });

  it('and the other’s own row, read at once, are each bound, and nothing else is done', () => {
    const state = mixedUp();
    const own = bookRow({ brokerOrderId: 'b2', tags: [OTHER_TAG] });
    accept(state, reduceBook(state, observation({ rows: [...shown().rows, own] })));
    expect([...state.orders.values()].map(({ brokerOrderId }) => brokerOrderId)).toEqual([
      'b1',
      'b2',
    ]);
    expect(state.killSwitch.size).toBe(0);
  });

  it('waits for the order of its tag while that one’s request is still on its way', () => {
    const sending = [...mixedUp().attempts.values()].map((each) =>
      each.id === 'att_1' ? { ...each, state: 'sending' as const } : each,
    );
    const state = mixedUp({
      orders: [...mixedUp().orders.values()],
      attempts: sending,
      seen: [seenOrder({ orderId: 'ord_2' })],
    });
    accept(state, reduceBook(state, shown()));
    expect(state.orders.get('ord_2')).toMatchObject({ status: 'uncertain', brokerOrderId: null });
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBeNull();
    expect(state.killSwitch.size).toBe(0);
  });

  it('goes to the order of its tag also where a person had called that one absent', () => {
    const state = mixedUp({
      orders: [...mixedUp().orders.values()].map((order) =>
        order.id === 'ord_1'
          ? { ...order, status: 'rejected', calledAbsent: { by: 'person', at: 1 } }
          : order,
      ),
      attempts: [...mixedUp().attempts.values()].map((each) =>
        each.id === 'att_1' ? { ...each, state: 'absent' } : each,
      ),
      seen: [seenOrder({ orderId: 'ord_2' })],
    });
    accept(state, reduceBook(state, shown()));
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    expect(state.killSwitch.get('kill-switch')?.thrown).toBe(true);
  });

  it('is not taken for that order either where it is of another side', () => {
    const state = mixedUp();
    const rows = [bookRow({ tags: [TAG], side: 'SELL' })];
    accept(state, reduceBook(state, observation({ rows })));
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'disputed', brokerOrderId: null });
    expect(state.orders.get('ord_2')).toMatchObject({ status: 'uncertain', brokerOrderId: null });
  });

  it('is taken by the database, which else hands no order to a second one', async () => {
    const database = openDatabase(':memory:');
    const journal = createSqliteJournal(database);
    const state = mixedUp();
    const rows = [...state.orders.values()].map((row) => ({
      table: 'orders' as const,
      key: row.id,
      row,
    }));
    const seen = [...state.seen.entries()].map(([key, row]) => ({
      table: 'seen' as const,
      key,
      row,
    }));
    const { changes } = reduceBook(state, shown());
    const moved = changes.filter(({ table }) => table === 'seen');
    expect(await journal.commit([rows, seen, moved])).toMatchObject({ committed: 3 });
    const stolen = [{ ...seen[0]!, row: seenOrder({ orderId: 'ord_2' }) }];
    expect(await journal.commit([stolen])).toMatchObject({ committed: 0 });
    database.close();
  });

  it('goes to the order of its tag also when last night’s acknowledgement had named it', () => {
    const night = { day: '2026-11-05', createdAt: ist('2026-11-05T20:00:00') };
    const amo = { ...night, terms: terms({ amo: true }) };
    const state = mixedUp({
      orders: [...mixedUp().orders.values()].map((order) => ({ ...order, ...amo })),
      attempts: [...mixedUp().attempts.values()].map((each) => ({ ...each, day: night.day })),
      seen: [seenOrder({ orderId: 'ord_2', day: night.day })],
    });
    accept(state, reduceBook(state, shown()));
    expect(state.orders.get('ord_1')).toMatchObject({ brokerOrderId: 'b1', filledQuantity: 4 });
    expect(state.orders.get('ord_2')).toMatchObject({ status: 'uncertain', brokerOrderId: null });
    expect(state.seen.get('primary|2026-11-05|b1')?.orderId).toBeNull();
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('makes both disputed once fills were credited: nothing is moved any more', () => {
    const state = mixedUp({
      orders: [...mixedUp().orders.values()],
      attempts: [...mixedUp().attempts.values()],
      seen: [seenOrder({ orderId: 'ord_2' })],
      fills: [fillRecord({ orderId: 'ord_2' })],
    });
    accept(state, reduceBook(state, shown()));
    expect([...state.orders.values()].map(({ status }) => status)).toEqual([
      'disputed',
      'disputed',
    ]);
    // Its row is another's, so that no cancel of it goes there.
    expect(trueOwner(state, state.orders.get('ord_2')!)).toBe('ord_1');
  });
});
