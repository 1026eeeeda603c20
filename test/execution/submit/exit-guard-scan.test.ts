import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange, type ExecutionState } from '../../../src/execution/journal/state.ts';
import { lastBookDay } from '../../../src/execution/order/order-day.ts';
import { fillOf, isOver } from '../../../src/execution/order/order.ts';
import { reducesPosition } from '../../../src/execution/submit/reduce-only.ts';
import {
  AT,
  DAY,
  orderRecord,
  portfolio,
  position,
  stateOf,
  terms,
  NOTHING_BESIDE,
} from '../support/makers.ts';

const DAYS = ['2026-11-05', DAY];
const KINDS = ['sending', 'working', 'filled', 'partial', 'uncertain', 'disputed'] as const;
const SIDES = ['BUY', 'SELL'] as const;
const BROKERS = ['primary', 'alt'] as const;

const orders = fc.array(
  fc.record({
    kind: fc.constantFrom(...KINDS),
    later: fc.constantFrom(...KINDS),
    side: fc.constantFrom(...SIDES),
    broker: fc.constantFrom(...BROKERS),
    day: fc.constantFrom(...DAYS),
    filledQuantity: fc.constantFrom(null, 0, 3),
  }),
  { maxLength: 8 },
);

/** The rule as it is written down, by a look at every order. */
function netAfterAll(
  state: ExecutionState,
  side: 'BUY' | 'SELL',
  ownId: string,
  moved: number,
): number {
  const account = state.portfolios.get('primary');
  const held = account?.positions.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
  const open = [...state.orders.values()]
    .filter((order) => order.id !== ownId && order.broker === 'primary' && !isOver(order))
    .filter((order) => lastBookDay(order) >= DAY && order.terms.side === side)
    .reduce((sum, order) => sum + order.terms.quantity - (fillOf(order).filledQuantity ?? 0), 0);
  return (side === 'SELL' ? held : -held) - moved - open;
}

describe('whether an order only reduces', () => {
  it('is said of the orders that count as by a look at all of them', () => {
    fc.assert(
      fc.property(orders, fc.integer({ min: -40, max: 40 }), fc.nat(9), (all, quantity, moved) => {
        const state = stateOf({
          portfolios: [portfolio({ positions: [position({ quantity })] })],
        });
        for (const [number, { later, side, ...parts }] of all.entries()) {
          const id = `ord_${number}`;
          const record = (kind: (typeof KINDS)[number]) =>
            orderRecord({ ...parts, id, kind, terms: terms({ side }) });
          applyChange(state, { table: 'orders', key: id, row: record(parts.kind) });
          applyChange(state, { table: 'orders', key: id, row: record(later) });
        }
        for (const side of SIDES) {
          const most = netAfterAll(state, side, 'ord_0', moved);
          const says = (wanted: number): boolean =>
            reducesPosition(
              state,
              {
                broker: 'primary',
                terms: terms({ side, quantity: wanted }),
                orderId: 'ord_0',
                at: AT,
              },
              { ...NOTHING_BESIDE, moved },
            );
          expect([says(Math.max(1, most)), says(Math.max(1, most + 1))]).toEqual([
            most >= 1,
            false,
          ]);
        }
      }),
      { numRuns: 500 },
    );
  });
});
