import { describe, expect, it } from 'vitest';
import { notSent, refused, uncertain, type Outcome } from '../../../src/domain/outcome.ts';
import type { AttemptRecord, AttemptStateKind } from '../../../src/execution/order/attempt.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { decideAmended } from '../../../src/execution/submit/decide-amend.ts';
import { decideUnrecognised } from '../../../src/execution/submit/decide-unrecognised.ts';
import { isKeptCancelDue } from '../../../src/execution/submit/kept-cancels.ts';
import { attemptState, cancelAttempt } from '../support/attempts.ts';
import {
  accept,
  AT,
  bookRow,
  eventsOf,
  ist,
  orderIn,
  orderRecord,
  stateOf,
} from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';
import { epochMs, plus, type EpochMs } from '../../../src/units/branded.ts';

const cancel = (kind: Exclude<AttemptStateKind, 'absent'>) =>
  cancelAttempt({ id: 'att_c', state: attemptState(kind) });

describe('what came of an amendment', () => {
  const after = (outcome: Outcome, order: Partial<OrderFields> = {}, isLate = false) => {
    const state = stateOf({ orders: [orderRecord(order)], attempts: [cancel('sending')] });
    const command = { attemptId: 'att_c', sentTo: 'b1', outcome, isLate, at: epochMs(AT + 5) };
    const decision = decideAmended(state, command);
    accept(state, decision);
    return { state, decision, order: orderIn(state) };
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
    const { state, decision } = after(outcome);
    expect(state.attempts.get('att_c')).toMatchObject({ state: { kind, settledAt: AT + 5 } });
    expect(orderIn(state)).toMatchObject({ status: 'working', filledQuantity: null });
    expect(eventsOf(decision)).toMatchObject([
      { type: 'order.attempt', data: { kind: 'cancel', outcome: kind } },
    ]);
  });

  it.each([
    // Only its row says that the order is cancelled.
    ['acknowledged', acknowledged, true],
    ['refused', refused('other', 'no'), false],
    ['refused by a rate limit', refused('rate_limited', 'too fast'), true],
    ['refused for its token', refused('auth', 'log in'), true],
    ['pending', pending, true],
    ['not sent', notSent('breaker', 'away'), true],
    ['lost', lost, true],
  ] as const)('leaves a kept cancel wanted or not: %s', (_name, outcome, wanted) => {
    const { state } = after(outcome, { cancelWanted: true, row: bookRow() });
    expect(orderIn(state).cancelWanted).toBe(wanted);
  });

  it('does not take back, where it is written late, that a cancel was asked for since', () => {
    const order = { cancelWanted: true, row: bookRow() };
    expect(after(refused('other', 'no'), order, true).order.cancelWanted).toBe(true);
    expect(after(refused('other', 'no'), { row: bookRow() }, true).order.cancelWanted).toBe(false);
  });

  it('keeps a refused cancel where no book has shown the id that it was sent under', () => {
    expect(after(refused('other', 'no')).order.cancelWanted).toBe(true);
    expect(after(refused('other', 'no'), { row: bookRow() }).order.cancelWanted).toBe(false);
    expect(after(refused('other', 'no'), { kind: 'disputed' }).order.cancelWanted).toBe(false);
  });

  it('makes a cancel a kept one where the broker is still at the order', () => {
    expect(after(pending).order.cancelWanted).toBe(true);
    const disputed = after(pending, { kind: 'disputed' });
    expect(disputed.order.cancelWanted).toBe(false);
    for (const outcome of [refused('auth', 'log in'), notSent('breaker', 'away')]) {
      expect(after(outcome).order.cancelWanted).toBe(false);
    }
  });

  it('makes a cancel a kept one where its answer was lost, or did not end the order', () => {
    for (const outcome of [lost, acknowledged]) {
      expect(after(outcome).order.cancelWanted).toBe(true);
      expect(after(outcome, { kind: 'disputed' }).order.cancelWanted).toBe(false);
    }
  });
});

