import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../../src/platform/http.ts';
import { altBench, failureOf, instrument } from './support/alt-broker.ts';
import { html, success } from './support/scripted-transport.ts';
import { epochMs } from '../../../src/units/branded.ts';

const quote = (changes: Record<string, unknown> = {}) => ({
  instrument_token: 408065,
  timestamp: '2026-11-20 10:00:00',
  last_trade_time: '2026-11-20 09:59:58',
  last_price: 1512.4,
  volume: 7360198,
  net_change: 0,
  lower_circuit_limit: 1360.5,
  upper_circuit_limit: 1662.9,
  ohlc: { open: 1500, high: 1520.5, low: 1490, close: 1500.2 },
  depth: {
    buy: [
      { price: 1512.35, quantity: 10, orders: 2 },
      { price: 0, quantity: 0, orders: 0 },
    ],
    sell: [{ price: 0, quantity: 0, orders: 0 }],
  },
  ...changes,
});

const asked = (request: HttpRequest): string[] => new URL(request.url).searchParams.getAll('i');
const many = (count: number) =>
  Array.from({ length: count }, (_, index) => instrument(`NSE:SYMBOL${index}`));

describe('quotes', () => {
  it('are read with their time in IST and without empty levels', async () => {
    const { broker } = altBench(success({ 'NSE:INFY': quote() }));
    const quotes = await broker.marketData.quotes([instrument('NSE:INFY')]);
    expect(quotes.get('NSE:INFY')).toEqual({
      instrument: 'NSE:INFY',
      lastPrice: 1512.4,
      open: 1500,
      high: 1520.5,
      low: 1490,
      previousClose: 1500.2,
      change: 12.2,
      changePercent: 0.8132,
      volume: 7360198,
      bid: 1512.35,
      ask: null,
      depth: { buy: [{ price: 1512.35, quantity: 10, orders: 2 }], sell: [] },
      upperCircuit: 1662.9,
      lowerCircuit: 1360.5,
      trading: {
        ...{ averagePrice: null, lastQuantity: null, buyQuantity: null, sellQuantity: null },
        lastTradeAt: Date.parse('2026-11-20T09:59:58+05:30'),
        ...{ openInterest: null, openInterestHigh: null, openInterestLow: null },
      },
      at: Date.parse('2026-11-20T10:00:00+05:30'),
    });
  });

  it('of an index lack what an index lacks', async () => {
    const index = { instrument_token: 256265, last_price: 24450.1, ohlc: { close: 0 } };
    const { broker } = altBench(success({ 'NSE:NIFTY 50': index }));
    const quotes = await broker.marketData.quotes([instrument('NSE:NIFTY 50')]);
    expect(quotes.get('NSE:NIFTY 50')).toMatchObject({
      lastPrice: 24450.1,
      previousClose: null,
      change: null,
      changePercent: null,
      depth: null,
      bid: null,
      at: null,
    });
  });

  it('of an unknown instrument are absent', async () => {
    const { broker } = altBench(success({ 'NSE:INFY': quote() }));
    const quotes = await broker.marketData.quotes(
      ['NSE:INFY', 'NSE:GONE'].map((n) => instrument(n)),
    );
    expect([...quotes.keys()]).toEqual(['NSE:INFY']);
  });

  it('of no instruments send no request', async () => {
    const { broker, transport } = altBench(success({}));
    expect((await broker.marketData.quotes([])).size).toBe(0);
    expect(transport.requests).toHaveLength(0);
  });

  it('fail as a whole when one of them cannot be read', async () => {
    const { broker } = altBench(success({ 'NSE:INFY': quote(), 'NSE:TCS': { last_price: '3' } }));
    const read = broker.marketData.quotes(['NSE:INFY', 'NSE:TCS'].map((name) => instrument(name)));
    expect((await failureOf(read)).kind).toBe('bad_payload');
  });

  it('are requested 500 to a call', async () => {
    const { broker, transport, time } = altBench(success({}));
    await time.settle(broker.marketData.quotes(many(501)));
    expect(transport.requests.map((request) => asked(request).length)).toEqual([500, 1]);
  });

  it('say when their request leaves: after the wait for the rate limit', async () => {
    const { broker, time } = altBench(success({}), success({}));
    const left: number[] = [];
    const read = () =>
      broker.marketData.quotes([instrument('NSE:INFY')], () => left.push(time.elapsed()));
    await time.settle(Promise.all([read(), read()]));
    expect(left).toEqual([0, 1_050]);
  });

  it('fail as a whole when one of their calls fails', async () => {
    const { broker, time } = altBench(success({ 'NSE:SYMBOL0': quote() }), html(502));
    const read = failureOf(broker.marketData.quotes(many(501)));
    expect((await time.settle(read)).kind).toBe('http');
  });
});

describe('last prices', () => {
  it('are requested 1000 to a call', async () => {
    const { broker, transport, time } = altBench(success({ 'NSE:SYMBOL0': { last_price: 5.5 } }));
    const prices = await time.settle(broker.marketData.lastPrices(many(1_001)));
    expect(transport.requests.map((request) => asked(request).length)).toEqual([1_000, 1]);
    expect([...prices]).toEqual([['NSE:SYMBOL0', { instrument: 'NSE:SYMBOL0', lastPrice: 5.5 }]]);
  });
});

describe('candles', () => {
  const read = (candles: unknown[]) =>
    altBench(success({ candles })).broker.marketData.candles!({
      instrument: instrument('NSE:INFY'),
      interval: '1minute',
      from: epochMs(Date.parse('2026-11-20T09:15:00+05:30')),
      to: epochMs(Date.parse('2026-11-20T15:30:00+05:30')),
    });

  it('are read with their zone, with or without open interest', async () => {
    const candles = await read([
      ['2026-11-20T09:15:00+0530', 1, 4, 0.5, 3, 100],
      ['2026-11-20T09:16:00+0530', 3, 3, 3, 3, 0, 77],
    ]);
    expect(candles).toEqual([
      {
        ...{ at: Date.parse('2026-11-20T03:45:00Z'), open: 1, high: 4, low: 0.5, close: 3 },
        ...{ volume: 100, openInterest: null },
      },
      {
        ...{ at: Date.parse('2026-11-20T03:46:00Z'), open: 3, high: 3, low: 3, close: 3 },
        ...{ volume: 0, openInterest: 77 },
      },
    ]);
  });

  it.each([
    ['without a zone', ['2026-11-20T09:15:00', 1, 1, 1, 1, 1]],
    ['with a null price', ['2026-11-20T09:15:00+0530', 1, null, 1, 1, 1]],
    ['cut short', ['2026-11-20T09:15:00+0530', 1]],
  ])('fail on one %s', async (_what, candle) => {
    expect((await failureOf(read([candle]))).kind).toBe('bad_payload');
  });

  it('are not requested for an instrument without a token', async () => {
    const { broker, transport } = altBench(success({}));
    const unknown = instrument('NSE:INFY', { instrumentToken: null });
    await failureOf(
      broker.marketData.candles!({
        instrument: unknown,
        interval: '1day',
        from: epochMs(0),
        to: epochMs(1),
      }),
    );
    expect(transport.requests).toHaveLength(0);
  });
});
