import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { expectDeclared, expectProblem, KEYS, startApp, type Harness } from './support/harness.ts';
import { META, NOW, NOW_IST, QUOTE } from './support/samples.ts';

let app: Harness;
beforeEach(async () => void (app = await startApp()));
afterEach(() => app.close());

const get = (path: string) => app.http.get(path).set('Authorization', KEYS.read);

describe('quotes', () => {
  it('are keyed by instrument as the caller wrote it; instruments not found are under errors', async () => {
    const response = await get('/api/v1/quotes?instruments=NSE:INFY,NSE:GONE&maxAgeMs=500');
    expectDeclared(app, 'GET /api/v1/quotes', response);
    expect(response.body).toMatchObject({
      data: { 'NSE:INFY': { lastPrice: 1500.5, at: NOW_IST, depth: QUOTE.depth } },
      errors: { 'NSE:GONE': 'there is no such instrument' },
      meta: { broker: 'alt', source: 'alt', asOf: NOW_IST, ageMs: 12 },
    });
    expect(app.fake.calls).toEqual([['getQuotes', ['NSE:INFY', 'NSE:GONE'], { maxAgeMs: 500 }]]);
  });

  it('are read once for each instrument, with blanks trimmed', async () => {
    await get('/api/v1/quotes?instruments=NSE:INFY,%20NSE:NIFTY%2050,,NSE:INFY');
    expect(app.fake.calls[0]?.[1]).toEqual(['NSE:INFY', 'NSE:NIFTY 50']);
  });

  it('list a malformed instrument under errors, and answer the rest', async () => {
    const response = await get('/api/v1/quotes?instruments=NSE:INFY,IN%3FY');
    expectDeclared(app, 'GET /api/v1/quotes', response);
    expect(Object.keys(response.body.errors)).toEqual(['NSE:GONE', 'IN?Y']);
    expect(app.fake.calls[0]?.[1]).toEqual(['NSE:INFY']);
  });

  it('are refused when no text is an instrument', async () => {
    const response = await get('/api/v1/quotes?instruments=408065');
    expectProblem(response, 400, 'invalid_request');
    expect(app.fake.calls).toEqual([]);
  });

  it('are refused for more than 500 instruments', async () => {
    const many = Array.from({ length: 501 }, (_, at) => `NSE:A${at}`).join(',');
    expectProblem(await get(`/api/v1/quotes?instruments=${many}`), 400, 'invalid_request');
  });

  it('have a short form with last prices', async () => {
    const response = await get('/api/v1/ltp?instruments=NSE:INFY&broker=primary');
    expectDeclared(app, 'GET /api/v1/ltp', response);
    expect(response.body.data).toEqual({
      'NSE:INFY': { instrument: 'NSE:INFY', lastPrice: 1500.5 },
    });
    expect(app.fake.calls).toEqual([['getLastPrices', ['NSE:INFY'], { broker: 'primary' }]]);
  });
});

describe('the calendar', () => {
  const calendar = (query = '') => get(`/api/v1/calendar${query}`);

  it('is of this year unless another is asked for', async () => {
    const response = await calendar();
    expectDeclared(app, 'GET /api/v1/calendar', response);
    expect(response.body.data).toMatchObject({ year: '2026', nextTradingDay: '2026-11-25' });
    expect((await calendar('?year=2031')).body.data).toMatchObject({ holidays: null });
    expectProblem(await calendar('?year=soon'), 400, 'invalid_request');
  });
});

describe('prices of the day', () => {
  it('are a part of quotes', async () => {
    const response = await get('/api/v1/ohlc?instruments=NSE:INFY,NSE:GONE&maxAgeMs=0');
    expectDeclared(app, 'GET /api/v1/ohlc', response);
    expect(response.body.data['NSE:INFY']).toMatchObject({ open: 1490, previousClose: 1495 });
    expect(app.fake.calls).toEqual([['getQuotes', ['NSE:INFY', 'NSE:GONE'], { maxAgeMs: 0 }]]);
  });
});

