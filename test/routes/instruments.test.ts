import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { writeCursor } from '../../src/router/pages.ts';
import { INFY, NOW, NOW_IST } from './support/samples.ts';

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

  it('comes in pages, and the cursor of one leads to the next', async () => {
    const last = { rank: 2, expiry: '2026-11-24', strike: 24_450, name: 'NFO:NIFTY26NOV24450CE' };
    app.fake.set({ getInstruments: async () => ({ instruments: [INFY], last }) });
    const first = await get('/api/v1/instruments?q=nifty&exchange=NFO&limit=1');
    expectDeclared(app, 'GET /api/v1/instruments', first);
    const { nextCursor } = first.body.meta;
    const asked = { text: 'nifty', exchange: 'NFO' };
    const next = await get(
      `/api/v1/instruments?exchange=NFO&limit=20&cursor=${nextCursor}&q=nifty`,
    );
    expect(next.status).toBe(200);
    expect(app.fake.calls).toEqual([
      ['getInstruments', { ...asked, limit: 1 }],
      ['getInstruments', { ...asked, limit: 20, after: last }],
    ]);
    for (const other of ['q=nifty', 'q=bank&exchange=NFO', 'q=nifty&exchange=NFO&type=CE']) {
      const refused = await get(`/api/v1/instruments?${other}&cursor=${nextCursor}`);
      expectProblem(refused, 400, 'wrong_cursor');
    }
    expect(app.fake.calls).toHaveLength(2);
  });

  it.each([
    'x',
    'e30',
    writeCursor({ list: 'orders', of: '2026-11-06', after: { id: 'o', createdAt: NOW } }),
  ])('is refused for the cursor %s', async (cursor) => {
    expectProblem(await get(`/api/v1/instruments?cursor=${cursor}`), 400, 'invalid_request');
    expect(app.fake.calls).toEqual([]);
  });

  it.each(['segment=FNO', 'type=EQ', 'type=ce', 'expiry=2026-02-30', 'expiry=24NOV'])(
    'is refused for %s',
    async (query) => {
      expectProblem(await get(`/api/v1/instruments?${query}`), 400, 'invalid_request');
      expect(app.fake.calls).toEqual([]);
    },
  );
});

describe('an instrument', () => {
  it.each([
    ['NSE', 1],
    ['BFO', 1],
    ['MCX', null],
    ['CDS', null],
  ] as const)(
    'of %s tells how many units one of its quantity is: %s',
    async (exchange, multiplier) => {
      app.fake.set({ getInstrument: async () => ({ ...INFY, exchange }) });
      const { body } = await get('/api/v1/instruments/NSE:INFY');
      expect(body.data.multiplier).toBe(multiplier);
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
