import { describe, expect, it } from 'vitest';
import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import { createRig, type Rig } from '../support/rig.ts';
import { loggedInRig } from './walk.ts';

const FRIDAY = 'instrument=NSE:INFY&interval=5minute&from=2026-11-06T09:15&to=2026-11-06T10:15';
const OPENING = '2026-11-06T09:15:00.000+05:30';

const fail = (rig: Rig, broker: 'kite' | 'primary', path: string, kind: FaultKind, status = 503) =>
  rig.sandbox.faults.add({ broker, kind, match: { path }, params: { status } });

const took = (rig: Rig, origin: string): readonly string[] =>
  rig.sent
    .map(({ url }) => new URL(url))
    .filter((url) => url.origin === origin)
    .map((url) => url.pathname);

describe('GET /api/v1/candles', () => {
  it('answers the same candles from either broker', async () => {
    await using rig = await loggedInRig();
    const from = async (broker: string) => {
      const reply = await rig.get(`/api/v1/candles?${FRIDAY}&broker=${broker}`);
      expect([reply.status, reply.body.meta?.broker], reply.text).toEqual([200, broker]);
      return reply.body.data as { at: string }[];
    };
    const candles = await from('primary');
    expect(candles).toHaveLength(12);
    expect(candles[0]!.at).toBe(OPENING);
    // The one writes 0 where shares have no open interest, the other does not tell it.
    expect(await from('alt')).toEqual(candles.map((each) => ({ ...each, openInterest: 0 })));
    expect(candles[0]).toMatchObject({ openInterest: null });
  });

  it.each(['error_before', 'refuse', 'cut_after', 'html_2xx_after'] as const)(
    'fails over within the call when the first broker does not answer: %s',
    async (kind) => {
      await using rig = await loggedInRig();
      fail(rig, 'kite', '/instruments/historical', kind);
      const reply = await rig.get(`/api/v1/candles?${FRIDAY}`);
      expect([reply.status, reply.body.meta?.broker]).toEqual([200, 'primary']);
      expect(reply.body.data).toHaveLength(12);
    },
  );

  it('come from the broker that has the width', async () => {
    await using rig = await loggedInRig();
    const reply = await rig.get(`/api/v1/candles?${FRIDAY.replace('5minute', '2minute')}`);
    expect([reply.status, reply.body.meta?.broker]).toEqual([200, 'primary']);
    expect(reply.body.data).toHaveLength(30);
  });

  it('of a width that no broker has are a mistake that says so', async () => {
    await using rig = await loggedInRig({ environment: { APP_ROUTE_MARKET_DATA: 'alt' } });
    const reply = await rig.get(`/api/v1/candles?${FRIDAY.replace('5minute', '2minute')}`);
    expect([reply.status, reply.body.code]).toEqual([400, 'not_offered']);
    expect(reply.body.detail).toContain('2minute');
  });

  it('of months are read page by page at the primary brokerage, each within its limit', async () => {
    await using rig = await createRig();
    const window = 'from=2026-09-01&to=2026-11-06';
    const reply = await rig.get(
      `/api/v1/candles?instrument=NIDX_40000001&interval=30minute&${window}`,
    );
    expect([reply.status, reply.body.meta?.broker], reply.text).toEqual([200, 'primary']);
    const days = new Set((reply.body.data as { at: string }[]).map(({ at }) => at.slice(0, 10)));
    expect(days.size).toBe(45);
    expect(took(rig, 'http://primary.test').filter((path) => /historical/.test(path))).toHaveLength(
      10,
    );
  });

  it('are none on a day without trade, and an error when that is not known', async () => {
    await using rig = await createRig();
    const sunday = 'instrument=NSE:INFY&interval=1day&from=2026-11-01&to=2026-11-02';
    const quiet = await rig.get(`/api/v1/candles?${sunday}`);
    expect([quiet.status, quiet.body.data]).toEqual([200, []]);
    fail(rig, 'primary', '/market/historical', 'lying_2xx_after');
    const lying = await rig.get(`/api/v1/candles?${sunday}`);
    expect([lying.status, lying.body.code]).toEqual([503, 'broker_unavailable']);
    expect(lying.body).not.toHaveProperty('data');
  });
});

describe('GET /api/v1/option-chain', () => {
  const CHAIN = '/api/v1/option-chain?underlying=NSE:NIFTY%2050';

  it('names the contracts as orders do, and passes over the broker without chains', async () => {
    await using rig = await loggedInRig();
    const expiries = await rig.get('/api/v1/expiries?underlying=NSE:NIFTY%2050');
    expect([expiries.status, expiries.body.data], expiries.text).toEqual([200, ['2026-11-23']]);
    const reply = await rig.get(`${CHAIN}&expiry=2026-11-23&strikes=2`);
    expect([reply.status, reply.body.meta?.broker], reply.text).toEqual([200, 'primary']);
    const { strikes, underlyingPrice } = reply.body.data;
    expect(strikes).toHaveLength(4);
    expect(strikes[1].strike).toBeLessThan(underlyingPrice);
    expect(strikes[2].strike).toBeGreaterThan(underlyingPrice);
    for (const { call, put, strike } of strikes) {
      expect(call.instrument).toBe(`NFO:NIFTY26NOV${strike}CE`);
      expect(put.instrument).toBe(`NFO:NIFTY26NOV${strike}PE`);
    }
  });

  it('is the same from the older form, where the broker has that alone', async () => {
    await using rig = await loggedInRig();
    const whole = await rig.get(CHAIN);
    fail(rig, 'primary', '/market/option-chain', 'error_before', 404);
    const older = await rig.get(`${CHAIN}&strikes=5`);
    const strikesOf = ({ body }: typeof whole): number[] =>
      body.data.strikes.map(({ strike }: { strike: number }) => strike);
    expect([whole.status, older.status]).toEqual([200, 200]);
    expect(older.body.data.expiry).toBe(whole.body.data.expiry);
    expect(strikesOf(older)).toEqual(expect.arrayContaining(strikesOf(whole)));
  });

  it('is an error, never a chain without strikes, when it cannot be read', async () => {
    await using rig = await loggedInRig();
    fail(rig, 'primary', '/market/option-chain', 'lying_2xx_after');
    const reply = await rig.get(CHAIN);
    expect([reply.status, reply.body.code]).toEqual([503, 'broker_unavailable']);
    expect(reply.body).not.toHaveProperty('data');
  });

  it('is not supported where no broker of the route has chains', async () => {
    await using rig = await loggedInRig({ environment: { APP_ROUTE_MARKET_DATA: 'alt' } });
    const reply = await rig.get(CHAIN);
    expect([reply.status, reply.body.code]).toEqual([501, 'not_supported']);
    expect(reply.body.detail).toContain('alt does not have it');
  });
});
