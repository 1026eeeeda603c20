import { describe, expect, it } from 'vitest';
import { BUY, loggedInRig, orderOf, pinnedRig, place, placings } from './walk.ts';

describe('an order that the broker refuses', () => {
  it('is 422, known not to be placed, and final', async () => {
    await using rig = await loggedInRig();
    const beyond = { ...BUY, orderType: 'LIMIT', price: 3_000 };
    const reply = await place(rig, beyond, 'beyond-the-circuit');
    expect([reply.status, reply.body.code]).toEqual([422, 'order_refused']);
    expect(reply.body).toMatchObject({ broker: 'alt', mayHaveExecuted: false, retrySafe: true });
    expect(reply.body.order).toMatchObject({ status: 'rejected', filledQuantity: 0 });
    expect(rig.sandbox.kite.orders()).toEqual([]);
  });

  it('after it has acknowledged it, turns rejected with nothing filled', async () => {
    await using rig = await loggedInRig();
    const reply = await place(rig, { ...BUY, quantity: 50_000 }, 'beyond-the-funds');
    expect(reply.status).toBe(201);
    await rig.time.advance(5_000);
    const order = await orderOf(rig, reply.body.data.id);
    expect(order).toMatchObject({ status: 'rejected', filledQuantity: 0 });
    expect(order.reason).toMatch(/insufficient funds/i);
  });
});

describe('an order that the gateway refuses sends nothing:', () => {
  it.each([
    ['an instrument that nobody lists', { instrument: 'NSE:NOSUCH' }, 404, 'unknown_instrument'],
    ['a text that is no instrument', { instrument: 'INFY' }, 400, 'invalid_request'],
    ['an index', { instrument: 'NSE:NIFTY 50' }, 400, 'invalid_request'],
    ['a part of a share', { quantity: 1.5 }, 400, 'invalid_request'],
    ['a limit order without a price', { orderType: 'LIMIT' }, 400, 'invalid_request'],
    ['a field that it does not know', { limit: 1_400 }, 400, 'invalid_request'],
    ['a price between two ticks', { orderType: 'LIMIT', price: 1_470.03 }, 400, 'invalid_request'],
    [
      'a part of a lot',
      { instrument: 'NFO:NIFTY26NOV24450CE', quantity: 10, product: 'MARGIN' },
      400,
      'invalid_request',
    ],
  ])('%s', async (_what, order, status, code) => {
    await using rig = await loggedInRig();
    const reply = await place(rig, { ...BUY, ...order }, 'wrong');
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect(reply.body.mayHaveExecuted).toBe(false);
    expect(placings(rig)).toEqual([]);
  });

  it('any, outside the hours of the exchange', async () => {
    await using rig = await pinnedRig({ start: '2026-11-06T08:30:00+05:30' });
    await rig.logIn();
    const reply = await place(rig, BUY, 'early');
    expect([reply.status, reply.body.code]).toEqual([409, 'market_closed']);
    expect(placings(rig)).toEqual([]);
  });
});
