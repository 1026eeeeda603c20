import { describe, expect, it } from 'vitest';
import { transition } from '../../../src/execution/order/transitions.ts';
import { AT, bookRow, orderRecord, terms, uncertainOrder } from '../support/makers.ts';
import { afterRow, reduce, type Reduced } from '../support/reduce.ts';
import { epochMs } from '../../../src/units/branded.ts';

const LATER = epochMs(AT + 60_000);

describe('a row of the past', () => {
  const twice = (
    first: Parameters<typeof bookRow>[0],
    second: Parameters<typeof bookRow>[0],
  ): Reduced => {
    const known = reduce(orderRecord(), bookRow(first), [], AT);
    return reduce(known, bookRow(second), [], LATER);
  };

  it('that still works does not take back a final one', () => {
    const order = twice(
      { status: 'cancelled', filledQuantity: 0 },
      { status: 'working', filledQuantity: 0, updatedAt: LATER },
    );
    expect(order.status).toBe('cancelled');
  });

  it('with fewer filled shares is old, also when it carries a later time', () => {
    const order = twice(
      { filledQuantity: 5, updatedAt: AT },
      { filledQuantity: 2, price: 1_400, updatedAt: LATER },
    );
    expect(order).toMatchObject({ filledQuantity: 5, terms: { price: 1_500 } });
  });

  it('with an earlier time of change is old', () => {
    const order = twice({ price: 1_510, updatedAt: LATER }, { price: 1_500, updatedAt: AT });
    expect(order.terms.price).toBe(1_510);
  });

  it('with an earlier time is taken when it is final', () => {
    const order = twice(
      { filledQuantity: 0, updatedAt: LATER },
      { status: 'cancelled', filledQuantity: 0, updatedAt: AT },
    );
    expect(order.status).toBe('cancelled');
  });

  it('without a time is taken as it comes', () => {
    const order = twice({ price: 1_510, updatedAt: null }, { price: 1_520, updatedAt: null });
    expect(order.terms.price).toBe(1_520);
  });
});

describe('the terms of an order follow its row', () => {
  it('in quantity and price', () => {
    const row = bookRow({ quantity: 20, price: 1_480, filledQuantity: 10 });
    const order = reduce(orderRecord(), row, [], AT);
    expect(order).toMatchObject({
      status: 'working',
      filledQuantity: 10,
      terms: { quantity: 20, price: 1_480 },
    });
  });

  it('so that one cut down to what has filled is filled', () => {
    const known = afterRow('working', 4);
    const row = bookRow({ quantity: 4, filledQuantity: 4, updatedAt: LATER });
    expect(reduce(known, row, [], LATER).status).toBe('filled');
  });

  it('but a market order has no price, although brokers turn it into a limit', () => {
    const order = orderRecord({ terms: terms({ orderType: 'MARKET', price: null }) });
    const next = reduce(order, bookRow({ orderType: 'LIMIT', price: 1_530 }), [], AT);
    expect(next.terms.price).toBeNull();
  });

  it('but a limit has no trigger, and a row without a price takes none away', () => {
    const row = bookRow({ price: null, triggerPrice: 1_400 });
    expect(reduce(orderRecord(), row, [], AT).terms).toMatchObject({
      price: 1_500,
      triggerPrice: null,
    });
  });

  it('in the trigger price of a stop', () => {
    const order = orderRecord({ terms: terms({ orderType: 'SL', triggerPrice: 1_490 }) });
    const next = reduce(order, bookRow({ price: 1_481, triggerPrice: 1_482 }), [], AT);
    expect(next.terms).toMatchObject({ price: 1_481, triggerPrice: 1_482 });
  });
});

describe('what else a row tells', () => {
  it('is the reason of an end, and no reason while it works', () => {
    const rejected = bookRow({ status: 'rejected', reason: 'margin' });
    expect(reduce(orderRecord(), rejected, [], AT).reason).toBe('margin');
    const bind = { type: 'bind', brokerOrderId: 'b1', by: 'tag' } as const;
    const found = transition(uncertainOrder({ reason: 'no reply' }), bind, AT);
    expect(reduce(found, bookRow({ reason: 'queued' }), [], AT).reason).toBeNull();
  });

  it('is the exchange’s id, which stays once it is known', () => {
    const known = reduce(orderRecord(), bookRow({ exchangeOrderId: 'x9' }), [], AT);
    const next = reduce(known, bookRow({ exchangeOrderId: null, updatedAt: LATER }), [], AT);
    expect([known.exchangeOrderId, next.exchangeOrderId]).toEqual(['x9', 'x9']);
  });

  it('ends the wish to cancel when it is final, and not before', () => {
    const wanted = orderRecord({ cancelWanted: true });
    expect(afterRow('working', 0, [], wanted).cancelWanted).toBe(true);
    expect(afterRow('cancelled', 0, [], wanted).cancelWanted).toBe(false);
  });

  it('is since when nobody knows its status, until somebody does', () => {
    const strange = reduce(orderRecord(), bookRow({ status: 'unrecognised' }), [], AT);
    const still = reduce(strange, bookRow({ status: 'unrecognised', updatedAt: LATER }), [], LATER);
    const known = reduce(still, bookRow({ updatedAt: LATER }), [], LATER);
    expect([strange, still, known].map((order) => order.unrecognisedSince)).toEqual([AT, AT, null]);
  });
});
