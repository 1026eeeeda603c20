import { describe, expect, it } from 'vitest';
import type { UnreadPortfolioRow } from '../../../src/domain/portfolio.ts';
import { decideQuarantine } from '../../../src/execution/journal/decide-notes.ts';
import { createSqliteJournal, type Journal } from '../../../src/execution/journal/journal.ts';
import type { LoadedJournal } from '../../../src/execution/journal/load.ts';
import type { Change } from '../../../src/execution/journal/records.ts';
import {
  applyChange,
  createState,
  type ExecutionState,
} from '../../../src/execution/journal/state.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { openDuplicate } from '../../../src/execution/submit/preflight.ts';
import { openDatabase, type Database } from '../../../src/platform/database.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  AT,
  alertsOf,
  bookRow,
  DAY,
  eventsOf,
  fillRecord,
  observation,
  observedOrder,
  orderRecord,
  OTHER_TAG,
  portfolio,
  TAG,
  trade,
  uncertainOrder,
} from '../support/makers.ts';

const FIRST = orderRecord({ id: 'ord_1', filledQuantity: 4 });
const SECOND = orderRecord({ id: 'ord_2', brokerOrderId: 'b2' });
const FILL = fillRecord();

const TRADED = { buyQuantity: 30, sellQuantity: 10 };
const UNREAD: UnreadPortfolioRow = {
  ...{ list: 'positions', instrument: 'NSE:INFY', product: 'CNC', quantity: 20, reason: 'a price' },
  traded: { ...TRADED, day: TRADED, carried: { buyQuantity: 0, sellQuantity: 0 } },
  otherQuantities: [15],
};

/** Two working orders with a placing each, a fill of the first, and an engaged kill switch. */
const ROWS: readonly Change[] = [
  { table: 'orders', key: 'ord_1', row: FIRST },
  { table: 'orders', key: 'ord_2', row: SECOND },
  {
    table: 'attempts',
    key: 'att_1',
    row: attemptRecord({ state: attemptState('acknowledged') }),
  },
  {
    table: 'attempts',
    key: 'att_2',
    row: attemptRecord({
      id: 'att_2',
      orderId: 'ord_2',
      tag: OTHER_TAG,
      state: attemptState('acknowledged'),
    }),
  },
  { table: 'fills', key: FILL.key, row: FILL },
  { table: 'observed', key: 'b1', row: observedOrder() },
  { table: 'observed', key: 'b2', row: observedOrder({ brokerOrderId: 'b2', orderId: 'ord_2' }) },
  { table: 'portfolios', key: 'primary', row: portfolio({ unread: [UNREAD] }) },
  {
    table: 'killSwitch',
    key: 'kill-switch',
    row: { engaged: false, reason: null, changedAt: AT, changedBy: null },
  },
];

/** A journal with these rows, after somebody has damaged it. */
async function damaged(
  damage: string,
  rows: readonly Change[] = ROWS,
): Promise<{ database: Database; journal: Journal; loaded: LoadedJournal; state: ExecutionState }> {
  const database = openDatabase(':memory:');
  const journal = createSqliteJournal(database);
  const { committed } = await journal.commit([rows]);
  expect(committed).toBe(1);
  database.exec(damage);
  return { database, journal, ...(await load(journal)) };
}

async function load(journal: Journal): Promise<{ loaded: LoadedJournal; state: ExecutionState }> {
  const loaded = await journal.load(DAY);
  const state = createState('throw', loaded.quarantine);
  for (const change of loaded.changes) applyChange(state, change);
  return { loaded, state };
}

const NO_SIDE = `UPDATE orders SET record = json_set(record, '$.terms.side', 'UP') WHERE id = 'ord_1'`;

describe('a row of the journal that fits', () => {
  it('is read as it was written, with what could be read of a position', async () => {
    const { loaded, state } = await damaged('');
    expect(loaded.quarantine.rows).toEqual([]);
    expect(state.portfolios.get('primary')).toEqual(portfolio({ unread: [UNREAD] }));
  });
});

