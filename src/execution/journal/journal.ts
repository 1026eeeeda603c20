import { tradingDay } from '../../domain/ist.ts';
import { GatewayProblem } from '../../domain/problem.ts';
import type { StoredEvent } from '../../events/event-log.ts';
import { createSqliteChangeStore, type Database } from '../../platform/database.ts';
import type { Log } from '../../platform/log.ts';
import type { ChangeStore } from '../../platform/single-writer.ts';
import type { CancelRunRecord } from '../cancel-all/cancel-run.ts';
import type { FillRecord } from '../order/fills.ts';
import { type OrderRecord, statusOf } from '../order/order.ts';
import { createEventReader, createEventRows, type EventRows } from './event-rows.ts';
import { createExternalChangeWriter } from './external-changes.ts';
import { type LoadedJournal, loadJournal } from './load.ts';
import type { AmendmentRecord, AmendmentRequest, Change, TableName, Tables } from './records.ts';
import { createObservedWriter } from './observed-writer.ts';
import { readRow } from './row-schemas.ts';
import { createOldDayReads, type OldDayReads } from './old-day.ts';
import { migrate } from './schema.ts';
import {
  createSignalReads,
  createSignalRows,
  createSignalWriter,
  type SignalReads,
  type SignalRows,
} from './signal-table.ts';
import { createTriggerReads, createTriggerWriters, type TriggerReads } from './trigger-tables.ts';
import { createWayOutReads, type WayOutReads } from './way-out-reads.ts';
import type { OrderId, TradingDay } from '../../units/branded.ts';

/** Where orders live. Speaks in changes, so that another database can stand in its place. */
export interface Journal
  extends
    ChangeStore<Change>,
    TriggerReads,
    WayOutReads,
    SignalReads,
    SignalRows,
    EventRows,
    OldDayReads {
  /**
   * The rows to start from, in an order in which they can be applied: every row of `sinceDay` and
   * later, and older ones that something may still happen to.
   */
  load(sinceDay: TradingDay): Promise<LoadedJournal>;
  /** Orders of one of the broker's days, for days that are not in memory. */
  ordersOn(day: TradingDay): Promise<readonly OrderRecord[]>;
  order(id: OrderId): Promise<OrderRecord | null>;
  /** The order that a key has made, however long ago. */
  orderUnderKey(caller: string, idempotencyKey: string): Promise<OrderRecord | null>;
  fillsOf(orderId: OrderId): Promise<readonly FillRecord[]>;
  /** Events after a sequence, oldest first. */
  eventsAfter(sequence: number, limit: number): Promise<readonly StoredEvent[]>;
  /** What was asked for under a key of a cancel, a modification or a resolution; null for a new key. */
  amendment(key: Omit<AmendmentRequest, 'requestHash'>): Promise<AmendmentRecord | null>;
  /** What a request to cancel many orders under a key was about. */
  cancelRun(caller: string, idempotencyKey: string): Promise<CancelRunRecord | null>;
  /** The digests of the messages of one subject, however long ago they came; at most a hundred. */
  postbacksOf(subject: string): Promise<readonly string[]>;
  /** The sequence of the newest event on disk; 0 when there is none. */
  lastEvent(): Promise<number>;
}

/**
 * The journal in SQLite. Each row is kept whole as JSON, beside the columns that the database itself
 * has to guard or to find rows by. A single row that does not fit its schema rejects with
 * `journal_unavailable`: what it says is not known, which is not the same as there being none.
 * `epoch` is part of the ids of the events that are written (docs/events.md, "Ids").
 */
