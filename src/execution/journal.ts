import { tradingDay } from '../domain/ist.ts';
import type { Database } from '../platform/database.ts';
import type { ChangeStore } from '../platform/single-writer.ts';
import { createSqliteChangeStore } from '../platform/sqlite-change-store.ts';
import type { GatewayEvent } from '../events/event.ts';
import { migrate } from './journal-schema.ts';
import {
  seenKey,
  type Change,
  type FillRecord,
  type OrderRecord,
  type TableName,
  type Tables,
} from './records.ts';

/** Where orders live. Speaks in changes, so that another database can stand in its place. */
export interface Journal extends ChangeStore<Change> {
  /**
   * The rows to start from, in an order in which they can be applied: every row of `sinceDay` and
   * later, and older ones that something may still happen to.
   */
  load(sinceDay: string): Promise<readonly Change[]>;
  /** Orders of one of the broker's days, for days that are not in memory. */
  ordersOn(day: string): Promise<readonly OrderRecord[]>;
  order(id: string): Promise<OrderRecord | null>;
  /** The order that a key has made, however long ago. */
  orderUnderKey(caller: string, idempotencyKey: string): Promise<OrderRecord | null>;
  fillsOf(orderId: string): Promise<readonly FillRecord[]>;
  /** Events after a sequence, oldest first. */
  eventsAfter(sequence: number, limit: number): Promise<readonly GatewayEvent[]>;
  /** Whether this very message has been taken before, however long ago. */
  hasPostback(digest: string): Promise<boolean>;
  /** The sequence of the newest event on disk; 0 when there is none. */
  lastEvent(): Promise<number>;
}

/**
 * The journal in SQLite. Each row is kept whole as JSON, beside the columns that the database itself
 * has to guard or to find rows by.
 */
export function createSqliteJournal(database: Database): Journal {
  migrate(database);
  const write = createWriter(database);
  const read = <Name extends TableName>(
    sql: string,
  ): ((...values: (string | number)[]) => Tables[Name][]) => {
    const statement = database.prepare(sql);
    return (...values) =>
      statement.all(...values).map((row) => JSON.parse(row.record as string) as Tables[Name]);
  };
  const ordersOn = read<'orders'>('SELECT record FROM orders WHERE day = ? ORDER BY id');
  const orderById = read<'orders'>('SELECT record FROM orders WHERE id = ?');
  const orderByKey = read<'orders'>(
    'SELECT record FROM orders WHERE caller = ? AND idempotency_key = ?',
  );
  const fillsOf = read<'fills'>('SELECT record FROM fills WHERE order_id = ?');
  const eventsAfter = read<'events'>(
    'SELECT record FROM events WHERE sequence > ? ORDER BY sequence LIMIT ?',
  );
  const postback = database.prepare('SELECT 1 FROM postbacks WHERE digest = ?');
  const newest = database.prepare('SELECT max(sequence) AS last FROM events');
  const lastSequence = (): number => Number(newest.get()?.last ?? 0);

  return {
    ...createSqliteChangeStore(database, write),

    load(sinceDay) {
      const open = `status NOT IN ('filled','partial','cancelled','rejected','not_sent')`;
      // Slices are of their order's day, and what it is follows from all of them.
      const ofOpen =
        `day IN (SELECT day FROM orders WHERE ${open}) ` +
        `AND record ->> 'parentId' IN (SELECT id FROM orders WHERE ${open})`;
      const kept = `(day >= ? OR ${open} OR (${ofOpen}))`;
      const ofKept = `(SELECT id FROM orders WHERE ${kept})`;
      const changes: Change[] = [];
      const add = <Name extends TableName>(
        table: Name,
        keyOf: (row: Tables[Name]) => string,
        where: string,
        ...values: string[]
      ): void => {
        for (const row of read<Name>(`SELECT record FROM ${SQL_NAME[table]} ${where}`)(...values)) {
          changes.push({ table, key: keyOf(row), row } as unknown as Change);
        }
      };
      add('orders', (row) => row.id, `WHERE ${kept} ORDER BY id`, sinceDay);
      add('attempts', (row) => row.id, `WHERE order_id IN ${ofKept} ORDER BY id`, sinceDay);
      add('fills', (row) => row.key, `WHERE order_id IN ${ofKept}`, sinceDay);
      add(
        'seen',
        (row) => seenKey(row.broker, row.day, row.brokerOrderId),
        'WHERE day >= ?',
        sinceDay,
      );
      add('postbacks', (row) => row.digest, 'WHERE day >= ?', sinceDay);
      add('portfolios', (row) => row.broker, '');
      add('killSwitch', () => 'kill-switch', '');
      add('echoes', (row) => row.broker, '');
      const last = lastSequence();
      if (last > 0) changes.push(...asChanges(eventsAfter(last - 1, 1)));
      return Promise.resolve(changes);
    },

    ordersOn: (day) => Promise.resolve(ordersOn(day)),
    order: (id) => Promise.resolve(orderById(id)[0] ?? null),
    orderUnderKey: (caller, key) => Promise.resolve(orderByKey(caller, key)[0] ?? null),
    fillsOf: (orderId) => Promise.resolve(fillsOf(orderId)),
    eventsAfter: (sequence, limit) => Promise.resolve(eventsAfter(sequence, limit)),
    hasPostback: (digest) => Promise.resolve(postback.get(digest) !== undefined),
    lastEvent: () => Promise.resolve(lastSequence()),
  };
}

