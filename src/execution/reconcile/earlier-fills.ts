import type { BrokerOrder } from '../../domain/broker-order.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { ElapsedMs, EpochMs } from '../../units/branded.ts';
import { isSameAccount } from '../journal/records.ts';

/** A row that the book has shown with more filled than it shows now, or that it no longer has. */
export interface EarlierFill {
  /** As it was when it showed the most. */
  readonly row: BrokerOrder;
  /** How much less is shown now. */
  readonly less: number;
  /** When the last read began that showed as much. */
  readonly shownAt: ElapsedMs;
}

interface Read {
  readonly rows: readonly BrokerOrder[];
  readonly begunAt: EpochMs;
  readonly begun: ElapsedMs;
  /** Whose book it is; null where that is not known. */
  readonly account: string | null;
}

interface ReadBefore extends Read {
  readonly earlier: readonly EarlierFill[];
}

/**
 * What a read of a book no longer shows as filled that reads of the same day and account have shown: some brokers' rows
 * tell 0 once a part-filled order is cancelled, and the positions may lack that part still.
 */
export function earlierFills(before: ReadBefore | null, read: Read): readonly EarlierFill[] {
  if (before === null || tradingDay(before.begunAt) !== tradingDay(read.begunAt)) return [];
  const isKnown = before.account !== null && read.account !== null;
  if (isKnown && !isSameAccount(before.account, read.account)) return [];
  // Most rows are the same, or show more, at the same place: a book of thousands is not looked through for them.
  const changed = before.rows.filter((row, place) => {
    const now = read.rows[place];
    if (row === now || (row.filledQuantity ?? 0) === 0) return false;
    const isSame = now !== undefined && keyOf(now) === keyOf(row);
    return !isSame || (now.filledQuantity ?? 0) < (row.filledQuantity ?? 0);
  });
  const last = changed.map((row) => ({ row, shownAt: before.begun }));
  const candidates = [...before.earlier, ...last];
  if (candidates.length === 0) return [];
  const now = new Map<string, number>();
  for (const row of read.rows) {
    const key = keyOf(row);
    now.set(key, Math.max(now.get(key) ?? 0, row.filledQuantity ?? 0));
  }
  const found = new Map<string, EarlierFill>();
  for (const { row, shownAt } of candidates) {
    const key = keyOf(row);
    const less = (row.filledQuantity ?? 0) - (now.get(key) ?? 0);
    if (less > 0 && less >= (found.get(key)?.less ?? 0)) found.set(key, { row, less, shownAt });
  }
  return [...found.values()];
}

/** A broker may show two orders under one id. */
const keyOf = ({ brokerOrderId, instrument, side, product }: BrokerOrder): string =>
  [brokerOrderId, instrument, side, product].join('|');