export function createSqliteJournal(
  database: Database,
  log: Log | null = null,
  epoch = '1',
): Journal {
  const migrated = migrate(database);
  if (migrated) {
    log?.info(`the journal was migrated from version ${migrated.from}; a copy of it is kept`, {
      path: migrated.copy,
    });
  }
  const read = <Name extends TableName>(
    table: Name,
    sql: string,
  ): ((...values: (string | number)[]) => Tables[Name][]) => {
    const statement = database.prepare(sql);
    return (...values) => statement.all(...values).map((row) => parseRow(table, row['record']));
  };
  const ordersOn = read('orders', 'SELECT record FROM orders WHERE day = ? ORDER BY id');
  const orderById = read('orders', 'SELECT record FROM orders WHERE id = ?');
  const orderByKey = read(
    'orders',
    'SELECT record FROM orders WHERE caller = ? AND idempotency_key = ?',
  );
  const fillsOf = read('fills', 'SELECT record FROM fills WHERE order_id = ?');
  const eventsAfter = createEventReader(database, log);
  const cancelRun = read(
    'cancelRuns',
    'SELECT record FROM cancel_runs WHERE caller = ? AND idempotency_key = ?',
  );
  const amendment = read(
    'amendments',
    `SELECT record FROM amendments
     WHERE caller = ? AND method = ? AND order_id = ? AND idempotency_key = ?`,
  );
  const postbacks = database.prepare(
    'SELECT digest FROM postbacks WHERE digest >= ? AND digest < ? LIMIT 100',
  );
  const newest = database.prepare('SELECT max(sequence) AS last FROM events');

  return {
    ...createSqliteChangeStore(database, createRowWriter(database, epoch)),
    load: async (sinceDay) => loadJournal(database, sinceDay),
    ordersOn: async (day) => ordersOn(day),
    order: async (id) => orderById(id)[0] ?? null,
    orderUnderKey: async (caller, key) => orderByKey(caller, key)[0] ?? null,
    fillsOf: async (orderId) => fillsOf(orderId),
    amendment: async ({ caller, method, orderId, idempotencyKey }) =>
      amendment(caller, method, orderId, idempotencyKey)[0] ?? null,
    ...createWayOutReads(read),
    cancelRun: async (caller, key) => cancelRun(caller, key)[0] ?? null,
    ...createTriggerReads(read),
    ...createSignalReads(database, read, {
      readOne: (record) => readRow('signals', record),
      log,
    }),
    ...createSignalRows(database),
    ...createOldDayReads(database),
    eventsAfter: async (sequence, limit) => eventsAfter(sequence, limit),
    ...createEventRows(database),
    postbacksOf: async (subject) =>
      postbacks.all(subject, `${subject}\uffff`).map((row) => String(row['digest'])),
    lastEvent: async () => Number(newest.get()?.['last'] ?? 0),
  };
}

/** A row as its schema has it. Throws `journal_unavailable` where it does not fit. */
function parseRow<Name extends TableName>(table: Name, record: unknown): Tables[Name] {
  const read = readRow(table, record);
  if (read.kind === 'row') return read.row;
  throw new GatewayProblem({
    code: 'journal_unavailable',
    detail:
      `a row of ${table} in the journal does not fit (${read.reason}), so what it says is not known: ` +
      "look at the order in the broker's app",
    mayHaveExecuted: true,
  });
}

const wayOutWriter = (database: Database, table: 'exits' | 'closings') =>
  database.prepare(
    `INSERT INTO ${table} (id, caller, idempotency_key, day, is_over, record)
     VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET is_over = excluded.is_over, record = excluded.record`,
  );

