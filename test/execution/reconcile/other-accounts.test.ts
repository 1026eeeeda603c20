import { describe, expect, it } from 'vitest';
import {
  accountsInUse,
  decideReportOthers,
  openOrdersOfOthers,
  otherAccountReason,
} from '../../../src/execution/reconcile/other-accounts.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { decideDayOver } from '../../../src/execution/reconcile/recovery.ts';
import type { PlaceAttemptRecord } from '../../../src/execution/order/attempt.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { tradingDay } from '../../../src/domain/ist.ts';
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
  TAG,
  uncertainOrder,
} from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

const CLOSE = ist('2026-11-06T20:00:01');
/** Somebody else's, changed after the send: the book is not stale. */
const LATER = bookRow({
  brokerOrderId: 'later',
  instrument: 'NSE:TCS',
  updatedAt: epochMs(AT + 60_000),
});

/** The third whole book that lacks the order, after the close: it proves absence to its own account. */
const lastBook = (account: string | null) =>
  observation({
    begunAt: CLOSE,
    account,
    rows: [LATER],
    fills: [],
    absentReads: new Map([['att_1', 2]]),
  });

const openAtA = () =>
  stateOf({ orders: [uncertainOrder()], attempts: [attemptRecord({ account: 'A1' })] });

describe('the book of another account', () => {
  it('proves nothing about an order', () => {
    const state = openAtA();
    accept(state, reconcileBook(state, lastBook('B2')));
    expect(orderIn(state)).toMatchObject({ status: 'uncertain', absentSince: null });
  });

  it.each(['A1', null])('does where it may be the same one: %s', (account) => {
    const state = openAtA();
    accept(state, reconcileBook(state, lastBook(account)));
    expect(orderIn(state).status).toBe('rejected');
  });

  it('never gives a row of it to an order, however equal', () => {
    const state = openAtA();
    const rows = [bookRow()];
    accept(state, reconcileBook(state, observation({ account: 'B2', rows })));
    expect(orderIn(state)).toMatchObject({ status: 'uncertain', brokerOrderId: null });
  });

  it('disputes an order whose tag it has: one of the two accounts is not what it seems', () => {
    const state = openAtA();
    const rows = [bookRow({ tags: [TAG] })];
    accept(state, reconcileBook(state, observation({ account: 'B2', rows })));
    expect(orderIn(state)).toMatchObject({ status: 'disputed', brokerOrderId: null });
  });

  it('is whole without the ids that the book of the first account had', () => {
    const seen = observedOrder({ brokerOrderId: 'a1', account: 'A1' });
    const read = (account: string) =>
      reconcileBook(stateOf({ observed: [seen] }), observation({ account })).reply.complete;
    expect(read('B2')).toBe(true);
    expect(read('A1')).toBe(false);
  });

  it('notes whose book each id was in', () => {
    const state = stateOf();
    const read = observation({ account: 'B2', rows: [bookRow({ brokerOrderId: 'hand' })] });
    accept(state, reconcileBook(state, read));
    expect([...state.observed.values()]).toMatchObject([{ brokerOrderId: 'hand', account: 'B2' }]);
  });
});

describe('a book of another account, after a wrong clock has ended the day of an order', () => {
  const disputed = (order: OrderRecord, attempt: Partial<PlaceAttemptRecord>) => {
    const state = stateOf({
      orders: [order],
      attempts: [attemptRecord({ account: 'A1', ...attempt })],
    });
    const tomorrow = { broker: 'primary', today: tradingDay(ist('2026-11-07T15:00:00')), at: AT };
    accept(state, decideDayOver(state, tomorrow));
    expect(orderIn(state).status).toBe('disputed');
    return state;
  };
  const orders = [
    ['working', orderRecord(), { state: attemptState('acknowledged') }],
    ['uncertain', uncertainOrder({ cancelWanted: true }), {}],
  ] as const;

  it.each(orders)('leaves one that was %s as it was: that day is not over', (status, ...of) => {
    const state = disputed(...of);
    accept(state, reconcileBook(state, observation({ account: 'B2', rows: [LATER] })));
    expect(orderIn(state)).toMatchObject({ status, cancelWanted: status === 'uncertain' });
  });

  it.each(orders)('leaves one that was %s disputed where it is of the next day', (_was, ...of) => {
    const state = disputed(...of);
    const begunAt = ist('2026-11-07T11:00:00');
    accept(state, reconcileBook(state, observation({ account: 'B2', begunAt, rows: [] })));
    expect(orderIn(state).status).toBe('disputed');
  });
});

