import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { describe, expect, it } from 'vitest';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { decideResolve, type ManualResolution } from '../../../src/execution/reconcile/resolve.ts';
import type { AttemptRecord } from '../../../src/execution/order/attempt.ts';
import { brokerOrderIdOf } from '../../../src/execution/order/order.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  accept,
  AT,
  bookRow,
  ist,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  stateOf,
  terms,
  uncertainOrder,
} from '../support/makers.ts';
import { fieldsOf, type OrderFields } from '../support/order-fields.ts';
import { epochMs } from '../../../src/units/branded.ts';

const resolve = (
  state: MutableState,
  resolution: ManualResolution,
  row: BrokerOrder | null = bookRow(),
) =>
  decideResolve(state, {
    orderId: 'ord_1',
    resolution,
    by: 'someone',
    request: null,
    row,
    at: epochMs(AT + 9),
  });
const placed: ManualResolution = { kind: 'placed', brokerOrderId: 'b1' };
const forced: ManualResolution = { kind: 'placed', brokerOrderId: 'b1', force: true };
const absent: ManualResolution = { kind: 'absent' };
const open = (
  order: Partial<OrderFields> = {},
  attempts: readonly AttemptRecord[] = [attemptRecord()],
): MutableState =>
  stateOf({
    orders: [uncertainOrder(order)],
    attempts,
    observed: [observedOrder({ orderId: null })],
  });

describe('a row that a person names', () => {
  it.each([
    ['another instrument', bookRow({ instrument: 'NSE:HDFCBANK' })],
    ['another side', bookRow({ side: 'SELL' })],
    ['another quantity', bookRow({ quantity: 700 })],
    ['no row that the book shows', null],
  ])('is refused where it is %s, unless it is forced', (_, row) => {
    expect(() => resolve(open(), placed, row)).toThrow(/"force": true/);
    const state = open();
    expect(fieldsOf(accept(state, resolve(state, forced, row)))).toMatchObject({
      status: 'working',
      brokerOrderId: 'b1',
    });
  });

  it('may name its instrument by its code', () => {
    const state = open();
    const row = bookRow({ instrument: 'NSE_1594' });
    expect(fieldsOf(accept(state, resolve(state, placed, row))).status).toBe('working');
  });
});

