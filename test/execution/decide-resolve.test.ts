import { describe, expect, it } from 'vitest';
import { decideResolve, type PersonsWord } from '../../src/execution/decide-resolve.ts';
import type { AttemptRecord, OrderRecord } from '../../src/execution/records.ts';
import type { ExecutionState } from '../../src/execution/state.ts';
import {
  accept,
  AT,
  attemptRecord,
  ist,
  orderRecord,
  seenOrder,
  stateOf,
  terms,
  uncertainOrder,
} from './support/makers.ts';

const say = (state: ExecutionState, word: PersonsWord) =>
  decideResolve(state, { orderId: 'ord_1', word, at: AT + 9 });
const placed: PersonsWord = { kind: 'placed', brokerOrderId: 'b1' };
const absent: PersonsWord = { kind: 'absent' };
const open = (
  order: Partial<OrderRecord> = {},
  attempts: readonly AttemptRecord[] = [attemptRecord()],
): ExecutionState =>
  stateOf({
    orders: [uncertainOrder(order)],
    attempts,
    seen: [seenOrder({ orderId: null })],
  });

describe.each(['uncertain', 'disputed'] as const)('of an order that is %s, a person', (status) => {
  it('may say which one it is', () => {
    const state = open({ status, cancelWanted: true });
    expect(accept(state, say(state, placed))).toMatchObject({
      status: 'working',
      brokerOrderId: 'b1',
      boundBy: 'person',
      filledQuantity: null,
      cancelWanted: true,
    });
    expect(state.attempts.get('att_1')?.state).toBe('acknowledged');
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('may say that it is not there', () => {
    const state = open({ status, cancelWanted: true });
    expect(accept(state, say(state, absent))).toMatchObject({
      status: 'rejected',
      filledQuantity: 0,
      calledAbsent: { by: 'person', at: AT + 9 },
      cancelWanted: false,
    });
    // A row may still prove that wrong.
    expect([...state.absentPlaces]).toEqual(['att_1']);
    expect(state.openPlaces.size).toBe(0);
  });
});

describe('a person’s word', () => {
  const refusal = (state: ExecutionState, word: PersonsWord = placed): string => {
    try {
      say(state, word);
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
  ] as const)('is not asked for of an order that is %s', (status) => {
    expect(refusal(open({ status }), absent)).toContain('nothing about it is open');
  });

  it('is refused for an id that the broker has not shown that day', () => {
    const word: PersonsWord = { kind: 'placed', brokerOrderId: 'unseen' };
    expect(refusal(open(), word)).toContain('has shown no order unseen');
    const yesterdays = open({ day: '2026-11-05' }, [attemptRecord({ day: '2026-11-05' })]);
    expect(refusal(yesterdays)).toContain('has shown no order b1 on 2026-11-05');
  });

  it('may name an id of the session that an order was placed for', () => {
    const overnight = { day: '2026-11-05', createdAt: ist('2026-11-05T20:00:00') };
    const state = open({ ...overnight, terms: terms({ amo: true }) }, [
      attemptRecord({ day: '2026-11-05' }),
    ]);
    expect(accept(state, say(state, placed)).brokerOrderId).toBe('b1');
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('binds it in every book that has shown it, on any day until that session', () => {
    const overnight = { day: '2026-11-06', createdAt: ist('2026-11-06T20:00:00') };
    const days = ['2026-11-07', '2026-11-08'];
    const state = stateOf({
      orders: [uncertainOrder({ ...overnight, terms: terms({ amo: true }) })],
      attempts: [attemptRecord()],
      seen: days.map((day) => seenOrder({ day, orderId: null })),
    });
    accept(state, say(state, placed));
    const owners = days.map((day) => state.seen.get(`primary|${day}|b1`)?.orderId);
    expect(owners).toEqual(['ord_1', 'ord_1']);
  });

  it('is refused for an id that another order owns', () => {
    const state = stateOf({
      orders: [uncertainOrder(), orderRecord({ id: 'ord_2' })],
      attempts: [attemptRecord()],
      seen: [seenOrder({ orderId: 'ord_2' })],
    });
    expect(refusal(state)).toContain('is that of ord_2');
  });

  it.each([placed, absent])('is refused once the order is bound (%o)', (word) => {
    const state = stateOf({
      orders: [orderRecord({ status: 'disputed' })],
      attempts: [attemptRecord({ state: 'acknowledged' })],
      seen: [seenOrder()],
    });
    expect(refusal(state, word)).toContain('bound');
  });

  it('is about the leg that is open, not about one that never left', () => {
    const state = open({}, [
      attemptRecord({ id: 'att_1', state: 'uncertain' }),
      attemptRecord({ id: 'att_2', state: 'not_sent', broker: 'alt', tag: 'x' }),
    ]);
    accept(state, say(state, absent));
    expect([state.attempts.get('att_1')?.state, state.attempts.get('att_2')?.state]).toEqual([
      'absent',
      'not_sent',
    ]);
  });
});
