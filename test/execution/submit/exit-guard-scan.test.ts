import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applyChange,
  required,
  type ExecutionState,
} from '../../../src/execution/journal/state.ts';
import { lastBookDay } from '../../../src/execution/order/order-day.ts';
import { fillOf, isOver } from '../../../src/execution/order/order.ts';
import { reducesPosition } from '../../../src/execution/submit/preflight.ts';
import {
  AT,
  DAY,
  fillRecord,
  orderRecord,
  portfolio,
  position,
  stateOf,
  terms,
} from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

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
    fills: fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 4 }), s: fc.nat(5) }), {
      maxLength: 3,
    }),
  }),
  { maxLength: 8 },
);

/** The rule as it is written down, by a look at every order and every fill. */
function netAfterAll(state: ExecutionState, side: 'BUY' | 'SELL', ownId: string): number {
  const account = state.portfolios.get('primary');
  const held = account?.positions.reduce((sum, { quantity }) => sum + quantity, 0) ?? 0;
  const isAlike = (id: string): boolean => required(state.orders, id, 'order').terms.side === side;
  const since = [...state.fills.values()]
    .filter(({ broker, at }) => broker === 'primary' && at + 1_000 >= (account?.readAt ?? 0))
    .filter(({ orderId }) => isAlike(orderId))
    .reduce((sum, { quantity }) => sum + quantity, 0);
  const open = [...state.orders.values()]
    .filter((order) => order.id !== ownId && order.broker === 'primary' && !isOver(order))
    .filter((order) => lastBookDay(order) >= DAY && order.terms.side === side)
    .reduce((sum, order) => sum + order.terms.quantity - (fillOf(order).filledQuantity ?? 0), 0);
  return (side === 'SELL' ? held : -held) - since - open;
}

describe('whether an order only reduces', () => {
  it('is said of the orders and fills that count as by a look at all of them', () => {
    fc.assert(
      fc.property(orders, fc.integer({ min: -40, max: 40 }), (all, quantity) => {
        const state = stateOf({
          portfolios: [
            portfolio({ readAt: epochMs(AT + 2_000), positions: [position({ quantity })] }),
          ],
        });
        for (const [number, { later, fills, side, ...parts }] of all.entries()) {
          const id = `ord_${number}`;
          const record = (kind: (typeof KINDS)[number]) =>
            orderRecord({ ...parts, id, kind, terms: terms({ side }) });
          applyChange(state, { table: 'orders', key: id, row: record(parts.kind) });
          for (const [index, { quantity: filled, s }] of fills.entries()) {
            const fillId = `${id} ${index}`;
            const { broker } = parts;
            const row = fillRecord({
              orderId: id,
              fillId,
              broker,
              quantity: filled,
              at: epochMs(AT + s * 1_000),
            });
            applyChange(state, { table: 'fills', key: row.key, row });
          }
          applyChange(state, { table: 'orders', key: id, row: record(later) });
        }
        for (const side of SIDES) {
          const most = netAfterAll(state, side, 'ord_0');
          const says = (wanted: number): boolean =>
            reducesPosition(state, 'primary', terms({ side, quantity: wanted }), 'ord_0', AT);
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
