import { z } from 'zod';
import { MODES } from '../../domain/broker.ts';
import { PRODUCTS } from '../../domain/order.ts';
import type { Database, Row } from '../../platform/database.ts';
import { messageOf } from '../../platform/values.ts';
import type { OrderId, TradingDay, TriggerId } from '../../units/branded.ts';
import { carryOver, isCarriedOver, type Opening, type OpeningLine } from '../books/key-books.ts';
import {
  type BookLine,
  lineKey,
  type OrderShare,
  shareOf,
  sharesOfTrigger,
} from '../books/order-share.ts';
import {
  isNothing,
  minusSums,
  NO_SUMS,
  NOTHING_CARRIED,
  plusSums,
  readSums,
  storedSums,
  type Sums,
} from '../books/sums.ts';
import { parseJson, readRow } from './row-schemas.ts';

/**
 * What the orders of each key, and of its triggers, bought and sold on each day that has left memory. They can be
 * computed from those again: `in_totals` says of which orders and triggers they are the sums.
 */
export const KEY_TOTALS = `
CREATE TABLE key_totals (
  day TEXT NOT NULL,
  line TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (day, line)
) STRICT, WITHOUT ROWID;
ALTER TABLE orders ADD COLUMN in_totals INTEGER NOT NULL DEFAULT 0 CHECK (in_totals IN (0, 1));
`;

const side = z.object({
  quantity: z.number().int(),
  unpriced: z.number().int(),
  value: z.string().regex(/^-?\d+(\.\d+)?$/),
});
const totalSchema = z.object({
  line: z.object({
    ...{ caller: z.string(), broker: z.string(), mode: z.enum(MODES) },
    account: z.string().nullable(),
    ...{ instrument: z.string(), product: z.enum(PRODUCTS) },
  }),
  sums: z.object({ bought: side, sold: side }),
});

interface Total {
  readonly line: BookLine;
  readonly day: TradingDay;
  readonly sums: Sums;
  /** Whether it is still to be written. */
  readonly isChanged: boolean;
}

export interface ReadTotals extends Opening {
  /** Why the totals could not be written, for people; null where they were. They are used all the same. */
  readonly notWritten: string | null;
}

/**
 * What the books carry over of the orders and triggers that are not in memory: of days before `sinceDay`, and over.
 * Those that have left memory since the last start are added to the totals, and those that are in memory again,
 * because the clock was set back, are taken out. Totals that cannot be read are computed anew.
 */
export function readKeyTotals(
  database: Database,
  sinceDay: TradingDay,
  memory: {
    /** The condition on orders that stay in memory for longer. */
    readonly isOpen: string;
    /** Orders in memory of which something could not be read. */
    readonly unread: readonly OrderId[];
    /** Triggers whose rows cannot be read. */
    readonly unreadTriggers: readonly TriggerId[];
  },
): ReadTotals {
  const known = readTotals(database);
  const totals = known ?? new Map<string, Total>();
  const isNew = known === null ? '' : 'in_totals = 0 AND ';
  const left = ordersWhere(database, [
    `${isNew}day < ? AND status IN ('filled', 'partial') AND coalesce(${memory.isOpen}, 0) = 0`,
    sinceDay,
  ]);
  const back =
    known === null
      ? NOTHING_FOUND
      : ordersWhere(database, ['in_totals = 1 AND day >= ?', sinceDay]);
  const triggers = {
    left: triggersWhere(database, [`${isNew}day < ? AND traded_day < ? AND is_over = 1`, sinceDay]),
    back:
      known === null
        ? NOTHING_FOUND
        : triggersWhere(database, ['in_totals = 1 AND (day >= ? OR traded_day >= ?)', sinceDay]),
  };
  for (const share of [...left.shares, ...triggers.left.shares]) change(totals, share, plusSums);
  for (const share of [...back.shares, ...triggers.back.shares]) change(totals, share, minusSums);
  const changes = {
    marks: [
      { table: 'orders', left: left.ids, back: back.ids },
      { table: 'triggers', left: triggers.left.ids, back: triggers.back.ids },
    ],
    isAnew: known === null,
  } as const;
  return {
    lines: openings(totals),
    unread: [
      ...left.unread,
      ...triggers.left.unread,
      ...callersOf(database, 'orders', memory.unread),
      ...callersOf(database, 'triggers', memory.unreadTriggers),
    ],
    notWritten: write(database, totals, changes),
  };
}

/** Rows that cannot be read, with the keys that their columns name. */
function callersOf(
  database: Database,
  table: 'orders' | 'triggers',
  ids: readonly string[],
): Opening['unread'] {
  const caller = database.prepare(`SELECT caller FROM ${table} WHERE id = ?`);
  return ids.map((id) => ({ id, caller: String(caller.get(id)?.['caller'] ?? '') }));
}

/** Null where a row does not fit: then all are computed anew. */
export function readTotals(database: Database): Map<string, Total> | null {
  const totals = new Map<string, Total>();
  const rows = database.prepare('SELECT day, record FROM key_totals ORDER BY day').all();
  for (const row of rows) {
    const read = totalSchema.safeParse(parseJson(row['record']));
    if (!read.success) return null;
    const { line, sums } = read.data;
    const day = String(row['day']);
    totals.set(totalKey(day, line), { line, day, sums: readSums(sums), isChanged: false });
  }
  return totals;
}

