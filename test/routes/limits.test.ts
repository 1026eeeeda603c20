import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { BUCKET, NOW, NOW_IST } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const get = (path: string) => app.http.get(path).set('Authorization', KEYS.read);

describe('limits', () => {
  it('are shown for each bucket, with what is left of each window', async () => {
    const response = await get('/api/v1/limits');
    expectDeclared(app, 'GET /api/v1/limits', response);
    expect(response.body.data).toEqual([
      {
        broker: 'alt',
        buckets: [
          {
            name: 'orders',
            windows: [
              { seconds: 1, limit: 10, left: 9, reserved: 2 },
              { seconds: 86_400, limit: 5_000, left: 4_321, reserved: 1_000 },
            ],
            waiting: 2,
            pausedUntil: NOW_IST,
          },
        ],
      },
    ]);
  });

  it('have no pause when there is none', async () => {
    const buckets = [{ ...BUCKET, pausedUntil: null }];
    app.fake.set({ getLimits: () => [{ broker: 'primary', buckets }] });
    const response = await get('/api/v1/limits?broker=primary');
    expectDeclared(app, 'GET /api/v1/limits', response);
    expect(response.body.data[0].buckets[0].pausedUntil).toBeNull();
    expect(app.fake.calls).toContainEqual(['getLimits', { broker: 'primary' }]);
  });

  it('of the gateway itself are null where none is set', async () => {
    const response = await get('/api/v1/limits');
    expect(response.body.brakes).toEqual({
      ...{ maxOrderValue: null, maxOrderQuantity: null },
      ...{ maxOpenOrders: null, maxOrdersPerMinute: null, maxDailyLoss: null },
    });
  });

  it('of the gateway itself are shown with what is used of them', async () => {
    const named = new Map([['NIFTY', 2]]);
    const limits = {
      value: 100_000,
      quantity: { every: 500, named: new Map() },
      openOrders: { every: null, named },
      perMinute: 30,
    };
    const account = { broker: 'alt', profit: -1_234.5, from: 0, unread: null };
    const closing = { kind: 'begun', id: 'closing_1' } as const;
    const dailyLoss = {
      ...{ limit: 5_000, closesIntraday: true },
      accounts: [{ ...account, at: NOW, closing }],
    };
    const used = [
      { mode: 'live', orders: 3 },
      { mode: 'paper', orders: 1 },
    ] as const;
    const open = [{ broker: 'alt', instrument: 'NFO:NIFTY26NOVFUT', open: 1, limit: 2 }];
    app.fake.set({
      getBrakes: () => ({ orders: { limits, open, ofMinute: used }, dailyLoss }),
    });
    const response = await get('/api/v1/limits');
    expectDeclared(app, 'GET /api/v1/limits', response);
    expect(response.body.brakes).toEqual({
      maxOrderValue: 100_000,
      maxOrderQuantity: { every: 500, named: {} },
      maxOpenOrders: { every: null, named: { NIFTY: 2 }, open },
      maxOrdersPerMinute: { limit: 30, used },
      maxDailyLoss: {
        ...{ limit: 5_000, closesIntraday: true },
        accounts: [
          {
            ...{ ...account, at: NOW_IST },
            closing: { status: 'begun', id: 'closing_1', reason: null },
          },
        ],
      },
    });
  });

  it('need a key', async () => {
    expectProblem(await app.http.get('/api/v1/limits'), 401, 'unauthorized');
  });
});
