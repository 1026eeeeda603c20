import type { Database, Row } from '../../platform/database.ts';
import { epochMs, type OrderId } from '../../units/branded.ts';
import { isOver } from '../order/order.ts';
import { externalKeysOf, subjectsIn, termsOf } from './quarantined-contents.ts';
import {
  type AllFound,
  Quarantine,
  type QuarantinedPlacing,
  type QuarantinedRow,
} from './quarantined.ts';
import { callerKey, observedKey, type ObservedOrder, type TableName } from './records.ts';
import { parseJson } from './row-schemas.ts';

/** What becomes of the rows of the journal that do not fit (docs/orders.md, "Rows that do not fit"). */

/**
 * Decides, table by table, what becomes of rows that do not fit. An observed order and the kill switch are put
 * among the rows that fit, as far as they are known.
 */
export function quarantineRows(
  database: Database,
  rows: AllFound,
): { quarantine: Quarantine; unfit: ReadonlySet<OrderId> } {
  const quarantined: QuarantinedRow[] = [];
  const note = (
    table: TableName,
    key: string,
    orderId: OrderId | null,
    reason: string,
    about: readonly string[] = [],
  ): void => {
    quarantined.push({ table, key, orderId, reason, about });
  };
  const subjectsOf = subjectsIn(rows);
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
    if (columns['kind'] !== 'place' || !order || isOver(order)) continue;
    unfit.add(orderId);
    if (order.parentId !== null) unfit.add(order.parentId);
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
      note(table, String(columns['id']), null, reason, subjectsOf(table, columns));
    }
  }
  // Its key is refused from then on, and the cancels that have left stand by themselves.
  for (const { columns, reason } of rows.cancelRuns.unfit) {
    const about = subjectsOf('cancelRuns', columns);
    note('cancelRuns', String(columns['idempotency_key']), null, reason, about);
  }
  for (const { columns, reason } of rows.externalChanges.unfit) {
    const about = subjectsOf('externalChanges', columns);
    note('externalChanges', String(columns['id']), null, reason, about);
  }
  for (const { columns, reason } of rows.triggerChanges.unfit) {
    note('triggerChanges', String(columns['trigger_id']), null, reason);
  }
  const known = {
    ...{ orders: unfit, placings: openPlacings(rows, unfit), keys: keysOf(rows, unfit) },
    ...{ terms: termsOf(rows, unfit), externalKeys: externalKeysOf(rows) },
  };
  return { quarantine: new Quarantine(quarantined, known), unfit };
}

/** The keys under which the orders that cannot be used were placed. */
function keysOf({ orders }: AllFound, unfit: ReadonlySet<OrderId>): ReadonlyMap<string, OrderId> {
  const fit = orders.rows
    .filter(({ id }) => unfit.has(id))
    .map(({ id, caller, idempotencyKey }) => [callerKey(caller, idempotencyKey), id] as const);
  const rest = orders.unfit.map(({ columns }) => {
    const key = callerKey(String(columns['caller']), String(columns['idempotency_key']));
    return [key, String(columns['id'])] as const;
  });
  return new Map([...fit, ...rest]);
}

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