function asChanges(events: readonly GatewayEvent[]): Change[] {
  return events.map((row) => ({ table: 'events', key: String(row.sequence), row }));
}

const SQL_NAME: Readonly<Record<TableName, string>> = {
  orders: 'orders',
  attempts: 'attempts',
  fills: 'fills',
  seen: 'seen_orders',
  postbacks: 'postbacks',
  portfolios: 'portfolios',
  killSwitch: 'kill_switch',
  echoes: 'echoes',
  events: 'events',
};

/** One prepared statement a table. Rows are never deleted: a null row exists in memory only. */
function createWriter(database: Database): (change: Change) => void {
  const orders = database.prepare(
    `INSERT INTO orders (id, caller, idempotency_key, day, broker, status, record)
     VALUES (?, ?, ?, ?, ?, ?, ?)
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
  const seen = database.prepare(
    `INSERT INTO seen_orders (broker, day, broker_order_id, order_id, record) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (broker, day, broker_order_id) DO UPDATE SET order_id = excluded.order_id,
       record = excluded.record WHERE order_id IS NULL OR order_id = excluded.record ->> 'movedFrom'`,
  );
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
  const events = database.prepare(
    'INSERT INTO events (sequence, at, type, order_id, record) VALUES (?, ?, ?, ?, ?)',
  );

  return (change) => {
    if (change.row === null) throw new Error(`a row of ${change.table} cannot be taken out`);
    const record = JSON.stringify(change.row);
    switch (change.table) {
      case 'orders': {
        const { id, caller, idempotencyKey, day, broker, status } = change.row;
        orders.run(id, caller, idempotencyKey, day, broker, status, record);
        return;
      }
      case 'attempts': {
        const { id, orderId, kind, broker, day, state, tag } = change.row;
        attempts.run(id, orderId, kind, broker, day, state, tag, record);
        return;
      }
      case 'fills': {
        const { broker, day, exchange, brokerOrderId, fillId, orderId } = change.row;
        fills.run(broker, day, exchange, brokerOrderId, fillId, orderId, record);
        return;
      }
      case 'seen': {
        const { broker, day, brokerOrderId, orderId } = change.row;
        const { changes } = seen.run(broker, day, brokerOrderId, orderId, record);
        // The one thing that the update's WHERE refuses: a broker's order handed to a second order.
        if (changes === 0) throw new Error(`order ${brokerOrderId} at ${broker} has an owner`);
        return;
      }
      case 'postbacks':
        postbacks.run(change.row.digest, tradingDay(change.row.receivedAt), record);
        return;
      case 'portfolios':
        portfolios.run(change.row.broker, record);
        return;
      case 'killSwitch':
        killSwitch.run(record);
        return;
      case 'echoes':
        echoes.run(change.row.broker, record);
        return;
      case 'events': {
        const { sequence, at, type, orderId } = change.row;
        events.run(sequence, at, type, orderId, record);
        return;
      }
    }
  };
}
