import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { BookObservation } from '../../../src/execution/reconcile/book-observation.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { CLOCK_SKEW_MS } from '../../../src/execution/order/attempt.ts';
import { MADE_WITHIN_MS } from '../../../src/execution/reconcile/when-made.ts';
import { attemptRecord } from '../support/attempts.ts';
import {
  accept,
  AT,
  bookRow,
  ist,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  OTHER_TAG,
  stateOf,
  trade,
  uncertainOrder,
} from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';
import { epochMs, plus } from '../../../src/units/branded.ts';

const CLOSED = ist('2026-11-06T20:00:00');
/** Somebody else's, changed after the send. */
const LATER = bookRow({
  brokerOrderId: 'later',
  instrument: 'NSE:TCS',
  updatedAt: epochMs(AT + 5_001),
});
const LATE = epochMs(AT + 180_000);

/** A whole, empty book: the third that lacks the order, begun late enough. */
const silence = (parts: Partial<BookObservation> = {}): BookObservation =>
  observation({ begunAt: LATE, fills: [], absentReads: new Map([['att_1', 2]]), ...parts });

const open = (parts: Partial<OrderFields> = {}): MutableState =>
  stateOf({ orders: [uncertainOrder(parts)], attempts: [attemptRecord()] });

function after(read: BookObservation, state = open()): ReturnType<typeof orderIn> {
  accept(state, reconcileBook(state, read));
  return orderIn(state);
}

