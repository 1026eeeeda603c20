import { describe, expect, it } from 'vitest';
import type { HttpReply } from '../../../src/platform/http.ts';
import {
  answered,
  failureOf,
  infosys,
  instrument,
  lost,
  option,
  setUp,
  success,
} from './support.ts';

const badCodes = answered(400, { debug_info: 'Invalid scrip codes', message: 'Bad Request' });
const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    instrument({ name: `NSE:S${index}`, tradingSymbol: `S${index}`, securityId: String(index) }),
  );

/** A broker that knows every code except these. */
const knowingAllBut =
  (...bad: readonly string[]) =>
  (_: unknown, url: URL): HttpReply => {
    const codes = url.searchParams.get('scrip-codes')!.split(',');
    if (codes.some((code) => bad.includes(code))) return badCodes;
    return success(Object.fromEntries(codes.map((code) => [code, { live_price: 100 }])));
  };

const quoteOf = async (row: Record<string, unknown>) => {
  const { marketData } = setUp({ respond: () => success({ NSE_1594: row }) });
  return (await marketData.quotes([infosys])).get('NSE:INFY');
};

describe('quotes', () => {
  it('are requested by scrip code, with a deadline of 3 s', async () => {
    const { marketData, transport } = setUp({ respond: knowingAllBut() });
    await marketData.quotes([infosys]);
    expect(transport.requests).toMatchObject([
      {
        method: 'GET',
        url: 'https://broker.test/market/quotes/full?scrip-codes=NSE_1594',
        deadlineMs: 3_000,
      },
    ]);
  });

  it.each([
    [{ exchange: 'NFO', segment: 'DERIVATIVE' }, 'NFO_7'],
    [{ exchange: 'NSE', segment: 'INDEX' }, 'NIDX_7'],
    [{ exchange: 'BSE', segment: 'INDEX' }, 'BIDX_7'],
  ] as const)('of %j use the code %s', async (changes, code) => {
    const { marketData, transport } = setUp({ respond: knowingAllBut() });
    await marketData.quotes([instrument({ ...changes, securityId: '7' })]);
    expect(transport.urls[0]!.searchParams.get('scrip-codes')).toBe(code);
  });

  it('are mapped', async () => {
    const row = {
      live_price: 1500.5,
      day_open: '1,490.00',
      day_high: 1510,
      day_low: 1480,
      prev_close: 1495,
      day_change: 5.5,
      day_change_percentage: 0.37,
      volume: '5,82,909',
      best_bid_price: 1500.4,
      best_ask_price: 1500.6,
      upper_circuit: 1640,
      lower_circuit: 1340,
      '52week_high': '1,990.05',
      '52week_low': 1310,
    };
    expect(await quoteOf(row)).toEqual({
      instrument: 'NSE:INFY',
      lastPrice: 1500.5,
      open: 1490,
      high: 1510,
      low: 1480,
      previousClose: 1495,
      change: 5.5,
      changePercent: 0.37,
      volume: 582909,
      bid: 1500.4,
      ask: 1500.6,
      depth: null,
      upperCircuit: 1640,
      lowerCircuit: 1340,
      yearHigh: 1990.05,
      yearLow: 1310,
      at: null,
    });
  });

  const depth = {
    aggregate: { total_buy: '1000' },
    depth: [
      { buy: { quantity: '1,000', price: '99.9' }, sell: { quantity: '120', price: '1,100.1' } },
      { buy: { quantity: '90', price: '99.8' }, sell: { quantity: '0', price: '0' } },
    ],
  };
  it.each([
    ['directly', depth],
    ['nested once more under the scrip code', { NSE_1594: depth }],
  ])('take bid and ask from the depth, %s, when they are missing', async (_, market_depth) => {
    expect(await quoteOf({ live_price: 100, market_depth })).toMatchObject({
      bid: 99.9,
      ask: 1100.1,
      depth: {
        buy: [
          { price: 99.9, quantity: 1000, orders: null },
          { price: 99.8, quantity: 90, orders: null },
        ],
        sell: [{ price: 1100.1, quantity: 120, orders: null }],
      },
    });
  });

  it('are absent for an instrument without an id or a price at the broker', async () => {
    const { marketData, transport } = setUp({
      respond: () => success({ NSE_1: { live_price: null }, NSE_2: null }),
    });
    const asked = [undefined, '1', '2', '3'].map((id) =>
      instrument({ name: `NSE:X${id}`, securityId: id ?? null }),
    );
    expect((await marketData.quotes(asked)).size).toBe(0);
    expect(transport.urls[0]!.searchParams.get('scrip-codes')).toBe('NSE_1,NSE_2,NSE_3');
  });

  it.each([
    ['an outage', answered(503, ''), 'http'],
    ['a lost connection', lost, 'transport'],
    ['another refusal', answered(400, { message: 'no' }), 'http'],
    ['a failure inside 2xx', answered(200, { status: 'error', message: 'no' }), 'error_body'],
    ['a failure with empty data', answered(200, { success: false, data: {} }), 'error_body'],
    ['a page', answered(200, '<html>'), 'bad_payload'],
  ])('fail for %s', async (_, reply, kind) => {
    const { marketData } = setUp({ respond: () => reply });
    expect(await failureOf(marketData.quotes([infosys]))).toMatchObject({ kind });
  });
});

