import { istTime, tradingDay } from '../../domain/ist.ts';
import type { Database, Row } from '../../platform/database.ts';
import { plus, type TradingDay } from '../../units/branded.ts';
import type { Opening, OpeningLine } from '../books/key-books.ts';
import type { OrderFacts } from '../books/order-share.ts';
import { lastBookDay } from '../order/order-day.ts';
import { ordersOfTrigger, type TriggerRecord } from '../triggers/trigger.ts';
import { openings, readTotals } from './key-totals.ts';
import type { Tables } from './records.ts';
import { readRow } from './row-schemas.ts';

/** What the journal has of a day that has left memory. */
export interface OldDay {
  /** The orders in whose book the day is, with their fills and placings. */
  readonly orders: readonly OrderFacts[];
  /** Those with an order that has traded on the day. */
  readonly triggers: readonly TriggerRecord[];
  readonly unread: Opening['unread'];
  /** What the lines of the books had open when the day began; null where the totals cannot be read. */
  readonly carried: readonly OpeningLine[] | null;
}

/** An order for after the market is in the book of the next session: after a long holiday, so many days later. */
const LONGEST_WAIT_MS = 10 * 86_400_000;

export interface OldDayReads {
  oldDay(day: TradingDay): Promise<OldDay>;
  /** The day of the first order or trigger in the journal; null where it has none. */
  firstDay(): Promise<TradingDay | null>;
  /** The day of the order that was made last; null where there is none. */
  lastOrderDay(): Promise<TradingDay | null>;
}

export function createOldDayReads(database: Database): OldDayReads {
  const orders = database.prepare(
    'SELECT id, caller, day, record FROM orders WHERE day >= ? AND day <= ? ORDER BY id',
  );
  const first = database.prepare(
    `SELECT min(day) AS day FROM (
       SELECT * FROM (SELECT day FROM orders ORDER BY id LIMIT 1)
       UNION ALL SELECT * FROM (SELECT day FROM triggers ORDER BY id LIMIT 1)
     )`,
  );
  const last = database.prepare('SELECT day FROM orders ORDER BY id DESC LIMIT 1');
  const fills = database.prepare('SELECT record FROM fills WHERE order_id = ?');
  const placings = database.prepare(
    `SELECT record FROM attempts WHERE order_id = ? AND kind = 'place' ORDER BY id`,
  );
  const triggers = database.prepare(
    'SELECT record FROM triggers WHERE traded_day >= ? AND day <= ? ORDER BY id',
  );

  function read(day: TradingDay): OldDay {
    const found: OrderFacts[] = [];
    const unread: { id: string; caller: string }[] = [];
    const since = tradingDay(plus(istTime(day, '12:00'), -LONGEST_WAIT_MS));
    for (const row of orders.all(since, day)) {
      const orderId = String(row['id']);
      const order = readRow('orders', row['record']);
      if (order.kind === 'unfit') {
        if (row['day'] === day) unread.push({ id: orderId, caller: String(row['caller']) });
        continue;
      }
      if (order.row.day !== day && !(order.row.terms.amo && lastBookDay(order.row) >= day))
        continue;
      found.push({
        order: order.row,
        fills: rowsOf('fills', fills.all(orderId)),
        attempts: rowsOf('attempts', placings.all(orderId)),
      });
    }
    const fired = rowsOf('triggers', triggers.all(day, day)).filter((trigger) =>
      ordersOfTrigger(trigger).some((order) => order.day === day),
    );
    return { orders: found, triggers: fired, unread, carried: carriedInto(database, day) };
  }

  return {
    oldDay: async (day) => read(day),
    firstDay: async () => dayOf(first.get()),
    lastOrderDay: async () => dayOf(last.get()),
  };
}

const dayOf = (row: Row | undefined): TradingDay | null =>
  typeof row?.['day'] === 'string' ? row['day'] : null;

function rowsOf<Name extends 'fills' | 'attempts' | 'triggers'>(
  table: Name,
  rows: readonly Row[],
): Tables[Name][] {
  return rows.flatMap((row) => {
    const read = readRow(table, row['record']);
    return read.kind === 'row' ? [read.row] : [];
  });
}

/** What each line had open when a day began that has left memory, from the totals of the days before. */
function carriedInto(database: Database, day: TradingDay): readonly OpeningLine[] | null {
  const totals = readTotals(database);
  return totals && openings(new Map([...totals].filter(([, total]) => total.day < day)));
}
