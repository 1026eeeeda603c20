import { describe, expect, it } from 'vitest';
import type { OrderModification } from '../../../src/domain/order.ts';
import type { AttemptStateKind } from '../../../src/execution/order/attempt.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import { isCancelWanted } from '../../../src/execution/order/order.ts';
import { decideAmend } from '../../../src/execution/submit/decide-amend.ts';
import { attemptRecord, attemptState, cancelAttempt, modifyAttempt } from '../support/attempts.ts';
import {
  accept,
  AT,
  bookRow,
  DAY,
  orderIn,
  orderRecord,
  OTHER_TAG,
  portfolio,
  position,
  stateOf,
  TAG,
  uncertainOrder,
  NOTHING_KNOWN,
} from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

const dearer: OrderModification = {
  quantity: null,
  price: 1_510,
  triggerPrice: null,
  orderType: null,
  validity: null,
};
const ask = (state: ExecutionState, changes: OrderModification | null = null) =>
  decideAmend(state, {
    asOf: null,
    orderId: 'ord_1',
    attemptId: 'att_9',
    changes,
    request: null,
    knowledge: NOTHING_KNOWN,
    at: epochMs(AT + 1),
  });
const cancel = (kind: Exclude<AttemptStateKind, 'absent'>) =>
  cancelAttempt({ id: 'att_c', state: attemptState(kind) });
const modify = (kind: Exclude<AttemptStateKind, 'absent'>) =>
  modifyAttempt({ id: 'att_c', state: attemptState(kind) });

describe('an amendment of an order that works', () => {
  it.each([
    ['cancel', null],
    ['modify', dearer],
  ] as const)('is an attempt to %s, on its way; the order stands', (kind, changes) => {
    const state = stateOf({ orders: [orderRecord()] });
    const before = state.orders.get('ord_1');
    const reply = accept(state, ask(state, changes));
    expect(reply.kind).toBe('sending');
    const identity = { id: 'att_9', orderId: 'ord_1', broker: 'primary', day: DAY, sentAt: AT + 1 };
    const what = changes === null ? {} : { changes };
    expect(state.attempts.get('att_9')).toEqual({
      ...identity,
      kind,
      ...what,
      state: { kind: 'sending' },
    });
    expect(state.orders.get('ord_1')).toBe(before);
    expect(state.openPlaces.size).toBe(0);
  });

  it('is not sent twice while one of its kind is on its way', () => {
    const state = stateOf({ orders: [orderRecord()], attempts: [cancel('sending')] });
    const decision = ask(state);
    expect(accept(state, decision).kind).toBe('under_way');
    expect(state.attempts.size).toBe(1);
    // Who is told so hears nothing more of it: where the one under way comes to nothing, it is sent again.
    expect(isCancelWanted(state.orders.get('ord_1') ?? orderRecord())).toBe(true);
  });

  it('is refused where another modification is on its way, and not answered as if it were sent', () => {
    const state = stateOf({ orders: [orderRecord()], attempts: [modify('sending')] });
    const asked = modify('sending').changes;
    expect(ask(state, asked)).toMatchObject({ changes: [], reply: { kind: 'under_way' } });
    const other = { ...asked, price: 1_490 };
    expect(ask(state, other)).toMatchObject({
      changes: [],
      reply: { kind: 'impossible', reason: expect.stringContaining('under way') },
    });
    // A way out is not held back.
    expect(ask(state, null)).toMatchObject({ reply: { kind: 'sending' } });
  });

  it('that has been modified 25 times is not modified again, and can be cancelled', () => {
    const attempts = Array.from({ length: 25 }, (_, number) => ({
      ...modify('acknowledged'),
      id: `att_m${number}`,
    }));
    const unsent = { ...modify('not_sent'), id: 'att_n' };
    const refused = { ...modify('refused'), id: 'att_r' };
    const others = [...attempts.slice(1), unsent, refused];
    const oneLeft = stateOf({ orders: [orderRecord()], attempts: others });
    expect(ask(oneLeft, dearer).reply.kind).toBe('sending');
    const full = stateOf({ orders: [orderRecord()], attempts });
    expect(ask(full, dearer).reply.kind).toBe('impossible');
    expect(ask(full).reply.kind).toBe('sending');
  });

  it('is sent beside one of another kind', () => {
    const state = stateOf({ orders: [orderRecord()], attempts: [modify('sending')] });
    expect(ask(state).reply.kind).toBe('sending');
  });

  it.each(['acknowledged', 'refused', 'not_sent', 'uncertain'] as const)(
    'is sent again when the one before is %s',
    (settled) => {
      const state = stateOf({ orders: [orderRecord()], attempts: [cancel(settled)] });
      expect(ask(state).reply.kind).toBe('sending');
    },
  );
});

