import { describe, expect, it } from 'vitest';
import type { OrderModification } from '../../src/domain/order.ts';
import { notSent, refused, uncertain, type Outcome } from '../../src/domain/outcome.ts';
import {
  decideChange,
  decideChanged,
  decideUnrecognised,
  isKeptCancelDue,
} from '../../src/execution/decide-change.ts';
import type { AttemptRecord, OrderRecord } from '../../src/execution/records.ts';
import type { ExecutionState } from '../../src/execution/state.ts';
import {
  accept,
  AT,
  attemptRecord,
  bookRow,
  eventsOf,
  orderRecord,
  OTHER_TAG,
  stateOf,
  TAG,
  uncertainOrder,
} from './support/makers.ts';

const dearer: OrderModification = {
  quantity: null,
  price: 1_510,
  triggerPrice: null,
  orderType: null,
  validity: null,
};
const ask = (state: ExecutionState, changes: OrderModification | null = null) =>
  decideChange(state, { orderId: 'ord_1', attemptId: 'att_9', changes, at: AT + 1 });
const change = (kind: 'cancel' | 'modify', state: AttemptRecord['state']): AttemptRecord =>
  attemptRecord({ id: 'att_c', kind, state, tag: null, fingerprint: null, baseline: null });

describe('a change of an order that works', () => {
  it.each([
    ['cancel', null],
    ['modify', dearer],
  ] as const)('is an attempt to %s, on its way; the order stands', (kind, changes) => {
    const state = stateOf({ orders: [orderRecord()] });
    const before = state.orders.get('ord_1');
    const reply = accept(state, ask(state, changes));
    expect(reply.kind).toBe('sending');
    expect(state.attempts.get('att_9')).toMatchObject({
      kind,
      state: 'sending',
      changes,
      tag: null,
    });
    expect(state.orders.get('ord_1')).toBe(before);
    expect(state.openPlaces.size).toBe(0);
  });

  it('is not sent twice while one of its kind is on its way', () => {
    const state = stateOf({ orders: [orderRecord()], attempts: [change('cancel', 'sending')] });
    const decision = ask(state);
    expect(decision).toMatchObject({ changes: [], reply: { kind: 'under_way' } });
  });

  it('that has been modified 25 times is not modified again, and can be cancelled', () => {
    const attempts = Array.from({ length: 25 }, (_, number) => ({
      ...change('modify', 'acknowledged'),
      id: `att_m${number}`,
    }));
    const unsent = { ...change('modify', 'not_sent'), id: 'att_n' };
    const room = stateOf({ orders: [orderRecord()], attempts: [...attempts.slice(1), unsent] });
    expect(ask(room, dearer).reply.kind).toBe('sending');
    const full = stateOf({ orders: [orderRecord()], attempts });
    expect(ask(full, dearer).reply.kind).toBe('impossible');
    expect(ask(full).reply.kind).toBe('sending');
  });

  it('is sent beside one of another kind', () => {
    const state = stateOf({ orders: [orderRecord()], attempts: [change('modify', 'sending')] });
    expect(ask(state).reply.kind).toBe('sending');
  });

  it.each(['acknowledged', 'refused', 'not_sent', 'uncertain'] as const)(
    'is sent again when the one before is %s',
    (settled) => {
      const state = stateOf({ orders: [orderRecord()], attempts: [change('cancel', settled)] });
      expect(ask(state).reply.kind).toBe('sending');
    },
  );
});

describe('under the kill switch', () => {
  const killSwitch = { thrown: true, reason: null, changedAt: AT };
  const working = () => stateOf({ orders: [orderRecord()], killSwitch });

  it('a quantity is not raised', () => {
    expect(ask(working(), { ...dearer, quantity: 11 })).toMatchObject({
      changes: [],
      reply: { kind: 'impossible' },
    });
  });

  it('a quantity is lowered, a price is changed, and an order is cancelled', () => {
    expect(ask(working(), { ...dearer, quantity: 9 }).reply.kind).toBe('sending');
    expect(ask(working(), dearer).reply.kind).toBe('sending');
    expect(ask(working()).reply.kind).toBe('sending');
  });
});

