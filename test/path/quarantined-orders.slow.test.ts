import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/database.ts';
import type { Rig } from '../support/rig.ts';
import { BUY, cancel, loggedInRig, place, placings } from './walk.ts';

/** The alternative account of the sandbox opens with 200 of these. */
const STOP = {
  ...{ ...BUY, side: 'SELL', quantity: 200, orderType: 'LIMIT', price: 1_530 },
  broker: 'alt',
} as const;
const HELD = { instrument: 'NSE:INFY', product: 'CNC', broker: 'alt' };

function damage(rig: Rig, statement: string, ...values: readonly string[]): void {
  const database = openDatabase(join(rig.dataDirectory, 'journal.db'));
  database.prepare(statement).run(...values);
  database.close();
}

/** A sale of all that is held rests at the broker, and its row in the journal does not fit. */
async function rigWithQuarantined() {
  const rig = await loggedInRig();
  const { body } = await place(rig, STOP, 'stop');
  await rig.time.advance(3_000);
  damage(rig, `UPDATE orders SET record = '{}' WHERE id = ?`, body.data.id);
  await rig.restart();
  await rig.time.advance(3_000);
  const [order] = rig.sandbox.kite.orders();
  return {
    ...{ rig, id: String(body.data.id), external: `alt:${order!.orderId}` },
    [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose](),
  };
}

const atBroker = (rig: Rig) => rig.sandbox.kite.orders().map(({ status }) => status);
const hasLeft = (rig: Rig): number => placings(rig).length;

describe('an order of the gateway that is quarantined and rests at its broker', () => {
  it('counts as sold: another sale of the same shares does not pass the kill switch', async () => {
    await using made = await rigWithQuarantined();
    const { rig } = made;
    await rig.post('/api/v1/kill-switch', { engaged: true, reason: 'a test' });
    const reply = await place(rig, { ...STOP, orderType: 'MARKET', price: null }, 'again');
    expect([reply.status, reply.body.code]).toEqual([409, 'kill_switch']);
    expect(reply.body.detail).toContain('SELL 200 NSE:INFY');
    expect(hasLeft(rig)).toBe(1);
  });

  it('is a problem that the document lists, wherever it is read by its id', async () => {
    await using made = await rigWithQuarantined();
    const { rig, id } = made;
    for (const path of ['', '/fills', '/history', '/latency']) {
      const { status, body } = await rig.get(`/api/v1/orders/${id}${path}`);
      expect([path, status, body.code]).toEqual([path, 503, 'journal_unavailable']);
    }
  });

  it('is kept free by an exit, and cancelled by one that is to', async () => {
    await using made = await rigWithQuarantined();
    const { rig } = made;
    const first = await rig.post('/api/v1/exits', HELD);
    await rig.time.advance(30_000);
    const kept = await rig.get(`/api/v1/exits/${first.body.data.id}`);
    expect(kept.body.data).toMatchObject({ status: 'partly_flat', why: 'reserved_elsewhere' });
    const { body } = await rig.post('/api/v1/exits', { ...HELD, cancelExternal: true });
    await rig.time.advance(30_000);
    const exit = await rig.get(`/api/v1/exits/${body.data.id}`);
    expect(exit.body.data).toMatchObject({ status: 'flat', held: 0 });
  });

  it('is kept free by a closing of all', async () => {
    await using made = await rigWithQuarantined();
    const { rig } = made;
    const asked = { ...HELD, holdings: [HELD.instrument], scope: 'account' };
    const { body } = await rig.post('/api/v1/positions/close-all', asked);
    await rig.time.advance(60_000);
    const closing = await rig.get(`/api/v1/positions/close-all/${body.data.id}`);
    expect(closing.body.data.status).not.toBe('running');
    expect(hasLeft(rig)).toBe(1);
  });

  it('is listed as placed elsewhere, and cancelled under that id', async () => {
    await using made = await rigWithQuarantined();
    const { rig, external } = made;
    const list = await rig.get('/api/v1/orders');
    expect([list.status, list.body.data]).toMatchObject([200, [{ id: external, external: true }]]);
    expect((await rig.get(`/api/v1/orders/${external}`)).body.data.status).toBe('working');
    expect((await cancel(rig, external)).status).toBe(202);
    await rig.time.advance(3_000);
    expect(atBroker(rig)).toEqual(['CANCELLED']);
  });

  it('is cancelled where all orders of the account are', async () => {
    await using made = await rigWithQuarantined();
    const { rig, external } = made;
    const { body } = await rig.post('/api/v1/orders/cancel-all', { scope: 'account' });
    expect(body.data).toMatchObject([{ id: external, result: 'cancelled' }]);
    expect(atBroker(rig)).toEqual(['CANCELLED']);
  });

  it('keeps the row of the book: it goes to no order like it', async () => {
    await using made = await rigWithQuarantined();
    const { rig, id, external } = made;
    const brokerOrderId = external.slice('alt:'.length);
    const { observed } = rig.composed.execution.state;
    const owners = [...observed.values()].filter((seen) => seen.brokerOrderId === brokerOrderId);
    expect(owners).toMatchObject([{ orderId: id }]);
  });
});