describe('an instrument with two codes', () => {
  const index = instrument({
    name: 'NSE:NIFTY 50',
    tradingSymbol: 'NIFTY 50',
    segment: 'INDEX',
    securityId: '40000001',
  });
  const asked = (urls: readonly URL[]) => urls.map((url) => url.searchParams.get('scrip-codes'));

  it('is requested under the second when the first is bad, and the rest is answered', async () => {
    const { marketData, transport, time } = setUp({ respond: knowingAllBut('NIDX_40000001') });
    const found = await time.settle(marketData.quotes([infosys, index]));
    expect([...found.keys()].toSorted()).toEqual(['NSE:INFY', 'NSE:NIFTY 50']);
    expect(asked(transport.urls)).toEqual([
      'NSE_1594,NIDX_40000001',
      'NSE_1594',
      'NIDX_40000001',
      'NSE_40000001',
    ]);
  });

  it('is requested under the second at once while the first is left out', async () => {
    const { marketData, transport, time } = setUp({ respond: knowingAllBut('NIDX_40000001') });
    await time.settle(marketData.quotes([index]));
    const before = transport.requests.length;
    expect((await time.settle(marketData.lastPrices([index]))).size).toBe(1);
    expect(asked(transport.urls.slice(before))).toEqual(['NSE_40000001']);
  });

  it('is absent when both are bad', async () => {
    const { marketData, transport, time } = setUp({ respond: () => badCodes });
    expect((await time.settle(marketData.quotes([index]))).size).toBe(0);
    expect(asked(transport.urls)).toEqual(['NIDX_40000001', 'NSE_40000001']);
  });

  it('has as a derivative the code of its segment first, then that of its exchange', async () => {
    const { marketData, transport, time } = setUp({ respond: knowingAllBut('NFO_56998') });
    expect((await time.settle(marketData.quotes([option]))).size).toBe(1);
    expect(asked(transport.urls)).toEqual(['NFO_56998', 'NSE_56998']);
  });

  it('is never requested under the code of a share with the same number', async () => {
    const share = instrument({ name: 'NSE:OTHER', securityId: option.securityId });
    const { marketData, transport, time } = setUp({
      respond: knowingAllBut('NFO_56998'),
      instruments: [share, option],
    });
    expect((await time.settle(marketData.quotes([option]))).size).toBe(0);
    expect(asked(transport.urls)).toEqual(['NFO_56998']);
  });
});

describe('last prices', () => {
  it('come from the shorter call', async () => {
    const { marketData, transport } = setUp({ respond: knowingAllBut() });
    expect(await marketData.lastPrices([infosys])).toEqual(
      new Map([['NSE:INFY', { instrument: 'NSE:INFY', lastPrice: 100 }]]),
    );
    expect(transport.urls[0]!.pathname).toBe('/market/quotes/ltp');
  });
});