describe('instruments', () => {
  it('are searched for by a part of their name', async () => {
    const response = await get('/api/v1/instruments?q=info&exchange=NSE&limit=5');
    expectDeclared(app, 'GET /api/v1/instruments', response);
    expect(app.fake.calls).toEqual([
      ['getInstruments', { text: 'info', exchange: 'NSE', limit: 5 }],
    ]);
  });

  it('are at most 50 unless more are asked for', async () => {
    await get('/api/v1/instruments');
    expect(app.fake.calls[0]?.[1]).toMatchObject({ limit: 50 });
  });

  it.each(['NSE:INFY', 'nse:infy', 'NSE_1594'])('are found one by one: %s', async (name) => {
    const response = await get(`/api/v1/instruments/${name}`);
    expectDeclared(app, 'GET /api/v1/instruments/{instrument}', response);
    expect(response.body.data.name).toBe('NSE:INFY');
    expect(app.fake.calls).toEqual([['getInstrument', name]]);
  });

  it('are 404 when no instrument list has them', async () => {
    app.fake.set({
      getInstrument: async () => {
        throw new GatewayProblem({ code: 'unknown_instrument', detail: 'there is none' });
      },
    });
    expectProblem(await get('/api/v1/instruments/NSE:GONE'), 404, 'unknown_instrument');
  });

  it('may have spaces and ampersands in their names', async () => {
    const name = 'NSE:M&M X';
    await get(`/api/v1/instruments/${encodeURIComponent(name)}`);
    expect(app.fake.calls).toEqual([['getInstrument', name]]);
  });
});

describe('the account', () => {
  it.each([
    ['positions', 'getPositions'],
    ['holdings', 'getHoldings'],
    ['funds', 'getFunds'],
    ['profile', 'getProfile'],
  ])('answers /%s with its source and its age', async (path, call) => {
    const response = await get(`/api/v1/${path}?broker=alt&maxAgeMs=0`);
    expect(response.status).toBe(200);
    expectDeclared(app, `GET /api/v1/${path}`, response);
    expect(response.body.meta).toMatchObject({ broker: 'alt', mode: 'live', asOf: NOW_IST });
    expect(app.fake.calls).toEqual([[call, { broker: 'alt', maxAgeMs: 0 }]]);
  });

  it('answers what was traded today as a list of its own', async () => {
    const response = await get('/api/v1/positions?list=day&broker=alt');
    expectDeclared(app, 'GET /api/v1/positions', response);
    expect(app.fake.calls).toEqual([['getDayPositions', { broker: 'alt' }]]);
    expectProblem(await get('/api/v1/positions?list=night'), 400, 'invalid_request');
  });

  it('says paper for the paper account', async () => {
    app.fake.set({
      getPositions: async () => ({ data: [], meta: { ...META, broker: 'paper', mode: 'paper' } }),
    });
    const response = await get('/api/v1/positions');
    expect(response.body).toMatchObject({ data: [], meta: { broker: 'paper', mode: 'paper' } });
  });
});

describe('brokers', () => {
  it('are listed with what they serve, or why they do not', async () => {
    const response = await get('/api/v1/brokers');
    expectDeclared(app, 'GET /api/v1/brokers', response);
    expect(response.body.data).toHaveLength(2);
  });

  it('say when one refused this computer’s address, and where to register it', async () => {
    const { body } = await get('/api/v1/brokers');
    const shown = body.data.map(({ addressRefusedAt, addressAdvice }: Record<string, unknown>) => [
      addressRefusedAt,
      addressAdvice,
    ]);
    expect(shown).toEqual([
      [NOW_IST, 'IP (10.1.2.3) is not allowed. Register it.'],
      [null, null],
    ]);
  });
});

