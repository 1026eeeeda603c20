import { describe, expect, it } from 'vitest';
import { kiteRefusals } from '../../sandbox/kite/refusal.ts';
import {
  BUY,
  loggedInRig,
  orderOf,
  pinnedRig,
  place,
  placings,
  RESTING,
  spoilPlacing,
} from './walk.ts';

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

describe('an order that is refused for the address of this computer', () => {
  it('is shown with its broker, with where to register the address', async () => {
    await using rig = await loggedInRig();
    const brokerNow = async () => {
      const { body } = await rig.get('/api/v1/brokers');
      return body.data.find(({ broker }: { broker: string }) => broker === 'alt');
    };
    expect(await brokerNow()).toMatchObject({ addressRefusedAt: null, addressAdvice: null });
    const refusal = kiteRefusals.findIndex(({ reply }) => String(reply.body).includes('IP (10.1.'));
    spoilPlacing(rig, 'refused_after', { params: { refusal } });
    const reply = await place(rig, RESTING, 'from-elsewhere');
    expect([reply.status, reply.body.code]).toEqual([422, 'order_refused']);
    expect(await brokerNow()).toMatchObject({
      addressRefusedAt: expect.stringMatching(/^2026-11-06T/),
      addressAdvice: expect.stringContaining('register 10.1.2.3 at developers.kite.trade'),
    });
    expect((await place(rig, { ...RESTING, price: 1_465 }, 'registered')).status).toBe(201);
    expect(await brokerNow()).toMatchObject({ addressRefusedAt: null, addressAdvice: null });
  });
});

describe('an order that the gateway refuses sends nothing:', () => {
  it.each([
    ['an instrument that nobody lists', { instrument: 'NSE:NOSUCH' }, 404, 'unknown_instrument'],
    ['a text that is no instrument', { instrument: 'INFY?' }, 400, 'invalid_request'],
    ['an index', { instrument: 'NSE:NIFTY 50' }, 400, 'not_tradable'],
    ['a part of a share', { quantity: 1.5 }, 400, 'invalid_request'],
    ['a limit order without a price', { orderType: 'LIMIT' }, 400, 'invalid_request'],
    ['a field that it does not know', { limit: 1_400 }, 400, 'invalid_request'],
    ['a price between two ticks', { orderType: 'LIMIT', price: 1_470.03 }, 400, 'price_off_tick'],
    [
      'a part of a lot',
      { instrument: 'NFO:NIFTY26NOV24450CE', quantity: 10, product: 'MARGIN' },
      400,
      'lot_size',
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
