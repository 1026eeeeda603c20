import type { Database, Row, SqlValue } from '../../platform/database.ts';
import { isOver } from '../order/order.ts';
import { readKeyTotals, type ReadTotals } from './key-totals.ts';
import {
  amendmentKey,
  callerKey,
  type Change,
  observedKey,
  type ObservedOrder,
  Quarantine,
  type QuarantinedPlacing,
  type QuarantinedRow,
  type TableName,
  type Tables,
} from './records.ts';
import { parseJson, readRow } from './row-schemas.ts';
import { triggerChangeKey } from '../triggers/trigger.ts';
import { epochMs, type OrderId, type TradingDay } from '../../units/branded.ts';

/** The journal as the gateway starts from it. */
export interface LoadedJournal {
  /** In an order in which they can be applied. */
  readonly changes: readonly Change[];
  /** Rows that do not fit: not among the changes. */
  readonly quarantine: Quarantine;
  /** What the books of the keys carry over of orders that are not among the changes. */
  readonly totals: ReadTotals;
}

interface Found<Name extends TableName> {
  readonly rows: Tables[Name][];
  readonly unfit: { readonly columns: Row; readonly reason: string }[];
}

type AllFound = {
  readonly [Name in Exclude<TableName, 'events' | 'postbacks' | 'signals'>]: Found<Name>;
};

/**
 * Every row of `sinceDay` and later, and older ones that something may still happen to. Each is checked
 * against its schema, and one that does not fit is quarantined, so that it stops no other.
 */
export function loadJournal(database: Database, sinceDay: TradingDay): LoadedJournal {
  const rows = selectRows(database, sinceDay);
  const { quarantined, unfit } = quarantineRows(database, rows);
  const ofFills = quarantined.flatMap(({ table, orderId }) =>
    table === 'fills' ? (orderId ?? []) : [],
  );
  return {
    changes: changesOf(database, rows, unfit),
    quarantine: new Quarantine(quarantined, unfit, openPlacings(rows, unfit)),
    totals: readKeyTotals(database, sinceDay, {
      isOpen: `(${OPEN} OR ${OF_OPEN})`,
      unread: [...unfit, ...ofFills],
      unreadTriggers: quarantined.flatMap(({ table, key }) => (table === 'triggers' ? key : [])),
    }),
  };
}

const OPEN = `status NOT IN ('filled','partial','cancelled','rejected','not_sent')`;
// Slices are of their order's day, and what it is follows from all of them.
const OF_OPEN = `parent_id IN (SELECT id FROM orders WHERE ${OPEN})`;

function selectRows(database: Database, sinceDay: TradingDay): AllFound {
  const kept = `(day >= ? OR ${OPEN} OR ${OF_OPEN})`;
  const openTriggers = '(day >= ? OR traded_day >= ? OR is_over = 0)';
  const ofKept = `order_id IN (SELECT id FROM orders WHERE ${kept})`;
  const find = <Name extends TableName>(
    table: Name,
    sql: string,
    ...values: SqlValue[]
  ): Found<Name> => {
    const found: Found<Name> = { rows: [], unfit: [] };
    for (const columns of database.prepare(sql).all(...values)) {
      const read = readRow(table, columns['record']);
      if (read.kind === 'row') found.rows.push(read.row);
      else found.unfit.push({ columns, reason: read.reason });
    }
    return found;
  };
  return {
    orders: find('orders', `SELECT * FROM orders WHERE ${kept} ORDER BY id`, sinceDay),
    attempts: find('attempts', `SELECT * FROM attempts WHERE ${ofKept} ORDER BY id`, sinceDay),
    fills: find('fills', `SELECT * FROM fills WHERE ${ofKept}`, sinceDay),
    observed: find('observed', 'SELECT * FROM seen_orders WHERE day >= ?', sinceDay),
    portfolios: find('portfolios', 'SELECT * FROM portfolios'),
    killSwitch: find('killSwitch', 'SELECT * FROM kill_switch'),
    echoes: find('echoes', 'SELECT * FROM echoes'),
    amendments: find('amendments', 'SELECT * FROM amendments WHERE day >= ?', sinceDay),
    closings: find('closings', 'SELECT * FROM closings WHERE day >= ? OR is_over = 0', sinceDay),
    exits: find('exits', 'SELECT * FROM exits WHERE day >= ? OR is_over = 0', sinceDay),
    externalChanges: find(
      'externalChanges',
      'SELECT * FROM external_changes WHERE day >= ? ORDER BY id',
      sinceDay,
    ),
    cancelRuns: find('cancelRuns', 'SELECT * FROM cancel_runs WHERE day >= ?', sinceDay),
    triggers: find('triggers', `SELECT * FROM triggers WHERE ${openTriggers}`, sinceDay, sinceDay),
    triggerChanges: find(
      'triggerChanges',
      `SELECT * FROM trigger_changes WHERE trigger_id IN (SELECT id FROM triggers WHERE ${openTriggers})`,
      sinceDay,
      sinceDay,
    ),
  };
}

