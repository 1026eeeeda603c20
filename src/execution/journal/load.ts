import type { Database, SqlValue } from '../../platform/database.ts';
import { triggerChangeKey } from '../triggers/trigger.ts';
import { epochMs, type OrderId, type TradingDay } from '../../units/branded.ts';
import { readKeyTotals, type ReadTotals } from './key-totals.ts';
import { quarantineRows } from './quarantine.ts';
import type { AllFound, Found, Quarantine } from './quarantined.ts';
import { amendmentKey, callerKey, type Change, observedKey, type TableName } from './records.ts';
import { readRow } from './row-schemas.ts';

/** The journal as the gateway starts from it. */
export interface LoadedJournal {
  /** In an order in which they can be applied. */
  readonly changes: readonly Change[];
  /** Rows that do not fit: not among the changes. */
  readonly quarantine: Quarantine;
  /** What the books of the keys carry over of orders that are not among the changes. */
  readonly totals: ReadTotals;
}

/**
 * Every row of `sinceDay` and later, and older ones that something may still happen to. Each is checked
 * against its schema, and one that does not fit is quarantined, so that it stops no other.
 */
export function loadJournal(database: Database, sinceDay: TradingDay): LoadedJournal {
  const rows = selectRows(database, sinceDay);
  const { quarantine, unfit } = quarantineRows(database, rows);
  const ofFills = quarantine.rows.flatMap(({ table, orderId }) =>
    table === 'fills' ? (orderId ?? []) : [],
  );
  return {
    changes: changesOf(database, rows, unfit),
    quarantine,
    totals: readKeyTotals(database, sinceDay, {
      isOpen: `(${OPEN} OR ${OF_OPEN})`,
      unread: [...unfit, ...ofFills],
      unreadTriggers: quarantine.rows.flatMap(({ table, key }) =>
        table === 'triggers' ? key : [],
      ),
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
