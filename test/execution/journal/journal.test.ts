import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../sandbox/kernel/ports.ts';
import { createSqliteJournal, type Journal } from '../../../src/execution/journal/journal.ts';
import { JOURNAL_VERSION } from '../../../src/execution/journal/schema.ts';
import type { AttemptRecord, AttemptStateKind } from '../../../src/execution/order/attempt.ts';
import type { Change, ObservedOrder } from '../../../src/execution/journal/records.ts';
import type { FillRecord } from '../../../src/execution/order/fills.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { applyChange, createState } from '../../../src/execution/journal/state.ts';
import { openDatabase, type Database } from '../../../src/platform/database.ts';
import { attemptRecord, attemptState, cancelAttempt } from '../support/attempts.ts';
import { AT, fillRecord, observedOrder, orderRecord } from '../support/makers.ts';
import { plain, randomChanges } from '../support/random-changes.ts';

const order = (row: OrderRecord): Change => ({ table: 'orders', key: row.id, row });
const attempt = (row: AttemptRecord): Change => ({ table: 'attempts', key: row.id, row });
const fill = (row: FillRecord): Change => ({ table: 'fills', key: row.key, row });
const observed = (row: ObservedOrder): Change => ({
  table: 'observed',
  key: row.brokerOrderId,
  row,
});
const event = (sequence: number): Change => ({
  table: 'events',
  key: String(sequence),
  row: { sequence, at: AT, type: 'alert', orderId: null, data: { message: `${sequence}` } },
});

interface Bench {
  readonly database: Database;
  readonly journal: Journal;
  /** Null when the journal took the changes; why not otherwise. */
  write(...changes: Change[]): Promise<string | null>;
}

function bench(): Bench {
  const database = openDatabase(':memory:');
  const journal = createSqliteJournal(database);
  return {
    database,
    journal,
    async write(...changes) {
      const { committed, error } = await journal.commit([changes]);
      return committed === 1 ? null : String((error as Error).message);
    },
  };
}

/** A journal with two orders; the first has a place attempt. */
async function withOrders(kind: AttemptStateKind = 'sending'): Promise<Bench> {
  const made = bench();
  await made.write(
    order(orderRecord()),
    order(orderRecord({ id: 'ord_2' })),
    attempt(attemptRecord({ state: attemptState(kind) })),
  );
  return made;
}

