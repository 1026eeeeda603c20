import { tradingDay } from '../../domain/ist.ts';
import type { Holding, Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import { type EpochMs, plus } from '../../units/branded.ts';
import type { MissingRow, PortfolioRecord } from '../journal/records.ts';
import { sameDelivered, type IsinOf } from './delivered-shares.ts';

/**
 * A row with a quantity that the last read had, and that later reads lack, counts as missing for so long. Most brokers
 * show a closed position all day with a quantity of 0, so a list without its row may lack it by mistake.
 */
export const MISSING_MS = 15_000;

interface Read {
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
  readonly unread: readonly UnreadPortfolioRow[];
  readonly at: EpochMs;
  readonly account: string | null;
}

/** What a read lacks that the one before had of the same account; intraday positions begin each day at nothing (docs/decisions/0105-missing-rows.md). */
export function missingRows(
  before: PortfolioRecord | undefined,
  read: Read,
): readonly MissingRow[] {
  if (before === undefined) return [];
  if (before.account !== undefined && read.account !== null && before.account !== read.account) {
    return [];
  }
  const fresh = [
    ...before.positions.map(({ instrument, product, quantity }) => ({
      ...({ list: 'positions' } as const),
      ...{ instrument, product, quantity },
    })),
    ...before.holdings.map(({ instrument, quantity }) => ({
      ...({ list: 'holdings' } as const),
      ...{ instrument, product: 'CNC', quantity },
    })),
  ].map((row) => ({ ...row, since: read.at }));
  const known = (before.missing ?? []).filter(
    ({ since }) => read.at >= since && read.at < plus(since, MISSING_MS),
  );
  const isOtherDay = tradingDay(before.readAt) !== tradingDay(read.at);
  return [...fresh, ...known].filter(
    (row) =>
      row.quantity !== 0 && !(isOtherDay && row.product === 'INTRADAY') && !isThere(row, read),
  );
}

/** Whether a read has the row, or has one that cannot be read and may be it. */
function isThere(row: MissingRow, { positions, holdings, unread }: Read): boolean {
  const { list, instrument, product } = row;
  const isOf = (other: { readonly instrument: string | null; readonly product?: string | null }) =>
    (other.instrument ?? instrument) === instrument && (other.product ?? product) === product;
  if (unread.some((each) => each.list === list && isOf(each))) return true;
  return list === 'positions'
    ? positions.some(isOf)
    : holdings.some(({ instrument: name }) => name === instrument);
}

/** How much of the shares of an order its account's last read lacks, by the one before; negative when short. */
export function missingOf(
  portfolio: PortfolioRecord | undefined,
  { instrument, product }: { readonly instrument: string; readonly product: string },
  isinOf: IsinOf,
): number {
  let missing = 0;
  for (const row of portfolio?.missing ?? []) {
    if (row.product !== product) continue;
    const isSame =
      row.instrument === instrument ||
      (product === 'CNC' && sameDelivered(instrument, row.instrument, isinOf) !== 'no');
    if (isSame) missing += row.quantity;
  }
  return missing;
}
