import { describe, expect, it } from 'vitest';
import { answered, cancelling, modifying, option, placing, setUp, success } from './support.ts';

const taken = success({ order_id: 'EQ-1', order_status: 'CANCELLED' });

function sentBy(setup: ReturnType<typeof setUp>) {
  const request = setup.transport.requests[0]!;
  return {
    path: new URL(request.url).pathname,
    body: JSON.parse(request.body!) as unknown,
    request,
  };
}

describe('a request that may have to stay', () => {
  it('is asked at last, whether it places or modifies; a cancel always may leave', async () => {
    const setup = setUp({ respond: () => taken });
    let isAllowed = true;
    const mayLeave = (): boolean => isAllowed;
    await setup.trading.place({ ...placing(), mayLeave });
    await setup.trading.modify({ ...modifying({ price: 1490 }), mayLeave });
    await setup.trading.cancel(cancelling());
    const asked = (): unknown[] => setup.transport.requests.map((request) => request.mayLeave?.());
    expect(asked()).toEqual([true, true, true]);
    isAllowed = false;
    expect(asked()).toEqual([false, false, true]);
  });

  it('is known not to be sent where it was kept back, and no breaker counts that', async () => {
    const kept = { kind: 'not_sent', cause: 'held_back', message: 'kept back' } as const;
    const { trading } = setUp({ respond: () => kept });
    for (let time = 0; time < 20; time += 1) {
      expect(await trading.place(placing())).toMatchObject({
        kind: 'not_sent',
        cause: 'held_back',
      });
    }
    expect(trading.blocked()).toBeNull();
  });
});

describe('cancelling', () => {
  it('names the order and its segment, like an order', async () => {
    const setup = setUp({ respond: () => taken });
    expect(await setup.trading.cancel(cancelling())).toMatchObject({ kind: 'acknowledged' });
    const { path, body, request } = sentBy(setup);
    expect(path).toBe('/order/cancel');
    expect(body).toEqual({ order_id: 'EQ-1', segment: 'EQUITY' });
    expect(request).toMatchObject({ method: 'POST', fresh: true, ipv4: true, deadlineMs: 8_000 });
  });

  it.each([
    [{ brokerOrderType: 'OCO' }, '/smart/order/cancel'],
    [{ brokerOrderType: 'GTT_LIMIT' }, '/smart/order/cancel'],
    [{ brokerOrderType: null, brokerOrderId: 'GTT-1' }, '/smart/order/cancel'],
    [{ brokerOrderType: 'LIMIT', brokerOrderId: 'GTT-1' }, '/order/cancel'],
    [{ brokerOrderType: null, instrument: option }, '/order/cancel'],
  ])('of %j goes to %s', async (changes, path) => {
    const setup = setUp({ respond: () => taken });
    await setup.trading.cancel(cancelling(changes));
    expect(sentBy(setup).path).toBe(path);
  });

  it('is refused with the broker’s own words', async () => {
    const reply = answered(400, { status: 'error', message: 'Position could not be found.' });
    const outcome = await setUp({ respond: () => reply }).trading.cancel(cancelling());
    expect(outcome).toMatchObject({ kind: 'refused', reason: 'Position could not be found.' });
    expect(outcome).not.toHaveProperty('pending');
  });

  it('reports that another one is already under way', async () => {
    const reply = answered(400, { message: 'The order is already pending for cancellation.' });
    const outcome = await setUp({ respond: () => reply }).trading.cancel(cancelling());
    expect(outcome).toMatchObject({ kind: 'refused', pending: true });
  });
});

describe('modifying', () => {
  it('sends the fields that change and those that stay', async () => {
    const setup = setUp({ respond: () => taken });
    await setup.trading.modify(modifying({ price: 1490 }));
    expect(sentBy(setup)).toMatchObject({
      path: '/order/modify',
      body: { order_id: 'EQ-1', segment: 'EQUITY', qty: 10, limit_price: 1490 },
    });
  });

  it.each([
    ['another type', modifying({ orderType: 'MARKET' })],
    ['another validity', modifying({ validity: 'IOC' })],
    ['a trigger', modifying({ triggerPrice: 1480 })],
    ['an order without a price', modifying({ quantity: 5 }, { orderType: 'MARKET', price: null })],
  ])('is refused before anything is sent: %s', async (_, attempt) => {
    const setup = setUp({ respond: () => taken });
    expect((await setup.trading.modify(attempt)).kind).toBe('refused');
    expect(setup.transport.requests).toHaveLength(0);
  });
});
