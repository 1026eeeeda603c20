import { describe, expect, it } from 'vitest';
import { ORDER_TYPES } from '../../../src/domain/order.ts';
import {
  fingerprint,
  isInstrumentOf,
  rowFingerprint,
} from '../../../src/execution/order/attempt.ts';
import { bookRow, orderRecord, terms } from '../support/makers.ts';

const PRICES = {
  MARKET: { price: null, triggerPrice: null },
  LIMIT: { price: 1_500, triggerPrice: null },
  SL: { price: 1_500, triggerPrice: 1_490 },
  'SL-M': { price: null, triggerPrice: 1_490 },
} as const;

describe('a fingerprint', () => {
  it.each(ORDER_TYPES)('of a %s order is that of its row', (orderType) => {
    const order = orderRecord({ terms: terms({ orderType, ...PRICES[orderType] }) });
    // Brokers write a price and a trigger for every type; they count where the type has them.
    const row = bookRow({ orderType, price: 1_500, triggerPrice: 1_490 });
    expect(rowFingerprint('primary', row, order)).toBe(fingerprint('primary', order.terms));
  });

  it('is that of its row also when the row names the instrument by number', () => {
    const order = orderRecord();
    const row = bookRow({ instrument: 'NSE_1594' });
    expect(rowFingerprint('primary', row, order)).toBe(fingerprint('primary', order.terms));
  });

  it('is another one at another broker', () => {
    expect(fingerprint('alt', terms())).not.toBe(fingerprint('primary', terms()));
  });

  it('does not depend on when the order is for: no row tells', () => {
    expect(fingerprint('primary', terms({ amo: true }))).toBe(fingerprint('primary', terms()));
  });
});

describe('a row is about an order’s instrument', () => {
  it('by name or by number', () => {
    const order = orderRecord();
    expect(isInstrumentOf(order, bookRow())).toBe(true);
    expect(isInstrumentOf(order, bookRow({ instrument: 'NSE_1594' }))).toBe(true);
    expect(isInstrumentOf(order, bookRow({ instrument: 'NSE_1595' }))).toBe(false);
  });

  it('by name alone, where there is no number', () => {
    const order = orderRecord({ scripCode: null });
    expect(isInstrumentOf(order, bookRow({ instrument: 'NSE_1594' }))).toBe(false);
  });
});
