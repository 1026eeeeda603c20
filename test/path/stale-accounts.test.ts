import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import type { Rig, RigOptions } from '../support/rig.ts';
import { beginPlacing, loggedInRig, place, placings, RESTING } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const SELL = {
  instrument: 'NSE:INFY',
  side: 'SELL',
  quantity: 10,
  orderType: 'MARKET',
  product: 'CNC',
  broker: 'alt',
} as const;
const WIPRO = { ...SELL, instrument: 'NSE:WIPRO' } as const;

/** Logged in, with the account last read more than a minute ago, and the kill switch engaged. */
async function engagedRig(before: (rig: Rig) => void = () => undefined): Promise<Rig> {
  const rig = await loggedInRig();
  before(rig);
  await rig.time.advance(70_000);
  await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a test' });
  return rig;
}

const bothRig = (options: RigOptions = {}): Promise<Rig> =>
  loggedInRig({ environment: { APP_ROUTE_TRADING: 'alt,primary' }, ...options });

const spoilPositions = (rig: Rig, broker: 'kite' | 'primary'): string =>
  rig.sandbox.faults.add({
    broker,
    kind: 'error_before',
    match: { method: 'GET', path: '/portfolio/positions' },
  });

const positionReads = (rig: Rig): number =>
  rig.sent.filter(({ url }) => url === 'http://kite.test/portfolio/positions').length;

describe('an exit under the kill switch', () => {
  it('is refused where the account was emptied in the app since it was last read', async () => {
    await using rig = await engagedRig((before) => {
      before.sandbox.kite.placeByHand({ instrument: 'NSE:INFY', side: 'SELL', quantity: 200 });
    });
    const reply = await place(rig, SELL, 'short');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    expect(placings(rig)).toEqual([]);
  });

  it('passes where the app has bought what it sells since the account was last read', async () => {
    await using rig = await engagedRig((before) => {
      before.sandbox.kite.placeByHand({ instrument: 'NSE:WIPRO', side: 'BUY', quantity: 10 });
    });
    expect((await place(rig, WIPRO, 'exit')).status).toBe(201);
  });

  it('is refused while the account cannot be read, and the answer says what to do', async () => {
    await using rig = await engagedRig((before) => void spoilPositions(before, 'kite'));
    const reply = await place(rig, SELL, 'exit');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    expect(reply.body).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    expect(reply.body.detail).toMatch(/account at alt could not be read .*force/);
    expect(placings(rig)).toEqual([]);
  });

  it('is refused after three seconds where the account does not answer', async () => {
    await using rig = await engagedRig((before) => {
      before.sandbox.faults.add({
        broker: 'kite',
        kind: 'hang_before',
        match: { method: 'GET', path: '/portfolio/positions' },
      });
    });
    const begun = rig.time.elapsed();
    const reply = await place(rig, SELL, 'exit');
    expect([reply.status, rig.time.elapsed() - begun]).toEqual([409, 3_000]);
  });

  it('passes with an admin’s force, and the journal says who sent it', async () => {
    await using rig = await engagedRig((before) => void spoilPositions(before, 'kite'));
    const reply = await place(rig, { ...SELL, force: true }, 'forced');
    expect(reply.status).toBe(201);
    expect(journalEvents(rig.dataDirectory, 'order.forced')).toMatchObject([
      { orderId: reply.body.data.id, data: { by: 'admin', broker: 'alt' } },
    ]);
  });

  it('is not forced by a key that may only trade', async () => {
    await using rig = await engagedRig((before) => void spoilPositions(before, 'kite'));
    const { key } = rig.composed.callers.add({ name: 'bot', scope: 'trade' });
    const headers = { authorization: `Bearer ${key.reveal()}`, 'idempotency-key': 'forced' };
    const reply = await rig.post('/api/v1/orders', { ...SELL, force: true }, headers);
    expect([reply.status, reply.body.code]).toEqual([403, 'forbidden']);
    expect(placings(rig)).toEqual([]);
  });

  it('with force is still refused where the account can be read and holds none of it', async () => {
    await using rig = await engagedRig();
    const reply = await place(rig, { ...WIPRO, force: true }, 'short');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
  });

  it('reads the account once for a minute without fills', async () => {
    await using rig = await engagedRig();
    const before = positionReads(rig);
    const resting = { ...SELL, orderType: 'LIMIT', price: 1_530 };
    for (const key of ['one', 'two']) expect((await place(rig, resting, key)).status).toBe(201);
    expect(positionReads(rig) - before).toBe(1);
  });

  it('reads it again after a fill, also where trades cannot be read', async () => {
    await using rig = await engagedRig((before) => {
      before.sandbox.faults.add({
        broker: 'kite',
        kind: 'error_before',
        match: { method: 'GET', path: '/trades' },
      });
    });
    expect((await place(rig, { ...SELL, quantity: 150 }, 'most')).status).toBe(201);
    await rig.time.advance(2_000);
    expect((await place(rig, { ...SELL, quantity: 51 }, 'over')).body.code).toBe('kill_switch');
    expect((await place(rig, { ...SELL, quantity: 50 }, 'rest')).status).toBe(201);
  });

  it('goes by what is read after the clock was set back by a day', async () => {
    await using rig = await engagedRig((before) => {
      before.time.stepWall(-86_400_000);
      before.sandbox.kite.placeByHand({ instrument: 'NSE:INFY', side: 'SELL', quantity: 195 });
    });
    const reply = await place(rig, { ...SELL, amo: true, orderType: 'LIMIT', price: 1_500 }, 'a');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
  });
});

describe('an order that was being prepared when the kill switch was engaged', () => {
  it('leaves where it is an exit', async () => {
    await using rig = await loggedInRig();
    await rig.time.advance(70_000);
    const begun = beginPlacing(rig, SELL, 'exit');
    const engaged = rig.begin({
      method: 'POST',
      path: '/api/v1/kill-switch',
      json: { engaged: true, reason: 'a test' },
    });
    await rig.time.settle(engaged);
    expect((await rig.time.settle(begun)).status).toBe(201);
  });
});

describe('an order that the route sends', () => {
  it('is refused where the app has bought it at another account since that was read', async () => {
    await using rig = await bothRig();
    rig.sandbox.primary.placeByHand({ instrument: 'NSE:WIPRO', side: 'BUY', quantity: 10 });
    await rig.time.advance(70_000);
    const reply = await place(rig, { ...WIPRO, broker: undefined }, 'unnamed');
    expect([reply.status, reply.body.code, reply.body.broker]).toEqual([
      409,
      'wrong_account',
      'primary',
    ]);
  });

  it('is refused by what another account was last known to hold, where it cannot be read', async () => {
    await using rig = await bothRig();
    await rig.time.advance(70_000);
    spoilPositions(rig, 'primary');
    const sale = { ...SELL, instrument: 'NSE:RELIANCE', broker: undefined };
    expect((await place(rig, sale, 'unnamed')).body.code).toBe('wrong_account');
  });

  it('passes with a warning where nothing is known of another account', async () => {
    const environment = {
      APP_ROUTE_TRADING: 'alt,primary',
      APP_PRIMARY_ACCESS_TOKEN: 'unknown-to-the-broker',
    };
    await using rig = await bothRig({ environment });
    expect((await place(rig, RESTING, 'unnamed')).status).toBe(201);
    const warned = rig.log.filter((line) => line.includes('without its looking at an account'));
    expect(warned.map((line) => JSON.parse(line) as object)).toMatchObject([{ broker: 'primary' }]);
  });
});