const FREEZE = { APP_FREEZE_QUANTITIES: 'NSE:INFY=4' };
const RESTS = { ...BUY, orderType: 'LIMIT', price: 1_470, broker: 'alt' };

describe('a sliced order that is quarantined with one of its slices', () => {
  it.each(['mine', 'account'])(
    'leaves slices that can be read: a cancel of all (%s) cancels them, each for itself',
    async (scope) => {
      await using rig = await loggedInRig({ environment: FREEZE });
      const { body } = await place(rig, RESTS, 'large');
      await rig.time.advance(3_000);
      damage(
        rig,
        `UPDATE orders SET record = '{}' WHERE parent_id = ? AND idempotency_key LIKE '%#1'`,
        body.data.id,
      );
      await rig.restart();
      await rig.time.advance(3_000);
      const reply = await rig.post('/api/v1/orders/cancel-all', { scope });
      const [first, ...others] = reply.body.data.map(
        ({ id, result }: { id: string; result: string }) => `${id.split(/[_:]/)[0]} ${result}`,
      );
      const all = [first, ...others].sort();
      const own = ['ord cancelled', 'ord cancelled'];
      expect(all).toEqual(scope === 'mine' ? own : ['alt cancelled', ...own]);
      const rows = rig.sandbox.kite.orders().map(({ status }) => status);
      expect(rows.filter((status) => status === 'OPEN')).toHaveLength(scope === 'mine' ? 1 : 0);
    },
  );

  it('leaves a parent that cannot be read alone, and cancels all of its slices', async () => {
    await using rig = await loggedInRig({ environment: FREEZE });
    const { body } = await place(rig, RESTS, 'large');
    await rig.time.advance(3_000);
    damage(rig, `UPDATE orders SET record = '{}' WHERE id = ?`, body.data.id);
    await rig.restart();
    await rig.time.advance(3_000);
    await rig.post('/api/v1/orders/cancel-all', { scope: 'mine' });
    expect(atBroker(rig)).toEqual(['CANCELLED', 'CANCELLED', 'CANCELLED']);
  });
});