describe('silence of the book', () => {
  it('is evidence after three reads, the last begun long enough after the send', () => {
    expect(after(silence())).toMatchObject({ status: 'uncertain', absentSince: LATE });
  });

  it('is none after two reads', () => {
    const absentReads = new Map([['att_1', 1]]);
    expect(after(silence({ absentReads })).absentSince).toBeNull();
  });

  it('is none when the read began too early', () => {
    expect(after(silence({ begunAt: epochMs(LATE - 1) })).absentSince).toBeNull();
  });

  it('is none when it began too early by this clock, however long ago the send is by another', () => {
    const begunAt = epochMs(LATE - 1);
    expect(after(silence({ begunAt, sinceSend: () => 600_000 })).absentSince).toBeNull();
  });

  it('is none while the clock is more than ten minutes off', () => {
    expect(after(silence({ aheadMs: 600_000 })).absentSince).toBe(LATE);
    expect(after(silence({ aheadMs: 600_001 })).absentSince).toBeNull();
    expect(after(silence({ aheadMs: -600_001 })).absentSince).toBeNull();
  });

  it('is none while the broker has acknowledged an id that no book has shown', () => {
    const named = { id: 'att_2', orderId: 'ord_2', tag: OTHER_TAG, namedId: 'unseen' } as const;
    const state = stateOf({
      orders: [uncertainOrder(), uncertainOrder({ id: 'ord_2', idempotencyKey: 'other' })],
      attempts: [attemptRecord(), attemptRecord(named)],
    });
    const closed = after(silence({ begunAt: CLOSED, rows: [LATER] }), state);
    expect(closed).toMatchObject({ status: 'uncertain', absentSince: null });
  });

  it('is none when the trades could not be read', () => {
    expect(after(silence({ fills: null })).absentSince).toBeNull();
  });

  it('is none when a trade has no order in the book', () => {
    expect(after(silence({ fills: [trade({ brokerOrderId: 'hidden' })] })).absentSince).toBeNull();
    const nameless = trade({ brokerOrderId: null, exchangeOrderId: 'x' });
    expect(after(silence({ fills: [nameless] })).absentSince).toBeNull();
  });

  it('is evidence when every trade has its order in the book', () => {
    const rows = [bookRow({ brokerOrderId: 'old', exchangeOrderId: 'x' })];
    const fills = [
      trade({ brokerOrderId: 'old' }),
      trade({ fillId: 'f2', brokerOrderId: null, exchangeOrderId: 'x' }),
    ];
    expect(after(silence({ rows, fills })).absentSince).toBe(LATE);
  });

  it('is none when the book is not whole', () => {
    const state = open();
    accept(state, {
      changes: [
        {
          table: 'observed',
          key: 'primary|2026-11-06|gone',
          row: observedOrder({ brokerOrderId: 'gone', orderId: null }),
        },
      ],
      reply: null,
    });
    const decision = reconcileBook(state, silence({ begunAt: CLOSED }));
    expect(decision.reply).toMatchObject({ complete: false, lacked: [] });
    accept(state, decision);
    expect(orderIn(state)).toMatchObject({ status: 'uncertain', absentSince: null });
  });

  it('is none when a new row that belongs to no order has its instrument and side', () => {
    const changed = bookRow({ price: 1_490, quantity: 9 });
    expect(after(silence({ rows: [changed] })).absentSince).toBeNull();
    const closed = after(silence({ begunAt: CLOSED, rows: [changed, LATER] }));
    expect(closed).toMatchObject({ status: 'disputed', absentSince: null });
    expect(closed.reason).toContain('b1 (BUY 9 NSE:INFY)');
  });

  it.each([
    ['was there before the send', { brokerOrderId: 'old', price: 1_490 }],
    ['is of the other side', { side: 'SELL', price: 1_490 }],
    ['is of another instrument', { instrument: 'NSE:TCS' }],
  ] as const)('is evidence although there is a row that %s', (_which, parts) => {
    expect(after(silence({ rows: [bookRow(parts)] })).absentSince).toBe(LATE);
  });

  it('is evidence although such a row is there, where rows carry our tag', () => {
    const rows = [bookRow({ price: 1_490 })];
    expect(after(silence({ rows, tagged: true })).absentSince).toBe(LATE);
  });

  it('is evidence when the row belongs to another order of ours', () => {
    const state = stateOf({
      orders: [uncertainOrder(), orderRecord({ id: 'ord_2' })],
      attempts: [attemptRecord()],
      observed: [observedOrder({ orderId: 'ord_2' })],
    });
    expect(after(silence({ rows: [bookRow({ price: 1_490 })] }), state).absentSince).toBe(LATE);
  });

  it('counts a read for each placing that it lacked', () => {
    expect(reconcileBook(open(), silence()).reply.lacked).toEqual(['att_1']);
    const found = reconcileBook(open(), silence({ rows: [bookRow()] }));
    expect(found.reply.lacked).toEqual([]);
  });

  it('keeps the time at which it became evidence', () => {
    const order = after(silence({ begunAt: epochMs(LATE + 60_000) }), open({ absentSince: LATE }));
    expect(order.absentSince).toBe(LATE);
  });

  it('never rejects before the day has closed', () => {
    const absentReads = new Map([['att_1', 999]]);
    const order = after(silence({ begunAt: epochMs(CLOSED - 1), rows: [LATER], absentReads }));
    expect(order.status).toBe('uncertain');
  });
});

