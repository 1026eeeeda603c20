import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { createSqliteJournal } from '../../../src/execution/journal/journal.ts';
import { required, type MutableState } from '../../../src/execution/journal/state.ts';
import type { PlaceAttemptRecord } from '../../../src/execution/order/attempt.ts';
import { brokerOrderIdOf, statusOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { orderOfRowsTag } from '../../../src/execution/reconcile/orders-of-tags.ts';
import { openDatabase } from '../../../src/platform/database.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  accept,
  alertsOf,
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

  it('makes both disputed once fills were credited, and a cancel of each goes to its own row', () => {
    const state = mixedUp({ fills: [fillRecord({ orderId: 'ord_2' })] });
    const own = bookRow({ brokerOrderId: 'b2', tags: [OTHER_TAG] });
    accept(state, reconcileBook(state, shown()));
    expect([...state.orders.values()].map(statusOf)).toEqual(['disputed', 'disputed']);
    expect([...state.orders.values()].map(brokerOrderIdOf)).toEqual(['b1', null]);
    accept(state, reconcileBook(state, observation({ rows: [...shown().rows, own] })));
    expect([...state.orders.values()].map(statusOf)).toEqual(['disputed', 'disputed']);
    expect([...state.orders.values()].map(brokerOrderIdOf)).toEqual(['b1', 'b2']);
    expect(orderOfRowsTag(state, required(state.orders, 'ord_2', 'order'))).toBeNull();
  });
});

describe('two acknowledgements that were swapped', () => {
  const rows = [
    bookRow({ brokerOrderId: 'b1', tags: [TAG] }),
    bookRow({ brokerOrderId: 'b2', tags: [OTHER_TAG] }),
  ];
  const swapped = (more: Known = {}): MutableState =>
    mixedUp({
      orders: [orderRecord({ brokerOrderId: 'b2' }), second()],
      attempts: [firstPlacing({ state: attemptState('acknowledged') }), secondPlacing()],
      observed: [
        observedOrder({ orderId: 'ord_2' }),
        observedOrder({ orderId: 'ord_1', brokerOrderId: 'b2' }),
      ],
      ...more,
    });
  const bindings = (state: MutableState) =>
    [...state.orders.values()].map((order) => [statusOf(order), brokerOrderIdOf(order)]);

  it('are put right by the tags, so that each order can be cancelled', () => {
    const state = swapped();
    const decision = reconcileBook(state, observation({ rows }));
    accept(state, decision);
    expect(bindings(state)).toEqual([
      ['working', 'b1'],
      ['working', 'b2'],
    ]);
    expect(alertsOf(decision)).toEqual(['critical', 'critical']);
    expect(state.killSwitch.size).toBe(0);
  });

  it('are put right one after the other, where the rows appear so', () => {
    const state = swapped();
    accept(state, reconcileBook(state, observation({ rows: rows.slice(0, 1) })));
    expect(bindings(state)).toEqual([
      ['working', 'b1'],
      ['uncertain', null],
    ]);
    accept(state, reconcileBook(state, observation({ rows })));
    expect(bindings(state)).toEqual([
      ['working', 'b1'],
      ['working', 'b2'],
    ]);
  });

  it('leave both orders disputed where fills were credited to either, each bound to its own row', () => {
    const fills = [fillRecord({ orderId: 'ord_1', brokerOrderId: 'b2' })];
    const state = swapped({ fills });
    accept(state, reconcileBook(state, observation({ rows })));
    expect(bindings(state)).toEqual([
      ['disputed', 'b1'],
      ['disputed', 'b2'],
    ]);
  });
});

describe('a row with the tag of an order that was acknowledged with another id', () => {
  const OWN = bookRow({ brokerOrderId: 'own', tags: [TAG] });
  const alone = (parts: Partial<OrderFields> = {}, more: Known = {}): MutableState =>
    stateOf({
      orders: [orderRecord(parts)],
      attempts: [firstPlacing({ state: attemptState('acknowledged') })],
      observed: [observedOrder()],
      ...more,
    });
  /** What the read before had shown, by journal. */
  const before = new WeakMap<MutableState, ReadonlyMap<string, string>>();
  const read = (state: MutableState, rows: readonly BrokerOrder[]) => {
    const elsewhere = before.get(state) ?? new Map<string, string>();
    const decision = reconcileBook(state, observation({ rows, elsewhere }));
    accept(state, decision);
    before.set(state, decision.reply.elsewhere);
    return { ...orderIn(state), alerts: alertsOf(decision) };
  };

  it('is the order after two reads, where no book has shown that id', () => {
    const state = alone();
    expect(read(state, [OWN])).toMatchObject({ brokerOrderId: 'b1', alerts: [] });
    expect(read(state, [OWN])).toMatchObject({ brokerOrderId: 'own', boundBy: 'tag' });
  });

  it('is not the order where one read alone showed it: the id was misread', () => {
    const state = alone();
    read(state, [OWN]);
    expect(read(state, [bookRow({ tags: [TAG] })])).toMatchObject({
      ...{ status: 'working', brokerOrderId: 'b1', alerts: [] },
    });
    expect(state.killSwitch.size).toBe(0);
  });

  it('is the order at once, where the row of that id is there without its tag', () => {
    expect(read(alone(), [bookRow(), OWN])).toMatchObject({ brokerOrderId: 'own', boundBy: 'tag' });
  });

  it('makes it disputed where it was told of fills of that id: a cancel goes to its own row', () => {
    const hand = bookRow({ filledQuantity: 10, status: 'filled', rawStatus: 'COMPLETE' });
    const filled = { kind: 'filled', filledQuantity: 10, row: hand } as const;
    const state = alone(filled, { fills: [fillRecord({ quantity: 10 })] });
    const order = read(state, [hand, OWN]);
    expect(order).toMatchObject({
      ...{ status: 'disputed', brokerOrderId: 'own', filledQuantity: null, alerts: ['critical'] },
    });
    expect(order.reason).toMatch(/acknowledged as b1, and its tag is on own, and fills of b1/);
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBeNull();
    expect(read(state, [hand, OWN])).toMatchObject({ status: 'disputed', alerts: [] });
  });

  it.each([
    ['works', {}, 'own'],
    ['has filled', { status: 'filled', filledQuantity: 10 } as const, 'own'],
  ])('makes it disputed where its own row was rejected, and this one %s', (_, parts, bound) => {
    const dead = bookRow({ tags: [TAG], status: 'rejected', rawStatus: 'REJECTED' });
    const state = alone({ kind: 'rejected', filledQuantity: 0, row: dead });
    const order = read(state, [dead, { ...OWN, ...parts }]);
    expect(order).toMatchObject({ status: 'disputed', brokerOrderId: bound });
    expect(state.killSwitch.get('kill-switch')?.engaged).toBe(true);
  });

  it('leaves it rejected where this one was rejected, too', () => {
    const dead = bookRow({ tags: [TAG], status: 'rejected', rawStatus: 'REJECTED' });
    const state = alone({ kind: 'rejected', filledQuantity: 0, row: dead });
    expect(read(state, [dead, { ...dead, brokerOrderId: 'own' }]).status).toBe('rejected');
  });
});
