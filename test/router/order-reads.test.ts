import { describe, expect, it } from 'vitest';
import type { BrokerOrder } from '../../src/domain/broker-order.ts';
import type { OrderStatus } from '../../src/domain/order.ts';
import type { Execution } from '../../src/execution/execution.ts';
import type { OrderRecord } from '../../src/execution/order/order.ts';
import type { OrderQuery } from '../../src/router/gateway.ts';
import { createOrderReads } from '../../src/router/order-reads.ts';
import { AT, bookRow, DAY, orderRecord } from '../execution/support/makers.ts';
import type { OrderFields } from '../execution/support/order-fields.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { type ElapsedMs, epochMs, plus } from '../../src/units/branded.ts';

/** A gateway's orders and a broker's book, as they are now. */
function listsBench() {
  const time = new VirtualTime(new Date(AT).toISOString());
  const orders: OrderRecord[] = [];
  let rows: readonly BrokerOrder[] = [];
  /** When the book of each broker was last read. */
  const lastReads = new Map<string, ElapsedMs>();
  const ours = new Set<string>();
  const execution = {
    ordersOn: async (day: string) => orders.filter((order) => order.day === day),
    order: async (id: string) => orders.find((order) => order.id === id) ?? null,
    onOrderMoved: () => undefined,
    poller: (broker: string) => ({
      trading: { broker: 'alt', mode: 'live' },
      lastRead: () => (lastReads.has(broker) ? { begun: lastReads.get(broker) } : null),
      read: async () => ({
        ...{ rows, unread: [], complete: true },
        ...{ begunAt: time.now(), begun: time.elapsed() },
      }),
    }),
    state: {
      attemptsOf: new Map(),
      slicesOf: new Map(),
      externalChanges: new Map(),
      triggers: new Map(),
      quarantine: { hasOrder: () => false },
      observedIn: {
        get: (_: string, __: string, id: string) => ({ orderId: ours.has(id) ? 'o' : null }),
      },
    },
  } as unknown as Execution;
  const reads = createOrderReads({
    execution,
    clock: time,
    scheduler: time,
    view: (broker) => ({ broker, mode: 'live', blocked: null }),
    brokers: [],
    accountOf: () => 'alt',
  });
  /** Virtual time: long lists take several turns. */
  async function ask<T>(answer: Promise<T>): Promise<T> {
    const [result] = await Promise.all([answer, time.advance(10)]);
    return result;
  }
  return {
    time,
    orders,
    ours,
    lastReads,
    setBook: (book: readonly BrokerOrder[]) => void (rows = book),
    page: (query: OrderQuery = {}) => ask(reads.getOrders(query)),
    one: (id: string) => ask(reads.getOrder(id)),
    dated: async (id: string) => (await ask(reads.getDatedOrder(id))).meta,
    async idsOfAll(query: OrderQuery, between: () => void = () => undefined): Promise<string[]> {
      const ids: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await ask(reads.getOrders({ ...query, cursor }));
        ids.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
        between();
      } while (cursor !== undefined);
      return ids;
    },
  };
}

const own = (number: number, parts: Partial<OrderFields> = {}): OrderRecord =>
  orderRecord({
    id: `ord_${String(number).padStart(5, '0')}`,
    broker: 'alt',
    createdAt: epochMs(AT + number),
    ...parts,
  });

const byHand = (number: number, parts: Partial<BrokerOrder> = {}): BrokerOrder =>
  bookRow({ brokerOrderId: `h${number}`, createdAt: epochMs(AT + number), ...parts });

