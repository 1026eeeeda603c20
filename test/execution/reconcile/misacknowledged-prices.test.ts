import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { OrderTerms } from '../../../src/domain/order.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { fingerprint } from '../../../src/execution/order/attempt.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { epochMs } from '../../../src/units/branded.ts';
import { attemptRecord, attemptState, modifyAttempt } from '../support/attempts.ts';
import {
  accept,
  AT,
  bookRow,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  OTHER_TAG,
  stateOf,
  terms,
  uncertainOrder,
} from '../support/makers.ts';

describe('a first row under an acknowledged id, without a tag, of another price', () => {
  const SENT_WITH = terms({ price: 1_496.2 });
  const second = orderRecord({ id: 'ord_2', idempotencyKey: 'second', brokerOrderId: 'b1' });
  const secondPlacing = attemptRecord({
    ...{ id: 'att_2', orderId: 'ord_2', tag: OTHER_TAG, tagSent: false },
    state: attemptState('acknowledged'),
  });
  /** The first order's outcome is unknown, and the second was acknowledged with the first one's id. */
  const waiting = (...changes: Parameters<typeof modifyAttempt>): MutableState =>
    mixedUp(SENT_WITH, changes);
  const mixedUp = (sentWith: OrderTerms, changes: Parameters<typeof modifyAttempt>): MutableState =>
    stateOf({
      orders: [uncertainOrder({ terms: sentWith }), second],
      attempts: [
        attemptRecord({ tagSent: false, fingerprint: fingerprint('primary', sentWith) }),
        secondPlacing,
        ...changes.map((each) => modifyAttempt({ id: 'att_3', orderId: 'ord_2', ...each })),
      ],
      observed: [observedOrder({ orderId: 'ord_2' })],
    });
  const ROW = bookRow({ price: 1_496.2, tags: [] });
  const twice = (state: MutableState, ...rows: readonly BrokerOrder[]): void => {
    for (const seenOnce of [new Map(), new Map([['ord_1', 'b1']])]) {
      accept(state, reconcileBook(state, observation({ tagged: false, rows, seenOnce })));
    }
  };

  it('is the row of an order with an unknown outcome that was sent with that price', () => {
    const state = waiting();
    twice(state, ROW, bookRow({ brokerOrderId: 'b2', tags: [] }));
    expect(orderIn(state)).toMatchObject({ brokerOrderId: 'b1', boundBy: 'fingerprint' });
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'disputed', brokerOrderId: null });
  });

  it('is the acknowledged order’s where the other was called absent', () => {
    const state = stateOf({
      orders: [
        orderRecord({ kind: 'absent', brokerOrderId: null, boundBy: null, terms: SENT_WITH }),
        second,
      ],
      attempts: [
        attemptRecord({
          ...{ tagSent: false, fingerprint: fingerprint('primary', SENT_WITH) },
          state: attemptState('absent'),
        }),
        secondPlacing,
      ],
      observed: [observedOrder({ orderId: 'ord_2' })],
    });
    twice(state, ROW);
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
  });

  it('is the acknowledged order’s where a change of it was asked for', () => {
    const state = waiting({ state: attemptState('uncertain') });
    twice(state, ROW);
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
  });

  it('is the acknowledged order’s where both were sent with it', () => {
    const state = mixedUp(second.terms, []);
    twice(state, bookRow({ tags: [] }));
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
  });

  it.each([
    ['nobody’s', { price: 1_490 }],
    ['the acknowledged order’s own', { price: 1_500 }],
    ['of a row that was made before the other order was sent', { createdAt: epochMs(AT - 60_000) }],
  ])('is the acknowledged order’s where the price is %s', (_, change) => {
    const state = waiting();
    twice(state, { ...ROW, ...change });
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
  });
});
