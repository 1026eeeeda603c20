import { describe, expect, it } from 'vitest';
import { needsPrice, needsTrigger, ORDER_TYPES } from '../../src/domain/order.ts';

describe('an order type', () => {
  it('needs a price for LIMIT and SL only', () => {
    expect(ORDER_TYPES.filter(needsPrice)).toEqual(['LIMIT', 'SL']);
  });

  it('needs a trigger price for SL and SL-M only', () => {
    expect(ORDER_TYPES.filter(needsTrigger)).toEqual(['SL', 'SL-M']);
  });

  it('that only the broker knows needs neither', () => {
    expect([needsPrice('TRIGGER'), needsTrigger('TRIGGER')]).toEqual([false, false]);
  });
});