describe('a change of an order that is over', () => {
  it.each(['filled', 'partial', 'cancelled', 'rejected', 'not_sent'] as const)(
    'is impossible when it is %s',
    (status) => {
      const state = stateOf({ orders: [orderRecord({ status })] });
      expect(ask(state)).toMatchObject({ changes: [], reply: { kind: 'impossible' } });
      expect(ask(state, dearer).reply.kind).toBe('impossible');
    },
  );
});

describe('a change of an order that is not bound', () => {
  it.each(['uncertain', 'sending', 'accepted'] as const)('is kept when %s: a cancel', (status) => {
    const state = stateOf({ orders: [uncertainOrder({ status })] });
    const reply = accept(state, ask(state));
    expect(reply).toMatchObject({ kind: 'kept', order: { cancelWanted: true } });
    expect(state.orders.get('ord_1')?.cancelWanted).toBe(true);
    expect(state.attempts.size).toBe(0);
  });

  it('is kept once: a second cancel writes nothing', () => {
    const state = stateOf({ orders: [uncertainOrder({ cancelWanted: true })] });
    expect(ask(state)).toMatchObject({ changes: [], reply: { kind: 'kept' } });
  });

  it('is impossible: a modification', () => {
    const state = stateOf({ orders: [uncertainOrder()] });
    expect(ask(state, dearer)).toMatchObject({ changes: [], reply: { kind: 'impossible' } });
  });

  it('is impossible when it is disputed', () => {
    const state = stateOf({ orders: [uncertainOrder({ status: 'disputed' })] });
    expect(ask(state).reply.kind).toBe('impossible');
  });

  it('is sent when it is disputed, and its id is known all the same', () => {
    const state = stateOf({ orders: [orderRecord({ status: 'disputed' })] });
    expect(ask(state).reply.kind).toBe('sending');
  });

  it.each([
    ['cancelled', null],
    ['modified', dearer],
  ] as const)('is not %s at a row that carries the tag of another order', (_, changes) => {
    const state = stateOf({
      orders: [
        orderRecord({ status: 'disputed', row: bookRow({ tags: [OTHER_TAG] }) }),
        uncertainOrder({ id: 'ord_2' }),
      ],
      attempts: [attemptRecord({ id: 'att_2', orderId: 'ord_2', tag: OTHER_TAG })],
    });
    expect(ask(state, changes)).toMatchObject({
      changes: [],
      reply: { kind: 'impossible', reason: 'b1 at the broker carries the tag of order ord_2' },
    });
  });

  it('is impossible when it is disputed and its day is over', () => {
    const state = stateOf({ orders: [orderRecord({ status: 'disputed', day: '2026-11-05' })] });
    expect(ask(state).reply.kind).toBe('impossible');
  });

  it('is cancelled at a row that carries its own', () => {
    const state = stateOf({
      orders: [orderRecord({ row: bookRow({ tags: [TAG] }) })],
      attempts: [attemptRecord({ state: 'acknowledged' })],
    });
    expect(ask(state).reply.kind).toBe('sending');
  });
});

describe('what came of a change', () => {
  const settle = (outcome: Outcome, order: Partial<OrderRecord> = {}, kind = 'cancel' as const) => {
    const state = stateOf({
      orders: [orderRecord(order)],
      attempts: [change(kind, 'sending')],
    });
    const decision = decideChanged(state, { attemptId: 'att_c', outcome, at: AT + 5 });
    accept(state, decision);
    return { state, decision };
  };
  const acknowledged: Outcome = { kind: 'acknowledged', brokerOrderId: 'b1' };
  const pending: Outcome = { ...refused('other', 'pending'), pending: true } as Outcome;
  const lost = uncertain({ kind: 'transport', message: 'lost' });

  it.each([
    ['acknowledged', acknowledged],
    ['refused', refused('other', 'no')],
    ['not_sent', notSent('breaker', 'away')],
    ['uncertain', lost],
  ] as const)('is noted, with an event, and leaves the order alone: %s', (kind, outcome) => {
    const { state, decision } = settle(outcome);
    expect(state.attempts.get('att_c')).toMatchObject({ state: kind, settledAt: AT + 5 });
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'working', filledQuantity: null });
    expect(eventsOf(decision)).toMatchObject([
      { type: 'order.attempt', data: { kind: 'cancel', outcome: kind } },
    ]);
  });

  it.each([
    ['answered', acknowledged, false],
    ['refused', refused('other', 'no'), false],
    ['refused for its pace', refused('rate_limited', 'too fast'), true],
    ['refused for its token', refused('auth', 'log in'), true],
    ['pending', pending, true],
    ['not sent', notSent('breaker', 'away'), true],
    ['lost', lost, true],
  ] as const)('leaves a kept cancel wanted or not: %s', (_name, outcome, wanted) => {
    const { state } = settle(outcome, { cancelWanted: true });
    expect(state.orders.get('ord_1')?.cancelWanted).toBe(wanted);
  });

  it('makes a cancel a kept one where the broker is still at the order', () => {
    expect(settle(pending).state.orders.get('ord_1')?.cancelWanted).toBe(true);
    const disputed = settle(pending, { status: 'disputed' });
    expect(disputed.state.orders.get('ord_1')?.cancelWanted).toBe(false);
    for (const outcome of [refused('auth', 'log in'), notSent('breaker', 'away'), lost]) {
      expect(settle(outcome).state.orders.get('ord_1')?.cancelWanted).toBe(false);
    }
  });
});

