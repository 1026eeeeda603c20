import { describe, expect, it } from 'vitest';
import type { InProcessReply } from '../support/in-process-http.ts';
import type { Rig } from '../support/rig.ts';
import {
  beginPlacing,
  BUY,
  cancel,
  loggedInRig,
  modify,
  place,
  placings,
  RESTING,
} from './walk.ts';

const limited = (environment: Record<string, string>): Promise<Rig> => loggedInRig({ environment });
const codeOf = ({ status, body }: InProcessReply): unknown[] => [status, body.code ?? null];
const LIMIT_REACHED = [409, 'limit_reached'];
/** The account opens with 200. */
const SELL = { ...BUY, side: 'SELL' } as const;

const hangPositions = (rig: Rig): string =>
  rig.sandbox.faults.add({
    broker: 'kite',
    kind: 'hang_before',
    match: { method: 'GET', path: '/portfolio/positions' },
  });

describe('the largest value of an order', () => {
  const VALUE = { APP_MAX_ORDER_VALUE: '15000' };

  it('is compared with the price of a LIMIT order, and refuses before anything is sent', async () => {
    await using rig = await limited(VALUE);
    const reply = await place(rig, { ...RESTING, quantity: 11 }, 'large');
    expect(codeOf(reply)).toEqual(LIMIT_REACHED);
    expect(reply.body).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    expect(reply.body.detail).toMatch(/₹16170, above ₹15000.*APP_MAX_ORDER_VALUE/);
    expect(placings(rig)).toEqual([]);
    expect((await place(rig, RESTING, 'small')).status).toBe(201);
  });

  it('is compared with the last price for an order at the market', async () => {
    await using rig = await limited(VALUE);
    expect(codeOf(await place(rig, { ...BUY, quantity: 11 }, 'large'))).toEqual(LIMIT_REACHED);
    expect((await place(rig, BUY, 'just')).status).toBe(201);
  });

  it('refuses an order at the market where no price is known, and lets an exit pass', async () => {
    await using rig = await limited(VALUE);
    for (const broker of ['kite', 'primary'] as const) {
      rig.sandbox.faults.add({
        broker,
        kind: 'error_before',
        match: { method: 'GET', path: '/quote' },
      });
      rig.sandbox.faults.add({
        broker,
        kind: 'error_before',
        match: { method: 'GET', path: '/market' },
      });
    }
    const reply = await place(rig, { ...BUY, quantity: 1 }, 'unknown');
    expect(codeOf(reply)).toEqual(LIMIT_REACHED);
    expect(reply.body.detail).toMatch(/no price of NSE:INFY is known/);
    expect((await place(rig, SELL, 'exit')).status).toBe(201);
  });

  it('counts for a change that makes the order larger or dearer, and for no other', async () => {
    await using rig = await limited(VALUE);
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(2_000);
    expect(codeOf(await modify(rig, id, { quantity: 11 }))).toEqual(LIMIT_REACHED);
    expect((await modify(rig, id, { quantity: 9 })).status).toBe(200);
    await rig.time.advance(2_000);
    expect(codeOf(await modify(rig, id, { quantity: 11 }))).toEqual(LIMIT_REACHED);
    expect((await modify(rig, id, { price: 1_460 })).status).toBe(200);
  });

  it('lets an exit pass whatever its value, and an exit made larger', async () => {
    await using rig = await limited(VALUE);
    const exit = { ...SELL, quantity: 100, orderType: 'LIMIT', price: 1_530 };
    const placed = await place(rig, exit, 'exit');
    expect(placed.status).toBe(201);
    await rig.time.advance(2_000);
    expect((await modify(rig, placed.body.data.id, { quantity: 200 })).status).toBe(200);
    await rig.time.advance(2_000);
    const more = await place(rig, { ...exit, quantity: 50 }, 'too much');
    expect(codeOf(more)).toEqual(LIMIT_REACHED);
  });
});

describe('the largest quantity of an order', () => {
  it('is the one of the instrument, or the one for every instrument', async () => {
    await using rig = await limited({ APP_MAX_ORDER_QUANTITY: '5,INFY=20' });
    expect((await place(rig, { ...RESTING, quantity: 20 }, 'named')).status).toBe(201);
    expect(codeOf(await place(rig, { ...RESTING, quantity: 21 }, 'over'))).toEqual(LIMIT_REACHED);
    const other = { ...BUY, instrument: 'NSE:WIPRO', quantity: 6 };
    expect(codeOf(await place(rig, other, 'every'))).toEqual(LIMIT_REACHED);
  });

  it('is that of a whole order, not of its slices', async () => {
    const environment = { APP_MAX_ORDER_QUANTITY: '10', APP_FREEZE_QUANTITIES: 'NSE:INFY=4' };
    await using rig = await limited({ ...environment, APP_MAX_OPEN_ORDERS: '1' });
    expect(codeOf(await place(rig, { ...RESTING, quantity: 11 }, 'over'))).toEqual(LIMIT_REACHED);
    expect((await place(rig, { ...RESTING, quantity: 10 }, 'sliced')).status).toBe(201);
    expect(rig.sandbox.kite.orders()).toHaveLength(3);
    const next = await place(rig, { ...RESTING, quantity: 10 }, 'another');
    expect([next.status, next.body.code]).toEqual(LIMIT_REACHED);
    expect(rig.sandbox.kite.orders()).toHaveLength(3);
  });

  it('holds for a change of an order', async () => {
    await using rig = await limited({ APP_MAX_ORDER_QUANTITY: '10' });
    const { id } = (await place(rig, RESTING, 'resting')).body.data;
    await rig.time.advance(2_000);
    const reply = await modify(rig, id, { quantity: 11 });
    expect(codeOf(reply)).toEqual(LIMIT_REACHED);
    expect(rig.sandbox.kite.orders()).toMatchObject([{ quantity: 10 }]);
  });
});

