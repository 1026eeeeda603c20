import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/kernel/ports.ts';
import { observedKey } from '../../../src/execution/journal/records.ts';
import {
  applyChange,
  createState,
  type ExecutionState,
} from '../../../src/execution/journal/state.ts';
import { attemptRecord, attemptState, cancelAttempt } from '../support/attempts.ts';
import { AT, fillRecord, observedOrder, orderRecord, stateOf, TAG } from '../support/makers.ts';
import type { OrderFields } from '../support/order-fields.ts';
import { plain, randomChanges } from '../support/random-changes.ts';

/** The same rows in a new state: what is kept in step must come out the same. */
function rebuilt(state: ExecutionState): ExecutionState {
  const { orders, attempts, fills, observed, portfolios, killSwitch, echoes } = state;
  const fresh = createState();
  const tables = { orders, attempts, fills, observed, portfolios, killSwitch, echoes };
  for (const [table, rows] of Object.entries(tables)) {
    for (const [key, row] of rows) applyChange(fresh, { table, key, row } as never);
  }
  return { ...fresh, lastEvent: state.lastEvent };
}

describe.each(['one', 'two', 'three', 'four', 'five'])('any run of changes (%s)', (seed) => {
  it('is taken back without a trace, and keeps the look-ups in step', () => {
    const random = seededRandom(seed);
    const next = randomChanges(random);
    const state = createState();
    for (let step = 0; step < 120; step += 1) {
      const before = plain(state);
      const undo = next(state).flatMap((change) => [applyChange(state, change)]);
      if (random.next() < 0.5) {
        for (const changes of undo.reverse()) {
          for (const change of changes) applyChange(state, change);
        }
        expect(plain(state)).toEqual(before);
      }
    }
    expect(state.orders.size).toBeGreaterThan(0);
    expect(plain(state)).toEqual(plain(rebuilt(state)));
  });
});

describe('the look-ups of a state', () => {
  it('find an order by its caller and key', () => {
    const state = stateOf({ orders: [orderRecord({ caller: 'a', idempotencyKey: 'k' })] });
    expect(state.orderByKey.get('a\nk')).toBe('ord_1');
  });

  it('know the placings that are open, and those called absent', () => {
    const state = stateOf({
      orders: [orderRecord()],
      attempts: [
        attemptRecord({ id: '1', state: attemptState('sending') }),
        attemptRecord({ id: '2', state: attemptState('uncertain') }),
        attemptRecord({ id: '3', state: attemptState('acknowledged') }),
        attemptRecord({ id: '4', state: attemptState('absent') }),
        cancelAttempt({ id: '5' }),
      ],
    });
    expect([...state.openPlaces]).toEqual(['1', '2']);
    expect([...state.absentPlaces]).toEqual(['4']);
  });

  it('find a placing by its tag', () => {
    const attempts = [attemptRecord(), cancelAttempt({ id: 'att_2' })];
    const state = stateOf({ orders: [orderRecord()], attempts });
    expect([...state.attemptByTag]).toEqual([[TAG, 'att_1']]);
  });

  it('know what was observed at each broker on each day', () => {
    const state = stateOf({
      observed: [
        observedOrder(),
        observedOrder({ brokerOrderId: 'b2', orderId: null }),
        observedOrder({ brokerOrderId: 'b3', leaving: true }),
      ],
    });
    expect([...state.observedIn.on('primary', '2026-11-06').keys()]).toEqual(['b1', 'b2', 'b3']);
    expect(state.observedIn.get('primary', '2026-11-06', 'b2')).toBe(
      state.observed.get('primary|2026-11-06|b2'),
    );
    expect([...state.observedIn.ours('primary', '2026-11-06')]).toEqual(['b1', 'b3']);
    for (const row of [
      observedOrder({ brokerOrderId: 'b2' }),
      observedOrder({ brokerOrderId: 'b1', orderId: null }),
    ]) {
      const key = observedKey(row.broker, row.day, row.brokerOrderId);
      applyChange(state, { table: 'observed', key, row });
    }
    expect([...state.observedIn.ours('primary', '2026-11-06')]).toEqual(['b3', 'b2']);
    expect(state.observedIn.on('primary', '2026-11-07').size).toBe(0);
    expect(state.observedIn.get('alt', '2026-11-06', 'b2')).toBeUndefined();
  });

  it('know the orders for after the market, whatever became of them', () => {
    const terms = orderRecord().terms;
    const orders = [
      orderRecord({ id: 'ord_1', terms: { ...terms, amo: true } }),
      orderRecord({ id: 'ord_2', terms: { ...terms, amo: false } }),
      orderRecord({ id: 'ord_3', terms: { ...terms, amo: true }, kind: 'cancelled' }),
    ].map((order, number) => ({ ...order, idempotencyKey: `key-${number}` }));
    const state = stateOf({ orders });
    expect([...state.afterMarket]).toEqual(['ord_1', 'ord_3']);
    applyChange(state, { table: 'orders', key: 'ord_1', row: null });
    expect([...state.afterMarket]).toEqual(['ord_3']);
  });
});

describe('an order is watched', () => {
  const watched = (parts: Partial<OrderFields>, filled = 0): boolean => {
    const fills = filled > 0 ? [fillRecord({ quantity: filled })] : [];
    return stateOf({ orders: [orderRecord(parts)], fills }).watched.has('ord_1');
  };

  it.each(['sending', 'working', 'uncertain'] as const)('while it is %s', (kind) => {
    expect(watched({ kind })).toBe(true);
  });

  it.each(['accepted', 'disputed'] as const)('not while it is %s', (kind) => {
    expect(watched({ kind })).toBe(false);
  });

  it.each(['filled', 'partial', 'cancelled', 'rejected'] as const)(
    'when it is %s, until every fill has been seen',
    (kind) => {
      expect(watched({ kind, filledQuantity: 10 }, 6)).toBe(true);
      expect(watched({ kind, filledQuantity: null }, 6)).toBe(true);
      expect(watched({ kind, filledQuantity: 10 }, 10)).toBe(false);
    },
  );

  it('when a person called it absent, until the day agrees', () => {
    const by = (who: 'person' | 'close') =>
      watched({ kind: 'absent', calledAbsent: { by: who, at: AT } });
    expect(by('person')).toBe(true);
    expect(by('close')).toBe(false);
  });

  it('not when it is over, and was never at a broker', () => {
    expect(watched({ kind: 'not_sent' })).toBe(false);
    expect(watched({ kind: 'refused' })).toBe(false);
  });
});
