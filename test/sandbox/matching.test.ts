import { describe, expect, it } from 'vitest';
import { kiteOrder, rehearse } from './support/rehearsal.ts';

const key = 'NSE:INFY';

/** A book of 30 a level at 1500.00: asks from 1500.10 upwards, ten paise apart. */
function calmBook() {
  const rehearsal = rehearse();
  rehearsal.sandbox.exchange.setPrice(key, 150_000);
  rehearsal.sandbox.exchange.setLevelQuantity(key, 30);
  return rehearsal;
}

describe('the exchange', () => {
  it('fills a small market order at the best price', () => {
    const { kite, clock, sandbox } = calmBook();
    const { order_id: orderId } = kite('POST', '/orders/regular', kiteOrder()).json.data;
    clock.advance(100);
    const order = sandbox.kite.order(orderId);
    expect(order).toMatchObject({ status: 'COMPLETE', filledQuantity: 10, averagePaise: 150_010 });
  });

  it('fills a large order level by level, and the rest when the book has grown back', () => {
    const { kite, clock, sandbox } = calmBook();
    kite('POST', '/orders/regular', kiteOrder({ quantity: '200' }));
    clock.advance(100);
    expect(sandbox.kite.fills().map((fill) => fill.quantity)).toEqual([30, 30, 30, 30, 30]);
    expect(sandbox.kite.orders()[0]).toMatchObject({ status: 'OPEN', filledQuantity: 150 });
    clock.advance(2_000);
    expect(sandbox.kite.orders()[0]).toMatchObject({ status: 'COMPLETE', filledQuantity: 200 });
  });

  it('cancels the part of an IOC order that could not fill', () => {
    const { kite, clock, sandbox } = calmBook();
    const form = { order_type: 'LIMIT', price: '1500.10', validity: 'IOC', quantity: '50' };
    kite('POST', '/orders/regular', kiteOrder(form));
    clock.advance(100);
    expect(sandbox.kite.orders()[0]).toMatchObject({ status: 'CANCELLED', filledQuantity: 30 });
  });

  it('rests a limit order away from the market until the price comes to it', () => {
    const { kite, clock, sandbox } = calmBook();
    kite('POST', '/orders/regular', kiteOrder({ order_type: 'LIMIT', price: '1490' }));
    clock.advance(60_000);
    expect(sandbox.kite.orders()[0]).toMatchObject({ status: 'OPEN', filledQuantity: 0 });
    sandbox.exchange.setPrice(key, 148_900);
    expect(sandbox.kite.orders()[0]).toMatchObject({ status: 'COMPLETE', averagePaise: 149_000 });
  });

  it('fills a resting order by the price model alone', () => {
    const { kite, clock, sandbox } = rehearse();
    const price = Math.floor((sandbox.exchange.price(key) * 0.999) / 10) / 10;
    kite('POST', '/orders/regular', kiteOrder({ order_type: 'LIMIT', price: price.toFixed(1) }));
    clock.advance(12 * 3_600_000);
    expect(sandbox.kite.orders()[0]?.status).toBe('COMPLETE');
  });

  it('keeps the fills of an order that is cancelled', () => {
    const { kite, clock, sandbox } = calmBook();
    const form = kiteOrder({ order_type: 'LIMIT', price: '1500.10', quantity: '50' });
    const { order_id: orderId } = kite('POST', '/orders/regular', form).json.data;
    clock.advance(100);
    kite('DELETE', `/orders/regular/${orderId}`);
    clock.advance(100);
    const [row] = kite('GET', '/orders').json.data;
    expect(row).toMatchObject({ status: 'CANCELLED', filled_quantity: 30, cancelled_quantity: 20 });
    expect(sandbox.kite.positions()[0]?.net).toBe(30);
  });

  it('accepts a fill while a cancel is under way', () => {
    const { kite, clock, sandbox } = calmBook();
    const form = kiteOrder({ order_type: 'LIMIT', price: '1490' });
    const { order_id: orderId } = kite('POST', '/orders/regular', form).json.data;
    clock.advance(100);
    kite('DELETE', `/orders/regular/${orderId}`);
    sandbox.kite.fillByHand(orderId, 10, 149_000);
    clock.advance(100);
    expect(sandbox.kite.order(orderId)?.status).toBe('COMPLETE');
  });

  it('triggers a stop when the price reaches its trigger', () => {
    const { kite, clock, sandbox } = calmBook();
    const form = {
      transaction_type: 'SELL',
      order_type: 'SL',
      trigger_price: '1495',
      price: '1490',
    };
    kite('POST', '/orders/regular', kiteOrder(form));
    clock.advance(100);
    expect(sandbox.kite.orders()[0]?.status).toBe('TRIGGER PENDING');
    sandbox.exchange.setPrice(key, 149_500);
    expect(sandbox.kite.orders()[0]?.status).toBe('COMPLETE');
  });

  it('ends day orders at the close', () => {
    const { kite, primary, clock, sandbox } = rehearse({ market: 'exchange' });
    kite('POST', '/orders/regular', kiteOrder({ order_type: 'LIMIT', price: '1400' }));
    primary('POST', '/order', {
      txn_type: 'BUY',
      exchange: 'NSE',
      segment: 'EQUITY',
      product: 'CNC',
      order_type: 'LIMIT',
      limit_price: 1400,
      validity: 'DAY',
      security_id: '1594',
      qty: 1,
      algo_id: '99999',
    });
    clock.advance(5 * 3_600_000);
    expect(sandbox.kite.orders()[0]?.status).toBe('LAPSED');
    expect(sandbox.primary.orders()[0]?.status).toBe('EXPIRED');
  });

  it('empties the order book of the day at 06:00 IST and forgets nothing itself', () => {
    const { kite, clock, sandbox } = calmBook();
    kite('POST', '/orders/regular', kiteOrder());
    clock.advance(24 * 3_600_000);
    sandbox.kite.loginDirect();
    const token = sandbox.kite.liveToken();
    const reaction = sandbox.handle({
      method: 'GET',
      url: 'http://kite.sandbox/orders',
      headers: { authorization: `token key:${token}` },
      body: '',
    });
    expect(reaction).toMatchObject({ kind: 'answer', status: 200 });
    expect(JSON.parse((reaction as { body: string }).body).data).toEqual([]);
    expect(sandbox.kite.orders()).toHaveLength(1);
    expect(sandbox.kite.holdings().find((one) => one.instrument.key === key)?.t1).toBe(10);
  });
});