describe('POST /positions/close-all with scope mine beside a quarantined order', () => {
  const PATH = '/api/v1/positions/close-all';
  const DAY_ORDER = { ...BUY, product: 'INTRADAY', broker: 'alt' };

  /** Closes what is the key's after the rows of some orders were damaged; tells how it stands at once. */
  async function closed(rig: Rig, record: string, where: string) {
    await rig.time.advance(3_000);
    damage(rig, `UPDATE orders SET record = ${record} WHERE ${where}`);
    await rig.restart();
    await rig.time.advance(3_000);
    const { status, body } = await rig.post(PATH, { broker: 'alt', scope: 'mine' });
    expect(status).toBe(202);
    const tell = (each: { instrument: string; quantity: number | null; status: string }) => [
      ...[each.instrument, each.quantity, each.status],
    ];
    const { positions } = body.data;
    return {
      positions: positions.map(tell),
      reasons: positions.flatMap(({ reason }: { reason: string | null }) => reason ?? []),
    };
  }

  it.each([`json_set(record, '$.state.kind', 'UP')`, `'{}'`])(
    'keeps what it may have filled, and names it (%s)',
    async (record) => {
      await using rig = await loggedInRig();
      const { body } = await place(rig, DAY_ORDER, 'first');
      const { positions, reasons } = await closed(rig, record, '1 = 1');
      expect(positions).toEqual([['NSE:INFY', null, 'kept']]);
      expect(reasons[0]).toContain(body.data.id);
    },
  );

  it('says which order holds everything back where nothing tells what it is of, and what to do', async () => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, DAY_ORDER, 'first');
    await place(rig, { ...DAY_ORDER, instrument: 'NSE:TCS', quantity: 3 }, 'second');
    await rig.time.advance(3_000);
    damage(rig, `DELETE FROM seen_orders WHERE order_id = ?`, body.data.id);
    damage(rig, `UPDATE attempts SET record = '{}', tag = 'gone' WHERE order_id = ?`, body.data.id);
    const { positions, reasons } = await closed(rig, `'{}'`, `idempotency_key = 'first'`);
    expect(positions).toEqual([
      ['NSE:TCS', null, 'kept'],
      ['NSE:INFY', null, 'kept'],
    ]);
    const words = `What ${body.data.id} is an order of cannot be read in the journal, nor in the order book`;
    for (const reason of reasons) expect(reason).toContain(words);
    expect(reasons[1]).toMatch(/send an exit of it, or a closing with scope account/);
  });

  it.each([
    [
      'its placing',
      `DELETE FROM seen_orders WHERE order_id = ?`,
      `UPDATE attempts SET tag = 'gone'`,
    ],
    [
      'its tag in the book',
      `DELETE FROM seen_orders WHERE order_id = ?`,
      `UPDATE attempts SET record = '{}'`,
    ],
    [
      'its id in the book',
      `UPDATE seen_orders SET order_id = order_id WHERE order_id = ?`,
      `UPDATE attempts SET record = '{}', tag = 'gone'`,
    ],
  ])('closes what it cannot be, where %s tells what it is of', async (_what, seen, attempt) => {
    await using rig = await loggedInRig();
    const { body } = await place(rig, DAY_ORDER, 'first');
    await place(rig, { ...DAY_ORDER, instrument: 'NSE:TCS', quantity: 3 }, 'second');
    await rig.time.advance(3_000);
    damage(rig, seen, body.data.id);
    damage(rig, `${attempt} WHERE order_id = ?`, body.data.id);
    const { positions } = await closed(rig, `'{}'`, `idempotency_key = 'first'`);
    expect(positions).toEqual([
      ['NSE:TCS', 3, 'waiting'],
      ['NSE:INFY', null, 'kept'],
    ]);
  });

  it('closes what other orders of the key have bought of another instrument', async () => {
    await using rig = await loggedInRig();
    await place(rig, DAY_ORDER, 'first');
    await place(rig, { ...DAY_ORDER, instrument: 'NSE:TCS', quantity: 3 }, 'second');
    const { positions } = await closed(
      rig,
      `json_set(record, '$.state.kind', 'UP')`,
      `idempotency_key = 'first'`,
    );
    expect(positions).toEqual([
      ['NSE:TCS', 3, 'waiting'],
      ['NSE:INFY', null, 'kept'],
    ]);
  });

  it('never closes more than certainly is its own, where it may have sold a part', async () => {
    await using rig = await loggedInRig();
    await place(rig, DAY_ORDER, 'bought');
    await rig.time.advance(2_000);
    await place(rig, { ...DAY_ORDER, side: 'SELL', quantity: 4 }, 'sold');
    rig.sandbox.kite.placeByHand({
      ...{ instrument: 'NSE:INFY', side: 'BUY', quantity: 10, product: 'intraday' },
    });
    const { positions } = await closed(
      rig,
      `json_set(record, '$.state.kind', 'UP')`,
      `idempotency_key = 'sold'`,
    );
    expect(positions).toEqual([
      ['NSE:INFY', 6, 'waiting'],
      ['NSE:INFY', null, 'kept'],
    ]);
  });
});