describe('a batch of codes', () => {
  it('has at most 500', async () => {
    const { marketData, transport, time } = setUp({ respond: knowingAllBut() });
    const found = await time.settle(marketData.quotes(many(1100)));
    expect(found.size).toBe(1100);
    const sizes = transport.urls.map(
      (url) => url.searchParams.get('scrip-codes')!.split(',').length,
    );
    expect(sizes).toEqual([500, 500, 100]);
  });

  it('that is refused for a bad code is halved until the rest is answered', async () => {
    const { marketData, time } = setUp({ respond: knowingAllBut('NSE_3', 'NSE_90') });
    const found = await time.settle(marketData.quotes(many(100)));
    expect(found.size).toBe(98);
    expect(found.has('NSE:S3')).toBe(false);
    expect(found.has('NSE:S90')).toBe(false);
  });

  it('leaves the bad code out for five minutes, and then asks again', async () => {
    const { marketData, transport, time } = setUp({ respond: knowingAllBut('NSE_3') });
    await time.settle(marketData.quotes(many(8)));
    const before = transport.requests.length;
    time.stepWall(3_600_000);
    await time.advance(299_000 - time.elapsed());
    expect((await time.settle(marketData.lastPrices(many(8)))).size).toBe(7);
    expect(transport.requests.length).toBe(before + 1);
    await time.advance(10_000);
    transport.respond = knowingAllBut();
    expect((await time.settle(marketData.quotes(many(8)))).size).toBe(8);
  });

  it('asks nothing when all its codes are left out', async () => {
    const { marketData, transport, time } = setUp({ respond: () => badCodes });
    expect((await time.settle(marketData.quotes([infosys]))).size).toBe(0);
    const before = transport.requests.length;
    expect((await marketData.quotes([infosys])).size).toBe(0);
    expect(transport.requests.length).toBe(before);
  });

  it('fails after a limited number of requests when the broker refuses every code', async () => {
    const { marketData, transport, time } = setUp({ respond: () => badCodes });
    const failure = await failureOf(time.settle(marketData.quotes(many(500))));
    expect(failure).toMatchObject({ kind: 'http', status: 400 });
    expect(transport.requests.length).toBeLessThanOrEqual(70);
  });

  it.each([
    ['an outage', answered(503, { message: 'Invalid scrip codes' })],
    ['a limit', answered(429, { error: 'Rate limit exceeded', success: false })],
    ['a dead token', answered(403, { message: 'Token is invalid', error_type: 'TokenException' })],
    ['another refusal', answered(400, { message: 'Bad Request', debug_info: 'No such mode' })],
    ['a lost connection', lost],
  ])('is not halved for %s, which says nothing of its codes', async (_, reply) => {
    const { marketData, transport, time } = setUp({ respond: () => reply });
    await failureOf(time.settle(marketData.quotes(many(100))));
    expect(transport.requests).toHaveLength(1);
    transport.respond = knowingAllBut();
    await time.advance(2_000);
    expect((await time.settle(marketData.quotes(many(100)))).size).toBe(100);
  });

  it('answers each of two instruments that share a code', async () => {
    const { marketData, transport } = setUp({ respond: knowingAllBut() });
    const other = instrument({ name: 'NSE:INFY-EQ' });
    expect([...(await marketData.quotes([infosys, other])).keys()]).toEqual([
      'NSE:INFY',
      'NSE:INFY-EQ',
    ]);
    expect(transport.urls[0]!.searchParams.get('scrip-codes')).toBe('NSE_1594');
  });

  it('fails as a whole when a half cannot be reached', async () => {
    const { marketData, transport, time } = setUp();
    transport.respond = (_, url) =>
      url.searchParams.get('scrip-codes')!.includes(',') ? badCodes : lost;
    const failure = await failureOf(time.settle(marketData.quotes(many(2))));
    expect(failure).toMatchObject({ kind: 'transport' });
  });
});