describe('the database itself forbids', () => {
  it('two orders under one key', async () => {
    const { write } = bench();
    expect(await write(order(orderRecord({ idempotencyKey: 'k' })))).toBeNull();
    const second = orderRecord({ id: 'ord_2', idempotencyKey: 'k' });
    expect(await write(order(second))).toMatch(/UNIQUE/);
    expect(await write(order({ ...second, caller: 'another' }))).toBeNull();
  });

  it.each(['sending', 'uncertain', 'acknowledged', 'absent'] as const)(
    'a second placing of an order whose first is %s',
    async (kind) => {
      const { write } = await withOrders(kind);
      const second = attemptRecord({ id: 'att_2', state: attemptState('sending'), tag: 'another' });
      expect(await write(attempt(second))).toMatch(/UNIQUE/);
    },
  );

  it.each(['not_sent', 'refused'] as const)(
    'no second placing of an order whose first is %s',
    async (kind) => {
      const { write } = await withOrders(kind);
      const second = attemptRecord({ id: 'att_2', state: attemptState('sending'), tag: 'another' });
      expect(await write(attempt(second))).toBeNull();
    },
  );

  it('that a placing which never left comes alive beside another', async () => {
    const { write } = await withOrders('not_sent');
    await write(
      attempt(attemptRecord({ id: 'att_2', state: attemptState('sending'), tag: 'another' })),
    );
    expect(await write(attempt(attemptRecord({ state: attemptState('uncertain') })))).toMatch(
      /UNIQUE/,
    );
  });

  it('no cancel beside a placing', async () => {
    const { write } = await withOrders();
    const cancel = cancelAttempt({ id: 'att_2' });
    expect(await write(attempt(cancel), attempt({ ...cancel, id: 'att_3' }))).toBeNull();
  });

  it('one tag for two placings', async () => {
    const { write } = await withOrders();
    const other = attemptRecord({ id: 'att_2', orderId: 'ord_2' });
    expect(await write(attempt(other))).toMatch(/UNIQUE.*tag/);
  });

  it('an attempt in a state that there is not', async () => {
    const { write } = await withOrders();
    const lost = { ...attemptRecord(), state: { kind: 'lost' as never } };
    expect(await write(attempt(lost))).toMatch(/CHECK/);
  });

  it('an attempt or a fill of an order that there is not', async () => {
    const { write } = await withOrders();
    const stray = attemptRecord({ id: 'att_2', orderId: 'ord_x', tag: 'x' });
    expect(await write(attempt(stray))).toMatch(/FOREIGN KEY/);
    expect(await write(fill(fillRecord({ orderId: 'ord_x' })))).toMatch(/FOREIGN KEY/);
  });

  it('a fill counted twice, under whatever order', async () => {
    const { write } = await withOrders();
    expect(await write(fill(fillRecord()))).toBeNull();
    expect(await write(fill(fillRecord()))).toMatch(/UNIQUE/);
    expect(await write(fill(fillRecord({ orderId: 'ord_2' })))).toMatch(/UNIQUE/);
  });

  it.each<[string, Partial<FillRecord>]>([
    ['broker', { broker: 'alt' }],
    ['day', { day: '2026-11-09' }],
    ['exchange', { exchange: 'BSE' }],
    ['broker order', { brokerOrderId: 'b2' }],
    ['fill id', { fillId: 'f2' }],
  ])('no fill that differs in its %s', async (_field, parts) => {
    const { write } = await withOrders();
    expect(await write(fill(fillRecord()), fill({ ...fillRecord(), ...parts }))).toBeNull();
  });

  it('that a broker’s order becomes another order of ours', async () => {
    const { write, journal } = await withOrders();
    expect(await write(observed(observedOrder({ orderId: null })))).toBeNull();
    expect(await write(observed(observedOrder()))).toBeNull();
    expect(await write(observed(observedOrder({ orderId: 'ord_2' })))).toMatch(/has an owner/);
    expect(await write(observed(observedOrder({ orderId: null })))).toMatch(/has an owner/);
    const loaded = await journal.load('2026-11-06');
    expect(loaded.changes.find(({ table }) => table === 'observed')?.row).toMatchObject({
      orderId: 'ord_1',
    });
  });

  it('a message twice in the inbox', async () => {
    const { write } = bench();
    const row = {
      digest: 'd',
      broker: 'alt',
      brokerOrderId: 'b',
      rawStatus: 'OPEN',
      receivedAt: AT,
    } as const;
    const postback: Change = { table: 'postbacks', key: 'd', row };
    expect(await write(postback)).toBeNull();
    expect(await write(postback)).toMatch(/UNIQUE/);
  });

  it('a gap, a repeat and a step back in the events', async () => {
    const { write } = bench();
    expect(await write(event(2))).toMatch(/out of sequence/);
    expect(await write(event(1), event(2))).toBeNull();
    for (const sequence of [1, 2, 4, 0]) {
      expect(await write(event(sequence))).toMatch(/out of sequence|UNIQUE/);
    }
    expect(await write(event(3))).toBeNull();
  });

  it('that an event is changed or taken out', async () => {
    const { write, database, journal } = bench();
    await write(event(1));
    expect(() => database.exec(`UPDATE events SET type = 'x'`)).toThrow(/append-only/);
    expect(() => database.exec('DELETE FROM events')).toThrow(/append-only/);
    expect(() => database.exec('REPLACE INTO events SELECT * FROM events')).toThrow();
    expect(await journal.eventsAfter(0, 9)).toHaveLength(1);
  });

  it('that a row is taken out', async () => {
    const { write } = await withOrders();
    expect(await write({ table: 'orders', key: 'ord_1', row: null })).toMatch(/taken out/);
  });
});

