import { describe, expect, it } from 'vitest';
import { memoryEnvironment } from '../../src/platform/environment.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, downUntil, loggedInRig, place, spoilPlacing, spoilReading } from './walk.ts';

const SHORT = 'NFO:NIFTY26NOV24450CE';
const LONG = 'NFO:NIFTY26NOV24500CE';
const OPTION = { orderType: 'MARKET', product: 'MARGIN', quantity: 65, broker: 'alt' };
const PATH = '/api/v1/positions/close-all';

/** A call spread of NIFTY, and ten shares bought for the day. */
async function spreadRig(): Promise<Rig> {
  const rig = await loggedInRig();
  const orders = [
    { ...OPTION, instrument: LONG, side: 'BUY' },
    { ...OPTION, instrument: SHORT, side: 'SELL' },
    { ...BUY, product: 'INTRADAY', broker: 'alt' },
  ];
  for (const [index, order] of orders.entries()) {
    const { status, body } = await place(rig, order, `open-${index}`);
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
  await rig.time.advance(10_000);
  return rig;
}

const closing = async (rig: Rig, id: string) => (await rig.get(`${PATH}/${id}`)).body.data;

describe('GET /positions/close-all', () => {
  it('lists the closings of a day as they stand, also after a restart and on another day', async () => {
    await using rig = await spreadRig();
    const listed = async (query = '') =>
      (await rig.get(`${PATH}${query}`)).body.data.map(
        ({ id, status }: { id: string; status: string }) => [id, status],
      );
    expect(await listed()).toEqual([]);
    const { id } = (await rig.post(PATH, { broker: 'alt' })).body.data;
    expect(await listed()).toEqual([[id, 'running']]);
    await rig.time.advance(60_000);
    const second = (await rig.post(PATH, { broker: 'alt' })).body.data.id;
    await rig.time.advance(10_000);
    const both = [
      [id, 'flat'],
      [second, 'flat'],
    ];
    expect(await listed()).toEqual(both);
    await rig.restart();
    expect(await listed()).toEqual(both);
    // One that has found nothing is of no account.
    expect(await listed('?broker=paper')).toEqual([[second, 'flat']]);
    await downUntil(rig, '2026-11-09T10:00:00+05:30');
    expect(await listed()).toEqual([]);
    expect(await listed('?day=2026-11-06')).toEqual(both);
  });
});

describe('POST /positions/close-all', () => {
  it('closes what is short first, and what covers it once that is flat', async () => {
    await using rig = await spreadRig();
    const before = rig.sandbox.kite.orders().length;
    const { status, body } = await rig.post(PATH, { broker: 'alt' });
    expect([status, body.data.status, body.data.positions.length]).toEqual([202, 'running', 3]);
    await rig.time.advance(60_000);
    const ended = await closing(rig, body.data.id);
    expect([ended.status, ended.detail]).toEqual(['flat', '3 of 3 positions are closed']);
    const sent = rig.sandbox.kite.orders().slice(before);
    const option = sent.filter(({ instrument }) => instrument.startsWith('NFO'));
    expect(option.map(({ instrument, side }) => [instrument, side])).toEqual([
      [SHORT, 'BUY'],
      [LONG, 'SELL'],
    ]);
  });

  it('keeps what covers a short position that stays open, and closes the rest', async () => {
    await using rig = await spreadRig();
    // Every exit of a short position: what is long waits for it.
    spoilPlacing(rig, 'hang_before', { times: 2 });
    const { body } = await rig.post(PATH, { broker: 'alt' });
    await rig.time.advance(120_000);
    const ended = await closing(rig, body.data.id);
    const told = Object.fromEntries(
      ended.positions.map(({ instrument, status }: Record<string, string>) => [instrument, status]),
    );
    expect(told).toMatchObject({ [SHORT]: 'stopped', [LONG]: 'kept' });
    expect(ended.status).toBe('stopped');
    const sells = rig.sandbox.kite
      .orders()
      .filter(({ instrument, side }) => instrument === LONG && side === 'SELL');
    expect(sells).toEqual([]);
  });

  it('is an error where the account cannot be read, never nothing to do', async () => {
    await using rig = await spreadRig();
    spoilReading(rig, 'error_before', '/portfolio/positions');
    const { status, body } = await rig.post(PATH, { broker: 'alt' });
    expect([status, body.code, body.retrySafe]).toEqual([503, 'broker_unavailable', true]);
  });

  it('sells delivery shares only where they are named', async () => {
    await using rig = await loggedInRig();
    const none = await rig.post(PATH, { broker: 'alt' });
    await rig.time.advance(10_000);
    expect((await closing(rig, none.body.data.id)).positions).toEqual([]);
    const named = await rig.post(PATH, { broker: 'alt', holdings: ['NSE:INFY'] });
    await rig.time.advance(30_000);
    const ended = await closing(rig, named.body.data.id);
    expect(ended.positions).toMatchObject([
      { instrument: 'NSE:INFY', quantity: 200, status: 'flat' },
    ]);
  });

  it('goes on after a crash, and closes each position once', async () => {
    await using rig = await spreadRig();
    const { body } = await rig.post(PATH, { broker: 'alt' });
    await rig.crash();
    await rig.time.advance(120_000);
    const ended = await closing(rig, body.data.id);
    expect(ended.status).not.toBe('running');
    const net = (name: string) =>
      rig.sandbox.kite
        .orders()
        .filter(({ instrument }) => instrument === name)
        .reduce(
          (sum, { side, filledQuantity }) => sum + (side === 'BUY' ? 1 : -1) * filledQuantity,
          0,
        );
    expect(Math.abs(net(SHORT))).toBeLessThanOrEqual(65);
    expect([0, 65]).toContain(net(LONG));
    expect([0, -65]).toContain(net(SHORT));
  });

  it('under the same key answers the same closing', async () => {
    await using rig = await spreadRig();
    const key = { 'idempotency-key': 'all out' };
    const first = await rig.post(PATH, { broker: 'alt' }, key);
    const again = await rig.post(PATH, { broker: 'alt' }, key);
    expect([again.body.data.id, again.headers['idempotent-replayed']]).toEqual([
      first.body.data.id,
      'true',
    ]);
    for (const other of [{ broker: 'alt', side: 'BUY' }, { broker: 'paper' }, {}]) {
      const { status, body } = await rig.post(PATH, other, key);
      expect([status, body.code]).toEqual([422, 'idempotency_conflict']);
    }
  });

  it('under the same key without a broker answers the same closing, also where the route has changed', async () => {
    await using rig = await loggedInRig({ environment: { APP_ROUTE_TRADING: 'alt' } });
    const key = { 'idempotency-key': 'all out' };
    const first = await rig.post(PATH, {}, key);
    await rig.restart(
      memoryEnvironment({ ...rig.environment.all(), APP_ROUTE_TRADING: 'alt,paper' }),
    );
    const again = await rig.post(PATH, {}, key);
    expect([again.status, again.body.data?.id]).toEqual([202, first.body.data.id]);
  });
});
