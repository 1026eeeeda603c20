import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { NOW_IST } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const get = (query = '') =>
  app.http.get(`/api/v1/triggers${query}`).set('Authorization', KEYS.read);

describe('triggers', () => {
  it('are told with a read-only key, at the named broker', async () => {
    const response = await get('?broker=primary');
    expectDeclared(app, 'GET /api/v1/triggers', response);
    expect(response.body).toMatchObject({
      data: [{ triggerId: '100001', status: 'waiting', createdAt: NOW_IST, expiresAt: null }],
      meta: { broker: 'alt' },
    });
    expect(app.fake.calls).toEqual([['getTriggers', { broker: 'primary' }]]);
  });

  it('are refused for a broker that is none', async () => {
    expectProblem(await get('?broker=nobody'), 400, 'invalid_request');
  });
});
