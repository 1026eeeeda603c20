import { describe, expect, it } from 'vitest';
import { journalEvents } from '../support/journal-events.ts';
import { elsewhere } from '../support/kite-elsewhere.ts';
import type { Rig } from '../support/rig.ts';
import { loggedInRig, orderOf, place, RESTING, spoilReading } from './walk.ts';

/** What the book shows of the orders: each row as it is handed out. */
type Alter = (row: Record<string, unknown>) => Record<string, unknown> | null;

/** A rig whose book shows its rows as `shown.alter` says, and an order that a person has placed in the broker's app. */
async function rigWithHidden(): Promise<
  AsyncDisposable & { rig: Rig; id: string; shown: { alter: Alter | null } }
> {
  const shown: { alter: Alter | null } = { alter: null };
  const rig = await loggedInRig({
    sandbox: { latencyMs: [100, 100] },
    alter: ({ method, url }, body) => {
      if (shown.alter === null || method !== 'GET' || !url.endsWith('/orders')) return body;
      const { data, ...rest } = JSON.parse(body) as { data: Record<string, unknown>[] };
      const { alter } = shown;
      return JSON.stringify({ ...rest, data: data.flatMap((row) => alter(row) ?? []) });
    },
  });
  const { order_id: id } = elsewhere(rig.sandbox, 'POST', '/orders/regular', {
    ...{ exchange: 'NSE', tradingsymbol: 'INFY', transaction_type: 'BUY', quantity: '7' },
    ...{ order_type: 'LIMIT', product: 'CNC', validity: 'DAY', price: '1465' },
  });
  await rig.time.advance(2_000);
  await orderOf(rig, `alt:${String(id)}`);
  await rig.time.advance(1_000);
  return {
    ...{ rig, id: `alt:${String(id)}`, shown },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

const change = (rig: Rig, method: 'PATCH' | 'DELETE', id: string, key: string, json?: object) =>
  rig.call({
    ...{ method, path: `/api/v1/orders/${id}`, headers: { 'idempotency-key': key } },
    ...(json ? { json } : {}),
  });

const cancels = (rig: Rig): number =>
  rig.sent.filter(({ method, url }) => method === 'DELETE' && url.includes('/orders/')).length;

const statusAtBroker = (rig: Rig, id: string): string | undefined =>
  rig.sandbox.kite.orders().find(({ orderId }) => `alt:${orderId}` === id)?.status;

/** Ways in which a book does not show an order whole. */
const HIDDEN: readonly (readonly [string, Alter, known: object])[] = [
  [
    'whose quantity cannot be read',
    (row) => ({ ...row, quantity: 'many' }),
    { instrument: 'NSE:INFY', side: 'BUY', quantity: null },
  ],
  [
    'of which the id alone can be read',
    ({ order_id }) => ({ order_id, status: 17 }),
    { instrument: null, side: null, quantity: null },
  ],
  [
    'whose row has lost its id',
    (row) => ({ ...row, order_id: null }),
    { instrument: null, side: null, quantity: null },
  ],
  ['whose row is missing', () => null, { instrument: null, side: null, quantity: null }],
];

describe('a cancel of an order placed elsewhere that the book does not show whole', () => {
  it.each(HIDDEN)(
    '%s goes out once, and says that its end is not known',
    async (_, alter, known) => {
      await using hidden = await rigWithHidden();
      const { rig, id, shown } = hidden;
      shown.alter = alter;
      await rig.time.advance(1_000);
      for (const tries of [1, 2]) {
        const reply = await change(rig, 'DELETE', id, 'out');
        expect([tries, reply.status, reply.body.code, reply.body.mayHaveExecuted]).toEqual([
          tries,
          ...[503, 'broker_unavailable', true],
        ]);
        expect(reply.body.detail).toMatch(
          /has been sent; whether it has come to anything is not known/,
        );
      }
      await rig.time.advance(2_000);
      expect([cancels(rig), statusAtBroker(rig, id)]).toEqual([1, 'CANCELLED']);
      expect(journalEvents(rig.dataDirectory, 'order.external_cancel')).toMatchObject([
        { data: { ...known, outcome: null } },
        { data: { ...known, outcome: 'acknowledged' } },
      ]);
      shown.alter = null;
      await rig.time.advance(2_000);
      expect((await orderOf(rig, id)).status).toBe('cancelled');
      const settled = await change(rig, 'DELETE', id, 'out');
      expect([settled.status, settled.body.data.status, cancels(rig)]).toEqual([
        200,
        'cancelled',
        1,
      ]);
    },
  );

  it('is answered by its row where that is whole again', async () => {
    await using hidden = await rigWithHidden();
    const { rig, id, shown } = hidden;
    shown.alter = (row) => (cancels(rig) > 0 ? row : { ...row, quantity: 'many' });
    await rig.time.advance(1_000);
    const reply = await change(rig, 'DELETE', id, 'out');
    expect(reply.body).toMatchObject({ data: { status: 'cancelled' } });
    expect(reply.status).toBe(200);
  });

  it('that the broker refuses is a refusal, and one that has ended by its row is not sent', async () => {
    await using hidden = await rigWithHidden();
    const { rig, id, shown } = hidden;
    elsewhere(rig.sandbox, 'DELETE', `/orders/regular/${id.slice('alt:'.length)}`);
    shown.alter = ({ order_id }) => ({ order_id, status: 17 });
    await rig.time.advance(1_000);
    const refused = await change(rig, 'DELETE', id, 'out');
    expect([refused.status, refused.body.code, cancels(rig)]).toEqual([422, 'change_refused', 1]);
    shown.alter = (row) => ({ ...row, quantity: 'many' });
    await rig.time.advance(1_000);
    const over = await change(rig, 'DELETE', id, 'again');
    expect([over.status, over.body.code, cancels(rig)]).toEqual([409, 'order_state', 1]);
  });

  it('of an order of the gateway names the id of that one', async () => {
    await using hidden = await rigWithHidden();
    const { rig, shown } = hidden;
    const { body } = await place(rig, RESTING, 'mine');
    await rig.time.advance(2_000);
    for (const alter of [HIDDEN[0], HIDDEN[3]].map((each) => each?.[1] ?? null)) {
      shown.alter = alter;
      await rig.time.advance(1_000);
      const reply = await change(rig, 'DELETE', `alt:${String(body.data.brokerOrderId)}`, 'out');
      expect([reply.status, reply.body.code]).toEqual([409, 'order_state']);
      expect(reply.body.detail).toContain(body.data.id);
    }
    expect(cancels(rig)).toBe(0);
  });
});

describe('an id that no book has shown', () => {
  it('is unknown, unless a row whose id cannot be read may be its own', async () => {
    await using hidden = await rigWithHidden();
    const { rig, shown } = hidden;
    const id = 'alt:261106000009999';
    expect((await change(rig, 'DELETE', id, 'out')).body.code).toBe('unknown_order');
    shown.alter = (row) => ({ ...row, order_id: null });
    await rig.time.advance(1_000);
    const reply = await change(rig, 'DELETE', id, 'out');
    expect([reply.status, reply.body.code, reply.body.mayHaveExecuted]).toEqual([
      ...[503, 'broker_unavailable', false],
    ]);
    expect(cancels(rig)).toBe(0);
  });
});

describe('a modification of an order that the book does not show whole', () => {
  it('is not sent, and the answer does not say that there is no such order', async () => {
    await using hidden = await rigWithHidden();
    const { rig, id, shown } = hidden;
    for (const [, alter] of HIDDEN) {
      shown.alter = alter;
      await rig.time.advance(1_000);
      const reply = await change(rig, 'PATCH', id, 'dearer', { price: 1_466 });
      expect([reply.status, reply.body.code, reply.body.mayHaveExecuted]).toEqual([
        ...[503, 'broker_unavailable', false],
      ]);
    }
    expect(rig.sent.filter(({ method }) => method === 'PUT')).toEqual([]);
  });

  it('nor is a cancel without a book of the day: that is an error, and not an unknown order', async () => {
    await using hidden = await rigWithHidden();
    const { rig, id } = hidden;
    await rig.crash();
    spoilReading(rig, 'error_before', '/orders');
    const reply = await change(rig, 'DELETE', id, 'out');
    expect(reply.body.code).not.toBe('unknown_order');
  });
});