describe('under the kill switch', () => {
  const killSwitch = { engaged: true, reason: null, changedAt: AT, changedBy: null };
  const working = () => stateOf({ orders: [orderRecord()], killSwitch });

  it('a quantity is not raised', () => {
    expect(ask(working(), { ...dearer, quantity: 11 })).toMatchObject({
      changes: [],
      reply: { kind: 'braked' },
    });
  });

  it('a quantity is lowered alone, and an order is cancelled', () => {
    const smaller = { ...dearer, price: null, quantity: 9 };
    expect(ask(working(), smaller).reply.kind).toBe('sending');
    expect(ask(working()).reply.kind).toBe('sending');
  });

  it('a price is changed of an order that only reduces a position, and of no other', () => {
    const short = portfolio({ positions: [position({ quantity: -10 })] });
    const exit = stateOf({ orders: [orderRecord()], portfolios: [short], killSwitch });
    expect(ask(exit, dearer).reply.kind).toBe('sending');
    expect(ask(exit, { ...dearer, quantity: 9 }).reply.kind).toBe('sending');
    expect(ask(working(), dearer).reply.kind).toBe('braked');
    expect(ask(working(), { ...dearer, quantity: 9 }).reply.kind).toBe('braked');
  });
});

describe('an amendment of an order that is over', () => {
  it.each(['filled', 'partial', 'cancelled', 'rejected', 'not_sent'] as const)(
    'is impossible when it is %s',
    (kind) => {
      const state = stateOf({ orders: [orderRecord({ kind })] });
      expect(ask(state)).toMatchObject({ changes: [], reply: { kind: 'impossible' } });
      expect(ask(state, dearer).reply.kind).toBe('impossible');
    },
  );
});

describe('an amendment of an order that is not bound', () => {
  it.each(['uncertain', 'sending', 'accepted'] as const)('is kept when %s: a cancel', (kind) => {
    const state = stateOf({ orders: [uncertainOrder({ kind })] });
    const reply = accept(state, ask(state));
    expect(reply).toMatchObject({ kind: 'kept', order: { state: { cancelWanted: true } } });
    expect(orderIn(state).cancelWanted).toBe(true);
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
    const state = stateOf({ orders: [uncertainOrder({ kind: 'disputed' })] });
    expect(ask(state).reply.kind).toBe('impossible');
  });

  it('is sent when it is disputed, and its id is known all the same', () => {
    const state = stateOf({ orders: [orderRecord({ kind: 'disputed' })] });
    expect(ask(state).reply.kind).toBe('sending');
  });

  it.each([
    ['cancelled', null],
    ['modified', dearer],
  ] as const)('is not %s at a row that carries the tag of another order', (_, changes) => {
    const state = stateOf({
      orders: [
        orderRecord({ kind: 'disputed', row: bookRow({ tags: [OTHER_TAG] }) }),
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
    const state = stateOf({ orders: [orderRecord({ kind: 'disputed', day: '2026-11-05' })] });
    expect(ask(state).reply.kind).toBe('impossible');
  });

  it('is cancelled at a row that carries its own', () => {
    const state = stateOf({
      orders: [orderRecord({ row: bookRow({ tags: [TAG] }) })],
      attempts: [attemptRecord({ state: attemptState('acknowledged') })],
    });
    expect(ask(state).reply.kind).toBe('sending');
  });
});