describe('the kill switch', () => {
  it('shows its state', async () => {
    const response = await get('/api/v1/kill-switch');
    expectDeclared(app, 'GET /api/v1/kill-switch', response);
    expect(response.body.data).toEqual({
      engaged: false,
      thrown: false,
      reason: null,
      changedAt: null,
      onDisk: true,
      changedBy: null,
      stoppedKeys: [],
    });
  });

  const change = (body: object, key: keyof typeof KEYS = 'trade') =>
    app.http.post('/api/v1/kill-switch').set('Authorization', KEYS[key]).send(body);

  it.each([
    ['engaged', { engaged: true }, true],
    ['engaged by the older name', { thrown: true }, true],
    ['engaged by both names', { engaged: true, thrown: true }, true],
    ['released', { engaged: false }, false],
    ['released by the older name', { thrown: false }, false],
  ])('is %s with a reason and the name of the caller', async (_how, body, engaged) => {
    const by = engaged ? 'trade' : 'admin';
    const response = await change({ ...body, reason: 'enough' }, by);
    const caller = `key_${by}`;
    expectDeclared(app, 'POST /api/v1/kill-switch', response);
    expect(response.body.data).toEqual({
      engaged,
      thrown: engaged,
      reason: 'enough',
      changedAt: NOW_IST,
      onDisk: true,
      changedBy: caller,
      stoppedKeys: [],
    });
    expect(app.fake.calls).toEqual([
      ['setKillSwitch', engaged, 'enough', { caller, idempotencyKey: null }],
    ]);
  });

  it.each([
    ['names that disagree', { engaged: true, thrown: false }, 'differs from thrown'],
    ['names that disagree the other way', { engaged: false, thrown: true }, 'differs from thrown'],
    ['neither name', {}, 'is required'],
  ])('is not changed by %s', async (_how, body, problem) => {
    const response = await change({ ...body, reason: 'enough' });
    expectProblem(response, 400, 'invalid_request');
    expect(response.body.detail).toContain('engaged');
    expect(response.body.detail).toContain(problem);
    expect(app.fake.calls).toEqual([]);
  });
});

describe('health', () => {
  it('is live as long as the gateway answers, without a key', async () => {
    expectDeclared(app, 'GET /health/live', await app.http.get('/health/live'));
  });

  it('is ready when the gateway says so', async () => {
    const response = await app.http.get('/health/ready');
    expectDeclared(app, 'GET /health/ready', response);
    expect(response.body.data).toMatchObject({ ready: true, notices: [] });
  });

  it('is ready without a list, and names the list without quoting the broker', async () => {
    const list = { name: 'fno', count: 0, fetchedAt: null, outdated: false, problem: 'canary' };
    const held = { ...list, name: 'equity', count: 2, fetchedAt: NOW, outdated: true };
    const [broker] = app.fake.gateway.getBrokers();
    const other = await startApp();
    other.fake.set({
      getBrokers: () => [
        {
          ...broker!,
          instruments: { broker: 'primary', ...list, lists: [list, held] },
        },
      ],
    });
    const response = await other.http.get('/health/ready');
    expectDeclared(other, 'GET /health/ready', response);
    expect(response.body.data.notices).toEqual([
      expect.stringContaining('"fno" could not be read, and there is no earlier one'),
      expect.stringMatching(
        /"equity" could not be read: the one of \w{3} \d+ \w{3}, \d\d:\d\d IST is in use/,
      ),
    ]);
    expect(response.text).not.toContain('canary');
    await other.close();
  });

  it('says why it is not ready', async () => {
    const reasons = ['the journal is being read', 'alt: no complete read yet'];
    const notices = ['the order book of alt cannot be read'];
    const other = await startApp({
      ready: () => ({ ready: false, reasons, notices, isDiskLow: true, disarmed: null }),
    });
    const response = await other.http.get('/health/ready');
    const problem = expectProblem(response, 503, 'recovering');
    expect(problem).toMatchObject({ ready: false, reasons, notices });
    expect(problem['missing']).toContainEqual({
      what: 'new_orders',
      detail: expect.stringContaining('disk is nearly full'),
    });
    await other.close();
  });
});
