import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import type { BookObservation } from '../../../src/execution/reconcile/book-observation.ts';
import { CLOCK_SKEW_MS } from '../../../src/execution/order/attempt.ts';
import { decideDayOver } from '../../../src/execution/reconcile/recovery.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { epochMs, plus } from '../../../src/units/branded.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  accept,
  AT,
  bookRow,
  eventsOf,
  ist,
  observation,
  observedOrder,
  orderIn,
  stateOf,
  uncertainOrder,
} from '../support/makers.ts';

const CLOSED = ist('2026-11-06T20:00:00');
/** Somebody else's, changed after the send. */
const LATER = bookRow({
  brokerOrderId: 'later',
  instrument: 'NSE:TCS',
  updatedAt: epochMs(AT + 5_001),
});

/** A row that cannot be read, and may be any order. */
const ODD = {
  ...{ brokerOrderId: 'odd', exchangeOrderId: null, instrument: null, side: null, quantity: null },
  ...{ tags: [], reason: 'odd' },
};

/** A whole book of the evening. */
const silence = (parts: Partial<BookObservation>): BookObservation =>
  observation({ fills: [], absentReads: new Map([['att_1', 2]]), ...parts });

describe('an order that was called absent', () => {
  const night = epochMs(CLOSED + 1_200_000);
  const called = (by: 'close' | 'person', more: Partial<Parameters<typeof stateOf>[0]> = {}) =>
    stateOf({
      orders: [uncertainOrder({ kind: 'absent', calledAbsent: { by, at: CLOSED } })],
      attempts: [attemptRecord({ state: attemptState('absent') })],
      ...more,
    });
  const shows = (row: Partial<BrokerOrder>, state: MutableState) => {
    const rows = [LATER, bookRow({ brokerOrderId: 'row', ...row })];
    const decision = reconcileBook(state, silence({ tagged: true, begunAt: night, rows }));
    accept(state, decision);
    return { ...orderIn(state), alerts: eventsOf(decision).filter(({ type }) => type === 'alert') };
  };

  it.each([
    ['equal', {}],
    ['equal, with a tag that is nobody’s', { tags: ['theirs'] }],
    ['equal, made hours later', { createdAt: plus(AT, 7_200_000) }],
    ['changed in quantity', { quantity: 9 }],
  ])('is disputed when a row appears that nobody owns: %s', (_, row) => {
    const state = called('close');
    const order = shows(row, state);
    expect(order).toMatchObject({ status: 'disputed', brokerOrderId: null });
    expect(order.reason).toMatch(/called absent.* the book shows row \(BUY/);
    expect(order.alerts).toMatchObject([{ data: { level: 'critical' } }]);
    expect([...state.openPlaces]).toEqual(['att_1']);
  });

  it('is then still found by its tag', () => {
    const state = called('close');
    shows({}, state);
    const own = bookRow({ brokerOrderId: 'own', tags: [attemptRecord().tag] });
    accept(state, reconcileBook(state, silence({ tagged: true, begunAt: night, rows: [own] })));
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'own' });
  });

  it.each([
    ['works', {}, true],
    ['was rejected without a fill', { status: 'rejected', filledQuantity: 0 }, false],
  ] as const)(
    'is bound to a row with its tag that %s (%j; other orders stopped: %s)',
    (_, row, stops) => {
      const state = called('close');
      const tags = [attemptRecord().tag];
      expect(shows({ ...row, tags }, state).alerts).toHaveLength(stops ? 1 : 0);
      expect(orderIn(state).brokerOrderId).toBe('row');
      expect(state.killSwitch.size).toBe(stops ? 1 : 0);
    },
  );

  it.each([
    ['was made after that', 'close', { createdAt: plus(CLOSED, CLOCK_SKEW_MS + 1) }, []],
    ['is of another product and quantity', 'close', { quantity: 9, product: 'INTRADAY' }, []],
    ['had been there when a person said so', 'person', {}, [CLOSED]],
  ] as const)('stays absent where the row %s', (_, by, row, seen) => {
    const observed = seen.map((seenAt) =>
      observedOrder({ brokerOrderId: 'row', orderId: null, seenAt }),
    );
    expect(shows(row, called(by, { observed })).status).toBe('rejected');
  });

  it('is disputed where the row has appeared since a person said so', () => {
    expect(shows({}, called('person')).status).toBe('disputed');
  });

  it.each([
    ['set back by 26 hours, and made with the send', -26, 60_000, 'disputed'],
    ['set back by 26 hours, and made long after the send', -26, 7_200_000, 'rejected'],
    ['that was 26 hours ahead', 26, 60_000, 'disputed'],
  ])('by a clock %s, is compared in events with the row', (_, hours, made, status) => {
    const at = epochMs(CLOSED + hours * 3_600_000);
    const observed = [
      observedOrder({ brokerOrderId: 'row', orderId: null, seenAt: CLOSED, seenAfter: 8 }),
    ];
    const said = uncertainOrder({ kind: 'absent', calledAbsent: { by: 'person', at, after: 7 } });
    const state = called('person', { orders: [said], observed });
    expect(shows({ createdAt: plus(AT, made) }, state).status).toBe(status);
  });

  it('is not doubted for a row that a book had shown by then, whatever the clock', () => {
    const at = epochMs(AT - 26 * 3_600_000);
    const observed = [
      observedOrder({ brokerOrderId: 'row', orderId: null, seenAt: CLOSED, seenAfter: 7 }),
    ];
    const said = uncertainOrder({ kind: 'absent', calledAbsent: { by: 'person', at, after: 7 } });
    expect(shows({}, called('person', { orders: [said], observed })).status).toBe('rejected');
  });

  describe('by a person', () => {
    const lacking = (parts: Partial<BookObservation> = {}) => {
      const state = called('person');
      accept(state, reconcileBook(state, silence({ begunAt: night, rows: [LATER], ...parts })));
      return { calledAbsent: orderIn(state).calledAbsent, isWatched: state.watched.has('ord_1') };
    };

    it('is confirmed by a whole book that was read after the close', () => {
      expect(lacking()).toEqual({ calledAbsent: { by: 'close', at: CLOSED }, isWatched: false });
    });

    it.each([
      ['before the close', { begunAt: epochMs(CLOSED - 1_000) }],
      ['that shows nothing later than the send', { rows: [] }],
      ['with a row that cannot be read, and may be it', { unread: [ODD] }],
    ])('is not by one %s', (_, parts) => {
      expect(lacking(parts)).toEqual({
        calledAbsent: { by: 'person', at: CLOSED },
        isWatched: true,
      });
    });

    it('is left to that person, and watched no more, once the day’s book is gone', () => {
      const state = called('person');
      const six = ist('2026-11-07T06:00:00');
      const broker = orderIn(state).broker;
      const over = { broker, today: '2026-11-07', at: six };
      accept(state, decideDayOver(state, over));
      expect(orderIn(state).calledAbsent).toEqual({ by: 'person', at: CLOSED, bookGone: true });
      expect([state.watched.size, decideDayOver(state, over).changes]).toEqual([0, []]);
    });
  });
});
