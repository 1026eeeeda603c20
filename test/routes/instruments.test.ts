import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { NOW_IST } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const get = (path: string) => app.http.get(path).set('Authorization', KEYS.read);

describe('a search for instruments', () => {
  it('passes on its words and its filters', async () => {
    const query = 'q=NIFTY%20NOV%2024450&segment=DERIVATIVE&type=CE&expiry=2026-11-24&exchange=NFO';
    expectDeclared(app, 'GET /api/v1/instruments', await get(`/api/v1/instruments?${query}`));
    expect(app.fake.calls).toEqual([
      [
        'getInstruments',
        {
          text: 'NIFTY NOV 24450',
          segment: 'DERIVATIVE',
          type: 'CE',
          expiry: '2026-11-24',
          exchange: 'NFO',
          limit: 50,
        },
      ],
    ]);
  });

  it.each(['segment=FNO', 'type=EQ', 'type=ce', 'expiry=2026-02-30', 'expiry=24NOV'])(
    'is refused for %s',
    async (query) => {
      expectProblem(await get(`/api/v1/instruments?${query}`), 400, 'invalid_request');
      expect(app.fake.calls).toEqual([]);
    },
  );
});

it('the list of brokers has the age of each instrument list', async () => {
  const response = await get('/api/v1/brokers');
  expectDeclared(app, 'GET /api/v1/brokers', response);
  expect(response.body.data.map((each: { instruments: unknown }) => each.instruments)).toEqual([
    {
      ...{ count: 2, asOf: NOW_IST, outdated: false, problem: null },
      lists: [{ name: 'instruments', count: 2, asOf: NOW_IST, outdated: false, problem: null }],
    },
    null,
  ]);
});
