import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange, type MutableState } from '../../../src/execution/journal/state.ts';
import { othersShares } from '../../../src/execution/reconcile/book-shares.ts';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import {
  AT,
  bookRow,
  DAY,
  ist,
  observedOrder,
  orderRecord,
  stateOf,
  terms,
} from '../support/makers.ts';

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

describe('a row of an earlier day in a book that is not cleared yet', () => {
  /** Friday; the book is read on Friday at 11:00. */
  const order = { broker: 'alt', terms: terms({ side: 'SELL' }), orderId: 'ord_9' };
  const sharesOf = (parts: Partial<BrokerOrder>) =>
    othersShares(
      stateOf(),
      order,
      { rows: [bookRow({ side: 'SELL', quantity: 10, ...parts })], begunAt: AT },
      { isinOf: () => null, day: DAY },
    );
  const yesterday = {
    createdAt: ist('2026-11-05T11:00:00'),
    updatedAt: ist('2026-11-05T11:05:00'),
  };
  const evening = { createdAt: ist('2026-11-05T17:00:00'), updatedAt: ist('2026-11-05T17:00:00') };
  const nothing = { resting: 0, filled: 0 };

  it('has moved nothing today where it is final', () => {
    expect(sharesOf({ ...yesterday, status: 'filled', filledQuantity: 10 })).toEqual(nothing);
    expect(sharesOf({ ...yesterday, status: 'cancelled', filledQuantity: 4 })).toEqual(nothing);
  });

  it('has moved what it shows where it has no time, or was changed today', () => {
    const filled = { status: 'filled', filledQuantity: 10 } as const;
    const moved = { resting: 0, filled: 10 };
    expect(sharesOf({ ...filled, createdAt: null, updatedAt: null })).toEqual(moved);
    expect(sharesOf({ ...filled, ...yesterday, createdAt: null })).toEqual(moved);
    expect(sharesOf({ ...filled, ...yesterday, updatedAt: AT })).toEqual(moved);
    expect(sharesOf({ ...filled, createdAt: AT, updatedAt: AT })).toEqual(moved);
  });

  it('has moved what it shows where it was placed for the next session and says nothing of its end', () => {
    // What was taken after the close trades in the next session: its last update may lack.
    const filled = { status: 'filled', filledQuantity: 10 } as const;
    expect(sharesOf({ ...filled, ...evening })).toEqual({ resting: 0, filled: 10 });
    expect(sharesOf({ ...evening, status: 'cancelled' })).toEqual(nothing);
  });

  it('rests no more where it was a day order of that session', () => {
    expect(sharesOf(yesterday)).toEqual(nothing);
    expect(sharesOf({ ...yesterday, validity: 'IOC', filledQuantity: 4 })).toEqual(nothing);
  });

  it('rests where it may live on: placed after the close, triggered by price, or of unknown validity', () => {
    const resting = { resting: 10, filled: 0 };
    expect(sharesOf(evening)).toEqual(resting);
    expect(sharesOf({ ...yesterday, validity: 'GTC' })).toEqual(resting);
    expect(sharesOf({ ...yesterday, triggerPrice: 1_400 })).toEqual(resting);
    expect(sharesOf({ ...yesterday, updatedAt: AT })).toEqual(resting);
    expect(sharesOf({ ...yesterday, status: 'unrecognised' })).toEqual(resting);
  });

  it('rests no more on the day after its session, which has none itself', () => {
    const saturday = '2026-11-07';
    const read = (day: string, at: string) =>
      othersShares(
        stateOf(),
        order,
        {
          rows: [bookRow({ side: 'SELL', createdAt: AT, updatedAt: AT })],
          begunAt: ist(at),
        },
        { isinOf: () => null, day },
      );
    expect(read(saturday, `${saturday}T11:00:00`)).toEqual(nothing);
  });
});