describe('a kept cancel', () => {
  const due = (answeredAt: EpochMs[], at: EpochMs, order: Partial<OrderFields> = {}): boolean => {
    const attempts = answeredAt.map((settledAt, index) =>
      cancelAttempt({
        id: `att_${index}`,
        sentAt: plus(settledAt, -100),
        state: { ...attemptState('refused'), settledAt },
      }),
    );
    const kept = orderRecord({ cancelWanted: true, brokerOrderId: 'b1', ...order });
    return isKeptCancelDue(stateOf({ orders: [kept], attempts }), 'ord_1', at);
  };

  it('goes out at once, to an order that is bound', () => {
    expect(due([], AT)).toBe(true);
    expect(due([], AT, { kind: 'uncertain' })).toBe(false);
    expect(due([], AT, { cancelWanted: false })).toBe(false);
  });

  it.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [7, 60_000],
    [59, 60_000],
    [60, 300_000],
  ])('goes out again, after %i that did not do it, %i ms after the last', (count, pause) => {
    const answered = Array.from({ length: count }, (_, index) => plus(AT, index + 1 - count));
    expect(due(answered, epochMs(AT + pause - 1))).toBe(false);
    expect(due(answered, epochMs(AT + pause))).toBe(true);
  });

  it('goes out each half hour after sixty, while the market is shut', () => {
    const evening = ist('2026-11-20T20:00:00');
    const answered = Array.from({ length: 60 }, (_, index) => plus(evening, index - 59));
    expect(due(answered, plus(evening, 30 * 60_000 - 1))).toBe(false);
    expect(due(answered, plus(evening, 30 * 60_000))).toBe(true);
  });

  it('goes out ten seconds after one that the broker acknowledged', () => {
    const taken = { ...attemptState('acknowledged'), settledAt: AT, brokerOrderId: 'b1' } as const;
    const attempts = [cancelAttempt({ state: taken })];
    const orders = [orderRecord({ cancelWanted: true, brokerOrderId: 'b1' })];
    const state = stateOf({ orders, attempts });
    expect(isKeptCancelDue(state, 'ord_1', plus(AT, 9_999))).toBe(false);
    expect(isKeptCancelDue(state, 'ord_1', plus(AT, 10_000))).toBe(true);
  });

  it('waits for its answer', () => {
    const attempts = [cancelAttempt({ state: attemptState('sending') })];
    const orders = [orderRecord({ cancelWanted: true, brokerOrderId: 'b1' })];
    expect(isKeptCancelDue(stateOf({ orders, attempts }), 'ord_1', epochMs(AT + 60_000))).toBe(
      false,
    );
  });

  it('goes out when the clock was put back, and then with the pauses of the new time', () => {
    const HOUR = 3_600_000;
    expect(due([AT], epochMs(AT - HOUR))).toBe(true);
    expect(due([AT, plus(AT, -HOUR)], epochMs(AT - HOUR + 1_999))).toBe(false);
    expect(due([AT, plus(AT, -HOUR)], epochMs(AT - HOUR + 2_000))).toBe(true);
  });
});

describe('an order of a status that nobody knows', () => {
  const SINCE = plus(AT, -60_000);
  const strange = (order: Partial<OrderFields> = {}, attempts: AttemptRecord[] = []) =>
    stateOf({ orders: [orderRecord({ unrecognisedSince: SINCE, ...order })], attempts });
  const wanted = (state: MutableState, olderThan = SINCE, broker = 'primary'): boolean => {
    accept(
      state,
      decideUnrecognised(state, {
        olderThan,
        broker,
        unread: null,
        told: new Set(),
        isinOf: () => null,
        at: AT,
      }),
    );
    return orderIn(state).cancelWanted;
  };

  it('is to be cancelled once that has lasted', () => {
    expect(wanted(strange())).toBe(true);
  });

  it('is given its time', () => {
    expect(wanted(strange(), epochMs(SINCE - 1))).toBe(false);
  });

  it('is left alone when its status is known', () => {
    expect(wanted(strange({ unrecognisedSince: null }))).toBe(false);
  });

  it('is left alone by another broker’s watch', () => {
    expect(wanted(strange(), SINCE, 'alt')).toBe(false);
  });

  it('is cancelled once, also when it outlives that', () => {
    const tried = { ...cancel('acknowledged'), sentAt: epochMs(SINCE + 1) };
    expect(wanted(strange({}, [tried]))).toBe(false);
    expect(wanted(strange({}, [{ ...tried, sentAt: epochMs(SINCE - 1) }]))).toBe(true);
  });
});
