import { describe, expect, it } from 'vitest';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import type { InProcessReply, InProcessRequest } from '../support/in-process-http.ts';
import { createRig, type Rig } from '../support/rig.ts';
import { BUY, place, RESTING } from './walk.ts';

const WITHOUT_KITE = { APP_ALT_BROKER_API_KEY: '', APP_ALT_BROKER_API_SECRET: '' };
const LEG = { triggerPrice: 1_400, side: 'BUY', quantity: 1, product: 'CNC', price: 1_400 };
const TRIGGER = { instrument: 'INFY', lastPrice: 1_500, legs: [LEG], broker: 'alt' };

const reading = (path: string): readonly [string, InProcessRequest] => [
  `GET ${path}`,
  { path: `/api/v1/${path}${path.includes('?') ? '&' : '?'}broker=alt` },
];
const sending = (path: string, json: unknown): readonly [string, InProcessRequest] => [
  `POST ${path}`,
  { method: 'POST', path: `/api/v1/${path}`, json, headers: { 'idempotency-key': 'one' } },
];

/** Every request that needs the broker that it names. */
const NEEDING = [
  ...['positions', 'holdings', 'funds', 'profile', 'orders', 'trades', 'triggers'].map(reading),
  ...['contract-note', 'positions/by-key', 'orders/alt:261106000000001'].map(reading),
  ...['quotes?instruments=INFY', 'ohlc?instruments=INFY', 'ltp?instruments=INFY'].map(reading),
  reading('candles?instrument=INFY&interval=1day&from=2026-11-02'),
  sending('orders', { ...BUY, broker: 'alt' }),
  sending('exits', { instrument: 'INFY', product: 'CNC', broker: 'alt' }),
  sending('positions/close-all', { broker: 'alt' }),
  sending('margins?broker=alt', { orders: [RESTING] }),
  sending('triggers', TRIGGER),
];
const OF_SET_UP = [
  ...NEEDING,
  reading('option-chain?underlying=NIFTY'),
  reading('expiries?underlying=NIFTY'),
  sending('orders/cancel-all', { broker: 'alt' }),
  sending('orders/basket', { orders: [{ ...BUY, broker: 'alt', clientOrderId: 'two' }] }),
];

async function codesOf(rig: Rig, requests: typeof NEEDING) {
  const told: (readonly [string, number, string, string])[] = [];
  for (const [name, request] of requests) {
    const { status, body }: InProcessReply = await rig.call(request);
    told.push([name, status, String(body.code), String(body.detail)]);
  }
  return told;
}

describe('a request that names a broker', () => {
  it('which is not set up says on every route what to set, and sends nothing', async () => {
    await using rig = await createRig({ environment: WITHOUT_KITE });
    const before = rig.sent.length;
    for (const [name, status, code, detail] of await codesOf(rig, OF_SET_UP)) {
      expect([name, status, code]).toEqual([name, 503, 'no_broker']);
      expect(detail, name).toContain('set APP_ALT_BROKER_API_KEY');
      expect(detail, name).not.toContain('..');
    }
    expect(rig.sent.slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('which has no session says so with one code on every route', async () => {
    await using rig = await createRig();
    for (const [name, status, code, detail] of await codesOf(rig, NEEDING)) {
      expect([name, status, code]).toEqual([name, 503, 'token_absent']);
      expect(detail, name).toContain('/api/altbroker/login');
    }
  });

  it('which is not set up any more is answered by what the journal has', async () => {
    await using rig = await createRig();
    rig.sandbox.exchange.setPrice('NSE:INFY', 150_000);
    await rig.logIn();
    await rig.time.advance(2_000);
    const order = { ...BUY, broker: 'alt' };
    const { body } = await place(rig, order, 'one');
    await rig.time.advance(3_000);
    const set = Object.fromEntries(
      ['APP_PRIMARY_BASE_URL', 'APP_PRIMARY_ACCESS_TOKEN', 'APP_API_KEY', 'APP_DATA_DIR'].map(
        (name) => [name, rig.environment.get(name) ?? ''],
      ),
    );
    await rig.restart(memoryEnvironment(set));
    const one = await rig.get(`/api/v1/orders/${body.data.id}?broker=alt`);
    expect([one.status, one.body.data.status]).toEqual([200, 'filled']);
    const again = await place(rig, order, 'one');
    expect([again.status, again.body.data.id]).toEqual([201, body.data.id]);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });
});
