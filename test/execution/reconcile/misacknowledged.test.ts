import { describe, expect, it } from 'vitest';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import { required, type MutableState } from '../../../src/execution/journal/state.ts';
import type { PlaceAttemptRecord } from '../../../src/execution/order/attempt.ts';
import { brokerOrderIdOf, statusOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { orderOfRowsTag } from '../../../src/execution/reconcile/misacknowledged.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  accept,
  bookRow,
  eventsOf,
  fillRecord,
  ist,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  OTHER_TAG,
  stateOf,
  TAG,
  terms,
  uncertainOrder,
} from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';
import { epochMs } from '../../../src/units/branded.ts';

type Known = Parameters<typeof stateOf>[0];

/** The first was lost on its way; the second was acknowledged with the first one's id. */
const first = (parts: Partial<OrderFields> = {}): OrderRecord => uncertainOrder(parts);
const second = (parts: Partial<OrderFields> = {}): OrderRecord =>
  orderRecord({ id: 'ord_2', idempotencyKey: 'second', brokerOrderId: 'b1', ...parts });
const firstPlacing = (parts: Partial<PlaceAttemptRecord> = {}): PlaceAttemptRecord =>
  attemptRecord({ tag: TAG, ...parts });
const secondPlacing = (parts: Partial<PlaceAttemptRecord> = {}): PlaceAttemptRecord =>
  attemptRecord({
    id: 'att_2',
    orderId: 'ord_2',
    state: attemptState('acknowledged'),
    tag: OTHER_TAG,
    ...parts,
  });
const mixedUp = (more: Known = {}): MutableState =>
  stateOf({
    orders: [first(), second()],
    attempts: [firstPlacing(), secondPlacing()],
    observed: [observedOrder({ orderId: 'ord_2' })],
    ...more,
  });
const shown = () => observation({ rows: [bookRow({ tags: [TAG], filledQuantity: 4 })] });

describe('a row that carries the tag of another order than the one it was acknowledged for', () => {
  it('goes to the order of its tag, and the other one is open again', () => {
    const state = mixedUp();
    const decision = reconcileBook(state, shown());
    accept(state, decision);
    expect(orderIn(state)).toMatchObject({
      brokerOrderId: 'b1',
      boundBy: 'tag',
      filledQuantity: 4,
    });
    expect(orderIn(state, 'ord_2')).toMatchObject({
      status: 'uncertain',
      brokerOrderId: null,
      filledQuantity: null,
    });
    expect(state.attempts.get('att_2')?.state.kind).toBe('uncertain');
    expect(eventsOf(decision).some(({ type }) => type === 'alert')).toBe(true);
  });

  it('then leaves the other to be found by its own tag', () => {
    const state = mixedUp();
    accept(state, reconcileBook(state, shown()));
    const own = bookRow({ brokerOrderId: 'b2', tags: [OTHER_TAG] });
    accept(state, reconcileBook(state, observation({ rows: [...shown().rows, own] })));
    expect(orderIn(state, 'ord_2')).toMatchObject({ brokerOrderId: 'b2', boundBy: 'tag' });
  });

  it('and the other’s own row, read at once, are each bound, and nothing else is done', () => {
    const state = mixedUp();
    const own = bookRow({ brokerOrderId: 'b2', tags: [OTHER_TAG] });
    accept(state, reconcileBook(state, observation({ rows: [...shown().rows, own] })));
    const ids = [...state.orders.values()].map(brokerOrderIdOf);
    expect(ids).toEqual(['b1', 'b2']);
    expect(state.killSwitch.size).toBe(0);
  });

  it('waits for the order of its tag while that one’s request is still on its way', () => {
    const state = mixedUp({
      orders: [first({ kind: 'sending' }), second()],
      attempts: [firstPlacing({ state: attemptState('sending') }), secondPlacing()],
    });
    accept(state, reconcileBook(state, shown()));
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'uncertain', brokerOrderId: null });
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBeNull();
    expect(state.killSwitch.size).toBe(0);
  });

  it('goes to the order of its tag also where a person had called that one absent', () => {
    const state = mixedUp({
      orders: [first({ kind: 'absent', calledAbsent: { by: 'person', at: epochMs(1) } }), second()],
      attempts: [firstPlacing({ state: attemptState('absent') }), secondPlacing()],
    });
    accept(state, reconcileBook(state, shown()));
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    expect(state.killSwitch.get('kill-switch')?.engaged).toBe(true);
  });

  it('is not taken for that order either where it is of another side', () => {
    const state = mixedUp();
    const rows = [bookRow({ tags: [TAG], side: 'SELL' })];
    accept(state, reconcileBook(state, observation({ rows })));
    expect(orderIn(state)).toMatchObject({ status: 'disputed', brokerOrderId: null });
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'uncertain', brokerOrderId: null });
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
    const observed = [...state.observed.entries()].map(([key, row]) => ({
      table: 'observed' as const,
      key,
      row,
    }));
    const { changes } = reconcileBook(state, shown());
    const moved = changes.filter(({ table }) => table === 'observed');
    expect(await journal.commit([rows, observed, moved])).toMatchObject({ committed: 3 });
    const stolen = [{ ...observed[0]!, row: observedOrder({ orderId: 'ord_2' }) }];
    expect(await journal.commit([stolen])).toMatchObject({ committed: 0 });
    database.close();
  });

  it('goes to the order of its tag also when last night’s acknowledgement had named it', () => {
    const night = { day: '2026-11-05', createdAt: ist('2026-11-05T20:00:00') };
    const amo = { ...night, terms: terms({ amo: true }) };
    const state = mixedUp({
      orders: [first(amo), second(amo)],
      attempts: [firstPlacing({ day: night.day }), secondPlacing({ day: night.day })],
      observed: [observedOrder({ orderId: 'ord_2', day: night.day })],
    });
    accept(state, reconcileBook(state, shown()));
    expect(orderIn(state)).toMatchObject({ brokerOrderId: 'b1', filledQuantity: 4 });
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'uncertain', brokerOrderId: null });
    expect(state.observed.get('primary|2026-11-05|b1')?.orderId).toBeNull();
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('makes both disputed once fills were credited: nothing is moved any more', () => {
    const state = mixedUp({ fills: [fillRecord({ orderId: 'ord_2' })] });
    accept(state, reconcileBook(state, shown()));
    const statuses = [...state.orders.values()].map(statusOf);
    expect(statuses).toEqual(['disputed', 'disputed']);
    // Its row is another's, so that no cancel of it goes there.
    expect(orderOfRowsTag(state, required(state.orders, 'ord_2', 'order'))).toBe('ord_1');
  });
});
