import { describe, expect, it } from 'vitest';
import { loggedInRig, orderOf, place } from './walk.ts';

const OPTION = {
  instrument: 'NFO:NIFTY26NOV24450CE',
  side: 'BUY',
  orderType: 'MARKET',
  product: 'MARGIN',
} as const;

describe('a derivative between the close of shares and its own', () => {
  it.each(['alt', 'paper'] as const)('is traded at %s', async (broker) => {
    await using rig = await loggedInRig({ start: '2026-11-06T15:31:00+05:30' });
    const { lotSize } = (await rig.get(`/api/v1/instruments/${OPTION.instrument}`)).body.data;
    const order = { ...OPTION, quantity: lotSize, broker };
    const placed = await place(rig, order, 'a way out');
    expect(placed.status).toBe(201);
    // Its book is read at the pace of the day.
    await rig.time.advance(3_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ broker, status: 'filled' });
    await rig.time.advanceTo('2026-11-06T15:40:00+05:30');
    const late = await place(rig, order, 'late');
    expect([late.status, late.body.code]).toEqual([409, 'market_closed']);
  });

  it('fills on paper when its price comes, though shares are shut', async () => {
    await using rig = await loggedInRig({ start: '2026-11-06T15:31:00+05:30' });
    const { lotSize } = (await rig.get(`/api/v1/instruments/${OPTION.instrument}`)).body.data;
    const { exchange } = rig.sandbox;
    exchange.setPrice(OPTION.instrument, 20_000);
    const limit = { orderType: 'LIMIT', price: 150, quantity: lotSize, broker: 'paper' };
    const placed = await place(rig, { ...OPTION, ...limit }, 'resting');
    await rig.time.advance(5_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'working' });
    exchange.setPrice(OPTION.instrument, 14_000);
    await rig.time.advance(5_000);
    expect(await orderOf(rig, placed.body.data.id)).toMatchObject({ status: 'filled' });
  });
});
