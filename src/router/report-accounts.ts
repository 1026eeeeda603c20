import { dayProfitOf } from '../domain/day-profit.ts';
import type { AccountReport, Figure, WholeAccountReport } from '../domain/day-report.ts';
import type { Position } from '../domain/portfolio.ts';
import type { KeyPosition } from '../execution/books/key-books.ts';
import { positionRow } from '../execution/books/position-row.ts';
import type { NoteEntry } from './contract-note.ts';
import { chargesFigure } from './report-charges.ts';
import {
  countsOf,
  fillsOf,
  journalProfit,
  netFigure,
  realisedFigure,
  unknownFigure,
} from './report-figures.ts';
import type { AccountGroup } from './report-groups.ts';
import type { Quotes, ReadAccount } from './report-reads.ts';

/** What the accounts of one report share. */
export interface ReportContext {
  readonly isToday: boolean;
  readonly quotes: Quotes;
  /** Units of one of a quantity; null where it is not known. */
  readonly multiplier: (line: KeyPosition['line']) => number | null;
}

/** A group's positions in the form of a broker's; null where they cannot be told. */
export const rowsOf = (
  { positions }: Pick<AccountGroup, 'positions'>,
  multiplier: ReportContext['multiplier'],
): readonly Position[] | null =>
  positions && positions.map((each) => positionRow(each, null, multiplier(each.line)));

/** An account with all that was done there, by whomever. */
export function wholeAccount(read: ReadAccount, context: ReportContext): WholeAccountReport {
  const { group, positions, charges } = read;
  const profit =
    positions === null
      ? profitOfJournal(group, context)
      : profitOfPositions(positions, context.quotes);
  const isKnown = context.isToday && charges.kind === 'read';
  // The order of a trigger is external, and has the key of the trigger.
  const outside = isKnown ? charges.entries.filter(({ caller }) => caller === null).length : null;
  return {
    // Of today the broker's book has what filled, also of an order in doubt.
    ...accountReport(read, context, { profit, inBook: context.isToday, keep: () => true }),
    elsewhere: group.mode === 'paper' ? 0 : outside,
  };
}

/** What one key has done at an account; `read.group` is that of the key. */
export const accountOfKey = (
  read: ReadAccount,
  key: string,
  context: ReportContext,
): AccountReport =>
  accountReport(read, context, {
    profit: profitOfJournal(read.group, context),
    inBook: false,
    keep: (entry) => entry.caller === key,
  });

interface Told {
  readonly profit: Figure;
  /** Whether the charges have what orders in doubt have filled. */
  readonly inBook: boolean;
  /** Whose orders count in the charges. */
  readonly keep: (entry: NoteEntry) => boolean;
}

function accountReport(
  { group, charges }: ReadAccount,
  { isToday, multiplier }: ReportContext,
  { profit, inBook, keep }: Told,
): AccountReport {
  const { broker, mode, account, orders, trades } = group;
  const doubts = group.inDoubt.map(({ id }) => id);
  const of = { broker, mode, isToday, trades, doubts: inBook ? [] : doubts };
  const cost = chargesFigure(charges, of, keep);
  return {
    ...{ broker, mode, account, orders: countsOf(orders) },
    fills: fillsOf(group, multiplier),
    charges: cost,
    realised: realisedFigure(rowsOf(group, multiplier), doubts),
    ...{ profit, net: netFigure(profit, cost), uncertainOrders: doubts },
  };
}

function profitOfJournal(
  group: AccountGroup,
  { isToday, quotes, multiplier }: ReportContext,
): Figure {
  const doubts = group.inDoubt.map(({ id }) => id);
  const elsewhere = !isToday && group.mode === 'live';
  return journalProfit(rowsOf(group, multiplier), quotes, { doubts, isToday, elsewhere });
}

function profitOfPositions(
  positions: NonNullable<ReadAccount['positions']>,
  quotes: Quotes,
): Figure {
  if ('reason' in positions) return unknownFigure(positions.reason);
  const profit = dayProfitOf(positions, quotes);
  if (profit.kind === 'unknown') return unknownFigure(profit.reason);
  return {
    ...{ rupees: profit.rupees, source: 'positions', estimate: false },
    note: 'of all orders of the account, those placed elsewhere included',
  };
}
