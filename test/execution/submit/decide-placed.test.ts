import { describe, expect, it } from 'vitest';
import type { Outcome } from '../../../src/domain/outcome.ts';
import { notSent, refused, uncertain } from '../../../src/domain/outcome.ts';
import { decideNotSent, decidePlaced } from '../../../src/execution/submit/decide-place.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  accept,
  alertsOf,
  AT,
  bookRow,
  ist,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  stateOf,
  terms,
  trade,
  uncertainOrder,
} from '../support/makers.ts';
import { fieldsOf, type OrderFields } from '../support/order-fields.ts';
import { epochMs } from '../../../src/units/branded.ts';

const LATER = epochMs(AT + 800);
const sending = (parts: Partial<OrderFields> = {}): MutableState =>
  stateOf({
    orders: [uncertainOrder({ kind: 'sending', ...parts })],
    attempts: [attemptRecord({ state: attemptState('sending') })],
  });
const placed = (state: MutableState, outcome: Outcome, last = true) =>
  decidePlaced(state, { attemptId: 'att_1', outcome, last, at: LATER });

function after(outcome: Outcome, last = true, state = sending()): ReturnType<typeof fieldsOf> {
  return fieldsOf(accept(state, placed(state, outcome, last)));
}

const taken: Outcome = { kind: 'acknowledged', brokerOrderId: 'b1' };
const lost = uncertain({ kind: 'transport', message: 'the reply was lost' });

describe('an acknowledged placing', () => {
  it('works, bound by its id, and nothing is known of its fill', () => {
    const state = sending();
    expect(after(taken, true, state)).toMatchObject({
      status: 'working',
      brokerOrderId: 'b1',
      boundBy: 'id',
      filledQuantity: null,
      reason: null,
    });
    expect(state.attempts.get('att_1')).toMatchObject({
      state: { kind: 'acknowledged', settledAt: LATER, brokerOrderId: 'b1' },
    });
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('keeps a cancel that was asked for meanwhile', () => {
    expect(after(taken, true, sending({ cancelWanted: true })).cancelWanted).toBe(true);
  });

  it('is disputed when it names last night’s order for this session', () => {
    const overnight = orderRecord({
      id: 'ord_2',
      day: '2026-11-05',
      createdAt: ist('2026-11-05T20:00:00'),
      terms: terms({ amo: true }),
    });
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'sending' }), overnight],
      attempts: [attemptRecord({ state: attemptState('sending') })],
    });
    expect(after(taken, true, state)).toMatchObject({ status: 'disputed', brokerOrderId: null });
  });

  it('is bound to a row that was observed before its answer came', () => {
    const state = sending();
    accept(state, {
      changes: [
        { table: 'observed', key: 'primary|2026-11-06|b1', row: observedOrder({ orderId: null }) },
      ],
      reply: null,
    });
    expect(after(taken, true, state).brokerOrderId).toBe('b1');
  });

  it('is disputed when the id is that of another order', () => {
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'sending' }), orderRecord({ id: 'ord_2' })],
      attempts: [attemptRecord({ state: attemptState('sending') })],
      observed: [observedOrder({ orderId: 'ord_2' })],
    });
    const decision = placed(state, taken);
    expect(alertsOf(decision)).toEqual(['critical']);
    expect(fieldsOf(accept(state, decision))).toMatchObject({
      status: 'disputed',
      brokerOrderId: null,
    });
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_2');
    // A row with our tag may still tell which one it is.
    expect([...state.openPlaces]).toEqual(['att_1']);
  });

  it('is disputed when the id is that of last night’s after-market order, ended since', () => {
    const order = uncertainOrder({ kind: 'sending' });
    const state = stateOf({
      orders: [
        order,
        orderRecord({
          id: 'ord_2',
          idempotencyKey: 'key-2',
          kind: 'cancelled',
          filledQuantity: 0,
          day: '2026-11-05',
          createdAt: ist('2026-11-05T20:00:00'),
          terms: terms({ amo: true }),
        }),
      ],
      attempts: [attemptRecord({ state: attemptState('sending') })],
      observed: [observedOrder({ orderId: 'ord_2', day: '2026-11-05' })],
    });
    expect(after(taken, true, state)).toMatchObject({ status: 'disputed' });
  });

  it('keeps the baseline until a book has shown the row of the id', () => {
    const state = sending();
    accept(state, placed(state, taken));
    expect(state.attempts.get('att_1')).toMatchObject({ baseline: ['old'] });
  });
});

