import { describe, expect, it } from 'vitest';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  accept,
  alertsOf,
  bookRow,
  fillRecord,
  ist,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  stateOf,
  TAG,
  terms,
  trade,
  uncertainOrder,
} from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';

describe('an order in the book of another day than its own', () => {
  it('placed for the next session is known by its id in that day’s book', () => {
    const overnight = orderRecord({
      day: '2026-11-05',
      createdAt: ist('2026-11-05T20:00:00'),
      terms: terms({ amo: true }),
    });
    const state = stateOf({
      orders: [overnight],
      observed: [observedOrder({ day: '2026-11-05' })],
    });
    accept(state, reconcileBook(state, observation({ rows: [bookRow({ filledQuantity: 4 })] })));
    expect(orderIn(state).filledQuantity).toBe(4);
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  describe('placed for the next session', () => {
    const overnight = (parts: Partial<OrderFields> = {}): OrderRecord =>
      orderRecord({
        day: '2026-11-05',
        createdAt: ist('2026-11-05T20:00:00'),
        terms: terms({ amo: true }),
        ...parts,
      });

    it('is known though that book was read before it was known to be its', () => {
      const state = stateOf({
        orders: [overnight()],
        observed: [observedOrder({ orderId: null })],
      });
      accept(state, reconcileBook(state, observation({ rows: [bookRow({ filledQuantity: 4 })] })));
      expect(orderIn(state).filledQuantity).toBe(4);
      expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
    });

    it.each(['NSE', 'NSE_EQ'])(
      'has a trade once, in whichever book it is read, at %s',
      (exchange) => {
        const state = stateOf({
          orders: [overnight()],
          observed: [observedOrder({ day: '2026-11-05' })],
          fills: [fillRecord({ day: '2026-11-05', key: 'the day before' })],
        });
        const rows = [bookRow({ filledQuantity: 8 })];
        accept(state, reconcileBook(state, observation({ rows, fills: [trade({ exchange })] })));
        expect(state.fills.size).toBe(1);
      },
    );

    it('bound to a row of the evening does not make books that lack it incomplete', () => {
      const state = stateOf({
        orders: [overnight({ kind: 'uncertain', brokerOrderId: null })],
        attempts: [attemptRecord({ day: '2026-11-05', sentAt: ist('2026-11-05T20:00:00') })],
      });
      const rows = [bookRow({ createdAt: ist('2026-11-05T20:00:01'), status: 'rejected' })];
      accept(state, reconcileBook(state, observation({ rows })));
      expect(orderIn(state).brokerOrderId).toBe('b1');
      expect(reconcileBook(state, observation()).reply.complete).toBe(true);
    });
  });

  it('sent while yesterday’s book was being read is no second one of its order', () => {
    const state = stateOf({
      orders: [uncertainOrder({ day: '2026-11-07' })],
      attempts: [attemptRecord({ day: '2026-11-07' })],
    });
    const decision = reconcileBook(state, observation({ rows: [bookRow({ tags: [TAG] })] }));
    expect(alertsOf(decision)).toEqual([]);
    accept(state, decision);
    expect(orderIn(state)).toMatchObject({ status: 'working', boundBy: 'tag' });
    const today = { begunAt: ist('2026-11-07T11:00:00') };
    const rows = [bookRow({ tags: [TAG], filledQuantity: 4 })];
    accept(state, reconcileBook(state, observation({ ...today, rows })));
    expect(orderIn(state).filledQuantity).toBe(4);
  });

  it('disputed on the day before engages no kill switch, in a book that was not cleared', () => {
    const state = stateOf({
      orders: [uncertainOrder({ day: '2026-11-05', kind: 'disputed' })],
      attempts: [attemptRecord({ day: '2026-11-05' })],
      observed: [observedOrder({ day: '2026-11-05', orderId: null })],
    });
    const decision = reconcileBook(state, observation({ rows: [bookRow({ tags: [TAG] })] }));
    expect(alertsOf(decision)).toEqual([]);
  });

  it('of an earlier day is not the order of the same id today', () => {
    const state = stateOf({
      orders: [orderRecord({ day: '2026-11-05' })],
      observed: [observedOrder({ day: '2026-11-05' })],
    });
    accept(state, reconcileBook(state, observation({ rows: [bookRow({ filledQuantity: 4 })] })));
    expect(orderIn(state).filledQuantity).toBeNull();
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBeNull();
  });

  it('placed for a session that is over is not in a book that was not cleared since', () => {
    const state = stateOf({
      orders: [
        orderRecord({
          day: '2026-11-04',
          createdAt: ist('2026-11-04T20:00:00'),
          terms: terms({ amo: true }),
        }),
      ],
      observed: [observedOrder({ day: '2026-11-05' })],
      fills: [fillRecord({ day: '2026-11-05' })],
    });
    const read = observation({ rows: [bookRow({ filledQuantity: 4 })], fills: [trade()] });
    accept(state, reconcileBook(state, read));
    expect(orderIn(state).filledQuantity).toBeNull();
    expect(state.fills.size).toBe(1);
  });

  it('still in a book that was not cleared is no second one of its order', () => {
    const state = stateOf({
      orders: [orderRecord({ day: '2026-11-05', kind: 'filled' })],
      attempts: [attemptRecord({ day: '2026-11-05', state: attemptState('acknowledged') })],
      observed: [observedOrder({ day: '2026-11-05' })],
    });
    const decision = reconcileBook(state, observation({ rows: [bookRow({ tags: [TAG] })] }));
    expect(alertsOf(decision)).toEqual([]);
    accept(state, decision);
    expect(state.killSwitch.size).toBe(0);
  });
});