describe('the open orders of an instrument', () => {
  const OPEN = { APP_MAX_OPEN_ORDERS: '2' };

  it('are limited for each instrument, until one of them has ended', async () => {
    await using rig = await limited(OPEN);
    const first = await place(rig, RESTING, 'one');
    expect((await place(rig, RESTING, 'two')).status).toBe(201);
    const third = await place(rig, RESTING, 'three');
    expect(codeOf(third)).toEqual(LIMIT_REACHED);
    expect(third.body.detail).toMatch(/2 orders of NSE:INFY are open at alt/);
    const other = { ...RESTING, instrument: 'NSE:WIPRO', price: 400 };
    expect((await place(rig, other, 'other')).status).not.toBe(409);
    expect((await cancel(rig, first.body.data.id)).status).toBe(202);
    await rig.time.advance(3_000);
    expect((await place(rig, RESTING, 'four')).status).toBe(201);
  });

  it('are counted in the decision, so that of two at once one passes', async () => {
    await using rig = await limited({ APP_MAX_OPEN_ORDERS: '1' });
    const both = [beginPlacing(rig, RESTING, 'one'), beginPlacing(rig, RESTING, 'two')];
    const replies = await rig.time.settle(Promise.all(both));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(placings(rig)).toHaveLength(1);
  });
});

describe('the orders of a minute', () => {
  const TWO = { APP_MAX_ORDERS_PER_MINUTE: '2' };

  it('are counted over all callers and a restart, and pass again after a minute', async () => {
    await using rig = await limited(TWO);
    const { key } = rig.composed.callers.add({ name: 'bot', scope: 'trade' });
    const headers = { authorization: `Bearer ${key.reveal()}`, 'idempotency-key': 'of the bot' };
    expect((await rig.post('/api/v1/orders', RESTING, headers)).status).toBe(201);
    expect((await place(rig, RESTING, 'two')).status).toBe(201);
    await rig.restart();
    await rig.time.advance(2_000);
    expect(codeOf(await place(rig, RESTING, 'three'))).toEqual(LIMIT_REACHED);
    await rig.time.advance(60_000);
    expect((await place(rig, RESTING, 'four')).status).toBe(201);
  });

  it('use no place within the broker’s limits once they are used up', async () => {
    await using rig = await limited(TWO);
    for (const key of ['one', 'two']) await place(rig, RESTING, key);
    const left = async (): Promise<unknown> =>
      (await rig.get('/api/v1/limits')).body.data[0].buckets[0].windows.at(-1).left;
    const before = await left();
    for (let each = 0; each < 20; each += 1) await place(rig, RESTING, `more ${each}`);
    expect(await left()).toBe(before);
  });

  it('are none of an exit, a cancel or a smaller order', async () => {
    await using rig = await limited(TWO);
    const { id } = (await place(rig, RESTING, 'one')).body.data;
    await place(rig, RESTING, 'two');
    await rig.time.advance(2_000);
    expect((await place(rig, SELL, 'exit')).status).toBe(201);
    expect((await modify(rig, id, { quantity: 5 })).status).toBe(200);
    await rig.time.advance(2_000);
    expect((await modify(rig, id, { price: 1_480 })).status).toBe(200);
    expect((await cancel(rig, id)).status).toBe(202);
  });

  it('are those with real money and those on paper, apart', async () => {
    await using rig = await limited(TWO);
    for (const key of ['one', 'two']) await place(rig, RESTING, key);
    const paper = await place(rig, { ...RESTING, broker: 'paper' }, 'paper');
    expect(paper.status).toBe(201);
    expect((await rig.get('/api/v1/limits')).body.brakes.maxOrdersPerMinute).toEqual({
      limit: 2,
      used: [
        { mode: 'live', orders: 2 },
        { mode: 'paper', orders: 1 },
      ],
    });
  });

  it('stop no exit of what an account was last known to hold, where it does not answer', async () => {
    await using rig = await limited(TWO);
    await rig.time.advance(70_000);
    for (const key of ['one', 'two']) await place(rig, RESTING, key);
    hangPositions(rig);
    expect((await place(rig, { ...SELL, quantity: 200 }, 'exit')).status).toBe(201);
    const over = await place(rig, { ...SELL, quantity: 201, broker: 'alt' }, 'over');
    expect(codeOf(over)).toEqual(LIMIT_REACHED);
  });
});

describe('an exit of a position', () => {
  it('is stopped by none of the limits, in slices and in several attempts', async () => {
    await using rig = await limited({
      ...{ APP_MAX_ORDER_VALUE: '1', APP_MAX_ORDER_QUANTITY: '1', APP_MAX_OPEN_ORDERS: '1' },
      ...{ APP_MAX_ORDERS_PER_MINUTE: '1', APP_FREEZE_QUANTITIES: 'NSE:INFY=60' },
    });
    const held = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };
    const { body } = await rig.post('/api/v1/exits', held);
    await rig.time.advance(30_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data).toMatchObject({ status: 'flat', held: 0 });
  });
});

describe('without limits', () => {
  it('nothing is asked of an order', async () => {
    await using rig = await loggedInRig();
    const quotes = rig.sent.length;
    expect((await place(rig, BUY, 'free')).status).toBe(201);
    const urls = rig.sent.slice(quotes).map(({ url }) => new URL(url).pathname);
    expect(urls.filter((path) => path.startsWith('/quote'))).toEqual([]);
  });
});
