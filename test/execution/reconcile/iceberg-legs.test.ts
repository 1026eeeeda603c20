import { describe, expect, it } from 'vitest';
import type { BrokerOrder, IcebergLeg } from '../../../src/domain/broker-order.ts';
import { othersShares } from '../../../src/execution/reconcile/book-shares.ts';
import { attemptRecord } from '../support/attempts.ts';
import { AT, bookRow, DAY, stateOf, terms, uncertainOrder } from '../support/makers.ts';

/** Leg 2 of 5 of an iceberg of 1,000, of which 600 follow, and 20 of the leg's 200 have filled. */
const LEG: IcebergLeg = { leg: 2, legs: 5, total: 1_000, later: 600 };
const FILLED = { filledQuantity: 200, status: 'filled', rawStatus: 'COMPLETE' } as const;

let ids = 0;
const leg = (iceberg: Partial<IcebergLeg> | null, parts: Partial<BrokerOrder> = {}): BrokerOrder =>
  bookRow({
    ...{ brokerOrderId: `row-${(ids += 1)}`, quantity: 200, filledQuantity: 20, tags: [] },
    iceberg: iceberg && { ...LEG, ...iceberg },
    ...parts,
  });

function resting(rows: readonly BrokerOrder[], orderId = 'ord_9'): number {
  const order = { broker: 'alt', terms: terms(), orderId };
  const of = { isinOf: () => null, day: DAY };
  return othersShares(stateOf(), order, { rows, unread: [], begunAt: AT }, of).resting;
}

describe('an iceberg of others', () => {
  it('still takes the rest of its leg and all of the legs that follow', () => {
    expect(resting([leg({})])).toBe(180 + 600);
  });

  it('takes nobody knows how much where its row does not tell', () => {
    expect(resting([leg(null), leg({})])).toBe(Infinity);
  });

  it('whose leg has filled takes the rest although the book does not show its next leg yet', () => {
    expect(resting([leg({}, FILLED)])).toBe(600);
  });

  it('is counted once, where the book shows its next leg', () => {
    const next = leg({ leg: 3, later: 400 }, { filledQuantity: 0 });
    expect(resting([leg({ leg: 1, later: 800 }, FILLED), leg({}, FILLED), next])).toBe(600);
    expect(resting([next, leg({}, FILLED)])).toBe(600);
  });

  it('is counted as often as there are others like it', () => {
    const next = leg({ leg: 3, later: 400 }, { filledQuantity: 0 });
    expect(resting([leg({}, FILLED), leg({}, FILLED), next])).toBe(600 + 600);
  });

  it.each(['cancelled', 'rejected', 'partial'] as const)(
    'is over with a leg that is %s',
    (status) => {
      expect(resting([leg({}, { status })])).toBe(0);
      expect(resting([leg(null, { status })])).toBe(0);
      const ended = leg({ leg: 3, later: 400 }, { status, filledQuantity: 0 });
      expect(resting([leg({}, FILLED), ended])).toBe(0);
    },
  );

  it('takes no more once its last leg has filled', () => {
    expect(resting([leg({ leg: 5, later: 0 }, FILLED)])).toBe(0);
  });

  it('that is changed counts with the legs that follow the one that is changed', () => {
    expect(resting([leg({}, { brokerOrderId: 'it' })], 'alt:it')).toBe(600);
  });

  it('is no order of ours, however much its leg resembles one whose outcome is open', () => {
    const quantity = 200;
    const own = uncertainOrder({ terms: terms({ quantity }), broker: 'alt' });
    const state = stateOf({ orders: [own], attempts: [attemptRecord({ broker: 'alt' })] });
    const order = { broker: 'alt', terms: terms(), orderId: 'ord_9' };
    const of = { isinOf: () => null, day: DAY };
    const restingBeside = (row: BrokerOrder): number =>
      othersShares(state, order, { rows: [row], unread: [], begunAt: AT }, of).resting;
    // The open order counts for a row that may be its own.
    expect(restingBeside(bookRow({ brokerOrderId: 'row', quantity }))).toBe(0);
    expect(restingBeside(leg({}))).toBe(180 + 600);
  });
});
