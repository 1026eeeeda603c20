import type { BrokerOrder } from '../../domain/broker-order.ts';
import { isFinalRow } from '../../domain/order.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Clock } from '../../platform/clock.ts';
import { type ElapsedMs, type EpochMs, type OrderId, plus } from '../../units/branded.ts';
import type { Change } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { datedBy } from '../order/newest-row.ts';
import { bindingOf, brokerOrderIdOf, fillOf, isIn, type OrderRecord } from '../order/order.ts';
import { rowsById } from './rows-by-id.ts';

/** For so long after an order's end its broker's book is read for what may come late. */
const LATE_MS = 300_000;
/** A book and its trades are gone by then. */
const DAY_MS = 86_400_000;
/** Trades are not read more often than this for orders that have ended, or whose rows are missing. */
const TRADES_EVERY_MS = 5_000;
/** A row that works after a final one is believed once reads so far apart have shown it. */
const BELIEVED_AFTER_MS = 5_000;
/** One that is older than the final row: a book can be a minute old. */
const OLDER_BELIEVED_AFTER_MS = 60_000;
/** Two reads further apart than this do not agree about anything. */
const AGREEING_MS = 60_000;

/** An order that had ended, and that reads have shown to work: the first and the last of them. */
interface Working {
  readonly since: ElapsedMs;
  readonly last: ElapsedMs;
  /** When the row of the last one was changed; null where it does not tell. */
  readonly changedAt: EpochMs | null;
}

const ENDS = ['filled', 'partial', 'cancelled', 'rejected', 'refused'] as const;

/**
 * The orders of a broker that have ended or were refused, while something may still come of them: fills
 * after the end, a row of a refused order, a row that works again (docs/orders.md, "Watching"). Time is
 * elapsed time; of what ended before the start, the journal's times count.
 */
export interface EndedOrders {
  /** Those that ended lately, and those whose rows work again. */
  ids(): OrderId[];
  /**
   * Whether trades are to be read with a read that begins then, for these orders or because the book
   * does not tell of one: it lacks its row, or the row contradicts itself.
   */
  areTradesDue(begun: ElapsedMs, isUntold: boolean): boolean;
  tradesRead(begun: ElapsedMs): void;
  /**
   * For how long (ms) reads have shown that orders which had ended work, by order, as of a read that
   * begins then.
   */
  workingFor(begun: ElapsedMs): ReadonlyMap<OrderId, number>;
  /**
   * The read that began then has shown that these work, and these rows. A row that has ended, and is not older, begins
   * what was noted of its order anew.
   */
  noteWorking(orderIds: readonly OrderId[], rows: readonly BrokerOrder[], begun: ElapsedMs): void;
  /** A change of the journal. */
  note(change: Change): void;
}

export function createEndedOrders(
  state: ExecutionState,
  { broker, isLocal }: Pick<Trading, 'broker' | 'isLocal'>,
  clock: Clock,
): EndedOrders {
  /** Until when each is watched. */
  const until = new Map<OrderId, ElapsedMs>();
  const working = new Map<OrderId, Working>();
  let tradesAt: ElapsedMs | null = null;

  // What ends in this process has ended.
  const isEnded = (order: OrderRecord): boolean =>
    isLocal !== true && order.broker === broker && isIn(order, ENDS);

  for (const order of state.orders.values()) {
    // A clock that was ahead at the end says nothing about when that was.
    const since = clock.now() - order.updatedAt;
    // The trades of the day are still to say how much of it has filled.
    const isUntold = since < DAY_MS && fillOf(order).filledQuantity === null;
    const left = isUntold ? LATE_MS : Math.min(LATE_MS, LATE_MS - since);
    if (isEnded(order) && left > 0) until.set(order.id, plus(clock.elapsed(), left));
  }

  function late(): OrderId[] {
    const now = clock.elapsed();
    for (const [id, at] of until) if (at <= now) until.delete(id);
    return [...until.keys()];
  }

  /** Whether a read shows an order ended, and when its rows changed last: open ones, and ones that have ended. */
  function shownOf(id: OrderId, rows: readonly BrokerOrder[]) {
    const order = state.orders.get(id);
    const own = rowsById(rows).of((order && brokerOrderIdOf(order)) ?? '');
    const ends = own.filter(({ status }) => isFinalRow(status));
    const open = own.filter((row) => !ends.includes(row));
    const lastOf = (among: readonly BrokerOrder[]): EpochMs | null =>
      among.reduce<EpochMs | null>((last, row) => {
        const { updatedAt } = datedBy(row, clock.now());
        return updatedAt !== null && updatedAt > (last ?? -Infinity) ? updatedAt : last;
      }, null);
    return { isEnded: ends.length > 0, ended: lastOf(ends), open: lastOf(open) };
  }

  return {
    ids: () => [...new Set([...late(), ...working.keys()])].filter((id) => state.orders.has(id)),
    areTradesDue(begun, isUntold) {
      if (tradesAt !== null && begun - tradesAt < TRADES_EVERY_MS) return false;
      return isUntold || late().length > 0;
    },
    tradesRead(begun) {
      tradesAt = begun;
    },
    workingFor: (begun) => new Map([...working].map(([id, { since }]) => [id, begun - since])),
    noteWorking(orderIds, rows, begun) {
      for (const id of orderIds) {
        const { open } = shownOf(id, rows);
        working.set(id, { since: working.get(id)?.since ?? begun, last: begun, changedAt: open });
      }
      for (const [id, { last, changedAt }] of working) {
        const { isEnded, ended } = shownOf(id, rows);
        const isOfThePast = ended !== null && changedAt !== null && ended < changedAt;
        const isDenied = last !== begun && isEnded && !isOfThePast;
        if (isDenied || begun - last > AGREEING_MS) working.delete(id);
      }
    },
    note({ table, row }) {
      if (table !== 'orders' || row === null || row.broker !== broker) return;
      // A change is told of together with what was there before it.
      const order = state.orders.get(row.id);
      working.delete(row.id);
      if (order && isEnded(order)) until.set(row.id, plus(clock.elapsed(), LATE_MS));
      else until.delete(row.id);
    },
  };
}

/**
 * Whether a row says that an order works which the row before it had ended. Fewer fills than are known,
 * or none left to come, say nothing.
 */
export function isWorkingAgain(order: OrderRecord, row: BrokerOrder | null): row is BrokerOrder {
  const known = bindingOf(order)?.row ?? null;
  if (row === null || known === null || !isIn(order, ENDS)) return false;
  if (!isFinalRow(known.status) || isFinalRow(row.status)) return false;
  const filled = row.filledQuantity ?? 0;
  return filled >= (known.filledQuantity ?? 0) && filled < row.quantity;
}

/** Whether such a row is believed, which reads have shown for so long (ms; undefined: never before). */
export function isBelieved(
  order: OrderRecord,
  row: BrokerOrder,
  workingFor: number | undefined,
): boolean {
  const known = bindingOf(order)?.row?.updatedAt ?? null;
  const isOlder = known !== null && row.updatedAt !== null && row.updatedAt < known;
  return (workingFor ?? -1) >= (isOlder ? OLDER_BELIEVED_AFTER_MS : BELIEVED_AFTER_MS);
}
