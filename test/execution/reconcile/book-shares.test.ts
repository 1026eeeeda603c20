import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange, type MutableState } from '../../../src/execution/journal/state.ts';
import { othersShares } from '../../../src/execution/reconcile/book-shares.ts';
import { AT, bookRow, DAY, observedOrder, orderRecord, stateOf, terms } from '../support/makers.ts';

const IDS = ['a', 'b', 'c', 'd'] as const;

/** Who has an id from now on: an order of ours, nobody of ours, or an order of ours and others. */
const step = fc.record({
  id: fc.constantFrom(...IDS),
  owner: fc.constantFrom('ord_1', 'ord_2', null),
  shared: fc.boolean(),
  undone: fc.boolean(),
});

describe('what the orders of others in a book do with shares', () => {
  const order = { broker: 'alt', terms: terms(), orderId: 'ord_9' };
  const rows = IDS.map((brokerOrderId, index) =>
    bookRow({ brokerOrderId, quantity: 10 ** index, filledQuantity: 0, tags: [] }),
  );
  const sharesIn = (state: MutableState, of: typeof rows) =>
    othersShares(state, order, { rows: of, begunAt: AT }, { isinOf: () => null, day: DAY });

  it('is the same for rows that were looked through before, whatever has become of their ids', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        // Where others share its id, no row of this side is the second one's.
        const orders = [
          orderRecord(),
          orderRecord({ id: 'ord_2', terms: terms({ side: 'SELL' }) }),
        ];
        const state = stateOf({ orders });
        const read = [...rows];
        for (const { id, owner, shared, undone } of steps) {
          const seen = {
            brokerOrderId: id,
            orderId: owner,
            ...(shared ? { shared } : {}),
          } as const;
          const row = observedOrder({ broker: 'alt', ...seen });
          const undo = applyChange(state, { table: 'observed', key: `alt|${DAY}|${id}`, row });
          expect(sharesIn(state, read)).toEqual(sharesIn(state, [...rows]));
          if (!undone) continue;
          for (const change of undo) applyChange(state, change);
          expect(sharesIn(state, read)).toEqual(sharesIn(state, [...rows]));
        }
      }),
    );
  });

  it('leaves out the rows of orders of ours', () => {
    const state = stateOf();
    expect(sharesIn(state, rows).resting).toBe(1_111);
    const row = observedOrder({ broker: 'alt', brokerOrderId: 'c', orderId: 'ord_1' });
    applyChange(state, { table: 'observed', key: `alt|${DAY}|c`, row });
    expect(sharesIn(state, rows).resting).toBe(1_011);
  });
});