/**
 * Decides, table by table, what becomes of rows that do not fit; `unfit` are orders that cannot be
 * used.
 */
function quarantineRows(
  database: Database,
  rows: AllFound,
): { quarantined: QuarantinedRow[]; unfit: ReadonlySet<OrderId> } {
  const quarantined: QuarantinedRow[] = [];
  const note = (table: TableName, key: string, orderId: OrderId | null, reason: string): void => {
    quarantined.push({ table, key, orderId, reason });
  };
  const unfit = new Set<OrderId>();
  for (const { columns, reason } of rows.orders.unfit) {
    const id = String(columns['id']);
    unfit.add(id);
    // The state of a sliced order is computed from all of its slices.
    if (typeof columns['parent_id'] === 'string') unfit.add(columns['parent_id']);
    note('orders', id, id, reason);
  }
  for (const { columns, reason } of rows.attempts.unfit) {
    const orderId = String(columns['order_id']);
    note('attempts', String(columns['id']), orderId, reason);
    // An open order without its placing could not be found at its broker any more.
    const order = rows.orders.rows.find(({ id }) => id === orderId);
    if (columns['kind'] === 'place' && order && !isOver(order)) unfit.add(orderId);
  }
  for (const table of ['fills', 'portfolios', 'echoes'] as const) {
    for (const { columns, reason } of rows[table].unfit) {
      const orderId = typeof columns['order_id'] === 'string' ? columns['order_id'] : null;
      note(table, takeOut(database, table, columns, reason), orderId, reason);
    }
  }
  for (const { columns, reason } of rows.observed.unfit) {
    const row = observedFromColumns(columns);
    note('observed', observedKey(row.broker, row.day, row.brokerOrderId), row.orderId, reason);
    rows.observed.rows.push(row);
  }
  for (const { reason } of rows.killSwitch.unfit) {
    note('killSwitch', '1', null, reason);
    rows.killSwitch.rows.push({
      engaged: true,
      reason: 'its row in the journal could not be read: release it once you have looked',
      changedAt: epochMs(0),
      changedBy: null,
    });
  }
  for (const { columns, reason } of rows.amendments.unfit) {
    note('amendments', String(columns['idempotency_key']), String(columns['order_id']), reason);
  }
  // Its legs are orders, and go on as such; the exit itself does not.
  // A trigger goes on at its broker: a person has to look at it there.
  for (const table of ['exits', 'closings', 'triggers'] as const) {
    for (const { columns, reason } of rows[table].unfit) {
      note(table, String(columns['id']), null, reason);
    }
  }
  // Its key is refused from then on, and the cancels that have left stand by themselves.
  for (const { columns, reason } of rows.cancelRuns.unfit) {
    note('cancelRuns', String(columns['idempotency_key']), null, reason);
  }
  for (const { columns, reason } of rows.externalChanges.unfit) {
    note('externalChanges', String(columns['id']), null, reason);
  }
  for (const { columns, reason } of rows.triggerChanges.unfit) {
    note('triggerChanges', String(columns['trigger_id']), null, reason);
  }
  return { quarantined, unfit };
}

