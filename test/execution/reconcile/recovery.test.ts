import { describe, expect, it } from 'vitest';
import { tradingDay } from '../../../src/domain/ist.ts';
import { isCancelByGateway } from '../../../src/execution/order/order.ts';
import { decideDayOver, decideRecovery } from '../../../src/execution/reconcile/recovery.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import { attemptRecord, attemptState, cancelAttempt, modifyAttempt } from '../support/attempts.ts';
import {
  accept,
  alertsOf,
  AT,
  fillRecord,
  ist,
  orderIn,
  orderRecord,
  stateOf,
  terms,
  uncertainOrder,
} from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';
import { epochMs } from '../../../src/units/branded.ts';

const recover = (state: ExecutionState) => decideRecovery(state, { at: AT });

describe('after a crash', () => {
  it('a placing found on its way is uncertain, and its order with it', () => {
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'sending', cancelWanted: true })],
      attempts: [attemptRecord({ state: attemptState('sending') })],
    });
    accept(state, recover(state));
    expect(orderIn(state)).toMatchObject({
      status: 'uncertain',
      filledQuantity: null,
      cancelWanted: true,
    });
    expect(state.attempts.get('att_1')?.state.kind).toBe('uncertain');
    expect([...state.openPlaces]).toEqual(['att_1']);
  });

  it.each([
    ['cancel', cancelAttempt],
    ['modify', modifyAttempt],
  ])('a %s found on its way leaves its order alone', (_kind, make) => {
    const state = stateOf({
      orders: [orderRecord()],
      attempts: [make({ state: attemptState('sending') })],
    });
    accept(state, recover(state));
    expect(orderIn(state).status).toBe('working');
    expect(state.attempts.get('att_1')?.state.kind).toBe('uncertain');
  });

  it('a cancel of the gateway itself is still its own, and one that a caller asked for is not', () => {
    for (const cancelByGateway of [true, undefined]) {
      const order = orderRecord();
      if (order.state.kind !== 'working') throw new Error('it works');
      const own = cancelByGateway ? { cancelByGateway, cancelWanted: true } : {};
      const state = stateOf({
        orders: [{ ...order, state: { ...order.state, ...own } }],
        attempts: [cancelAttempt({ state: attemptState('sending') })],
      });
      accept(state, recover(state));
      expect(state.orders.get('ord_1')?.state).toMatchObject({ cancelWanted: true, ...own });
      expect(isCancelByGateway(state.orders.get('ord_1')!)).toBe(cancelByGateway === true);
    }
  });

  it('an order still waiting for its next broker was never sent', () => {
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'accepted', reason: 'alt is away' })],
      attempts: [attemptRecord({ state: attemptState('not_sent') })],
    });
    accept(state, recover(state));
    expect(orderIn(state)).toMatchObject({
      status: 'not_sent',
      filledQuantity: 0,
      reason: 'alt is away',
    });
  });

  it('what was settled is left as it is', () => {
    const state = stateOf({
      orders: [
        orderRecord(),
        uncertainOrder({ id: 'ord_2' }),
        orderRecord({ id: 'ord_3', kind: 'filled' }),
        uncertainOrder({ id: 'ord_4', kind: 'disputed' }),
      ],
      attempts: [attemptRecord({ orderId: 'ord_2' })],
    });
    expect(recover(state)).toEqual({ changes: [], reply: 0 });
  });

  it('recovering again changes nothing', () => {
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'sending' })],
      attempts: [attemptRecord({ state: attemptState('sending') })],
    });
    accept(state, recover(state));
    expect(recover(state).changes).toEqual([]);
  });
});

describe('when a day’s book is gone', () => {
  const SIX = ist('2026-11-07T06:00:00');
  const over = (order: Partial<OrderFields>, at = SIX, broker = 'primary') => {
    const state = stateOf({ orders: [orderRecord(order)] });
    const decision = decideDayOver(state, { broker, today: tradingDay(at), at });
    accept(state, decision);
    return { order: orderIn(state), decision, state };
  };

  it.each(['working', 'uncertain', 'sending'] as const)('an order still %s is disputed', (kind) => {
    const { order, decision, state } = over({ kind, cancelWanted: true });
    expect(order).toMatchObject({ status: 'disputed', cancelWanted: true });
    expect(order.reason).toContain(`still ${kind}`);
    expect(alertsOf(decision)).toEqual(['critical']);
    expect(state.watched.size).toBe(0);
  });

  it('an order whose fills were not all read is disputed', () => {
    const state = stateOf({
      orders: [orderRecord({ kind: 'filled', filledQuantity: 10 })],
      fills: [fillRecord({ quantity: 4 })],
    });
    accept(state, decideDayOver(state, { broker: 'primary', today: tradingDay(SIX), at: SIX }));
    expect(orderIn(state)).toMatchObject({ status: 'disputed', filledQuantity: 10 });
  });

  it('an order whose fills were all read is what it is', () => {
    const state = stateOf({
      orders: [orderRecord({ kind: 'filled', filledQuantity: 4 })],
      fills: [fillRecord({ quantity: 4 })],
    });
    expect(
      decideDayOver(state, { broker: 'primary', today: tradingDay(SIX), at: SIX }).changes,
    ).toEqual([]);
  });

  it('an order that a person called absent stays so, told that no book has borne it out', () => {
    const { order, decision } = over({
      kind: 'absent',
      calledAbsent: { by: 'person', at: AT },
    });
    const calledAbsent = { by: 'person', at: AT, bookGone: true };
    expect(order).toMatchObject({ status: 'rejected', calledAbsent });
    expect(alertsOf(decision)).toEqual(['warning']);
  });

  it('is not before six', () => {
    expect(over({}, epochMs(SIX - 1)).order.status).toBe('working');
  });

  it('is a matter of each broker', () => {
    expect(over({}, SIX, 'alt').order.status).toBe('working');
  });

  it('an order for the next session has that day’s book as well', () => {
    const overnight = { terms: terms({ amo: true }) };
    // Placed on a Friday: its book is Monday's, which is gone on Tuesday at six.
    expect(over(overnight, ist('2026-11-10T05:59:59')).order.status).toBe('working');
    expect(over(overnight, ist('2026-11-10T06:00:00')).order.status).toBe('disputed');
  });
});
