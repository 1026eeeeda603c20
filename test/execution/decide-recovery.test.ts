import { describe, expect, it } from 'vitest';
import { decideDayOver, decideRecovery } from '../../src/execution/decide-recovery.ts';
import type { OrderRecord } from '../../src/execution/records.ts';
import type { ExecutionState } from '../../src/execution/state.ts';
import {
  accept,
  alertsOf,
  AT,
  attemptRecord,
  fillRecord,
  ist,
  orderRecord,
  stateOf,
  terms,
  uncertainOrder,
} from './support/makers.ts';

const recover = (state: ExecutionState) => decideRecovery(state, { at: AT });

describe('after a crash', () => {
  it('a placing found on its way is uncertain, and its order with it', () => {
    const state = stateOf({
      orders: [uncertainOrder({ status: 'sending', cancelWanted: true })],
      attempts: [attemptRecord({ state: 'sending' })],
    });
    accept(state, recover(state));
    expect(state.orders.get('ord_1')).toMatchObject({
      status: 'uncertain',
      filledQuantity: null,
      cancelWanted: true,
    });
    expect(state.attempts.get('att_1')?.state).toBe('uncertain');
    expect([...state.openPlaces]).toEqual(['att_1']);
  });

  it.each(['cancel', 'modify'] as const)('a %s found on its way leaves its order alone', (kind) => {
    const state = stateOf({
      orders: [orderRecord()],
      attempts: [attemptRecord({ kind, state: 'sending' })],
    });
    accept(state, recover(state));
    expect(state.orders.get('ord_1')?.status).toBe('working');
    expect(state.attempts.get('att_1')?.state).toBe('uncertain');
  });

  it('an order between two brokers was sent to none', () => {
    const state = stateOf({
      orders: [uncertainOrder({ status: 'accepted', reason: 'alt is away' })],
      attempts: [attemptRecord({ state: 'not_sent' })],
    });
    accept(state, recover(state));
    expect(state.orders.get('ord_1')).toMatchObject({
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
        orderRecord({ id: 'ord_3', status: 'filled' }),
        uncertainOrder({ id: 'ord_4', status: 'disputed' }),
      ],
      attempts: [attemptRecord({ orderId: 'ord_2' })],
    });
    expect(recover(state)).toEqual({ changes: [], reply: 0 });
  });

  it('recovering again changes nothing', () => {
    const state = stateOf({
      orders: [uncertainOrder({ status: 'sending' })],
      attempts: [attemptRecord({ state: 'sending' })],
    });
    accept(state, recover(state));
    expect(recover(state).changes).toEqual([]);
  });
});

describe('when a day’s book is gone', () => {
  const SIX = ist('2026-11-07T06:00:00');
  const over = (order: Partial<OrderRecord>, at = SIX, broker = 'primary') => {
    const state = stateOf({ orders: [orderRecord(order)] });
    const decision = decideDayOver(state, { broker, at });
    accept(state, decision);
    return { order: state.orders.get('ord_1')!, decision, state };
  };

  it.each(['working', 'uncertain', 'sending'] as const)(
    'an order still %s is disputed',
    (status) => {
      const { order, decision, state } = over({ status, cancelWanted: true });
      expect(order).toMatchObject({ status: 'disputed', cancelWanted: false });
      expect(order.reason).toContain(`still ${status}`);
      expect(alertsOf(decision)).toEqual(['critical']);
      expect(state.watched.size).toBe(0);
    },
  );

  it('an order whose fills were not all read is disputed', () => {
    const state = stateOf({
      orders: [orderRecord({ status: 'filled', filledQuantity: 10 })],
      fills: [fillRecord({ quantity: 4 })],
    });
    accept(state, decideDayOver(state, { broker: 'primary', at: SIX }));
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'disputed', filledQuantity: 10 });
  });

  it('an order whose fills were all read is what it is', () => {
    const state = stateOf({
      orders: [orderRecord({ status: 'filled', filledQuantity: 4 })],
      fills: [fillRecord({ quantity: 4 })],
    });
    expect(decideDayOver(state, { broker: 'primary', at: SIX }).changes).toEqual([]);
  });

  it('an order that a person called absent is agreed to be', () => {
    const { order, decision } = over({
      status: 'rejected',
      brokerOrderId: null,
      calledAbsent: { by: 'person', at: AT },
    });
    expect(order).toMatchObject({ status: 'rejected', calledAbsent: { by: 'close', at: AT } });
    expect(alertsOf(decision)).toEqual([]);
  });

  it('is not before six', () => {
    expect(over({}, SIX - 1).order.status).toBe('working');
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