describe('open orders of another account', () => {
  const state = stateOf({
    orders: [orderRecord()],
    attempts: [
      attemptRecord({
        account: 'A1',
        state: { kind: 'acknowledged', settledAt: AT, brokerOrderId: 'b1' },
      }),
    ],
  });

  it('are reported as critical, and none to their own account', () => {
    const report = (account: string) =>
      alertsOf(decideReportOthers(state, { broker: 'primary', account, at: AT }));
    expect(report('B2')).toEqual(['critical']);
    expect(report('A1')).toEqual([]);
    expect(openOrdersOfOthers(state, 'alt', 'B2')).toEqual([]);
  });

  it('say who has to log in before they can be changed', () => {
    const order = orderRecord();
    expect(otherAccountReason(state, order, 'B2', null)).toMatch(/of account A1.*log in as A1/);
    expect(otherAccountReason(state, order, 'A1', null)).toBeNull();
    expect(otherAccountReason(state, order, null, null)).toBeNull();
  });

  it.each(['a1', ' A1', 'a1 '])('are none where the user is written otherwise: %j', (account) => {
    expect(otherAccountReason(state, orderRecord(), account, null)).toBeNull();
    expect(openOrdersOfOthers(state, 'primary', account)).toEqual([]);
  });

  describe('and the book of the session', () => {
    const order = orderRecord();
    const row = bookRow({ brokerOrderId: 'b1', tags: [TAG] });
    const reason = (parts: Partial<Parameters<typeof observation>[0]>) =>
      otherAccountReason(state, order, 'B2', observation({ account: 'B2', rows: [row], ...parts }));

    it('can change what that book shows: the account is only called otherwise', () => {
      expect(reason({})).toBeNull();
      expect(reason({ tagged: false, rows: [{ ...row, tags: [] }] })).toBeNull();
    });

    it.each<[string, Parameters<typeof reason>[0]]>([
      ['is of another session', { account: 'A1' }],
      ['is of nobody knows whom', { account: null }],
      ['does not show it', { rows: [] }],
      ['has another side under its id', { rows: [{ ...row, side: 'SELL' }] }],
      ['has another instrument under its id', { isOther: () => true }],
      [
        'has the row without the tag that the broker returns',
        { tagged: true, rows: [{ ...row, tags: [] }] },
      ],
      ['has another tag on the row', { tagged: false, rows: [{ ...row, tags: ['other'] }] }],
    ])('cannot where that book %s', (_what, parts) => {
      expect(reason(parts)).toContain('whose order book does not show it');
    });

    it('alerts to nothing that it shows', () => {
      const book = observation({ account: 'B2', rows: [row] });
      const about = { broker: 'primary', account: 'B2', at: AT };
      expect(alertsOf(decideReportOthers(state, { ...about, book }))).toEqual([]);
    });
  });

  it('keep the account in use while they are disputed', () => {
    const disputed = stateOf({
      orders: [orderRecord({ kind: 'disputed' })],
      attempts: [attemptRecord({ account: 'A1' })],
    });
    expect(accountsInUse(disputed, 'primary')).toEqual(['A1']);
  });

  it('keep the account in use until they are over', () => {
    expect(accountsInUse(state, 'primary')).toEqual(['A1']);
    expect(accountsInUse(state, 'alt')).toEqual([]);
    const over = stateOf({
      orders: [orderRecord({ kind: 'filled', filledQuantity: 10 })],
      attempts: [attemptRecord({ account: 'A1' })],
    });
    expect(accountsInUse(over, 'primary')).toEqual([]);
  });
});