describe('a page of orders', () => {
  it('has our orders and those placed elsewhere, newest first, and the cursor of the next page', async () => {
    const bench = listsBench();
    bench.orders.push(own(1), own(3));
    bench.setBook([byHand(2), byHand(4)]);
    const first = await bench.page({ limit: 3 });
    expect(first.data.map(({ id }) => id)).toEqual(['alt:h4', 'ord_00003', 'alt:h2']);
    const second = await bench.page({ limit: 3, cursor: first.nextCursor! });
    expect(second.data.map(({ id }) => id)).toEqual(['ord_00001']);
    expect(second.nextCursor).toBeNull();
  });

  it('has no next page at the end of the list', async () => {
    const bench = listsBench();
    bench.orders.push(own(1), own(2));
    expect((await bench.page({ limit: 2 })).nextCursor).toBeNull();
  });

  it('has as many orders as fit into a megabyte when the caller gives no limit', async () => {
    const bench = listsBench();
    bench.orders.push(...Array.from({ length: 1_001 }, (_, number) => own(number)));
    const page = await bench.page();
    expect(page.data.length).toBeGreaterThan(900);
    const rest = await bench.page({ cursor: page.nextCursor! });
    expect(page.data.length + rest.data.length).toBe(1_001);
    expect(rest.nextCursor).toBeNull();
  });

  it('stays below a megabyte when orders are long, and the next page continues after it', async () => {
    const bench = listsBench();
    const reason = 'ü'.repeat(2_000);
    bench.orders.push(
      ...Array.from({ length: 600 }, (_, number) => own(number, { kind: 'rejected', reason })),
    );
    const page = await bench.page();
    expect(page.data.length).toBeGreaterThan(150);
    expect(Buffer.byteLength(JSON.stringify(page.data))).toBeLessThan(1_000_000);
    expect(await bench.idsOfAll({})).toHaveLength(600);
  });

  it('has one order that is longer than a page', async () => {
    const bench = listsBench();
    bench.orders.push(own(1, { kind: 'rejected', reason: 'x'.repeat(2_000_000) }), own(2));
    expect(await bench.idsOfAll({})).toEqual(['ord_00002', 'ord_00001']);
  });

  it('has only orders of the status and the broker in the query', async () => {
    const bench = listsBench();
    bench.orders.push(own(1), own(2, { kind: 'rejected' }), own(3, { broker: 'paper' }));
    bench.setBook([byHand(4), byHand(5, { status: 'rejected' })]);
    const idsOf = async (...status: OrderStatus[]) =>
      (await bench.page({ status, broker: 'alt' })).data.map(({ id }) => id);
    expect(await idsOf('rejected')).toEqual(['alt:h5', 'ord_00002']);
    expect(await idsOf('rejected', 'working')).toEqual([
      'alt:h5',
      'alt:h4',
      'ord_00002',
      'ord_00001',
    ]);
    expect(await idsOf('disputed')).toEqual([]);
  });
});

