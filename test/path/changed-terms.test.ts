import { describe, expect, it } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { cancel, loggedInRig, modify, place, RESTING, spoilReading } from './walk.ts';

/** Rests, and only sells what the account holds: 200 of these at the start. */
const EXIT = { ...RESTING, side: 'SELL', price: 1_530 } as const;

const changes = (rig: Rig): number => rig.sent.filter(({ method }) => method === 'PUT').length;

interface Resting extends AsyncDisposable {
  readonly rig: Rig;
  readonly id: string;
}

/** A rig with one resting order, and the kill switch engaged a while later where asked for. */
async function restingRig(order: object, isEngaged: boolean): Promise<Resting> {
  const rig = await loggedInRig({ environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=500' } });
  const placed = await place(rig, order, 'resting');
  await rig.time.advance(70_000);
  if (isEngaged) await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a test' });
  const id = String(placed.body.data.id);
  return { rig, id, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

describe('a change of the type is checked by the terms that the order would have', () => {
  it.each([
    [
      'a price off the tick',
      { orderType: 'LIMIT', price: 1_470.01 },
      'price_off_tick',
      [1_470, 1_470.1],
    ],
    [
      'a trigger off the tick',
      { orderType: 'SL', price: 1_480, triggerPrice: 1_470.01 },
      'price_off_tick',
      [1_470, 1_470.1],
    ],
    ['a stop without a trigger', { orderType: 'SL', price: 1_480 }, 'invalid_request'],
    [
      'a trigger above the price of a purchase',
      { orderType: 'SL', triggerPrice: 1_480 },
      'trigger_side',
    ],
    [
      'more than the freeze quantity',
      { orderType: 'MARKET', quantity: 501 },
      'quantity_too_large',
      [500],
    ],
  ])('%s is refused, with nothing sent', async (_what, change, code, nearest?: number[]) => {
    await using resting = await restingRig(RESTING, false);
    const { rig, id } = resting;
    const { status, body } = await modify(rig, id, change);
    expect([status, body.code, body.errors[0].nearest]).toEqual([400, code, nearest]);
    expect(changes(rig)).toBe(0);
  });

  it('a limit order has no price left once it is a market order, and needs one to be one again', async () => {
    await using resting = await restingRig({ ...RESTING, price: 1_400 }, false);
    const { rig, id } = resting;
    expect((await modify(rig, id, { orderType: 'SL-M', triggerPrice: 1_600 })).status).toBe(200);
    const reply = await modify(rig, id, { price: 1_450 });
    expect([reply.status, reply.body.code]).toEqual([400, 'invalid_request']);
  });
});

describe('under the kill switch, a resting order that opens a position', () => {
  it.each([
    ['becomes no market order', { orderType: 'MARKET' }],
    ['gets no other price', { price: 1_499 }],
    ['gets no other price with a lower quantity', { price: 1_499, quantity: 5 }],
    ['gets no other validity', { validity: 'IOC' }],
    ['is not made larger', { quantity: 11 }],
  ])('%s', async (_what, change) => {
    await using resting = await restingRig(RESTING, true);
    const { rig, id } = resting;
    const reply = await modify(rig, id, change);
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    expect(changes(rig)).toBe(0);
  });

  it('is made smaller', async () => {
    await using resting = await restingRig(RESTING, true);
    const { rig, id } = resting;
    expect((await modify(rig, id, { quantity: 5, price: 1_470 })).status).toBe(200);
  });
});

describe('under the kill switch, a resting order that only reduces a position', () => {
  it.each([
    ['gets another price', { price: 1_510 }],
    ['is made smaller at another price', { price: 1_510, quantity: 5 }],
    ['becomes a market order', { orderType: 'MARKET' }],
  ])('%s', async (_what, change) => {
    await using resting = await restingRig(EXIT, true);
    const { rig, id } = resting;
    expect((await modify(rig, id, change)).status).toBe(200);
    expect(changes(rig)).toBe(1);
  });

  it('is not made larger', async () => {
    await using resting = await restingRig(EXIT, true);
    const { rig, id } = resting;
    expect((await modify(rig, id, { quantity: 11 })).body.code).toBe('kill_switch');
  });

  it('gets no other price while its account cannot be read, and can be cancelled', async () => {
    await using resting = await restingRig(EXIT, true);
    const { rig, id } = resting;
    spoilReading(rig, 'error_before', '/portfolio/positions');
    expect((await modify(rig, id, { price: 1_510 })).body.code).toBe('kill_switch');
    expect((await cancel(rig, id)).status).toBe(202);
  });
});
