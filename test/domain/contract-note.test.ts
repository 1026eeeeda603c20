import { describe, expect, it } from 'vitest';
import { type OrderCharges, totalCharges } from '../../src/domain/contract-note.ts';

const charges = (changes: Partial<OrderCharges> = {}): OrderCharges => ({
  ...{ transactionTax: 1.004, transactionTaxType: 'stt', exchangeTurnover: 0.1, sebiTurnover: 0.2 },
  ...{ brokerage: 20, stampDuty: 0.3, gst: { igst: 0.004, cgst: 1, sgst: 2, total: 3.004 } },
  total: 24.608,
  ...changes,
});

describe('the sum of charges', () => {
  it('is rounded to the paisa once, and not order by order', () => {
    const three = totalCharges([charges(), charges(), charges()]);
    expect(three).toEqual({
      ...{ transactionTax: 3.01, transactionTaxType: 'stt', exchangeTurnover: 0.3 },
      ...{ sebiTurnover: 0.6, brokerage: 60, stampDuty: 0.9 },
      gst: { igst: 0.01, cgst: 3, sgst: 6, total: 9.01 },
      total: 73.82,
    });
  });

  it('lacks a figure that one of the orders lacks', () => {
    const sum = totalCharges([charges(), charges({ stampDuty: null, gst: null })]);
    expect([sum.stampDuty, sum.gst, sum.brokerage]).toEqual([null, null, 40]);
    const none = { igst: null, cgst: null, sgst: null, total: 2 };
    expect(totalCharges([charges(), charges({ gst: none })]).gst).toEqual({
      ...none,
      total: 5,
    });
  });

  it('has no one name of the tax where there are two taxes', () => {
    const sum = totalCharges([charges(), charges({ transactionTaxType: 'ctt' })]);
    expect([sum.transactionTaxType, sum.transactionTax]).toEqual([null, 2.01]);
  });

  it('of no orders is 0', () => {
    expect(totalCharges([])).toMatchObject({ transactionTaxType: null, brokerage: 0, total: 0 });
  });
});