describe('silence after the close', () => {
  it('proves that the order was not placed', () => {
    const state = open({ cancelWanted: true });
    expect(after(silence({ begunAt: CLOSED, rows: [LATER] }), state)).toMatchObject({
      status: 'rejected',
      filledQuantity: 0,
      cancelWanted: true,
      absentSince: CLOSED,
      calledAbsent: { by: 'close' },
    });
    expect(orderIn(state).reason).toMatch(/^proven_absent/);
    expect(state.attempts.get('att_1')?.state.kind).toBe('absent');
    expect([...state.absentPlaces]).toEqual(['att_1']);
  });

  it.each([
    ['the broker tells no time', { brokerAt: null }],
    ['it is earlier by the clock of the broker', { brokerAt: epochMs(CLOSED - 1) }],
    ['less time has passed since the send', { sinceSend: () => CLOSED - AT - 1 }],
    ['another process sent it', { sinceSend: () => null }],
    ['the clock is known to be far off', { aheadMs: -600_001 }],
    [
      'it is earlier by this computer’s own clock',
      {
        ...{ localAt: epochMs(CLOSED - 1), aheadMs: -61_000 },
        rows: [{ ...LATER, updatedAt: epochMs(AT + 70_000) }],
      },
    ],
    ['the trades could not be read', { fills: null }],
    ['the book is empty', { rows: [] }],
    [
      'the book shows nothing later than the send',
      { rows: [{ ...LATER, updatedAt: epochMs(AT + 5_000) }] },
    ],
  ])('proves nothing where %s', (_what, parts) => {
    expect(after(silence({ begunAt: CLOSED, rows: [LATER], ...parts })).status).toBe('uncertain');
  });

  it('proves it also where the clock is minutes off, once every clock says that the day is closed', () => {
    const late = epochMs(CLOSED + 100_000);
    const parts = { begunAt: late, localAt: CLOSED, aheadMs: -100_000 };
    const rows = [{ ...LATER, updatedAt: epochMs(AT + 5_001) }];
    expect(after(silence({ ...parts, rows })).status).toBe('uncertain');
    rows[0] = { ...LATER, updatedAt: epochMs(AT + 105_001) };
    expect(after(silence({ ...parts, rows })).status).toBe('rejected');
  });

  it('is needed for no order of an account that is here', () => {
    const order = after(silence({ isLocal: true, absentReads: new Map(), sinceSend: () => null }));
    expect(order).toMatchObject({ status: 'rejected', calledAbsent: { by: 'close' } });
  });

  it('proves nothing of a disputed order', () => {
    const read = silence({ begunAt: CLOSED, rows: [LATER] });
    const order = after(read, open({ kind: 'disputed' }));
    expect(order.status).toBe('disputed');
  });

  it('leaves an order that works as it is', () => {
    const state = stateOf({ orders: [orderRecord()] });
    expect(after(silence({ begunAt: CLOSED, rows: [LATER] }), state).status).toBe('working');
  });
});

describe('an equal row that nobody owns, at a broker whose rows carry our tag', () => {
  const late = epochMs(CLOSED + 60_000);
  const afterClose = (row: Partial<BrokerOrder>, state = open()) =>
    after(
      silence({
        ...{ tagged: true, begunAt: late, brokerAt: late, sinceSend: () => late - AT },
        rows: [LATER, bookRow({ brokerOrderId: 'row', ...row })],
      }),
      state,
    ).status;

  it.each([
    ['without a tag', []],
    ['with a tag that is nobody’s', ['theirs']],
  ])('%s forbids to call the order absent: it may be the order', (_, tags) => {
    expect(afterClose({ tags })).toBe('disputed');
    expect(afterClose({ tags, price: 1_499 })).toBe('disputed');
  });

  it.each([
    ['another quantity', { quantity: 9 }],
    ['another quantity, type and price', { quantity: 11, orderType: 'MARKET', price: null }],
    ['another quantity, and no time', { quantity: 11, createdAt: null }],
  ])('that has got %s since forbids it, too: somebody may have changed it', (_, other) => {
    expect(afterClose(other)).toBe('disputed');
  });

  it.each([
    ['another quantity and product', { quantity: 11, product: 'INTRADAY' }],
    ['another quantity, made before', { quantity: 11, createdAt: plus(AT, -CLOCK_SKEW_MS - 1) }],
    ['another quantity, made later', { quantity: 11, createdAt: plus(AT, MADE_WITHIN_MS + 1) }],
    ['of another side', { side: 'SELL' as const }],
    ['of another instrument', { instrument: 'NSE:TCS' }],
  ])('forbids nothing where it is, or has, %s', (_, other) => {
    expect(afterClose(other)).toBe('rejected');
  });

  it('forbids nothing where a book had shown it before the send', () => {
    const state = stateOf({
      orders: [uncertainOrder()],
      attempts: [attemptRecord({ sentAfter: 7 })],
      observed: [observedOrder({ brokerOrderId: 'row', orderId: null, seenAfter: 7 })],
    });
    expect(afterClose({}, state)).toBe('rejected');
  });
});
