import { describe, expect, it } from 'vitest';
import { externalId } from '../../src/domain/broker-order.ts';
import { externalOrder } from '../../src/router/order-list.ts';
import { AT, bookRow } from '../execution/support/makers.ts';
import { epochMs } from '../../src/units/branded.ts';

const ALT = { broker: 'alt', mode: 'live' } as const;
const PRIMARY = { broker: 'primary', mode: 'live' } as const;

describe('an order placed elsewhere', () => {
  it('is shown as external, with an id that names its broker', () => {
    const row = bookRow({ brokerOrderId: 'x1', filledQuantity: 4, averagePrice: 99, tags: ['t'] });
    expect(externalOrder(PRIMARY, row, AT)).toMatchObject({
      id: externalId('primary', 'x1'),
      external: true,
      clientOrderId: null,
      mode: 'live',
      status: 'working',
      quantity: 10,
      filledQuantity: 4,
      remainingQuantity: 6,
      averagePrice: 99,
      fillPriceSource: 'order_row',
      tag: 't',
    });
  });

  it('has nothing left to fill once it is over, and says why where the broker does not', () => {
    const over = bookRow({ status: 'cancelled', rawStatus: 'LAPSED', filledQuantity: null });
    expect(externalOrder(ALT, { ...over, reason: null }, AT)).toMatchObject({
      ...{ remainingQuantity: 0, reason: 'the broker says LAPSED and gives no reason' },
      brokerStatus: 'LAPSED',
    });
    const told = externalOrder(ALT, { ...over, reason: 'by the exchange' }, AT);
    expect(told.reason).toBe('by the exchange');
  });

  it('has an unknown remaining quantity while its fill is unknown', () => {
    const shown = externalOrder(ALT, bookRow({ filledQuantity: null }), AT);
    expect([shown.filledQuantity, shown.remainingQuantity]).toEqual([null, null]);
  });

  it('is working when its status is unknown, and keeps unknown words', () => {
    const row = bookRow({ status: 'unrecognised', orderType: 'GTT_LIMIT', product: 'MTF' });
    expect(externalOrder(PRIMARY, row, AT)).toMatchObject({
      status: 'working',
      orderType: 'GTT_LIMIT',
      product: 'MTF',
    });
  });

  it('has the time of its row, or of the read where the row has none', () => {
    const undated = bookRow({ createdAt: null, updatedAt: null });
    expect(externalOrder(ALT, undated, epochMs(AT + 7))).toMatchObject({
      createdAt: AT + 7,
      updatedAt: AT + 7,
    });
  });
});