describe.each(['uncertain', 'disputed'] as const)('of an order that is %s, a person', (kind) => {
  it('may say which one it is', () => {
    const state = open({ kind, cancelWanted: true });
    expect(fieldsOf(accept(state, resolve(state, placed)))).toMatchObject({
      status: 'working',
      brokerOrderId: 'b1',
      boundBy: 'person',
      filledQuantity: null,
      cancelWanted: true,
    });
    expect(state.attempts.get('att_1')?.state.kind).toBe('acknowledged');
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('may say that it is not there', () => {
    const state = open({ kind, cancelWanted: true });
    state.lastEvent = 7;
    expect(fieldsOf(accept(state, resolve(state, absent)))).toMatchObject({
      status: 'rejected',
      filledQuantity: 0,
      calledAbsent: { by: 'person', at: AT + 9, after: 7 },
      // Sent should its row turn up.
      cancelWanted: true,
    });
    // A row may still prove that wrong.
    expect([...state.absentPlaces]).toEqual(['att_1']);
    expect(state.openPlaces.size).toBe(0);
  });
});

describe('of an order that two rows without a tag could be, a person', () => {
  const twins = ['b1', 'b2'].map((brokerOrderId) => bookRow({ brokerOrderId }));
  const read = (state: MutableState, rows: readonly BrokerOrder[]) => {
    accept(state, reconcileBook(state, observation({ tagged: false, rows })));
    return orderIn(state).status;
  };
  const disputed = (): MutableState => {
    const state = stateOf({ orders: [uncertainOrder()], attempts: [attemptRecord()] });
    expect(read(state, twins)).toBe('disputed');
    return state;
  };

  it('may say that it is neither, and is not asked again because of those two', () => {
    const state = disputed();
    accept(state, resolve(state, absent, null));
    expect(read(state, twins)).toBe('rejected');
    expect(read(state, twins)).toBe('rejected');
  });

  it('is told all the same where a row appears after that', () => {
    const state = disputed();
    accept(state, resolve(state, absent, null));
    const rows = [...twins, bookRow({ brokerOrderId: 'b3' })];
    expect(read(state, rows)).not.toBe('rejected');
  });

  it('is told all the same where one of those two turns out to have its tag', () => {
    const state = disputed();
    accept(state, resolve(state, absent, null));
    const [one] = twins;
    read(state, [bookRow({ ...one, tags: [attemptRecord().tag] })]);
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
  });
});

describe('a manual resolution', () => {
  const refusal = (state: MutableState, resolution: ManualResolution = placed): string => {
    try {
      resolve(state, resolution);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    'sending',
    'working',
    'filled',
    'partial',
    'cancelled',
    'rejected',
    'not_sent',
  ] as const)('is not asked for of an order that is %s', (kind) => {
    expect(refusal(open({ kind }), absent)).toContain('nothing about it is open');
  });

  it('is refused for an id that the broker has not shown that day, also with force', () => {
    const resolution: ManualResolution = { kind: 'placed', brokerOrderId: 'unseen' };
    expect(refusal(open(), resolution)).toContain('has shown no order unseen');
    expect(refusal(open(), { ...resolution, force: true })).toContain('has shown no order unseen');
    const yesterdays = open({ day: '2026-11-05' }, [attemptRecord({ day: '2026-11-05' })]);
    for (const said of [placed, forced]) {
      expect(refusal(yesterdays, said)).toContain('has shown no order b1 on 2026-11-05');
    }
  });

  it('may name an id of the session that an order was placed for', () => {
    const overnight = { day: '2026-11-05', createdAt: ist('2026-11-05T20:00:00') };
    const state = open({ ...overnight, terms: terms({ amo: true }) }, [
      attemptRecord({ day: '2026-11-05' }),
    ]);
    expect(brokerOrderIdOf(accept(state, resolve(state, placed)))).toBe('b1');
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('binds it in every book that has shown it, on any day until that session', () => {
    const overnight = { day: '2026-11-06', createdAt: ist('2026-11-06T20:00:00') };
    const days = ['2026-11-07', '2026-11-08'];
    const state = stateOf({
      orders: [uncertainOrder({ ...overnight, terms: terms({ amo: true }) })],
      attempts: [attemptRecord()],
      observed: days.map((day) => observedOrder({ day, orderId: null })),
    });
    accept(state, resolve(state, placed));
    const orders = days.map((day) => state.observed.get(`primary|${day}|b1`)?.orderId);
    expect(orders).toEqual(['ord_1', 'ord_1']);
  });

  it('is refused for an id that is another order’s, also with force', () => {
    const state = stateOf({
      orders: [uncertainOrder(), orderRecord({ id: 'ord_2' })],
      attempts: [attemptRecord()],
      observed: [observedOrder({ orderId: 'ord_2' })],
    });
    expect(refusal(state)).toContain('is that of ord_2');
    expect(refusal(state, forced)).toContain('is that of ord_2');
  });

  it.each([placed, absent])('is refused once the order is bound (%o)', (resolution) => {
    const state = stateOf({
      orders: [orderRecord({ kind: 'disputed' })],
      attempts: [attemptRecord({ state: attemptState('acknowledged') })],
      observed: [observedOrder()],
    });
    expect(refusal(state, resolution)).toContain('bound');
  });

  it('is about the placing that is open, not about one that never left', () => {
    const state = open({}, [
      attemptRecord({ id: 'att_1', state: attemptState('uncertain') }),
      attemptRecord({ id: 'att_2', state: attemptState('not_sent'), broker: 'alt', tag: 'x' }),
    ]);
    accept(state, resolve(state, absent));
    expect([
      state.attempts.get('att_1')?.state.kind,
      state.attempts.get('att_2')?.state.kind,
    ]).toEqual(['absent', 'not_sent']);
  });
});
