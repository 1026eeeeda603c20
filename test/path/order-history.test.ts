import { describe, expect, it } from 'vitest';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, cancel, loggedInRig, modify, place, RESTING, spoilReading } from './walk.ts';

const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '5' },
  ...{ order_type: 'LIMIT', product: 'CNC', validity: 'DAY', price: '1460' },
};

interface State {
  readonly status: string;
  readonly brokerStatus: string;
  readonly price: number | null;
}

interface Requested {
  readonly kind: string;
  readonly outcome: string;
  readonly by: string | null;
}

async function historyOf(rig: Rig, id: string) {
  const reply = await rig.get(`/api/v1/orders/${id}/history`);
  if (reply.status !== 200) throw new Error(reply.text);
  const { states, statesReason, requests } = reply.body.data;
  return {
    states: states as readonly State[] | null,
    statesReason: statesReason as string | null,
    requests: requests as readonly Requested[],
  };
}

describe('the history of an order of ours', () => {
  it('has the states that the broker tells, and each request with who asked for it', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    await rig.time.advance(2_000);
    await modify(rig, body.data.id, { price: 1_471 });
    await rig.time.advance(2_000);
    await cancel(rig, body.data.id);
    await rig.time.advance(2_000);
    const { states, requests } = await historyOf(rig, body.data.id);
    expect(states?.[0]).toMatchObject({
      status: 'working',
      brokerStatus: 'PUT ORDER REQ RECEIVED',
    });
    expect(states?.at(-1)).toMatchObject({ status: 'cancelled', price: 1_471 });
    const me = (await rig.get('/api/v1/keys/me')).body.data;
    expect(requests).toMatchObject([
      { kind: 'place', outcome: 'acknowledged', by: me.id, changes: null },
      { kind: 'modify', outcome: 'acknowledged', by: me.id, changes: { price: 1_471 } },
      { kind: 'cancel', outcome: 'acknowledged', by: me.id },
    ]);
  });

  it('says that a cancel which the gateway has kept is its own', async () => {
    await using rig = await loggedInRig();
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'hang_after', times: 1 },
      match: { method: 'POST', path: '/orders' },
    });
    const { body } = await place(rig, RESTING, 'lost');
    await cancel(rig, body.data.id);
    await rig.time.advance(90_000);
    const { requests } = await historyOf(rig, body.data.id);
    expect(requests[0]).toMatchObject({ kind: 'place', outcome: 'acknowledged' });
    expect(requests.at(-1)).toMatchObject({ kind: 'cancel' });
  });

  it('of an order in slices has the requests of its slices', async () => {
    await using rig = await loggedInRig({ environment: { APP_FREEZE_QUANTITIES: 'NSE:INFY=10' } });
    const { body } = await place(rig, { ...RESTING, quantity: 25 }, 'sliced');
    await rig.time.advance(2_000);
    const { states, statesReason, requests } = await historyOf(rig, body.data.id);
    expect([states, requests.length]).toEqual([null, 3]);
    expect(statesReason).toBe('no order of the broker is known to be this one');
  });

  it('of the paper account has no states, and says why', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, { ...BUY, broker: 'paper' }, 'one');
    const { states, statesReason, requests } = await historyOf(rig, body.data.id);
    expect([states, requests.length]).toEqual([null, 1]);
    expect(statesReason).toBe('paper does not tell which states an order went through');
  });

  it('of an earlier day asks the broker nothing: its id may be another’s', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, BUY, 'one');
    await rig.time.advance(2_000);
    rig.time.stepWall(20 * 3_600_000);
    const { states, requests } = await historyOf(rig, body.data.id);
    expect([states, requests.length]).toEqual([null, 1]);
  });

  it('that cannot be read is an error, and not an order without states', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, BUY, 'one');
    await rig.time.advance(2_000);
    rig.sandbox.faults.add({
      ...{ broker: 'kite', kind: 'reset_after' },
      match: { method: 'GET', path: /^\/orders\/\d+$/ },
    });
    const reply = await rig.get(`/api/v1/orders/${String(body.data.id)}/history`);
    expect([reply.status, reply.body.code]).toEqual([503, 'broker_unavailable']);
  });
});

describe('an order placed elsewhere', () => {
  it('has the states that the broker tells', async () => {
    await using rig = await loggedInRig();
    const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
    await rig.time.advance(2_000);
    elsewhere(rig.sandbox, 'PUT', `/orders/regular/${String(id)}`, { price: '1461' });
    await rig.time.advance(2_000);
    const { states, requests } = await historyOf(rig, `alt:${String(id)}`);
    expect(states?.[0]).toMatchObject({ price: 1_460 });
    expect(states?.at(-1)).toMatchObject({ brokerStatus: 'OPEN', price: 1_461 });
    expect(requests).toEqual([]);
  });

  it('has its fills, and one without a fill has none', async () => {
    await using rig = await loggedInRig();
    const bought = { ...FORM, order_type: 'MARKET', price: '0', market_protection: '-1' };
    const { order_id: filled } = elsewhere(rig.sandbox, 'POST', '/orders/regular', bought);
    const { order_id: open } = elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
    await rig.time.advance(3_000);
    const fillsOf = async (id: unknown) =>
      (await rig.get(`/api/v1/orders/alt:${String(id)}/fills`)).body.data;
    const fills: { quantity: number; orderId: string }[] = await fillsOf(filled);
    expect(fills.reduce((sum, { quantity }) => sum + quantity, 0)).toBe(5);
    expect(fills[0]).toMatchObject({ orderId: `alt:${String(filled)}`, price: expect.any(Number) });
    expect(await fillsOf(open)).toEqual([]);
  });

  it('that is not in the book has neither', async () => {
    await using rig = await loggedInRig();
    for (const what of ['fills', 'history']) {
      const reply = await rig.get(`/api/v1/orders/alt:261106000009999/${what}`);
      expect([reply.status, reply.body.code]).toEqual([404, 'unknown_order']);
    }
  });

  it('whose trades cannot be read is an error, and not one without fills', async () => {
    await using rig = await loggedInRig();
    const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
    await rig.time.advance(2_000);
    spoilReading(rig, 'reset_after', '/trades');
    const reply = await rig.get(`/api/v1/orders/alt:${String(id)}/fills`);
    expect([reply.status, reply.body.code]).toEqual([503, 'broker_unavailable']);
  });
});
