import { describe, expect, it } from 'vitest';
import { notSent, type Outcome, refused } from '../../../src/domain/outcome.ts';
import { decideAmended } from '../../../src/execution/submit/decide-amend.ts';
import { decidePlaced } from '../../../src/execution/submit/decide-place.ts';
import { rejectionOf } from '../../../src/execution/order/rejection.ts';
import { openAddressRefusal } from '../../../src/execution/submit/refusals.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { isCancelWanted } from '../../../src/execution/order/order.ts';
import type { EpochMs } from '../../../src/units/branded.ts';
import { attemptRecord, attemptState, cancelAttempt } from '../support/attempts.ts';
import {
  accept,
  alertsOf,
  AT,
  bookRow,
  ist,
  orderRecord,
  stateOf,
  uncertainOrder,
} from '../support/makers.ts';

const TWO = ['ord_1', 'ord_2'] as const;
/** Two orders on their way; the attempt of `ord_1` is `att_1`. */
const sending = (): MutableState =>
  stateOf({
    orders: TWO.map((id) => uncertainOrder({ id, kind: 'sending' })),
    attempts: TWO.map((orderId, place) =>
      attemptRecord({
        ...{ id: `att_${place + 1}`, orderId, tag: `tag${place}` },
        state: attemptState('sending'),
      }),
    ),
  });

const place = (state: MutableState, outcome: Outcome, attemptId = 'att_1', at: EpochMs = AT) =>
  decidePlaced(state, { attemptId, outcome, last: true, at });

describe('the class of an order that is not at the market', () => {
  it.each([
    ['price', 'price'],
    ['authorise_holdings', 'authorise_holdings'],
    ['other', 'other'],
  ] as const)('is that of its refused placing: %s', (rejection, expected) => {
    const state = sending();
    const order = accept(state, place(state, refused(rejection, 'no')));
    expect(rejectionOf(state, order)).toBe(expected);
    expect(state.attempts.get('att_1')?.state).toMatchObject({ kind: 'refused', rejection });
  });

  it('is not_sent for one that never left, whose attempt has the cause', () => {
    const state = sending();
    const order = accept(state, place(state, notSent('no_permit', 'no permit')));
    expect(rejectionOf(state, order)).toBe('not_sent');
    expect(state.attempts.get('att_1')?.state).toMatchObject({ cause: 'no_permit' });
  });

  it('is that of its rejected row', () => {
    const row = bookRow({ status: 'rejected', filledQuantity: 0, rejection: 'market_blocked' });
    const order = orderRecord({ kind: 'rejected', filledQuantity: 0, row });
    expect(rejectionOf(stateOf({ orders: [order] }), order)).toBe('market_blocked');
  });

  it('is other for orders of older versions, whose rows and attempts have none', () => {
    const row = bookRow({ status: 'rejected', filledQuantity: 0 });
    const rejected = orderRecord({ kind: 'rejected', filledQuantity: 0, row });
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'refused', reason: 'no' })],
      attempts: [attemptRecord({ state: attemptState('refused') })],
    });
    const old = state.orders.get('ord_1');
    expect([rejectionOf(state, rejected), old && rejectionOf(state, old)]).toEqual([
      'other',
      'other',
    ]);
  });

  it('is none while it works, is uncertain, or has ended otherwise', () => {
    const state = stateOf({ orders: [] });
    const orders = [
      orderRecord(),
      uncertainOrder(),
      orderRecord({ kind: 'cancelled', filledQuantity: 0 }),
      orderRecord({ kind: 'filled', filledQuantity: 10 }),
    ];
    expect(orders.map((each) => rejectionOf(state, each))).toEqual([null, null, null, null]);
  });
});

describe('a refusal for the address of this computer', () => {
  const reason = 'IP (10.1.2.3) is not allowed. Register it.';
  const address = refused('address', reason);

  it('is one critical alert for a broker and day, with what to do', () => {
    const state = sending();
    const first = place(state, address);
    expect(alertsOf(first)).toEqual(['critical']);
    expect(JSON.stringify(first.changes)).toContain('Register it. Until then use the broker');
    accept(state, first);
    const second = place(state, address, 'att_2', ist('2026-11-06T23:59:59'));
    expect(alertsOf(second)).toEqual([]);
    const tomorrow = place(state, address, 'att_2', ist('2026-11-07T00:00:00'));
    expect(alertsOf(tomorrow)).toEqual(['critical']);
  });

  it('of a cancel is told too, and each broker has its own alert', () => {
    const state = stateOf({
      orders: [orderRecord(), orderRecord({ id: 'ord_2', idempotencyKey: 'other' })],
      attempts: [
        cancelAttempt({ id: 'att_1', state: attemptState('sending') }),
        cancelAttempt({
          ...{ id: 'att_2', orderId: 'ord_2', broker: 'alt' },
          state: attemptState('sending'),
        }),
      ],
    });
    for (const attemptId of ['att_1', 'att_2']) {
      const amended = decideAmended(state, { attemptId, sentTo: 'b1', outcome: address, at: AT });
      expect(alertsOf(amended)).toContain('critical');
      accept(state, amended);
    }
  });

  it('of a kept cancel leaves it kept: it is tried again', () => {
    const state = stateOf({
      orders: [orderRecord({ cancelWanted: true })],
      attempts: [cancelAttempt({ id: 'att_1', state: attemptState('sending') })],
    });
    const amended = { attemptId: 'att_1', sentTo: 'b1', outcome: address, at: AT };
    expect(isCancelWanted(accept(state, decideAmended(state, amended)))).toBe(true);
  });

  it('alerts for no other class', () => {
    for (const rejection of ['auth', 'price', 'rate_limited'] as const) {
      expect(alertsOf(place(sending(), refused(rejection, 'no')))).toEqual([]);
    }
  });

  it('stands until the broker has accepted a request again', () => {
    const state = sending();
    accept(state, place(state, address));
    expect(openAddressRefusal(state, 'alt')).toBeNull();
    expect(openAddressRefusal(state, 'primary')).toEqual({ at: AT, reason });
    accept(state, place(state, refused('price', 'no'), 'att_2', ist('2026-11-06T11:00:01')));
    expect(openAddressRefusal(state, 'primary')).not.toBeNull();
    const again = sending();
    accept(again, place(again, address));
    const taken = { kind: 'acknowledged', brokerOrderId: 'b1' } as const;
    accept(again, place(again, taken, 'att_2', ist('2026-11-06T11:00:01')));
    expect(openAddressRefusal(again, 'primary')).toBeNull();
  });
});

describe('a sale that has to be authorised', () => {
  it('alerts a person', () => {
    const state = sending();
    const decision = place(state, refused('authorise_holdings', 'TPIN'));
    expect(alertsOf(decision)).toEqual(['warning']);
  });
});
