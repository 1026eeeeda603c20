import { istTime, nextTokenExpiry } from '../../domain/ist.ts';
import { createSqliteChangeStore, type Database } from '../../platform/database.ts';
import type { ChangeStore } from '../../platform/single-writer.ts';
import { apply, type Change } from './changes.ts';
import {
  writeAccount,
  writeFill,
  writeFixedOrder,
  writeHolding,
  writeMovingOrder,
  writePosition,
  readAccount,
  readFill,
  readHolding,
  readOrder,
  readPosition,
} from './row-codec.ts';
import { SCHEMA } from './schema.ts';
import {
  emptyLedger,
  positionKey,
  type LedgerState,
  type PaperAccount,
  type PaperFill,
  type PaperOrder,
} from './state.ts';
import type { AttemptId, TradingDay } from '../../units/branded.ts';

export interface LedgerStore extends ChangeStore<Change> {
  /** Loads the ledger from the disk; `fresh` creates the account when there is none yet. */
  load(fresh: () => PaperAccount): LedgerState;
  /**
   * The order that an attempt or a tag placed, on any day; null if none. Throws the errors of the
   * database.
   */
  placed(attemptId: AttemptId, tag: string): string | null;
  /** The orders that were in the book of a day, with their fills, as they are now. */
  ordersOf(day: TradingDay): readonly { readonly order: PaperOrder; readonly fills: PaperFill[] }[];
}

/** The ledger's tables, in a database that may have others. */
export function createLedgerStore(database: Database): LedgerStore {
  database.exec(SCHEMA);
  const findPlaced = database.prepare(
    `SELECT id FROM paper_orders WHERE attempt_id = ?
     UNION ALL SELECT id FROM paper_orders WHERE tag = ? LIMIT 1`,
  );
  const findOfDay = database.prepare(
    `SELECT * FROM paper_orders WHERE created_at < ? AND (status = 'working' OR day >= ?)
     ORDER BY number`,
  );
  const findFills = database.prepare(
    'SELECT * FROM paper_fills WHERE order_number = ? ORDER BY number',
  );
  return {
    ...createSqliteChangeStore(database, changeWriter(database)),
    load: (fresh) => loadLedger(database, fresh),
    placed(attemptId, tag) {
      const row = findPlaced.get(attemptId, tag === '' ? null : tag);
      return row === undefined ? null : String(row['id']);
    },
    ordersOf(day) {
      const end = nextTokenExpiry(istTime(day, '12:00'));
      return findOfDay.all(end, day).map((row) => {
        const order = readOrder(row);
        const fills = findFills.all(order.number).map((fill) => readFill(fill, order.id));
        return { order, fills };
      });
    },
  };
}

function changeWriter(database: Database): (change: Change) => void {
  const saveAccount = accountSaver(database);
  const insertOrder = database.prepare(
    `INSERT INTO paper_orders (number, id, attempt_id, tag, instrument, side, product, amo,
       active_from, expires_at, created_at, day, quantity, order_type, validity, price,
       trigger_price, status, reason, triggered, filled_quantity, filled_value, reserve_price,
       reserved, closing, updated_at)
     VALUES (${marks(26)})`,
  );
  const updateOrder = database.prepare(
    `UPDATE paper_orders SET day = ?, quantity = ?, order_type = ?, validity = ?, price = ?,
       trigger_price = ?, status = ?, reason = ?, triggered = ?, filled_quantity = ?,
       filled_value = ?, reserve_price = ?, reserved = ?, closing = ?, updated_at = ?
     WHERE number = ?`,
  );
  const insertFill = database.prepare(`INSERT INTO paper_fills VALUES (${marks(6)})`);
  const savePosition = database.prepare(
    `INSERT OR REPLACE INTO paper_positions VALUES (${marks(7)})`,
  );
  const removePosition = database.prepare(
    'DELETE FROM paper_positions WHERE instrument = ? AND product = ?',
  );
  const saveHolding = database.prepare(
    `INSERT OR REPLACE INTO paper_holdings VALUES (${marks(3)})`,
  );
  const removeHolding = database.prepare('DELETE FROM paper_holdings WHERE instrument = ?');

  return (change) => {
    switch (change.kind) {
      case 'account':
        return saveAccount(change.after);
      case 'order':
        if (change.after === null) throw new Error('an order is never deleted');
        if (change.before === null) {
          insertOrder.run(...writeFixedOrder(change.after), ...writeMovingOrder(change.after));
        } else {
          updateOrder.run(...writeMovingOrder(change.after), change.after.number);
        }
        return;
      case 'fill':
        if (change.after === null) throw new Error('a fill is never deleted');
        insertFill.run(...writeFill(change.after));
        return;
      case 'position':
        if (change.after !== null) savePosition.run(...writePosition(change.after));
        else if (change.before !== null) {
          removePosition.run(change.before.instrument, change.before.product);
        }
        return;
      case 'holding':
        if (change.after !== null) saveHolding.run(...writeHolding(change.after));
        else removeHolding.run(change.instrument);
        return;
      case 'book':
        // The order stays on disk; the next load leaves it out because of its day.
        return;
    }
  };
}

function accountSaver(database: Database): (account: PaperAccount) => void {
  const save = database.prepare(`INSERT OR REPLACE INTO paper_account VALUES (1, ${marks(6)})`);
  return (account) => void save.run(...writeAccount(account));
}

/** Rows go through the same `apply` as live changes, so that their sums are the same. */
function loadLedger(database: Database, fresh: () => PaperAccount): LedgerState {
  const accountRow = database.prepare('SELECT * FROM paper_account').get();
  const account = accountRow === undefined ? fresh() : readAccount(accountRow);
  if (accountRow === undefined) accountSaver(database)(account);
  const state = emptyLedger(account);
  const fillsOf = database.prepare(
    'SELECT * FROM paper_fills WHERE order_number = ? ORDER BY number',
  );
  const orders = database
    .prepare(`SELECT * FROM paper_orders WHERE status = 'working' OR day >= ? ORDER BY number`)
    .all(account.day);
  for (const row of orders) {
    const order = readOrder(row);
    apply(state, { kind: 'order', before: null, after: order });
    for (const each of fillsOf.all(order.number)) {
      apply(state, { kind: 'fill', before: null, after: readFill(each, order.id) });
    }
  }
  for (const row of database.prepare('SELECT * FROM paper_positions').all()) {
    const after = readPosition(row);
    apply(state, { kind: 'position', key: positionKey(after), before: null, after });
  }
  for (const row of database.prepare('SELECT * FROM paper_holdings').all()) {
    const after = readHolding(row);
    apply(state, { kind: 'holding', instrument: after.instrument, before: null, after });
  }
  state.nextOrder = nextNumber(database, 'paper_orders', account.series);
  state.nextFill = nextNumber(database, 'paper_fills', account.series);
  return state;
}

function nextNumber(database: Database, table: 'paper_orders' | 'paper_fills', first: number) {
  const last = database.prepare(`SELECT max(number) AS last FROM ${table}`).get()?.['last'];
  return typeof last === 'number' ? last + 1 : first;
}

function marks(count: number): string {
  return Array.from({ length: count }, () => '?').join(', ');
}
