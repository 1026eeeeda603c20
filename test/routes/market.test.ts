import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { NOW, NOW_IST } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const get = (path: string) => app.http.get(path).set('Authorization', KEYS.read);

describe('GET /candles', () => {
  const path = '/api/v1/candles?instrument=NSE:INFY&interval=5minute';

  it('answers candles with times in IST, and their source', async () => {
    const response = await get(`${path}&from=2026-11-23T09:15&to=2026-11-23T10:00:00%2B05:30`);
    expectDeclared(app, 'GET /api/v1/candles', response);
    expect(response.body).toMatchObject({
      data: [{ at: NOW_IST, open: 1490, high: 1510, low: 1488, close: 1500.5, volume: 900 }],
      meta: { broker: 'alt', asOf: NOW_IST },
    });
    expect(app.fake.calls).toEqual([
      [
        'getCandles',
        {
          instrument: 'NSE:INFY',
          interval: '5minute',
          from: Date.parse('2026-11-23T09:15:00+05:30'),
          to: Date.parse('2026-11-23T10:00:00+05:30'),
        },
        {},
      ],
    ]);
  });

  it('ends now when no end is given', async () => {
    await get(`${path}&from=2026-11-23&broker=primary&maxAgeMs=0`);
    expect(app.fake.calls[0]?.[1]).toMatchObject({ to: NOW });
    expect(app.fake.calls[0]?.[2]).toEqual({ broker: 'primary', maxAgeMs: 0 });
  });

  it.each(['&from=2026-11-23&to=2026-11-23', '&from=2026-11-24&to=2026-11-23', '&from=2026-11-24'])(
    'is refused for a window that ends before it begins: %s',
    async (window) => {
      const problem = expectProblem(await get(path + window), 400, 'empty_range');
      expect(problem.detail).toContain('query.from');
      expect(app.fake.calls).toEqual([]);
    },
  );

  it('is 400 with a reason when no broker has such candles', async () => {
    app.fake.set({
      getCandles: async () => {
        throw new GatewayProblem({ code: 'invalid_request', detail: 'no broker has candles of …' });
      },
    });
    const problem = expectProblem(await get(`${path}&from=2026-11-23`), 400, 'invalid_request');
    expect(problem.detail).toContain('no broker has candles');
  });
});

describe('GET /option-chain', () => {
  const path = '/api/v1/option-chain?underlying=NSE:NIFTY%2050';

  it('answers strikes with their call and put', async () => {
    const response = await get(`${path}&expiry=2026-11-24&strikes=5`);
    expectDeclared(app, 'GET /api/v1/option-chain', response);
    expect(response.body.data).toMatchObject({
      underlying: 'NSE:NIFTY 50',
      underlyingPrice: 24450,
      strikes: [{ strike: 24450, call: { lastPrice: 180, greeks: { delta: 0.5 } }, put: null }],
    });
    expect(app.fake.calls).toEqual([
      ['getOptionChain', { underlying: 'NSE:NIFTY 50', expiry: '2026-11-24', strikes: 5 }, {}],
    ]);
  });

  it('lets the broker choose expiry and strikes when they are not given', async () => {
    await get(`${path}&broker=primary`);
    expect(app.fake.calls).toEqual([
      [
        'getOptionChain',
        { underlying: 'NSE:NIFTY 50', expiry: null, strikes: null },
        { broker: 'primary' },
      ],
    ]);
  });
});

describe('GET /expiries', () => {
  it('answers the expiry days', async () => {
    const response = await get('/api/v1/expiries?underlying=NIDX_40000001');
    expectDeclared(app, 'GET /api/v1/expiries', response);
    expect(response.body.data).toEqual(['2026-11-24', '2026-12-29']);
    expect(app.fake.calls).toEqual([['getExpiries', 'NIDX_40000001', {}]]);
  });
});
