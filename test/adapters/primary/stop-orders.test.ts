import { describe, expect, it } from 'vitest';
import { cancelling, instrument, option, placing, setUp, type Setup } from './support.ts';
import { stop, created, taken } from './stop-orders-support.ts';

async function sentBy(run: (setup: ReturnType<typeof setUp>) => Promise<unknown>, how: Setup = {}) {
  const setup = setUp({ respond: () => created, ...how });
  await run(setup);
  expect(setup.transport.requests).toHaveLength(1);
  const request = setup.transport.requests[0]!;
  return {
    request,
    path: new URL(request.url).pathname,
    body: JSON.parse(request.body!) as Record<string, unknown>,
  };
}

describe('a stop order', () => {
  it('is placed as a smart order, with its trigger and its limit', async () => {
    const { path, body } = await sentBy(({ trading }) => trading.place(placing(stop)));
    expect(path).toBe('/smart/order');
    expect(body).toEqual({
      txn_type: 'BUY',
      exchange: 'NSE',
      segment: 'EQUITY',
      product: 'CNC',
      order_type: 'TRIGGER',
      validity: 'DAY',
      security_id: '1594',
      qty: 10,
      trigger_price: 1490,
      trigger_limit_price: 1480,
      algo_id: '99999',
    });
  });

  it('is sent like an order: once, over IPv4, on a new connection', async () => {
    const { request } = await sentBy(({ trading }) => trading.place(placing(stop)));
    expect(request).toMatchObject({ method: 'POST', fresh: true, ipv4: true, deadlineMs: 8_000 });
    expect(request.headers.authorization).toBe('secret-token-1');
  });

  it('names the segment of a derivative, and our tag where remarks are enabled', async () => {
    const { body } = await sentBy(
      ({ trading }) => trading.place(placing({ ...stop, product: 'MARGIN' }, option)),
      { remarks: true },
    );
    expect(body).toMatchObject({
      exchange: 'NSE',
      segment: 'DERIVATIVE',
      remarks: 'Abc123Abc123Abc123Ab',
    });
  });

  it.each([
    ['on BSE', placing(stop, instrument({ name: 'BSE:INFY', exchange: 'BSE' })), /NSE only/],
    ['for IOC', placing({ ...stop, validity: 'IOC' }), /DAY only/],
    ['after the market', placing({ ...stop, amo: true }), /after-market/],
    ['without a limit', placing({ ...stop, orderType: 'SL-M', price: null }), /without a limit/],
    ['without a price', placing({ ...stop, price: null }), /price/],
    ['without a trigger', placing({ ...stop, triggerPrice: null }), /trigger/],
    ['with a trigger that is not a number', placing({ ...stop, triggerPrice: NaN }), /trigger/],
    ['for a fraction of a share', placing({ ...stop, quantity: 1.5 }), /quantity/],
    ['in an index', placing(stop, instrument({ segment: 'INDEX' })), /no orders in/],
  ])('%s is refused before anything is sent', async (_, attempt, reason) => {
    const { transport, trading } = setUp({ respond: () => created });
    const outcome = await trading.place(attempt);
    expect(outcome).toMatchObject({ kind: 'refused', rejection: 'other' });
    expect(outcome).toHaveProperty('reason', expect.stringMatching(reason));
    expect(transport.requests).toHaveLength(0);
  });

  it.each([{ price: 1480.02 }, { triggerPrice: 1490.02 }])(
    'with %j off the tick is refused for its price',
    async (off) => {
      const { transport, trading } = setUp({ respond: () => created });
      const outcome = await trading.place(placing({ ...stop, ...off }));
      expect(outcome).toMatchObject({ kind: 'refused', rejection: 'price' });
      expect(transport.requests).toHaveLength(0);
    },
  );

  it.each([placing(stop), placing({ ...stop, orderType: 'SL-M', price: null })])(
    'is never placed as a plain order by default: there it would fire at once',
    async (attempt) => {
      const { transport, trading } = setUp({ respond: () => created });
      await trading.place(attempt);
      expect(transport.urls.map((url) => url.pathname)).not.toContain('/order');
    },
  );
});

describe('a stop order where the settings choose the plain form', () => {
  const plain = { stopOrders: 'plain', respond: () => taken } as const;

  it('is a limit order with a trigger price', async () => {
    const { path, body } = await sentBy(({ trading }) => trading.place(placing(stop)), plain);
    expect(path).toBe('/order');
    expect(body).toMatchObject({ order_type: 'LIMIT', limit_price: 1480, trigger_price: 1490 });
  });

  it('without a limit is a market order with a trigger price', async () => {
    const attempt = placing({ ...stop, orderType: 'SL-M', price: null });
    const { path, body } = await sentBy(({ trading }) => trading.place(attempt), plain);
    expect(path).toBe('/order');
    expect(body).toMatchObject({ order_type: 'MARKET', trigger_price: 1490 });
    expect(body).not.toHaveProperty('limit_price');
  });

  it.each([
    ['without a trigger', placing({ ...stop, triggerPrice: null }), 'other'],
    ['off the tick', placing({ ...stop, triggerPrice: 1490.02 }), 'price'],
  ])('%s is refused before anything is sent', async (_, attempt, rejection) => {
    const { transport, trading } = setUp(plain);
    expect(await trading.place(attempt)).toMatchObject({ kind: 'refused', rejection });
    expect(transport.requests).toHaveLength(0);
  });

  it('is cancelled like any plain order', async () => {
    const { path } = await sentBy(({ trading }) => trading.cancel(cancelling()), plain);
    expect(path).toBe('/order/cancel');
  });
});