const totalKey = (day: TradingDay, line: BookLine): string => `${day} ${lineKey(line)}`;

function change(
  totals: Map<string, Total>,
  { line, day, sums }: OrderShare,
  combine: typeof plusSums,
): void {
  // What ends with its day is carried over by nobody.
  if (!isCarriedOver(line)) return;
  const key = totalKey(day, line);
  const before = totals.get(key)?.sums ?? NO_SUMS;
  totals.set(key, { line, day, sums: combine(before, sums), isChanged: true });
}

/** Orders or triggers that have left memory, or are in memory again. */
interface Found {
  readonly ids: string[];
  readonly shares: OrderShare[];
  readonly unread: { readonly id: string; readonly caller: string }[];
}

const NOTHING_FOUND: Found = { ids: [], shares: [], unread: [] };

/** So many orders are in memory at once: a journal may have those of years. */
const AT_ONCE = 500;

function ordersWhere(database: Database, [condition, day]: readonly [string, TradingDay]): Found {
  const found: Found = { ids: [], shares: [], unread: [] };
  const next = database.prepare(
    `SELECT id, caller, record FROM orders WHERE ${condition} AND id > ? ORDER BY id LIMIT ${AT_ONCE}`,
  );
  const fillsOf = database.prepare('SELECT record FROM fills WHERE order_id = ?');
  const placingsOf = database.prepare(
    `SELECT record FROM attempts WHERE order_id = ? AND kind = 'place' ORDER BY id`,
  );
  const rowsOf = <Name extends 'fills' | 'attempts'>(table: Name, rows: readonly Row[]) =>
    rows.flatMap((row) => {
      const read = readRow(table, row['record']);
      return read.kind === 'row' ? [read.row] : [];
    });
  let last = '';
  for (;;) {
    const rows = next.all(day, last);
    for (const row of rows) {
      last = String(row['id']);
      const read = readRow('orders', row['record']);
      if (read.kind === 'unfit') {
        found.unread.push({ id: last, caller: String(row['caller']) });
        continue;
      }
      found.ids.push(last);
      const fills = rowsOf('fills', fillsOf.all(last));
      const attempts = rowsOf('attempts', placingsOf.all(last));
      const share = shareOf({ order: read.row, fills, attempts });
      if (share) found.shares.push(share);
    }
    if (rows.length < AT_ONCE) return found;
  }
}

/** Triggers whose orders have traded. */
function triggersWhere(database: Database, [condition, day]: readonly [string, TradingDay]): Found {
  const found: Found = { ids: [], shares: [], unread: [] };
  const rows = database
    .prepare(`SELECT id, caller, record FROM triggers WHERE ${condition}`)
    .all(day, day);
  for (const row of rows) {
    const id = String(row['id']);
    const read = readRow('triggers', row['record']);
    if (read.kind === 'unfit') {
      found.unread.push({ id, caller: String(row['caller']) });
      continue;
    }
    found.ids.push(id);
    found.shares.push(...sharesOfTrigger(read.row));
  }
  return found;
}

/** All in one, so that an order or a trigger is in the totals exactly when its row says so. */
function write(
  database: Database,
  totals: ReadonlyMap<string, Total>,
  {
    marks,
    isAnew,
  }: {
    readonly marks: readonly {
      readonly table: 'orders' | 'triggers';
      readonly left: readonly string[];
      readonly back: readonly string[];
    }[];
    readonly isAnew: boolean;
  },
): string | null {
  if (!isAnew && marks.every(({ left, back }) => left.length + back.length === 0)) return null;
  database.begin();
  try {
    if (isAnew) {
      database.exec('DELETE FROM key_totals');
      for (const { table } of marks) {
        database.exec(`UPDATE ${table} SET in_totals = 0 WHERE in_totals = 1`);
      }
    }
    const put = database.prepare(
      'INSERT OR REPLACE INTO key_totals (day, line, record) VALUES (?, ?, ?)',
    );
    const takeOut = database.prepare('DELETE FROM key_totals WHERE day = ? AND line = ?');
    for (const { line, day, sums, isChanged } of totals.values()) {
      if (!isChanged) continue;
      if (isNothing(sums)) takeOut.run(day, lineKey(line));
      else put.run(day, lineKey(line), JSON.stringify({ line, sums: storedSums(sums) }));
    }
    for (const { table, left, back } of marks) {
      const mark = database.prepare(`UPDATE ${table} SET in_totals = ? WHERE id = ?`);
      for (const id of left) mark.run(1, id);
      for (const id of back) mark.run(0, id);
    }
    database.commit();
    return null;
  } catch (error) {
    database.rollback();
    return messageOf(error);
  }
}

/** The position with which each line goes into the days after those of the totals. */
export function openings(totals: ReadonlyMap<string, Total>): readonly OpeningLine[] {
  const days = new Map<string, { readonly line: BookLine; readonly sums: Sums[] }>();
  const byDay = [...totals.values()].sort((one, other) => (one.day < other.day ? -1 : 1));
  for (const { line, sums } of byDay) {
    const of = days.get(lineKey(line)) ?? { line, sums: [] };
    days.set(lineKey(line), of);
    of.sums.push(sums);
  }
  return [...days.values()]
    .map(({ line, sums }) => ({ line, carried: carryOver(line, NOTHING_CARRIED, sums) }))
    .filter(({ carried }) => carried.quantity !== 0);
}
