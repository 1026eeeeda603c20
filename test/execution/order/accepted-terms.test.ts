import { describe, expect, it } from 'vitest';
import type { OrderModification } from '../../../src/domain/order.ts';
import { asShown } from '../../../src/execution/order/accepted-terms.ts';
import { type AttemptRecord, BOOK_LAG_MS } from '../../../src/execution/order/attempt.ts';
import { plus } from '../../../src/units/branded.ts';
import { AT, bookRow, DAY, orderRecord, terms } from '../support/makers.ts';

const NOTHING: OrderModification = {
  ...{ quantity: null, price: null, triggerPrice: null, orderType: null, validity: null },
};

/** A modification, answered `seconds` after the order was placed. */
function modified(
  changes: Partial<OrderModification>,
  seconds = 60,
  outcome: 'acknowledged' | 'uncertain' | 'refused' = 'acknowledged',
): AttemptRecord {
  const settledAt = plus(AT, seconds * 1_000);
  const told = { settledAt, reason: 'the broker said so' };
  return {
    ...{ id: `att_${seconds}`, orderId: 'ord_1', broker: 'primary', day: DAY, sentAt: settledAt },
    ...{ kind: 'modify', changes: { ...NOTHING, ...changes } },
    state:
      outcome === 'acknowledged'
        ? { kind: outcome, settledAt, brokerOrderId: 'b1' }
        : { kind: outcome, ...told },
  };
}

const ORDER = orderRecord({ row: bookRow(), filledQuantity: 0 });
const soon = plus(AT, 61_000);
const late = plus(AT, 60_000 + BOOK_LAG_MS);
const shown = (attempts: readonly AttemptRecord[], order = ORDER, asOf = soon) =>
  asShown(order, attempts, asOf).terms;

describe('an order with an accepted modification', () => {
  it('has its terms until a book that was asked for ten seconds later has others', () => {
    const changes = [modified({ price: 1_490, quantity: 12 })];
    expect(shown(changes)).toMatchObject({ price: 1_490, quantity: 12 });
    expect(asShown(ORDER, changes, null).terms).toMatchObject({ price: 1_490 });
    expect(shown(changes, ORDER, late)).toEqual(ORDER.terms);
  });

  it('has the last of several, and none of those before what its row shows', () => {
    const changes = [modified({ price: 1_490 }), modified({ price: 1_480 }, 61)];
    expect(shown(changes).price).toBe(1_480);
    const row = bookRow({ price: 1_480 });
    const order = orderRecord({ row, terms: terms({ price: 1_480 }) });
    expect(shown(changes, order).price).toBe(1_480);
    const doubtful = [modified({ price: 1_490 }), modified({ price: 1_480 }, 61, 'uncertain')];
    expect(shown(doubtful, order).price).toBe(1_480);
    const back = [...changes, modified({ price: 1_500 }, 62)];
    expect(shown(back).price).toBe(1_500);
  });

  it.each(['uncertain', 'refused'] as const)('has nothing of one that is %s', (outcome) => {
    const changes = [modified({ quantity: 12 }), modified({ price: 1_480 }, 61, outcome)];
    expect(shown(changes)).toMatchObject({ price: 1_500, quantity: 12 });
  });

  it('is its row where that was changed at the broker later', () => {
    const row = bookRow({ updatedAt: plus(AT, 66_000) });
    const changes = [modified({ price: 1_490, orderType: 'MARKET', validity: 'IOC' })];
    expect(shown(changes, orderRecord({ row }))).toEqual(ORDER.terms);
  });

  it('has no quantity below what has filled, and what has filled is not touched', () => {
    const row = bookRow({ filledQuantity: 8 });
    const order = orderRecord({ row, filledQuantity: 8 });
    const lowered = asShown(order, [modified({ quantity: 5 })], soon);
    expect(lowered.terms.quantity).toBe(8);
    expect(lowered.state).toBe(order.state);
  });

  it('is its row once it is over', () => {
    const order = orderRecord({ kind: 'cancelled', row: bookRow(), filledQuantity: 0 });
    expect(shown([modified({ price: 1_490 })], order).price).toBe(1_500);
  });

  it('has its type with the prices of that type', () => {
    const stop = { orderType: 'SL', price: 1_510, triggerPrice: 1_505 } as const;
    expect(shown([modified(stop)])).toMatchObject(stop);
    const market = shown([modified({ orderType: 'MARKET', validity: 'IOC' })]);
    expect(market).toMatchObject({ orderType: 'MARKET', price: null, validity: 'IOC' });
  });

  it('has the type of its row for good once the row shows it', () => {
    const row = bookRow({ orderType: 'SL', price: 1_509, triggerPrice: 1_504 });
    const order = orderRecord({ row, terms: terms({ price: 1_509, triggerPrice: 1_504 }) });
    const changes = [modified({ orderType: 'SL' })];
    expect(shown(changes, order, late)).toMatchObject({ orderType: 'SL', price: 1_509 });
  });

  it('is its row where nothing of it was modified', () => {
    expect(asShown(ORDER, [], soon)).toBe(ORDER);
  });
});
