import type { BrokerOrder, UnreadRow } from '../../domain/broker-order.ts';
import type { Clock } from '../../platform/clock.ts';
import { type ElapsedMs, type EpochMs, later, plus, type TradingDay } from '../../units/branded.ts';
import type { BrokerId } from '../../domain/broker.ts';

/** The row of an order placed elsewhere that has ended, and does not tell how much of it has filled. */
export type UntoldRow = Pick<UnreadRow, 'brokerOrderId' | 'quantity'> &
  Partial<Pick<BrokerOrder, 'createdAt' | 'updatedAt'>>;

/** What may have filled unseen beside an order, and the orders placed elsewhere whose fills are known. */
export interface Untold {
  readonly rows: readonly UntoldRow[];
  readonly filled: readonly FilledRow[];
}

export type FilledRow = Pick<BrokerOrder, 'brokerOrderId' | 'filledQuantity' | 'updatedAt'>;

/** So long after the last change, a read of the positions shows all that has filled. */
export const POSITIONS_SHOW_MS = 5_000;

/**
 * How many shares orders placed elsewhere may have moved whose rows have ended and tell no fill. What they have filled is
 * in the positions a while after their end, and nobody knows how much of what is shown it is. So they count in full until
 * the account was read that long after all that has moved the same shares: until then they could hide a fill that is
 * not shown. They do not count for longer, because nothing would ever tell, and a way out would be blocked all day.
 */
export interface UntoldFills {
  mayLack(untold: Untold, read: AccountRead): number;
  /** When the last fill that is known of the same shares came, by anybody's order. */
  lastFill(untold: Pick<Untold, 'filled'>, read: AccountRead): ElapsedMs;
}

export interface AccountRead {
  readonly broker: BrokerId;
  readonly day: TradingDay;
  /** When the last read of the account began; LONG_AGO without one. */
  readonly begun: ElapsedMs;
  /** The same of the book that has the rows. */
  readonly bookBegun: ElapsedMs;
  /** When an order of ours last filled of the same shares. */
  readonly ownAt: ElapsedMs;
  /** The time at the broker now. */
  readonly now: EpochMs;
}

export function createUntoldFills(clock: Clock): UntoldFills {
  /** The book that was first seen to have a row that has ended, or so much filled, by broker and id; of one day. */
  let seen = new Map<string, ElapsedMs>();
  let dayOfSeen: TradingDay | '' = '';

  /** No change is later than the first book that has it, whatever its row says. */
  function changedAt(
    told: EpochMs | null,
    { broker, day, bookBegun, now }: AccountRead,
    ...of: readonly unknown[]
  ): ElapsedMs {
    if (day !== dayOfSeen) [seen, dayOfSeen] = [new Map(), day];
    const at = told === null ? null : plus(clock.elapsed(), told - now);
    const key = [broker, ...of].join('|');
    const first = seen.get(key) ?? bookBegun;
    if (at !== null && at <= first) return at;
    seen.set(key, first);
    return first;
  }

  function lastFill({ filled }: Pick<Untold, 'filled'>, read: AccountRead): ElapsedMs {
    let last = read.ownAt;
    for (const { brokerOrderId: id, filledQuantity, updatedAt } of filled) {
      last = later(last, changedAt(updatedAt, read, id, filledQuantity, updatedAt));
    }
    return last;
  }

  return {
    lastFill,
    mayLack(untold, read) {
      if (untold.rows.length === 0) return 0;
      const known = lastFill(untold, read);
      let quantity = 0;
      for (const row of untold.rows) {
        const ended = changedAt(endOf(row), read, row.brokerOrderId ?? '');
        const isShown = read.begun >= plus(later(ended, known), POSITIONS_SHOW_MS);
        if (!isShown) quantity += row.quantity ?? Infinity;
      }
      return quantity;
    },
  };
}

/** A time that has not changed since the order was made may be that of its placing, and not of its end. */
function endOf({ createdAt = null, updatedAt = null }: UntoldRow): EpochMs | null {
  return updatedAt !== null && createdAt !== null && updatedAt > createdAt ? updatedAt : null;
}
