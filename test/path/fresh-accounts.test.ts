import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, cancel, loggedInRig, place, RESTING } from './walk.ts';

const INTRADAY = { ...BUY, product: 'INTRADAY' };

/** Requests to read what a path of Kite has. */
const reads = (rig: Rig, path: string): number =>
  rig.sent.filter(({ method, url }) => method === 'GET' && new URL(url).pathname === path).length;

const quantityOf = async (rig: Rig, query = ''): Promise<number> =>
  (await rig.get(`/api/v1/positions${query}`)).body.data.find(
    ({ instrument, product }: Record<string, string>) =>
      instrument === 'NSE:INFY' && product === 'INTRADAY',
  )?.quantity ?? 0;

describe('an account that was just read', () => {
  it('is read again at once after a fill of an order of ours, whatever age is allowed', async () => {
    await using rig = await loggedInRig();
    expect(await quantityOf(rig, '?maxAgeMs=60000')).toBe(0);
    expect((await place(rig, INTRADAY, 'one')).status).toBe(201);
    await rig.time.advance(600);
    expect(await quantityOf(rig, '?maxAgeMs=60000')).toBe(10);
    const before = reads(rig, '/portfolio/positions');
    expect(await quantityOf(rig, '?maxAgeMs=60000')).toBe(10);
    expect(reads(rig, '/portfolio/positions')).toBe(before);
  });

  it('has its funds read again once a broker has taken an order, and cancelled it', async () => {
    await using rig = await loggedInRig();
    const ask = () => rig.get('/api/v1/funds?maxAgeMs=60000');
    await ask();
    const first = reads(rig, '/user/margins');
    const placed = await place(rig, RESTING, 'resting');
    await ask();
    expect(reads(rig, '/user/margins')).toBe(first + 1);
    await ask();
    expect(reads(rig, '/user/margins')).toBe(first + 1);
    await cancel(rig, placed.body.data.id);
    await rig.time.advance(1_000);
    await ask();
    expect(reads(rig, '/user/margins')).toBe(first + 2);
  });

  it('of another broker is left as it was read', async () => {
    await using rig = await loggedInRig();
    const ask = () => rig.get('/api/v1/funds?maxAgeMs=60000');
    await ask();
    const before = reads(rig, '/user/margins');
    expect((await place(rig, { ...BUY, broker: 'paper' }, 'paper')).status).toBe(201);
    await rig.time.advance(1_000);
    await ask();
    expect(reads(rig, '/user/margins')).toBe(before);
  });

  it('has trades of the age that a caller allows, until an order moves', async () => {
    await using rig = await loggedInRig();
    const ask = async () => (await rig.get('/api/v1/trades?maxAgeMs=60000')).body;
    expect((await ask()).data).toEqual([]);
    await rig.time.advance(5_000);
    const again = await ask();
    expect(again.meta.ageMs).toBeGreaterThanOrEqual(5_000);
    await place(rig, BUY, 'one');
    await rig.time.advance(600);
    expect((await ask()).data).toHaveLength(1);
  });
});