/** One prepared statement a table. Rows are never deleted: a null row exists in memory only. */
function createRowWriter(database: Database, epoch: string): (change: Change) => void {
  const orders = database.prepare(
    `INSERT INTO orders (id, caller, idempotency_key, day, broker, status, record, parent_id)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET broker = excluded.broker, status = excluded.status,
       record = excluded.record`,
  );
  const attempts = database.prepare(
    `INSERT INTO attempts (id, order_id, kind, broker, day, state, tag, record)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET state = excluded.state, record = excluded.record`,
  );
  const fills = database.prepare(
    `INSERT INTO fills (broker, day, exchange, broker_order_id, fill_id, order_id, record)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const putObserved = createObservedWriter(database);
  const postbacks = database.prepare(
    'INSERT INTO postbacks (digest, day, record) VALUES (?, ?, ?)',
  );
  const portfolios = database.prepare(
    'INSERT OR REPLACE INTO portfolios (broker, record) VALUES (?, ?)',
  );
  const killSwitch = database.prepare(
    'INSERT OR REPLACE INTO kill_switch (id, record) VALUES (1, ?)',
  );
  const echoes = database.prepare('INSERT OR REPLACE INTO echoes (broker, record) VALUES (?, ?)');
  const [exits, closings] = [wayOutWriter(database, 'exits'), wayOutWriter(database, 'closings')];
  const putAmendment = createAmendmentWriter(database);
  const putCancelRun = createCancelRunWriter(database);
  const putExternalChange = createExternalChangeWriter(database);
  const put = createTriggerWriters(database);
  const putSignal = createSignalWriter(database);
  const events = database.prepare(
    'INSERT INTO events (sequence, at, type, order_id, record, epoch) VALUES (?, ?, ?, ?, ?, ?)',
  );

  return (change) => {
    if (change.row === null) throw new Error(`a row of ${change.table} cannot be taken out`);
    const record = JSON.stringify(change.row);
    switch (change.table) {
      case 'orders': {
        const { id, caller, idempotencyKey, day, broker, parentId } = change.row;
        const status = statusOf(change.row);
        orders.run(id, caller, idempotencyKey, day, broker, status, record, parentId);
        return;
      }
      case 'attempts': {
        const { id, orderId, kind, broker, day, state } = change.row;
        const tag = change.row.kind === 'place' ? change.row.tag : null;
        attempts.run(id, orderId, kind, broker, day, state.kind, tag, record);
        return;
      }
      case 'fills': {
        const { broker, day, exchange, brokerOrderId, fillId, orderId } = change.row;
        fills.run(broker, day, exchange, brokerOrderId, fillId, orderId, record);
        return;
      }
      case 'observed':
        return putObserved(change.row);
      case 'postbacks':
        return void postbacks.run(change.row.digest, tradingDay(change.row.receivedAt), record);
      case 'portfolios':
        return void portfolios.run(change.row.broker, record);
      case 'killSwitch':
        return void killSwitch.run(record);
      case 'echoes':
        return void echoes.run(change.row.broker, record);
      case 'amendments':
        return putAmendment(change.row);
      case 'exits':
      case 'closings': {
        const { id, caller, idempotencyKey, day, over } = change.row;
        const table = change.table === 'exits' ? exits : closings;
        table.run(id, caller, idempotencyKey, day, over === null ? 0 : 1, record);
        return;
      }
      case 'cancelRuns':
        return putCancelRun(change.row);
      case 'externalChanges':
        return putExternalChange(change.row);
      case 'triggers':
        return put.trigger(change.row);
      case 'triggerChanges':
        return put.change(change.row);
      case 'signals':
        return putSignal(change.row);
      case 'events': {
        const { sequence, at, type, orderId } = change.row;
        events.run(sequence, at, type, orderId, record, epoch);
        return;
      }
    }
  };
}

function createAmendmentWriter(database: Database): (row: AmendmentRecord) => void {
  const put = database.prepare(
    `INSERT OR REPLACE INTO amendments (caller, method, order_id, idempotency_key, day, record)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return (row) => {
    const { caller, method, orderId, idempotencyKey, at } = row;
    put.run(caller, method, orderId, idempotencyKey, tradingDay(at), JSON.stringify(row));
  };
}

function createCancelRunWriter(database: Database): (row: CancelRunRecord) => void {
  const put = database.prepare(
    'INSERT OR REPLACE INTO cancel_runs (caller, idempotency_key, day, record) VALUES (?, ?, ?, ?)',
  );
  return (row) =>
    void put.run(row.caller, row.idempotencyKey, tradingDay(row.at), JSON.stringify(row));
}

/** Writes alerts to the log as well, once they are on disk. */
export function announcing(store: ChangeStore<Change>, log: Log): ChangeStore<Change> {
  return {
    async commit(units) {
      const result = await store.commit(units);
      for (const change of units.slice(0, result.committed).flat()) announce(change, log);
      return result;
    },
  };
}

function announce(change: Change, log: Log): void {
  if (change.table !== 'events' || change.row?.type !== 'alert') return;
  const { orderId, data } = change.row;
  const fields = orderId === null ? {} : { orderId };
  log[data.level === 'critical' ? 'error' : 'warn'](String(data.message), fields);
}