describe('pages of a list that changes', () => {
  it('show each order once, while orders come in and change', async () => {
    const bench = listsBench();
    bench.orders.push(...Array.from({ length: 20 }, (_, number) => own(number)));
    bench.setBook(Array.from({ length: 20 }, (_, number) => byHand(number)));
    const before = [...bench.orders].map(({ id }) => id);
    let next = 100;
    const ids = await bench.idsOfAll({ limit: 7 }, () => {
      next += 1;
      bench.orders.push(own(next));
      const index = next % 20;
      bench.orders[index] = own(index, { kind: 'filled', updatedAt: epochMs(AT + 10_000) });
    });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining(before));
    expect(ids.filter((id) => id.startsWith('alt:'))).toHaveLength(20);
  });

  it('keep the position of an order placed elsewhere when its broker changes its time', async () => {
    const bench = listsBench();
    const rows = Array.from({ length: 6 }, (_, number) => byHand(number));
    bench.setBook(rows);
    const ids = await bench.idsOfAll({ limit: 2 }, () => {
      bench.setBook(
        rows.map((row, index) => (index < 2 ? { ...row, createdAt: epochMs(AT + 900) } : row)),
      );
    });
    expect(ids).toEqual(['alt:h5', 'alt:h4', 'alt:h3', 'alt:h2', 'alt:h1', 'alt:h0']);
  });

  it('list an order without a time under the time of the first read', async () => {
    const bench = listsBench();
    bench.setBook([byHand(1, { createdAt: null })]);
    const [first] = (await bench.page()).data;
    bench.setBook([byHand(1, { createdAt: null })]);
    const [second] = (await bench.page()).data;
    expect(second?.createdAt).toBe(first?.createdAt);
  });

  it('do not show a row as placed elsewhere once it is known to be ours', async () => {
    const bench = listsBench();
    bench.setBook([byHand(1), byHand(2)]);
    expect((await bench.page()).data).toHaveLength(2);
    bench.ours.add('h1');
    expect((await bench.page()).data.map(({ id }) => id)).toEqual(['alt:h2']);
  });

  it('keep their day when the next one begins', async () => {
    const bench = listsBench();
    bench.orders.push(own(1), own(2));
    const { nextCursor } = await bench.page({ limit: 1 });
    await bench.time.advance(86_400_000);
    const page = await bench.page({ cursor: nextCursor! });
    expect(page.data.map(({ id }) => id)).toEqual(['ord_00001']);
  });

  it('accept a cursor of an answer only', async () => {
    await expect(listsBench().page({ cursor: 'next' })).rejects.toMatchObject({
      fields: {
        code: 'invalid_request',
        detail: 'query.cursor: takes the nextCursor of an answer, unchanged',
        errors: [{ path: 'query.cursor' }],
      },
    });
  });

  it('are of one day: a cursor with another day is refused', async () => {
    const bench = listsBench();
    bench.orders.push(own(1), own(2));
    const { nextCursor } = await bench.page({ limit: 1, day: DAY });
    await expect(bench.page({ cursor: nextCursor!, day: '2026-11-05' })).rejects.toMatchObject({
      fields: {
        code: 'wrong_cursor',
        detail: `query.cursor: belongs to the list of orders of ${DAY}, and not to this one: leave it out for the first page`,
      },
    });
  });
});

describe('an order placed elsewhere', () => {
  it('is found by its id until it is known to be ours', async () => {
    const bench = listsBench();
    bench.setBook([byHand(1)]);
    expect(await bench.one('alt:h1')).toMatchObject({ external: true, createdAt: epochMs(AT + 1) });
    bench.ours.add('h1');
    await expect(bench.one('alt:h1')).rejects.toMatchObject({ fields: { code: 'unknown_order' } });
  });
});

describe('how old what is said of an order is', () => {
  it('is told by the last read of its broker’s book, however long ago that was', async () => {
    const bench = listsBench();
    bench.orders.push(own(1));
    bench.lastReads.set('alt', bench.time.elapsed());
    await bench.time.advance(600_000);
    const meta = await bench.dated('ord_00001');
    expect(meta).toMatchObject({ broker: 'alt', mode: 'live' });
    expect(meta.ageMs).toBe(600_000);
    expect(meta.asOf).toBe(AT);
  });

  it('is told by its last change where no read came after that', async () => {
    const bench = listsBench();
    await bench.time.advance(600_000);
    bench.orders.push(own(1, { updatedAt: plus(bench.time.now(), -1_000) }));
    expect((await bench.dated('ord_00001')).ageMs).toBe(1_000);
  });

  it('is told of a page by the oldest: an open order of another broker may be known from before', async () => {
    const bench = listsBench();
    bench.orders.push(own(1), own(2, { broker: 'primary' }));
    bench.lastReads.set('primary', bench.time.elapsed());
    await bench.time.advance(600_000);
    bench.lastReads.set('alt', bench.time.elapsed());
    expect((await bench.page()).meta.ageMs).toBeGreaterThanOrEqual(600_000);
    bench.lastReads.set('primary', bench.time.elapsed());
    expect((await bench.page()).meta.ageMs).toBeLessThan(1_000);
  });
});
