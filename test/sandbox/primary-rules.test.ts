import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { serveSandbox } from '../../sandbox/transport/serve.ts';
import { answerOf, primaryOrder, primaryOrigin, rehearse } from './support/rehearsal.ts';

describe('the primary brokerage', () => {
  it('answers null for an empty order book', () => {
    expect(rehearse().primary('GET', '/order-book').json).toEqual({
      status: 'success',
      data: null,
    });
  });

  it('fails the whole batch for one bad code', () => {
    const { primary } = rehearse();
    const good = primary('GET', '/market/quotes/full?scrip-codes=NSE_1594,NIDX_40000001');
    expect(Object.keys(good.json.data)).toEqual(['NSE_1594', 'NIDX_40000001']);
    const bad = primary('GET', '/market/quotes/ltp?scrip-codes=NSE_1594,NSE_1');
    expect(bad).toMatchObject({ status: 400, json: { message: 'Bad Request' } });
  });

  it('shows the same price as the other broker', () => {
    const { primary, kite } = rehearse();
    const own = primary('GET', '/market/quotes/ltp?scrip-codes=NSE_2885').json.data.NSE_2885;
    const other = kite('GET', '/quote/ltp?i=NSE:RELIANCE').json.data['NSE:RELIANCE'];
    expect(own.live_price).toBe(other.last_price);
  });

  it('turns a market order into a limit at the live price and fills it', () => {
    const { primary, clock, sandbox } = rehearse();
    const ack = primary('POST', '/order', primaryOrder()).json.data;
    expect(ack.order_status).toBe('INITIATED');
    clock.advance(5_000);
    const row = primary('GET', `/order?order_id=${ack.order_id}&segment=EQUITY`).json.data;
    expect(row).toMatchObject({ order_type: 'MARKET', status: 'SUCCESS', traded_qty: 10 });
    expect(Number(row.requested_price)).toBe((sandbox.primary.orders()[0]?.limitPaise ?? 0) / 100);
    const trades = primary('GET', `/order/trades?order_id=${ack.order_id}&segment=EQUITY`);
    const book = primary('GET', '/trade-book?segment=EQUITY').json.data;
    expect(trades.json.data[0].exch_order_id).toBe(book[0].exch_order_id);
    expect(book[0]).not.toHaveProperty('order_id');
  });

  it('ignores a trigger price and fires at once', () => {
    const { primary, clock, sandbox } = rehearse();
    primary('POST', '/order', primaryOrder({ trigger_price: 1 }));
    clock.advance(5_000);
    expect(sandbox.primary.orders()[0]?.status).toBe('SUCCESS');
  });

  it.each([
    ['no algo id', { algo_id: undefined }, 'algo_id is required'],
    ['an IOC order', { validity: 'IOC' }, 'DayValidityAllowed'],
    ['a price off the tick', { order_type: 'LIMIT', limit_price: 1500.03 }, 'tick size'],
    ['a price outside the band', { order_type: 'LIMIT', limit_price: 900 }, 'PriceWithinRange'],
    ['too little money', { qty: 90_000 }, 'RMS: Margin exceeds'],
    ['shares not held', { txn_type: 'SELL' }, 'RMS: Rule: Check'],
  ])('refuses %s at once', (_what, more, message) => {
    const { primary, sandbox } = rehearse();
    const answer = primary('POST', '/order', primaryOrder(more));
    expect(answer.status).toBe(400);
    expect(answer.json.message).toContain(message);
    expect(sandbox.primary.orders()).toEqual([]);
  });

  it('refuses an impossible cancel with odd messages', () => {
    const { primary, clock } = rehearse();
    const body = primaryOrder({ order_type: 'LIMIT', limit_price: 1400 });
    const { order_id: orderId } = primary('POST', '/order', body).json.data;
    clock.advance(100);
    const cancel = () => primary('POST', '/order/cancel', { order_id: orderId, segment: 'EQUITY' });
    expect(cancel().json.data.order_status).toBe('CANCELLED');
    expect(cancel().json.message).toMatch(/^The order is already pending/);
    clock.advance(100);
    expect(cancel().json.message).toBe('Position could not be found.');
  });

  it('echoes remarks only when the feature is on, and only if sent', () => {
    for (const remarks of [true, false]) {
      const { primary } = rehearse({ primary: { remarks } });
      primary('POST', '/order', primaryOrder({ remarks: 'mine' }));
      primary('POST', '/order', primaryOrder());
      const rows = primary('GET', '/order-book').json.data;
      expect(rows.map((row: object) => 'remarks' in row)).toEqual([remarks, false]);
    }
  });

  it('requires segment and product of positions, in lower case', () => {
    const { primary, clock } = rehearse();
    primary('POST', '/order', primaryOrder());
    clock.advance(5_000);
    expect(primary('GET', '/portfolio/positions').status).toBe(400);
    expect(primary('GET', '/portfolio/positions?segment=EQUITY&product=CNC').status).toBe(400);
    const rows = primary('GET', '/portfolio/positions?segment=equity&product=cnc').json.data;
    expect(rows[0]).toMatchObject({ symbol: 'INFY', net_qty: 10, cf_buy_qty: null });
  });

  it('has an envelope for each kind of refused authorization', () => {
    const { sandbox } = rehearse();
    const ask = (headers: Record<string, string>) =>
      answerOf(sandbox.handle({ method: 'GET', url: `${primaryOrigin}/funds`, headers, body: '' }));
    expect(ask({})).toMatchObject({ status: 400, json: { success: false } });
    expect(ask({ authorization: 'Bearer raw-token' }).status).toBe(401);
    expect(ask({ authorization: 'other' })).toMatchObject({
      status: 403,
      json: { error_type: 'TokenException' },
    });
  });

  it('answers 429 with its own body', () => {
    const { primary } = rehearse({ enforceLimits: true });
    const path = '/market/quotes/ltp?scrip-codes=NSE_1594';
    const statuses = [1, 2, 3, 4, 5].map(() => primary('GET', path).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200]);
    expect(primary('GET', path)).toMatchObject({
      status: 429,
      json: { error: 'Rate limit exceeded', success: false },
    });
  });

  it('reads candles with their own envelope, and cuts a wide window silently', () => {
    const { primary, clock } = rehearse();
    const end = clock.now();
    const path = `/market/historical/60minute?scrip-codes=NSE_1594&start_time=${end - 30 * 86_400_000}&end_time=${end}`;
    const { json } = primary('GET', path);
    expect(json.success).toBe(true);
    expect(json.data.NSE_1594.candles).toHaveLength(15 * 24);
  });

  it('leaves a code without candles out of a success', () => {
    const { primary } = rehearse({ market: 'exchange' });
    const [from, to] = ['2026-11-07', '2026-11-08'].map((day) => Date.parse(`${day}T00:00+05:30`));
    const path = `/market/historical/5minute?scrip-codes=NSE_1594&start_time=${from}&end_time=${to}`;
    expect(primary('GET', path).json).toEqual({ success: true, data: {} });
  });

  it('has no candle that begins at the end of the window', () => {
    const { primary } = rehearse({ market: 'exchange' });
    const [from, to] = ['09:15', '09:25'].map((hour) => Date.parse(`2026-11-06T${hour}+05:30`));
    const path = `/market/historical/5minute?scrip-codes=NSE_1594&start_time=${from}&end_time=${to}`;
    const { candles } = primary('GET', path).json.data.NSE_1594;
    expect(candles.map((one: { ts: number }) => one.ts * 1000)).toEqual([from, from! + 300_000]);
  });

  it.each([
    ['a code that is not known', 'NSE_1594,NSE_1'],
    ['more than five codes', 'NSE_1594,NSE_2885,NSE_3045,NSE_1333,NSE_11536,NSE_4963'],
  ])('refuses the candles of %s', (_what, codes) => {
    const { primary, clock } = rehearse();
    const times = `start_time=${clock.now() - 3_600_000}&end_time=${clock.now()}`;
    const answer = primary('GET', `/market/historical/5minute?scrip-codes=${codes}&${times}`);
    expect(answer).toMatchObject({
      status: 400,
      json: { debug_info: expect.stringContaining('Invalid scrip codes') },
    });
  });

  it('has the option chain in its documented form', () => {
    const { primary } = rehearse();
    const [expiry] = primary('GET', '/market/instruments/expiries?underlying=NIFTY').json.data;
    const path = '/market/option-chain?exchange=NSE&segment=INDEX&underlying-scrip=40000001';
    const { data } = primary('GET', `${path}&expiry=${expiry}&strike_count=3`).json;
    expect(data).toMatchObject({ expiry, underlying_ltp: expect.any(Number) });
    expect(Object.keys(data.strikes)).toHaveLength(3);
    for (const wrong of [`${path}&expiry=2026-01-01`, path.replace('INDEX', 'EQUITY')]) {
      expect(primary('GET', wrong).status).toBe(400);
    }
  });

  it('has only the older form of the chain when a fault removes the other', () => {
    const { primary, sandbox } = rehearse();
    sandbox.faults.add({
      broker: 'primary',
      kind: 'error_before',
      match: { path: '/market/option-chain' },
      params: { status: 404 },
    });
    expect(primary('GET', '/market/option-chain?exchange=NSE').status).toBe(404);
    const { calls, puts } = primary('GET', '/option-chain?symbol=NIFTY').json.data;
    expect([calls.length, puts.length]).toEqual([21, 21]);
  });

  it('lists instruments in three files', () => {
    const { primary } = rehearse();
    expect(primary('GET', '/market/instruments?source=equity').body).toContain('1594,INFY');
    expect(primary('GET', '/market/instruments?source=fno').body).toContain(
      'NIFTY-Nov2026-24450-CE',
    );
    expect(primary('GET', '/market/instruments?source=index').body).toBe(
      'EXCH,SEGMENT,SECURITY_ID\nNSE,NIFTY 50,40000001\nNSE,NIFTY BANK,40000002\n',
    );
  });

  it('fires a smart order when its price is reached', () => {
    const { primary, clock, sandbox } = rehearse();
    sandbox.exchange.setPrice('NSE:INFY', 150_000);
    const body = primaryOrder({
      order_type: 'TRIGGER',
      trigger_price: 1490,
      trigger_limit_price: 1495,
    });
    const [made] = primary('POST', '/smart/order', body).json.data.order_data;
    expect(made.order_status).toBe('CREATED');
    clock.advance(100);
    expect(primary('GET', '/order-book').json.data[0]).toMatchObject({
      order_type: 'GTT_LIMIT',
      status: 'SL-PENDING',
      tgt_trigger_price: '1490',
    });
    sandbox.exchange.setPrice('NSE:INFY', 149_000);
    expect(sandbox.primary.order(made.order_id)?.status).toBe('SUCCESS');
  });

  it('ends the other leg of an exit when one has fired', () => {
    const { primary, clock, sandbox } = rehearse();
    sandbox.exchange.setPrice('NSE:INFY', 150_000);
    const pairs = {
      sl_trigger_price: 1480,
      sl_limit_price: 1475,
      tgt_trigger_price: 1520,
      tgt_limit_price: 1519,
    };
    primary('POST', '/smart/order', primaryOrder(pairs));
    clock.advance(500);
    sandbox.exchange.setPrice('NSE:INFY', 152_100);
    clock.advance(500);
    const legs = sandbox.primary.orders().filter((order) => order.orderType === 'OCO');
    expect(legs.map((leg) => leg.status)).toEqual(['CANCELLED', 'SUCCESS']);
  });

  it('reads an order named in the body of a GET', async () => {
    const served = await serveSandbox({
      settings: {
        market: 'always-open',
        kite: {
          apiKey: 'key',
          apiSecret: 'secret',
          userId: 'AB1234',
          redirectUrl: 'http://127.0.0.1:1/callback',
          postbackUrl: null,
        },
        primary: { accessToken: 'raw-token', clientId: '1', enforceIpv4: true },
      },
    });
    const headers = { authorization: 'raw-token', 'content-type': 'application/json' };
    const placed = await request(`${served.primaryOrigin}/order`, {
      method: 'POST',
      headers,
      body: JSON.stringify(primaryOrder()),
    });
    const { data } = (await placed.body.json()) as { data: { order_id: string } };
    const read = await request(`${served.primaryOrigin}/order`, {
      method: 'GET',
      headers,
      body: JSON.stringify({ order_id: data.order_id, segment: 'EQUITY' }),
    });
    expect(await read.body.json()).toMatchObject({ data: { id: data.order_id } });
    await served.close();
  });
});
