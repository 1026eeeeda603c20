import { describe, expect, it } from 'vitest';
import { tradingDay } from '../../../src/domain/ist.ts';
import {
  bookDays,
  dayClosed,
  lastBookDay,
  sessionDay,
} from '../../../src/execution/order/order-day.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { ist, orderRecord, terms } from '../support/makers.ts';

/** An order asked for at an IST time. */
function sent(at: string, amo = false): OrderRecord {
  const createdAt = ist(at);
  return orderRecord({ createdAt, day: tradingDay(createdAt), terms: terms({ amo }) });
}

describe('the book of a day is whole', () => {
  it.each([
    ['sent in the morning', '2026-11-06T09:15:00', '2026-11-06T20:00:00'],
    ['sent before six, on a trading day', '2026-11-06T05:00:00', '2026-11-06T20:00:00'],
    ['sent just before it', '2026-11-06T19:59:59.999', '2026-11-06T20:00:00'],
    ['sent at that time, a Friday', '2026-11-06T20:00:00', '2026-11-09T20:00:00'],
    ['sent on a Saturday', '2026-11-07T11:00:00', '2026-11-09T20:00:00'],
    ['sent on the evening before a holiday', '2026-11-09T20:00:00', '2026-11-11T20:00:00'],
    ['sent on a holiday', '2026-11-10T11:00:00', '2026-11-11T20:00:00'],
  ])('for an order %s', (_when, sentAt, closed) => {
    expect(dayClosed(sent(sentAt), 'exchange')).toBe(ist(closed));
  });

  it.each([
    ['NFO:NIFTY26NOV24450CE', '2026-11-06T15:39:59', '2026-11-06T20:00:00'],
    ['CDS:USDINR26NOVFUT', '2026-11-06T16:59:00', '2026-11-06T20:00:00'],
    ['MCX:GOLD26DECFUT', '2026-11-06T23:50:00', '2026-11-07T02:55:00'],
  ])('for one of %s, sent at %s', (instrument, sentAt, closed) => {
    const createdAt = ist(sentAt);
    const order = orderRecord({ createdAt, terms: terms({ instrument }) });
    expect(dayClosed(order, 'exchange')).toBe(ist(closed));
  });

  it.each([
    ['2026-11-07T11:00:00', '2026-11-08T05:45:00'],
    ['2026-11-07T23:59:59', '2026-11-08T05:45:00'],
    ['2026-11-08T03:00:00', '2026-11-08T05:45:00'],
  ])('for a rehearsal of %s before it is cleared, at %s', (sentAt, closed) => {
    expect(dayClosed(sent(sentAt), 'always')).toBe(ist(closed));
  });
});

describe('an order for the next session', () => {
  it.each([
    ['on the evening before', '2026-11-05T20:00:00', '2026-11-06'],
    ['in the night before', '2026-11-06T02:00:00', '2026-11-06'],
    ['in the morning', '2026-11-06T08:59:59', '2026-11-06'],
    ['when those of derivatives still are', '2026-11-06T09:14:59', '2026-11-06'],
  ])('taken %s is found in the book of that session, and closed with it', (_when, at, day) => {
    expect(lastBookDay(sent(at, true))).toBe(day);
    expect(dayClosed(sent(at, true), 'exchange')).toBe(ist(`${day}T20:00:00`));
  });
});

describe('an order that another session may take as well', () => {
  it.each([
    ['in the session', '2026-11-06T09:15:00', '2026-11-09'],
    ['on a Friday evening', '2026-11-06T20:00:00', '2026-11-09'],
    ['on a Saturday', '2026-11-07T08:00:00', '2026-11-09'],
    ['before a holiday', '2026-11-09T20:00:00', '2026-11-11'],
    ['in a year without a list of holidays', '2027-01-25T20:00:00', '2027-01-26'],
  ])('taken %s is looked for until the next one, and proven absent by none', (_when, at, day) => {
    expect(lastBookDay(sent(at, true))).toBe(day);
    expect(dayClosed(sent(at, true), 'exchange')).toBe(Infinity);
  });

  it('is found in the books of all days between', () => {
    const days = ['2026-11-06', '2026-11-07', '2026-11-08', '2026-11-09'];
    expect(bookDays(sent('2026-11-06T20:00:00', true))).toEqual(days);
    expect(bookDays(sent('2026-11-06T20:00:00'))).toEqual(['2026-11-06']);
  });
});

describe('a rehearsal’s order after the end of its day', () => {
  it('is proven absent by no silence', () => {
    expect(dayClosed(sent('2026-11-08T05:50:00'), 'always')).toBe(Infinity);
  });
});

describe('an ordinary order', () => {
  it('is found in the book of its own day alone', () => {
    expect(lastBookDay(sent('2026-11-07T05:59:59'))).toBe('2026-11-06');
  });
});

describe('the day of the session of an order that is placed now', () => {
  it('is today, and for an after-market order that of the next session', () => {
    const day = (at: string, amo: boolean) => sessionDay(terms({ amo }), ist(at));
    expect(day('2026-11-06T11:00:00', false)).toBe('2026-11-06');
    expect(day('2026-11-06T19:00:00', true)).toBe('2026-11-09');
    expect(day('2026-11-09T08:00:00', true)).toBe('2026-11-09');
  });
});
