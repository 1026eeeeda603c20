import { describe, expect, it } from 'vitest';
import { createRig } from '../support/rig.ts';
import { BUY, loggedInRig, modify, place, RESTING } from './walk.ts';

describe('a mistake with a code of its own', () => {
  it('repeated_key: two orders of a basket have one key', async () => {
    await using rig = await loggedInRig();
    const orders = [1_470, 1_465].map((price) => ({ ...RESTING, price, clientOrderId: 'one' }));
    const { status, body } = await rig.post('/api/v1/orders/basket', { orders });
    expect([status, body.code, body.mayHaveExecuted]).toEqual([400, 'repeated_key', false]);
  });

  it('wrong_cursor: it belongs to the list of another day', async () => {
    await using rig = await loggedInRig();
    for (const key of ['one', 'two']) {
      await place(rig, RESTING, key);
      await rig.time.advance(1_000);
    }
    const { body } = await rig.get('/api/v1/orders?limit=1');
    const path = `/api/v1/orders?day=2026-11-02&cursor=${body.meta.nextCursor}`;
    const reply = await rig.get(path);
    expect([reply.status, reply.body.code]).toEqual([400, 'wrong_cursor']);
  });

  it('modified_too_often: brokers refuse more than 25 modifications', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, RESTING, 'one');
    await rig.time.advance(2_000);
    const codes: unknown[] = [];
    for (let count = 0; count < 26; count += 1) {
      const reply = await modify(rig, body.data.id, { price: 1_460 + (count % 2) });
      codes.push(reply.body.code ?? reply.status);
      await rig.time.advance(2_000);
    }
    expect(codes).toEqual([...Array<number>(25).fill(200), 'modified_too_often']);
  });

  it('change_under_way: a modification of the order has not been answered', async () => {
    await using rig = await loggedInRig({ sandbox: { latencyMs: [300, 300] } });
    const { body } = await place(rig, RESTING, 'one');
    await rig.time.advance(2_000);
    const path = `/api/v1/orders/${body.data.id}`;
    const first = rig.begin({ method: 'PATCH', path, json: { price: 1_460 } });
    await rig.time.advance(100);
    const second = await modify(rig, body.data.id, { price: 1_465 });
    expect([second.status, second.body.code]).toEqual([409, 'change_under_way']);
    expect(second.body).toMatchObject({ mayHaveExecuted: false, retrySafe: true });
    expect((await rig.time.settle(first)).status).toBe(200);
    expect(rig.sent.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('several_products: what is to be closed is held as two products', async () => {
    await using rig = await loggedInRig();
    for (const product of ['CNC', 'INTRADAY']) await place(rig, { ...BUY, product }, product);
    await rig.time.advance(10_000);
    const shares = { holdings: ['NSE:INFY'], includeUndelivered: true };
    const json = { broker: 'alt', instrument: 'NSE:INFY', ...shares };
    const before = rig.sandbox.kite.orders().length;
    const reply = await rig.post('/api/v1/positions/close-all', json);
    expect([reply.status, reply.body.code]).toEqual([400, 'several_products']);
    expect(reply.body.detail).toContain('name the product');
    await rig.time.advance(30_000);
    expect(rig.sandbox.kite.orders()).toHaveLength(before);
  });

  it('exit_running: another exit of the same shares is under way', async () => {
    await using rig = await loggedInRig();
    await place(rig, { ...BUY, product: 'INTRADAY' }, 'held');
    await rig.time.advance(5_000);
    const json = { instrument: 'INFY', product: 'INTRADAY' };
    const first = await rig.post('/api/v1/exits', json, { 'idempotency-key': 'first' });
    const second = await rig.post('/api/v1/exits', json, { 'idempotency-key': 'second' });
    expect(first.status).toBe(202);
    expect([second.status, second.body.code]).toEqual([409, 'exit_running']);
  });
});

describe('GET /api/v1/brokers', () => {
  it('lists a broker that is not set up, with what to set', async () => {
    const environment = { APP_ALT_BROKER_API_KEY: '', APP_ALT_BROKER_API_SECRET: '' };
    await using rig = await createRig({ environment });
    const { body } = await rig.get('/api/v1/brokers');
    const listed = body.data.map((each: Record<string, unknown>) => [each.broker, each.setUp]);
    expect(listed).toEqual([
      ['primary', true],
      ['paper', true],
      ['alt', false],
    ]);
    expect(body.data.at(-1)).toMatchObject({ available: false, serves: [], parts: [] });
    expect(body.data.at(-1).reason).toContain('set APP_ALT_BROKER_API_KEY');
  });

  it('says of the others that they are', async () => {
    await using rig = await loggedInRig();
    const { body } = await rig.get('/api/v1/brokers');
    expect(body.data.map((each: Record<string, unknown>) => each.setUp)).toEqual([
      true,
      true,
      true,
    ]);
  });
});