describe('an answer that shows the order', () => {
  const row = bookRow({ brokerOrderId: 'b1', status: 'filled', filledQuantity: 10 });
  const shown: Outcome = {
    kind: 'acknowledged',
    brokerOrderId: 'b1',
    shown: { row, fills: [trade({ brokerOrderId: 'b1', quantity: 10, price: 1499.5 })] },
  };

  it('has what was filled at once, with its trades', () => {
    const state = sending();
    expect(after(shown, true, state)).toMatchObject({
      status: 'filled',
      filledQuantity: 10,
      averagePrice: 1499.5,
    });
    expect([...state.fills.values()]).toMatchObject([{ orderId: 'ord_1', quantity: 10 }]);
  });

  it('is what a later book says of it', () => {
    const resting = bookRow({ brokerOrderId: 'b1', status: 'working', filledQuantity: 0 });
    const state = sending();
    accept(state, placed(state, { ...shown, shown: { row: resting, fills: [] } }));
    accept(state, reconcileBook(state, observation({ rows: [row] })));
    expect(orderIn(state)).toMatchObject({ status: 'filled', filledQuantity: 10 });
  });

  it('counts for nothing where the id is that of another order', () => {
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'sending' }), orderRecord({ id: 'ord_2' })],
      attempts: [attemptRecord({ state: attemptState('sending') })],
      observed: [observedOrder({ orderId: 'ord_2' })],
    });
    expect(after(shown, true, state).status).toBe('disputed');
    expect(state.fills.size).toBe(0);
  });
});

describe('a refused placing', () => {
  it('is rejected, with nothing filled, for the broker’s reason', () => {
    const state = sending({ cancelWanted: true });
    expect(after(refused('price', 'off the tick'), true, state)).toMatchObject({
      status: 'rejected',
      filledQuantity: 0,
      reason: 'off the tick',
      // Sent should its row turn up.
      cancelWanted: true,
    });
    expect(state.attempts.get('att_1')?.state.kind).toBe('refused');
  });

  it('is rejected also while the route has another broker', () => {
    expect(after(refused('other', 'margin'), false).status).toBe('rejected');
  });
});

describe('a placing that was not sent', () => {
  const refusedConnection = notSent('connect', 'connection refused');

  it('ends the order at the last broker of the route', () => {
    expect(after(refusedConnection)).toMatchObject({
      status: 'not_sent',
      filledQuantity: 0,
      reason: 'connection refused',
    });
  });

  it('leaves the order to the next broker of the route', () => {
    const state = sending({ cancelWanted: true });
    expect(after(refusedConnection, false, state)).toMatchObject({
      status: 'accepted',
      filledQuantity: null,
      cancelWanted: true,
    });
    expect(state.attempts.get('att_1')?.state.kind).toBe('not_sent');
    expect(state.openPlaces.size).toBe(0);
  });
});

describe('a placing whose outcome is open', () => {
  it.each([true, false])('is uncertain, and stays open (last broker: %s)', (last) => {
    const state = sending();
    expect(after(lost, last, state)).toMatchObject({
      status: 'uncertain',
      filledQuantity: null,
      reason: 'the reply was lost',
    });
    expect([...state.openPlaces]).toEqual(['att_1']);
    expect(state.attempts.get('att_1')).toMatchObject({ baseline: ['old'] });
  });

  it('is an alert', () => {
    expect(alertsOf(placed(sending(), lost))).toEqual(['warning']);
  });
});

describe('an order for which no broker was left', () => {
  const close = (state: MutableState): ReturnType<typeof fieldsOf> =>
    fieldsOf(accept(state, decideNotSent(state, { orderId: 'ord_1', reason: 'why', at: LATER })));

  it('ends as not sent', () => {
    expect(close(stateOf({ orders: [uncertainOrder({ kind: 'accepted' })] }))).toMatchObject({
      status: 'not_sent',
      filledQuantity: 0,
      reason: 'why',
    });
  });

  it.each(['sending', 'uncertain', 'working'] as const)('is left alone when it is %s', (kind) => {
    expect(close(stateOf({ orders: [orderRecord({ kind })] })).status).toBe(kind);
  });
});