/** The rows that can be applied: those of orders that are left out are left out, too. */
function changesOf(database: Database, rows: AllFound, unfit: ReadonlySet<OrderId>): Change[] {
  const isFit = ({ orderId }: { readonly orderId: OrderId }): boolean => !unfit.has(orderId);
  const newest = database.prepare('SELECT max(sequence) AS last FROM events').get()?.['last'];
  const last = Number(newest ?? 0);
  const changes: Change[] = [];
  for (const row of rows.orders.rows) {
    if (!unfit.has(row.id)) changes.push({ table: 'orders', key: row.id, row });
  }
  for (const row of rows.attempts.rows.filter(isFit)) {
    changes.push({ table: 'attempts', key: row.id, row });
  }
  for (const row of rows.fills.rows.filter(isFit)) {
    changes.push({ table: 'fills', key: row.key, row });
  }
  for (const row of rows.observed.rows) {
    const key = observedKey(row.broker, row.day, row.brokerOrderId);
    changes.push({ table: 'observed', key, row });
  }
  for (const row of rows.portfolios.rows) {
    changes.push({ table: 'portfolios', key: row.broker, row });
  }
  for (const row of rows.killSwitch.rows) {
    changes.push({ table: 'killSwitch', key: 'kill-switch', row });
  }
  for (const row of rows.echoes.rows) changes.push({ table: 'echoes', key: row.broker, row });
  for (const row of rows.amendments.rows) {
    changes.push({ table: 'amendments', key: amendmentKey(row), row });
  }
  for (const row of rows.exits.rows) changes.push({ table: 'exits', key: row.id, row });
  for (const row of rows.closings.rows) changes.push({ table: 'closings', key: row.id, row });
  for (const row of rows.cancelRuns.rows) {
    changes.push({ table: 'cancelRuns', key: callerKey(row.caller, row.idempotencyKey), row });
  }
  for (const row of rows.externalChanges.rows) {
    changes.push({ table: 'externalChanges', key: row.id, row });
  }
  for (const row of rows.triggers.rows) changes.push({ table: 'triggers', key: row.id, row });
  for (const row of rows.triggerChanges.rows) {
    changes.push({ table: 'triggerChanges', key: triggerChangeKey(row), row });
  }
  if (last > 0) changes.push(lastEvent(last));
  return changes;
}

/** Of events, only the sequence of the newest is kept in memory. */
const lastEvent = (sequence: number): Change => ({
  table: 'events',
  key: String(sequence),
  row: { sequence, at: epochMs(0), type: 'alert', orderId: null, data: {} },
});

/** What the tables' columns and what is left of the rows tell of placings that may be open. */
function openPlacings(rows: AllFound, unfit: ReadonlySet<OrderId>): QuarantinedPlacing[] {
  const fit = rows.attempts.rows.flatMap((attempt) =>
    attempt.kind === 'place' && unfit.has(attempt.orderId) ? [attempt] : [],
  );
  const rest = rows.attempts.unfit.flatMap(({ columns }): QuarantinedPlacing[] => {
    if (columns['kind'] !== 'place') return [];
    const json = parseJson(columns['record']);
    const print =
      typeof json === 'object' && json !== null && 'fingerprint' in json ? json.fingerprint : null;
    const tag = columns['tag'];
    return [
      {
        orderId: String(columns['order_id']),
        day: String(columns['day']),
        tag: typeof tag === 'string' ? tag : null,
        fingerprint: typeof print === 'string' ? print : null,
      },
    ];
  });
  return [...fit, ...rest];
}

/** The columns hold all that matters of an observed order: its broker, day, id and owner. */
function observedFromColumns(columns: Row): ObservedOrder {
  const orderId = columns['order_id'];
  return {
    broker: String(columns['broker']),
    day: String(columns['day']),
    brokerOrderId: String(columns['broker_order_id']),
    orderId: typeof orderId === 'string' ? orderId : null,
    leaving: false,
    seenAt: epochMs(0),
  };
}

/** Columns by which a row that a broker can tell again is found, to be taken out. */
const KEY_COLUMNS = {
  fills: ['broker', 'day', 'exchange', 'broker_order_id', 'fill_id'],
  portfolios: ['broker'],
  echoes: ['broker'],
} as const;

/**
 * Moves a row to the table of quarantined rows, so that the same fill, say, can be written again when it
 * is next read. Returns the row's key.
 */
function takeOut(
  database: Database,
  table: keyof typeof KEY_COLUMNS,
  columns: Row,
  reason: string,
): string {
  const names = KEY_COLUMNS[table];
  const values = names.map((name) => String(columns[name]));
  const key = values.join('|');
  database.begin();
  try {
    database
      .prepare('INSERT INTO quarantine (table_name, row_key, reason, record) VALUES (?, ?, ?, ?)')
      .run(table, key, reason, String(columns['record']));
    const where = names.map((name) => `${name} = ?`).join(' AND ');
    database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...values);
    database.commit();
  } catch (error) {
    database.rollback();
    throw error;
  }
  return key;
}