describe('a row of the journal that does not fit', () => {
  it('is not used, and says which row and what is wrong with it, without its values', async () => {
    const { loaded } = await damaged(NO_SIDE);
    const [row] = loaded.quarantine.rows;
    expect(loaded.quarantine.rows).toHaveLength(1);
    expect(row).toMatchObject({ table: 'orders', key: 'ord_1', orderId: 'ord_1' });
    expect(row?.reason).toContain('terms.side');
    expect(row?.reason).not.toContain('UP');
  });

  it('leaves every other order as it was', async () => {
    const { state } = await damaged(NO_SIDE);
    expect([...state.orders.values()]).toEqual([SECOND]);
    expect([...state.attempts.keys()]).toEqual(['att_2']);
  });

  it('raises a critical alert that names the order', async () => {
    const { state } = await damaged(NO_SIDE);
    const decision = decideQuarantine(state, { at: AT });
    expect(alertsOf(decision)).toEqual(['critical']);
    expect(eventsOf(decision)[0]).toMatchObject({ orderId: 'ord_1' });
  });

  it('keeps its order id at the broker: the row of the book goes to no other order', async () => {
    const { state } = await damaged(NO_SIDE);
    const rows = [bookRow({ filledQuantity: 10 }), bookRow({ brokerOrderId: 'b2' })];
    const { changes, reply } = reconcileBook(state, observation({ rows, fills: [trade()] }));
    expect(reply.complete).toBe(true);
    const owners = changes.flatMap(({ table, row }) => (table === 'observed' && row ? [row] : []));
    expect(owners).toEqual([]);
    expect(changes.filter(({ table }) => table === 'fills')).toEqual([]);
  });

  it('keeps its tag: a row that carries it is not taken for an order like it', async () => {
    const open = uncertainOrder({ id: 'ord_3', idempotencyKey: 'third' });
    const placing = attemptRecord({ id: 'att_3', orderId: 'ord_3', tag: 'tagOfTheThirdOrder00' });
    const { state } = await damaged(NO_SIDE, [
      ...ROWS,
      { table: 'orders', key: open.id, row: open },
      { table: 'attempts', key: placing.id, row: placing },
    ]);
    const rows = [
      bookRow({ brokerOrderId: 'b9', tags: [TAG] }),
      bookRow(),
      bookRow({ brokerOrderId: 'b2' }),
    ];
    const { changes } = reconcileBook(state, observation({ rows }));
    expect(changes.filter(({ table, key }) => table === 'orders' && key === 'ord_3')).toEqual([]);
  });

  it('counts as an open order with its fingerprint on its day, and not after it', async () => {
    const { state } = await damaged(NO_SIDE);
    const { fingerprint } = attemptRecord();
    expect(openDuplicate(state, fingerprint, DAY)).toBe('ord_1');
    expect(openDuplicate(state, fingerprint, '2026-11-09')).toBeNull();
    expect(openDuplicate(state, 'another', DAY)).toBeNull();
  });

  it('keeps its idempotency key: asking for it says that it cannot be read', async () => {
    const { journal } = await damaged(NO_SIDE);
    await expect(journal.orderUnderKey('someone', 'key of ord_1')).rejects.toMatchObject({
      code: 'journal_unavailable',
      fields: { mayHaveExecuted: true },
    });
    await expect(journal.order('ord_1')).rejects.toMatchObject({ code: 'journal_unavailable' });
    expect(await journal.orderUnderKey('someone', 'key of ord_2')).toEqual(SECOND);
  });

  it.each(['not json at all', '[]', 'null', '{}'])('may be anything: %s', async (record) => {
    const { loaded, state } = await damaged(
      `UPDATE orders SET record = '${record}' WHERE id = 'ord_1'`,
    );
    expect(loaded.quarantine.rows.map(({ key }) => key)).toEqual(['ord_1']);
    expect([...state.orders.keys()]).toEqual(['ord_2']);
  });

  it('takes its order with it where it is the placing of one that is open', async () => {
    const { loaded, state } = await damaged(`UPDATE attempts SET record = '{}' WHERE id = 'att_1'`);
    expect(loaded.quarantine.hasOrder('ord_1')).toBe(true);
    expect(loaded.quarantine.hasTag(TAG)).toBe(true);
    expect([...state.orders.keys()]).toEqual(['ord_2']);
  });

  it('takes the order with it whose slice it is', async () => {
    const slice = orderRecord({ id: 'ord_1#1', parentId: 'ord_2', brokerOrderId: 'b3' });
    const { state } = await damaged(`UPDATE orders SET record = '{}' WHERE id = 'ord_1#1'`, [
      ...ROWS,
      { table: 'orders', key: slice.id, row: slice },
    ]);
    expect([...state.orders.keys()]).toEqual(['ord_1']);
  });

  it('is read again from the broker where it is a fill', async () => {
    const { journal, state, database } = await damaged(`UPDATE fills SET record = '{}'`);
    expect(state.fills.size).toBe(0);
    expect(state.watched).toContain('ord_1');
    const rows = [bookRow({ filledQuantity: 4 }), bookRow({ brokerOrderId: 'b2' })];
    const { changes } = reconcileBook(state, observation({ rows, fills: [trade()] }));
    expect(await journal.commit([changes])).toMatchObject({ committed: 1 });
    expect(database.prepare('SELECT table_name, record FROM quarantine').all()).toEqual([
      { table_name: 'fills', record: '{}' },
    ]);
  });

  it('is made anew from its columns where it says whose a row of the book is', async () => {
    const { loaded, state } = await damaged(
      `UPDATE seen_orders SET record = '{}' WHERE broker_order_id = 'b1'`,
    );
    expect(loaded.quarantine.rows).toHaveLength(1);
    expect(state.observedIn.get('primary', DAY, 'b1')).toMatchObject({ orderId: 'ord_1' });
  });

  it('leaves the kill switch engaged where it is the kill switch', async () => {
    const { state } = await damaged(`UPDATE kill_switch SET record = '{}'`);
    expect(state.killSwitch.get('kill-switch')).toMatchObject({ engaged: true });
  });

  it('is dropped where the gateway reads it anew: an account as it was last known', async () => {
    const { state, journal } = await damaged(`UPDATE portfolios SET record = '{}'`);
    expect(state.portfolios.size).toBe(0);
    expect((await load(journal)).loaded.quarantine.rows).toEqual([]);
  });
});

describe('structural damage', () => {
  it('stops the start: a table that is gone is no row that does not fit', async () => {
    await expect(damaged('DROP TABLE echoes')).rejects.toThrow(/echoes/);
  });
});
