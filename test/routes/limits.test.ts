import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { BUCKET, NOW_IST } from './support/samples.ts';

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
              { seconds: 1, limit: 10, left: 9 },
              { seconds: 86_400, limit: 5_000, left: 4_321 },
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
    expect(app.fake.calls).toEqual([['getLimits', { broker: 'primary' }]]);
  });

  it('need a key', async () => {
    expectProblem(await app.http.get('/api/v1/limits'), 401, 'unauthorized');
  });
});
