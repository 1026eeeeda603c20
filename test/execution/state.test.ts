import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../sandbox/kernel/ports.ts';
import type { OrderRecord } from '../../src/execution/records.ts';
import { applyChange, createState, type ExecutionState } from '../../src/execution/state.ts';
import {
  AT,
  attemptRecord,
  fillRecord,
  orderRecord,
  seenOrder,
  stateOf,
  TAG,
} from './support/makers.ts';
import { plain, randomChanges } from './support/random-changes.ts';

/** The same rows in a new state: what is kept in step must come out the same. */
function rebuilt(state: ExecutionState): ExecutionState {
  const { orders, attempts, fills, seen, postbacks, portfolios, killSwitch, echoes } = state;
  const fresh = createState();
  const tables = { orders, attempts, fills, seen, postbacks, portfolios, killSwitch, echoes };
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
        attemptRecord({ id: '1', state: 'sending' }),
        attemptRecord({ id: '2', state: 'uncertain' }),
        attemptRecord({ id: '3', state: 'acknowledged' }),
        attemptRecord({ id: '4', state: 'absent' }),
        attemptRecord({ id: '5', state: 'uncertain', kind: 'cancel' }),
      ],
    });
    expect([...state.openPlaces]).toEqual(['1', '2']);
    expect([...state.absentPlaces]).toEqual(['4']);
  });

  it('find a placing by its tag', () => {
    const attempts = [attemptRecord(), attemptRecord({ id: 'att_2', kind: 'cancel', tag: null })];
    const state = stateOf({ orders: [orderRecord()], attempts });
    expect([...state.attemptByTag]).toEqual([[TAG, 'att_1']]);
  });

  it('know what was seen at each broker on each day', () => {
    const state = stateOf({
      seen: [
        seenOrder(),
        seenOrder({ brokerOrderId: 'b2', orderId: null }),
        seenOrder({ brokerOrderId: 'b3', leaving: true }),
      ],
    });
    expect([...state.seenIn.on('primary', '2026-11-06').keys()]).toEqual(['b1', 'b2', 'b3']);
    expect(state.seenIn.get('primary', '2026-11-06', 'b2')).toBe(
      state.seen.get('primary|2026-11-06|b2'),
    );
    expect(state.seenIn.on('primary', '2026-11-07').size).toBe(0);
    expect(state.seenIn.get('alt', '2026-11-06', 'b2')).toBeUndefined();
  });

  it('know the orders for after the market, whatever became of them', () => {
    const terms = orderRecord().terms;
    const orders = [
      orderRecord({ id: 'ord_1', terms: { ...terms, amo: true } }),
      orderRecord({ id: 'ord_2', terms: { ...terms, amo: false } }),
      orderRecord({ id: 'ord_3', terms: { ...terms, amo: true }, status: 'cancelled' }),
    ].map((order, number) => ({ ...order, idempotencyKey: `key-${number}` }));
    const state = stateOf({ orders });
    expect([...state.afterMarket]).toEqual(['ord_1', 'ord_3']);
    applyChange(state, { table: 'orders', key: 'ord_1', row: null });
    expect([...state.afterMarket]).toEqual(['ord_3']);
  });
});

describe('an order is watched', () => {
  const watched = (parts: Partial<OrderRecord>, filled = 0): boolean => {
    const fills = filled > 0 ? [fillRecord({ quantity: filled })] : [];
    return stateOf({ orders: [orderRecord(parts)], fills }).watched.has('ord_1');
  };

  it.each(['sending', 'working', 'uncertain'] as const)('while it is %s', (status) => {
    expect(watched({ status, brokerOrderId: null })).toBe(true);
  });

  it.each(['accepted', 'disputed'] as const)('not while it is %s', (status) => {
    expect(watched({ status })).toBe(false);
  });

  it.each(['filled', 'partial', 'cancelled', 'rejected'] as const)(
    'when it is %s, until every fill has been seen',
    (status) => {
      expect(watched({ status, filledQuantity: 10 }, 6)).toBe(true);
      expect(watched({ status, filledQuantity: null }, 6)).toBe(true);
      expect(watched({ status, filledQuantity: 10 }, 10)).toBe(false);
    },
  );

  it('when a person called it absent, until the day agrees', () => {
    const rejected = { status: 'rejected', brokerOrderId: null, filledQuantity: 0 } as const;
    expect(watched({ ...rejected, calledAbsent: { by: 'person', at: AT } })).toBe(true);
    expect(watched({ ...rejected, calledAbsent: { by: 'close', at: AT } })).toBe(false);
  });

  it('not when it is over, and was never at a broker', () => {
    expect(watched({ status: 'not_sent', brokerOrderId: null })).toBe(false);
    expect(watched({ status: 'rejected', brokerOrderId: null, filledQuantity: 0 })).toBe(false);
  });
});