describe('a unit of changes', () => {
  it('is written whole or not at all', async () => {
    const { write, journal } = await withOrders();
    const cancelled = order(orderRecord({ kind: 'cancelled' }));
    expect(await write(cancelled, event(7))).toMatch(/out of sequence/);
    expect((await journal.order('ord_1'))?.state.kind).toBe('working');
  });

  it('changes a row of an order, and keeps its key and its day', async () => {
    const { write, journal } = await withOrders();
    await write(order(orderRecord({ kind: 'filled', filledQuantity: 10 })));
    expect(await journal.order('ord_1')).toMatchObject({
      state: { kind: 'filled', fill: { filledQuantity: 10 } },
    });
    expect(await journal.ordersOn('2026-11-06')).toHaveLength(2);
  });
});

describe('a journal that is read again', () => {
  it.each(['one', 'two', 'three'])('gives the state that wrote it (%s)', async (seed) => {
    const { journal } = bench();
    const next = randomChanges(seededRandom(seed));
    const state = createState();
    for (let step = 0; step < 150; step += 1) {
      const changes = next(state);
      const { committed } = await journal.commit([changes]);
      // What the database forbids was not decided: there is one place attempt for each order.
      if (committed === 1) for (const change of changes) applyChange(state, change);
    }
    expect(state.fills.size).toBeGreaterThan(20);
    const read = createState();
    for (const change of (await journal.load('2026-11-06')).changes) applyChange(read, change);
    expect(plain(read)).toEqual(plain(state));
  });

  it('leaves out what is old and over, and keeps what is old and open', async () => {
    const { write, journal } = bench();
    const old = { day: '2026-10-01' };
    await write(
      order(orderRecord({ id: 'over', ...old, kind: 'filled' })),
      order(orderRecord({ id: 'open', ...old, kind: 'disputed' })),
      order(orderRecord({ id: 'new', kind: 'filled' })),
      attempt(attemptRecord({ id: 'a1', orderId: 'over', tag: '1', ...old })),
      attempt(attemptRecord({ id: 'a2', orderId: 'open', tag: '2', ...old })),
      fill(fillRecord({ orderId: 'over', fillId: '1', ...old })),
      fill(fillRecord({ orderId: 'open', fillId: '2', ...old })),
    );
    const loaded = await journal.load('2026-11-06');
    const ids = (table: Change['table']) =>
      loaded.changes.filter((change) => change.table === table).map(({ key }) => key);
    expect(ids('orders')).toEqual(['new', 'open']);
    expect(ids('attempts')).toEqual(['a2']);
    expect(ids('fills')).toHaveLength(1);
    expect((await journal.order('over'))?.state.kind).toBe('filled');
    expect(await journal.fillsOf('over')).toHaveLength(1);
  });

  it('goes on where the events ended', async () => {
    const { write, journal } = bench();
    await write(event(1), event(2), event(3));
    const state = createState();
    for (const change of (await journal.load('2026-11-06')).changes) applyChange(state, change);
    expect(state.lastEvent).toBe(3);
    expect((await journal.eventsAfter(1, 1)).map(({ sequence }) => sequence)).toEqual([2]);
  });

  it('finds an order by the key that made it', async () => {
    const { write, journal } = bench();
    await write(order(orderRecord({ caller: 'a', idempotencyKey: 'k' })));
    expect((await journal.orderUnderKey('a', 'k'))?.id).toBe('ord_1');
    expect(await journal.orderUnderKey('b', 'k')).toBeNull();
    expect(await journal.order('ord_x')).toBeNull();
  });
});

describe('the journal’s file', () => {
  it('is opened again as it is', () => {
    const { database } = bench();
    expect(() => createSqliteJournal(database)).not.toThrow();
  });

  it('of another version is refused, and left alone', () => {
    const database = openDatabase(':memory:');
    database.exec(`PRAGMA user_version = ${JOURNAL_VERSION + 1}`);
    expect(() => createSqliteJournal(database)).toThrow(
      `version ${JOURNAL_VERSION + 1}; this program reads versions up to`,
    );
    expect(database.prepare('SELECT count(*) AS n FROM sqlite_master').get()).toEqual({ n: 0 });
  });
});
