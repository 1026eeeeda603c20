import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, place, spoilReading } from './walk.ts';

/** A stop that a person has placed in the broker's app: sells 50 of the 200 that the account holds. */
function placeGtt(rig: Rig, triggerPrice = 1_400): string {
  const about = { exchange: 'NSE', tradingsymbol: 'INFY' };
  const order = { transaction_type: 'SELL', product: 'CNC', order_type: 'LIMIT', quantity: 50 };
  const made = elsewhere(rig.sandbox, 'POST', '/gtt/triggers', {
    type: 'single',
    condition: JSON.stringify({ ...about, trigger_values: [triggerPrice], last_price: 1_500 }),
    orders: JSON.stringify([{ ...about, ...order, price: triggerPrice }]),
  });
  return String(made['trigger_id']);
}

describe('the triggers of an account', () => {
  it('are those that a person has placed in the app of the alternative broker', async () => {
    await using rig = await loggedInRig();
    const triggerId = placeGtt(rig);
    const { status, body } = await rig.get('/api/v1/triggers?broker=alt');
    expect([status, body.meta.broker]).toEqual([200, 'alt']);
    expect(body.data).toMatchObject([
      { triggerId, instrument: 'NSE:INFY', status: 'waiting', legs: [{ triggerPrice: 1_400 }] },
    ]);
  });

  it('at the primary brokerage are the stop orders of its book', async () => {
    await using rig = await loggedInRig();
    const stop = { orderType: 'SL', price: 1_600, triggerPrice: 1_590, broker: 'primary' };
    const placed = await place(rig, { ...BUY, ...stop }, 'stop');
    expect(placed.status).toBe(201);
    await rig.time.advance(2_000);
    const { body } = await rig.get('/api/v1/triggers?broker=primary');
    expect(body.data).toMatchObject([
      { triggerId: placed.body.data.brokerOrderId, status: 'waiting' },
    ]);
  });

  it('that cannot be read are an error, and never none', async () => {
    await using rig = await loggedInRig();
    placeGtt(rig);
    spoilReading(rig, 'error_before', '/gtt/triggers');
    const { status } = await rig.get('/api/v1/triggers?broker=alt');
    expect(status).toBe(503);
  });

  it('are not offered by the paper account', async () => {
    await using rig = await loggedInRig();
    const { status, body } = await rig.get('/api/v1/triggers?broker=paper');
    expect([status, body.code]).toEqual([501, 'not_supported']);
  });
});