describe('a kept cancel', () => {
  const due = (answeredAt: number[], at: number, order: Partial<OrderRecord> = {}): boolean => {
    const attempts = answeredAt.map((settledAt, index) =>
      attemptRecord({
        id: `att_${index}`,
        tag: null,
        kind: 'cancel',
        state: 'refused',
        sentAt: settledAt - 100,
        settledAt,
      }),
    );
    const kept = orderRecord({ cancelWanted: true, brokerOrderId: 'b1', ...order });
    return isKeptCancelDue(stateOf({ orders: [kept], attempts }), 'ord_1', at);
  };

  it('goes out at once, to an order that is bound', () => {
    expect(due([], AT)).toBe(true);
    expect(due([], AT, { brokerOrderId: null })).toBe(false);
    expect(due([], AT, { cancelWanted: false })).toBe(false);
  });

  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [7, 60_000],
    [40, 60_000],
  ])('goes out again, after %i that did not do it, %i ms after the last', (count, pause) => {
    const answered = Array.from({ length: count }, (_, index) => AT - count + index + 1);
    expect(due(answered, AT + pause - 1)).toBe(false);
    expect(due(answered, AT + pause)).toBe(true);
  });

  it('waits for its answer', () => {
    const attempts = [attemptRecord({ tag: null, kind: 'cancel', state: 'sending', sentAt: AT })];
    const orders = [orderRecord({ cancelWanted: true, brokerOrderId: 'b1' })];
    expect(isKeptCancelDue(stateOf({ orders, attempts }), 'ord_1', AT + 60_000)).toBe(false);
  });

  it('goes out when the clock was put back, and then at the pace of the new time', () => {
    const HOUR = 3_600_000;
    expect(due([AT], AT - HOUR)).toBe(true);
    expect(due([AT, AT - HOUR], AT - HOUR + 1_999)).toBe(false);
    expect(due([AT, AT - HOUR], AT - HOUR + 2_000)).toBe(true);
  });
});

describe('an order of a status that nobody knows', () => {
  const SINCE = AT - 60_000;
  const strange = (order: Partial<OrderRecord> = {}, attempts: AttemptRecord[] = []) =>
    stateOf({ orders: [orderRecord({ unrecognisedSince: SINCE, ...order })], attempts });
  const wanted = (state: ExecutionState, olderThan = SINCE, broker = 'primary'): boolean => {
    accept(state, decideUnrecognised(state, { olderThan, broker, at: AT }));
    return state.orders.get('ord_1')!.cancelWanted;
  };

  it('is to be cancelled once that has lasted', () => {
    expect(wanted(strange())).toBe(true);
  });

  it('is given its time', () => {
    expect(wanted(strange(), SINCE - 1)).toBe(false);
  });

  it('is left alone when its status is known', () => {
    expect(wanted(strange({ unrecognisedSince: null }))).toBe(false);
  });

  it('is left alone by another broker’s watch', () => {
    expect(wanted(strange(), SINCE, 'alt')).toBe(false);
  });

  it('is cancelled once, also when it outlives that', () => {
    const tried = { ...change('cancel', 'acknowledged'), sentAt: SINCE + 1 };
    expect(wanted(strange({}, [tried]))).toBe(false);
    expect(wanted(strange({}, [{ ...tried, sentAt: SINCE - 1 }]))).toBe(true);
  });
});
