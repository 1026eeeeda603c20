import { describe, expect, it } from 'vitest';
import { sum } from '../../src/domain/money.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, loggedInRig, pinnedRig, place, RESTING, spoilReading } from './walk.ts';

const FORM = {
  ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '5' },
  ...{ order_type: 'MARKET', product: 'CNC', validity: 'DAY', market_protection: '-1' },
};

const note = (rig: Rig, query = '', headers: Record<string, string> = {}) =>
  rig.call({ method: 'GET', path: `/api/v1/contract-note${query}`, headers });

interface Charged {
  readonly orderId: string;
  readonly charges: { readonly total: number; readonly transactionTax: number };
}

const ordersOf = (reply: Awaited<ReturnType<typeof note>>): readonly Charged[] =>
  reply.body.data.orders;

/** Requests for charges that have left. */
const asked = (rig: Rig): readonly { readonly body?: string }[] =>
  rig.sent.filter(({ url }) => new URL(url).pathname === '/charges/orders');

describe('the contract note', () => {
  it('has every order of the day that has filled, with what it cost, and no other', async () => {
    await using rig = await loggedInRig();
    const filled = await place(rig, BUY, 'k1');
    await place(rig, RESTING, 'k2');
    const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', FORM);
    await rig.time.advance(3_000);
    const reply = await note(rig);
    expect(reply.status).toBe(200);
    const { day, orders, total } = reply.body.data;
    expect(day).toBe('2026-11-06');
    expect(orders).toMatchObject([
      {
        ...{ orderId: filled.body.data.id, external: false, instrument: 'NSE:INFY', side: 'BUY' },
        ...{ product: 'CNC', variety: 'regular', quantity: 10, price: 1500.1 },
        // 0.1 % of ₹15,000.
        charges: { transactionTax: 15, transactionTaxType: 'stt', brokerage: 0 },
      },
      { orderId: `alt:${String(id)}`, external: true, quantity: 5, charges: { stampDuty: 1.13 } },
    ]);
    const totals = ordersOf(reply).map(({ charges }) => charges.total);
    expect(total.total).toBe(sum(totals));
    expect(total.transactionTax).toBe(22.5);
    expect(reply.body.meta).toMatchObject({ broker: 'alt', mode: 'live', ageMs: 0 });
  });

  it('asks about all orders of the day in one request: a closed position is taxed less', async () => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'k1');
    await rig.time.advance(3_000);
    const [before] = ordersOf(await note(rig));
    await place(rig, { ...BUY, side: 'SELL' }, 'k2');
    await rig.time.advance(3_000);
    const [after, sale] = ordersOf(await note(rig));
    expect(before?.charges.transactionTax).toBe(15);
    expect([after, sale].map((one) => one?.charges.transactionTax)).toEqual([0, 3.75]);
    expect(asked(rig).map(({ body }) => JSON.parse(body ?? '').length)).toEqual([1, 2]);
  });

  it('of one key has its own orders, and their sum', async () => {
    await using rig = await loggedInRig();
    const { key } = rig.composed.callers.add({ name: 'a strategy', scope: 'trade' });
    const headers = { authorization: `Bearer ${key.reveal()}` };
    await place(rig, BUY, 'k1');
    const own = await rig.post('/api/v1/orders', { ...BUY, quantity: 3 }, headers);
    await rig.time.advance(3_000);
    const reply = await note(rig, '?scope=mine', headers);
    expect(ordersOf(reply).map(({ orderId }) => orderId)).toEqual([own.body.data.id]);
    expect(reply.body.data.total.transactionTax).toBe(4.5);
    // What an order costs depends on the others of the day.
    expect(JSON.parse(asked(rig).at(-1)?.body ?? '')).toHaveLength(2);
  });

  it('of a day on which nothing filled is empty, and asks about nothing', async () => {
    await using rig = await loggedInRig();
    await place(rig, RESTING, 'k1');
    const reply = await note(rig);
    expect(reply.body.data).toMatchObject({ orders: [], total: { total: 0 } });
    expect(asked(rig)).toEqual([]);
  });

  it('is an error where the book or the charges cannot be read, and never an empty note', async () => {
    await using rig = await loggedInRig();
    await place(rig, BUY, 'k1');
    await rig.time.advance(3_000);
    const fault = spoilReading(rig, 'reset_after', '/orders');
    expect((await note(rig)).status).toBe(503);
    rig.sandbox.faults.remove(fault);
    rig.sandbox.faults.add({ broker: 'kite', kind: 'reset_after', match: { path: '/charges' } });
    const reply = await note(rig);
    expect([reply.status, reply.body.code]).toEqual([503, 'broker_unavailable']);
  });

  it('has no sum where the charges of one order are not known', async () => {
    let isUnknown = false;
    await using rig = await loggedInRig({
      alter: ({ url }, body) => {
        const data = isUnknown && url.endsWith('/charges/orders') ? JSON.parse(body) : null;
        if (data === null) return body;
        data.data[0].charges = null;
        return JSON.stringify(data);
      },
    });
    await place(rig, BUY, 'k1');
    await place(rig, BUY, 'k2');
    await rig.time.advance(3_000);
    isUnknown = true;
    const { orders, total } = (await note(rig)).body.data;
    expect(orders).toMatchObject([{ charges: null }, { charges: { transactionTax: 15 } }]);
    expect(total).toBeNull();
  });

  it('has an order of which the row says no price, without charges', async () => {
    await using rig = await loggedInRig({
      alter: ({ url }, body) =>
        url.endsWith('/orders')
          ? body.replace(/"average_price":1500.1/, '"average_price":0')
          : body,
    });
    await place(rig, BUY, 'k1');
    await rig.time.advance(3_000);
    const { orders, total } = (await note(rig)).body.data;
    expect(orders).toMatchObject([{ quantity: null, price: null, charges: null }]);
    expect(total).toBeNull();
  });

  it('of the paper account has its brokerage, and nothing that it does not book', async () => {
    await using rig = await pinnedRig();
    await rig.time.advance(2_000);
    await place(rig, { ...BUY, broker: 'paper' }, 'k1');
    await rig.time.advance(2_000);
    const reply = await note(rig, '?broker=paper');
    const charges = { brokerage: 20, transactionTax: null, gst: null, total: 20 };
    expect(reply.body.data).toMatchObject({
      orders: [{ quantity: 10, charges }],
      total: charges,
    });
    expect(reply.body.meta.mode).toBe('paper');
  });

  it('is not offered by the primary brokerage', async () => {
    await using rig = await loggedInRig();
    const reply = await note(rig, '?broker=primary');
    expect([reply.status, reply.body.code]).toEqual([501, 'not_supported']);
  });

  it('of a confined key is that of its account alone', async () => {
    await using rig = await loggedInRig();
    const { key } = rig.composed.callers.add({ name: 'p', scope: 'read', broker: 'paper' });
    const headers = { authorization: `Bearer ${key.reveal()}` };
    expect((await note(rig, '', headers)).body.meta.broker).toBe('paper');
    expect((await note(rig, '?broker=alt', headers)).status).toBe(403);
  });
});
