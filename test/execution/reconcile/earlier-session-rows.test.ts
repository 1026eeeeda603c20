import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../../src/domain/broker-order.ts';
import { othersShares } from '../../../src/execution/reconcile/book-shares.ts';
import { AT, bookRow, DAY, ist, stateOf, terms } from '../support/makers.ts';

/** What others may still move of the shares, and what they have moved, under whatever name. */
function countedOf(...read: Parameters<typeof othersShares>) {
  const { resting, filled } = othersShares(...read);
  return { resting, filled: [...filled.values()].reduce((sum, each) => sum + each, 0) };
}

describe('a row of an earlier day in a book that is not cleared yet', () => {
  /** Friday; the book is read on Friday at 11:00. */
  const order = { broker: 'alt', terms: terms({ side: 'SELL' }), orderId: 'ord_9' };
  const sharesOf = (parts: Partial<BrokerOrder>) =>
    countedOf(
      stateOf(),
      order,
      { rows: [bookRow({ side: 'SELL', quantity: 10, ...parts })], unread: [], begunAt: AT },
      { isinOf: () => null, day: DAY },
    );
  const yesterday = {
    createdAt: ist('2026-11-05T11:00:00'),
    updatedAt: ist('2026-11-05T11:05:00'),
  };
  const evening = { createdAt: ist('2026-11-05T17:00:00'), updatedAt: ist('2026-11-05T17:00:00') };
  const nothing = { resting: 0, filled: 0 };

  it('has moved nothing today where it is final', () => {
    expect(sharesOf({ ...yesterday, status: 'filled', filledQuantity: 10 })).toMatchObject(nothing);
    expect(sharesOf({ ...yesterday, status: 'cancelled', filledQuantity: 4 })).toMatchObject(
      nothing,
    );
  });

  it('has moved what it shows where it has no time, or was changed today', () => {
    const filled = { status: 'filled', filledQuantity: 10 } as const;
    const moved = { resting: 0, filled: 10 };
    expect(sharesOf({ ...filled, createdAt: null, updatedAt: null })).toMatchObject(moved);
    expect(sharesOf({ ...filled, ...yesterday, createdAt: null })).toMatchObject(moved);
    expect(sharesOf({ ...filled, ...yesterday, updatedAt: AT })).toMatchObject(moved);
    expect(sharesOf({ ...filled, createdAt: AT, updatedAt: AT })).toMatchObject(moved);
  });

  it('has moved what it shows where it was placed for the next session and says nothing of its end', () => {
    // What was taken after the close trades in the next session: its last update may lack.
    const filled = { status: 'filled', filledQuantity: 10 } as const;
    expect(sharesOf({ ...filled, ...evening })).toMatchObject({ resting: 0, filled: 10 });
    expect(sharesOf({ ...evening, status: 'cancelled' })).toMatchObject(nothing);
  });

  it('rests no more where it was a day order of that session', () => {
    expect(sharesOf(yesterday)).toMatchObject(nothing);
    expect(sharesOf({ ...yesterday, validity: 'IOC', filledQuantity: 4 })).toMatchObject(nothing);
  });

  it('rests where it may live on: placed after the close, triggered by price, or of unknown validity', () => {
    const resting = { resting: 10, filled: 0 };
    expect(sharesOf(evening)).toMatchObject(resting);
    expect(sharesOf({ ...yesterday, validity: 'GTC' })).toMatchObject(resting);
    expect(sharesOf({ ...yesterday, triggerPrice: 1_400 })).toMatchObject(resting);
    expect(sharesOf({ ...yesterday, updatedAt: AT })).toMatchObject(resting);
    expect(sharesOf({ ...yesterday, status: 'unrecognised' })).toMatchObject(resting);
  });

  it('rests no more on the day after its session, which has none itself', () => {
    const saturday = '2026-11-07';
    const read = (day: string, at: string) =>
      countedOf(
        stateOf(),
        order,
        {
          rows: [bookRow({ side: 'SELL', createdAt: AT, updatedAt: AT })],
          unread: [],
          begunAt: ist(at),
        },
        { isinOf: () => null, day },
      );
    expect(read(saturday, `${saturday}T11:00:00`)).toMatchObject(nothing);
  });

  it('rests where it was placed for a session that may not have been: no list has the holidays of 2027', () => {
    const monday = { createdAt: ist('2027-01-25T17:00:00'), updatedAt: ist('2027-01-25T17:00:05') };
    const onWednesday = (parts: Partial<BrokerOrder>) =>
      countedOf(
        stateOf(),
        order,
        {
          rows: [bookRow({ side: 'SELL', quantity: 10, ...monday, ...parts })],
          unread: [],
          begunAt: ist('2027-01-27T11:00:00'),
        },
        { isinOf: () => null, day: '2027-01-27' },
      );
    expect(onWednesday({})).toMatchObject({ resting: 10, filled: 0 });
    expect(onWednesday({ updatedAt: null })).toMatchObject({ resting: 10, filled: 0 });
    expect(onWednesday({ updatedAt: ist('2027-01-26T09:15:00') })).toMatchObject(nothing);
    expect(onWednesday({ status: 'cancelled' })).toMatchObject(nothing);
  });
});
