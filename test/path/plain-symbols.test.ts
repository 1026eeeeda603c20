import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, modify, orderOf, place, placings, RESTING } from './walk.ts';

const PLAIN = { ...RESTING, instrument: 'INFY' } as const;
const INTRADAY_AT_BSE = { ...BUY, instrument: 'BSE:INFY', product: 'INTRADAY' } as const;

/** An order by hand of the intraday share at an exchange, which the account then shows. */
async function heldAtBse(): Promise<Rig> {
  const rig = await loggedInRig();
  rig.sandbox.exchange.setPrice('BSE:INFY', 150_000);
  const placed = await place(rig, INTRADAY_AT_BSE, 'held');
  if (placed.status !== 201) throw new Error(placed.text);
  await rig.time.advance(5_000);
  await rig.get('/api/v1/positions?maxAgeMs=0');
  await rig.time.advance(1_000);
  return rig;
}

describe('a symbol without an exchange', () => {
  it('is taken for an order, which has the exchange', async () => {
    await using rig = await loggedInRig();
    const { status, body } = await place(rig, { ...PLAIN, instrument: 'infy' }, 'one');
    expect([status, body.data.instrument]).toEqual([201, 'NSE:INFY']);
    await rig.time.advance(2_000);
    expect((await modify(rig, body.data.id, { price: 1_465 })).status).toBe(200);
    expect((await orderOf(rig, body.data.id)).instrument).toBe('NSE:INFY');
  });

  it.each([
    ['INFY', 'NSE:INFY'],
    ['NSE:INFY', 'INFY'],
    ['NSE_1594', 'INFY'],
  ])('is the same request under the same key: %s, then %s', async (first, second) => {
    await using rig = await loggedInRig();
    const one = await place(rig, { ...RESTING, instrument: first }, 'one');
    const again = await place(rig, { ...RESTING, instrument: second }, 'one');
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.data.id).toBe(one.body.data.id);
    const other = await place(rig, { ...RESTING, instrument: 'BSE:INFY' }, 'one');
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_conflict']);
    expect(placings(rig)).toHaveLength(1);
  });

  it.each(['INFY', 'NSE_1594', 'nse:infy'])('selects events: %s', async (instrument) => {
    await using rig = await loggedInRig();
    await place(rig, { ...RESTING, instrument: 'TCS', price: 4_000 }, 'other');
    const { body } = await place(rig, PLAIN, 'one');
    const events = await rig.get(`/api/v1/events?instrument=${instrument}&type=order.updated`);
    const ids = events.body.data.map(
      ({ data }: { data: { order: { id: string } } }) => data.order.id,
    );
    expect([...new Set(ids)]).toEqual([body.data.id]);
    const none = await rig.get('/api/v1/events?instrument=NOSUCH');
    expect([none.status, none.body.code]).toEqual([404, 'unknown_instrument']);
    // What has expired is in no list, and its events are kept.
    const expired = await rig.get('/api/v1/events?instrument=NFO:NIFTY20JAN12000CE');
    expect([expired.status, expired.body.data]).toEqual([200, []]);
  });

  it('is taken in a basket, for margins, and by every read of an instrument', async () => {
    await using rig = await loggedInRig();
    const orders = [{ ...PLAIN, clientOrderId: 'in a basket' }];
    const basket = await rig.post('/api/v1/orders/basket', { orders });
    expect(basket.body.data[0].order.instrument).toBe('NSE:INFY');
    expect((await rig.post('/api/v1/margins', { orders: [PLAIN] })).status).toBe(200);
    const quotes = await rig.get('/api/v1/quotes?instruments=INFY,NSE:TCS');
    expect(quotes.body.data).toMatchObject({ INFY: { instrument: 'NSE:INFY' } });
    for (const path of [
      '/api/v1/instruments/INFY',
      '/api/v1/candles?instrument=INFY&interval=5minute&from=2026-11-05',
      '/api/v1/expiries?underlying=NIFTY',
      '/api/v1/trades?instrument=INFY',
    ]) {
      const reply = await rig.get(path);
      expect([path, reply.status]).toEqual([path, 200]);
    }
  });

  it('cancels the orders of that symbol at every exchange', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'at NSE');
    await place(rig, { ...RESTING, instrument: 'BSE:INFY', price: 1_400 }, 'at BSE');
    await place(rig, { ...RESTING, instrument: 'NSE:ITC', price: 400 }, 'another');
    await rig.time.advance(2_000);
    const { body } = await rig.post('/api/v1/orders/cancel-all', { instrument: 'INFY' });
    const names = body.data.map(({ order }: { order: { instrument: string } }) => order.instrument);
    expect(names.sort()).toEqual(['BSE:INFY', 'NSE:INFY']);
  });
});

describe('a way out that names a symbol without an exchange', () => {
  const EXIT = { instrument: 'INFY', product: 'INTRADAY' } as const;

  it('ends the position of the exchange at which it is held, also when it is sent again', async () => {
    await using rig = await heldAtBse();
    const headers = { 'idempotency-key': 'out' };
    const exit = await rig.post('/api/v1/exits', EXIT, headers);
    expect(exit.status, exit.text).toBe(202);
    expect([exit.status, exit.body.data.instrument]).toEqual([202, 'BSE:INFY']);
    await rig.time.advance(20_000);
    expect((await rig.get(`/api/v1/exits/${exit.body.data.id}`)).body.data.status).toBe('flat');
    const again = await rig.post('/api/v1/exits', EXIT, headers);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body.data.id).toBe(exit.body.data.id);
  });

  it('is answered with the choices where both are held', async () => {
    await using rig = await heldAtBse();
    await place(rig, { ...INTRADAY_AT_BSE, instrument: 'NSE:INFY' }, 'both');
    await rig.time.advance(5_000);
    await rig.get('/api/v1/positions?maxAgeMs=0');
    await rig.time.advance(1_000);
    const { status, body } = await rig.post('/api/v1/exits', EXIT);
    expect([status, body.code, body.mayHaveExecuted]).toEqual([400, 'ambiguous_instrument', false]);
    const names = body.candidates.map(({ instrument }: { instrument: string }) => instrument);
    expect(names.sort()).toEqual(['BSE:INFY', 'NSE:INFY']);
    expect(body.detail).toContain('write the one that is meant');
  });

  it('closes, of many, the position that is held', async () => {
    await using rig = await heldAtBse();
    const closing = await rig.post('/api/v1/positions/close-all', { instrument: 'INFY' });
    expect(closing.status, closing.text).toBe(202);
    expect([closing.status, closing.body.data.positions[0]?.instrument]).toEqual([202, 'BSE:INFY']);
  });
});
