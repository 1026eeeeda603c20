import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answerOf, kiteOrder, kiteOrigin, rehearse } from './support/rehearsal.ts';

const refused = (status: number, errorType: string) => ({
  status,
  json: { status: 'error', error_type: errorType },
});

describe('the alternative broker', () => {
  it('echoes the tag', () => {
    const { kite } = rehearse();
    kite('POST', '/orders/regular', kiteOrder({ tag: 'abc123' }));
    expect(kite('GET', '/orders').json.data[0]).toMatchObject({ tag: 'abc123', tags: ['abc123'] });
  });

  it.each([
    ['a market order without protection', { market_protection: '0' }],
    ['a tag with a dash', { tag: 'a-b' }],
    ['a price off the tick', { order_type: 'LIMIT', price: '1500.03' }],
    ['a price outside the band', { order_type: 'LIMIT', price: '900' }],
    ['an unknown instrument', { tradingsymbol: 'NOSUCH' }],
    ['a quantity above the freeze', { quantity: '100001' }],
  ])('refuses %s', (_what, more) => {
    const { kite, sandbox } = rehearse();
    expect(kite('POST', '/orders/regular', kiteOrder(more))).toMatchObject(
      refused(400, 'InputException'),
    );
    expect(sandbox.kite.orders()).toEqual([]);
  });

  it('acknowledges an order without funds and then rejects it', () => {
    const { kite, clock } = rehearse();
    kite('POST', '/orders/regular', kiteOrder({ quantity: '90000' }));
    clock.advance(100);
    const [row] = kite('GET', '/orders').json.data;
    expect(row.status).toBe('REJECTED');
    expect(row.status_message).toContain('Insufficient funds');
  });

  it('gives order ids of 15 and of 19 digits', () => {
    const { kite } = rehearse();
    const ids = [1, 2].map(
      () => kite('POST', '/orders/regular', kiteOrder()).json.data.order_id as string,
    );
    expect(ids.map((id) => id.length)).toEqual([15, 19]);
  });

  it('ends a session when another begins, and at 06:00 IST', () => {
    const { kite, sandbox, clock } = rehearse();
    sandbox.kite.loginDirect();
    expect(kite('GET', '/orders')).toMatchObject(refused(403, 'TokenException'));
    clock.advance(19 * 3_600_000);
    expect(sandbox.kite.liveToken()).toBeNull();
  });

  it('checks the checksum of a session exchange', () => {
    const { sandbox } = rehearse();
    const exchange = (checksum: string) => {
      const token = sandbox.kite.issueRequestToken();
      const right = createHash('sha256').update(`key${token}secret`).digest('hex');
      const body = new URLSearchParams({
        api_key: 'key',
        request_token: token,
        checksum: checksum || right,
      }).toString();
      const url = `${kiteOrigin}/session/token`;
      return answerOf(sandbox.handle({ method: 'POST', url, headers: {}, body }));
    };
    expect(exchange('wrong')).toMatchObject(refused(403, 'TokenException'));
    expect(exchange('').status).toBe(200);
  });

  it('answers 429 above a limit and logs it', () => {
    const { kite, sandbox, clock } = rehearse({ enforceLimits: true });
    expect(kite('GET', '/quote/ltp?i=NSE:INFY').status).toBe(200);
    expect(kite('GET', '/quote/ltp?i=NSE:INFY').status).toBe(429);
    expect(sandbox.kite.limitBreaks()).toHaveLength(1);
    clock.advance(1_000);
    expect(kite('GET', '/quote/ltp?i=NSE:INFY').status).toBe(200);
    expect(sandbox.kite.counts()).toEqual({ 'GET /quote/ltp': 3 });
  });

  it('allows 25 changes of an order and no more', () => {
    const { kite, clock } = rehearse();
    const form = kiteOrder({ order_type: 'LIMIT', price: '1400' });
    const id = kite('POST', '/orders/regular', form).json.data.order_id;
    const change = () => kite('PUT', `/orders/regular/${id}`, { quantity: '11' });
    for (let count = 0; count < 25; count += 1) {
      clock.advance(50);
      expect(change().status).toBe(200);
    }
    clock.advance(50);
    expect(change()).toMatchObject(refused(400, 'NetworkException'));
  });

  it('posts back with a checksum over id, timestamp and secret', () => {
    const { kite, clock, posts } = rehearse();
    kite('POST', '/orders/regular', kiteOrder());
    clock.advance(5_000);
    const body = JSON.parse(posts.at(-1)?.body ?? '{}');
    const raw = `${body.order_id}${body.order_timestamp}secret`;
    expect(body.checksum).toBe(createHash('sha256').update(raw).digest('hex'));
    expect(body).toMatchObject({ status: 'COMPLETE', filled_quantity: 10, user_id: 'AB1234' });
  });

  it('posts nothing for an order by hand', () => {
    const { sandbox, clock, posts } = rehearse();
    sandbox.kite.placeByHand({ instrument: 'NSE:INFY', side: 'BUY', quantity: 1 });
    clock.advance(5_000);
    expect(sandbox.kite.orders()[0]).toMatchObject({ placedBy: 'hand', status: 'COMPLETE' });
    expect(posts).toEqual([]);
  });

  it('accepts after-market orders only outside the session, and sends them at the open', () => {
    const evening = Date.parse('2026-11-05T20:00:00+05:30');
    const { kite, clock, sandbox } = rehearse({ market: 'exchange', at: evening });
    const form = kiteOrder({ order_type: 'LIMIT', price: '1500' });
    expect(kite('POST', '/orders/regular', form).status).toBe(400);
    kite('POST', '/orders/amo', form);
    expect(sandbox.kite.orders()[0]?.status).toBe('AMO REQ RECEIVED');
    clock.advance(14 * 3_600_000);
    expect(sandbox.kite.orders()[0]?.exchangeOrderId).not.toBeNull();
  });

  it('has an after-market order as amo until the exchange has it, then as regular', () => {
    const { kite, clock, sandbox } = rehearse({
      market: 'exchange',
      at: Date.parse('2026-11-06T08:00:00+05:30'),
    });
    const form = kiteOrder({ order_type: 'LIMIT', price: '1480' });
    const [first, second] = [1, 2].map(() => kite('POST', '/orders/amo', form).json.data.order_id);
    expect(kite('DELETE', `/orders/regular/${first}`)).toMatchObject(
      refused(400, 'OrderException'),
    );
    expect(kite('DELETE', `/orders/amo/${first}`).status).toBe(200);
    clock.advance(1_000);
    expect(sandbox.kite.orders()[0]?.status).toBe('CANCELLED AMO');
    clock.advance(2 * 3_600_000);
    expect(sandbox.kite.orders()[1]?.status).toBe('OPEN');
    expect(kite('DELETE', `/orders/amo/${second}`)).toMatchObject(refused(504, 'NetworkException'));
    expect(kite('GET', '/orders').json.data[1]).toMatchObject({ variety: 'amo', status: 'OPEN' });
    expect(kite('DELETE', `/orders/regular/${second}`).status).toBe(200);
    clock.advance(1_000);
    expect(sandbox.kite.orders()[1]?.status).toBe('CANCELLED');
  });

  it('lists the option chain under the names and tokens of Kite', () => {
    const { kite } = rehearse();
    const csv = kite('GET', '/instruments/NFO').body;
    expect(csv).toContain('NIFTY26NOV24450CE');
    expect(kite('GET', '/instruments').body).toContain('256265,1001,NIFTY 50');
  });
});
