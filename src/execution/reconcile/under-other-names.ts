import type { InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { TradingDay } from '../../units/branded.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { type AccountRows, type IsinOf, otherNames } from './delivered-shares.ts';
import { positionsOf, type Shares, tradedRows } from './held.ts';

/** What is held of delivery shares under other names than that of an exit, and is not counted as held by it; for people. */
export function heldUnderOtherNames(
  portfolio: PortfolioRecord | undefined,
  { instrument, product }: Shares,
  isinOf: IsinOf,
): readonly string[] {
  if (!portfolio || product !== 'CNC') return [];
  const others = otherNames(rowsOf(portfolio), instrument, isinOf);
  // Those that are known to be the same were delivered to be sold under the own name as well: such sales take first of them.
  const delivered = others.reduce(
    (sum, other) => sum + (other.sameness === 'known' ? other.delivered : 0),
    0,
  );
  // What was sold of them under the own name is not there any more.
  let sold = Math.min(0, ownOf(portfolio, instrument) + delivered);
  return others.flatMap((other) => {
    const { sameness, today } = other;
    const there = sameness === 'known' ? today : other.delivered + today;
    const left = Math.max(0, there + sold);
    sold = Math.min(0, sold + Math.max(0, there));
    return left === 0 ? [] : [`${left} as ${other.instrument}`];
  });
}

const rowsOf = (portfolio: PortfolioRecord): AccountRows => ({
  positions: positionsOf(portfolio),
  holdings: portfolio.holdings,
});

/** Why an exit or a closing of a name is not flat although nothing is held under it. */
export const notUnderThatName = (
  { instrument, product }: Pick<Shares, 'instrument' | 'product'>,
  names: readonly string[],
): string =>
  `nothing of ${instrument} (${product}) is held under that name, but of the same shares, as far as is known, ` +
  `${names.join(', ')}: exit those`;

function ownOf(portfolio: PortfolioRecord, instrument: InstrumentName): number {
  const rows = [
    ...positionsOf(portfolio).filter(({ product }) => product === 'CNC'),
    ...portfolio.holdings,
  ];
  return rows
    .filter((row) => row.instrument === instrument)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * What the holdings say was sold of delivery shares today, and no position shows. The broker counts it on
 * whichever exchange it was sold.
 */
export function unshownSales(
  portfolio: PortfolioRecord | undefined,
  { instrument, product, side }: Shares,
  { isinOf, day }: { readonly isinOf: IsinOf; readonly day: TradingDay },
): number {
  if (!portfolio || product !== 'CNC' || side !== 'SELL') return 0;
  if (tradingDay(portfolio.readAt) !== day) return 0;
  const names = otherNames(rowsOf(portfolio), instrument, isinOf).map((each) => each.instrument);
  const isSame = (name: InstrumentName): boolean => name === instrument || names.includes(name);
  let sold = 0;
  for (const row of portfolio.holdings) {
    if (isSame(row.instrument)) sold += row.soldToday ?? 0;
  }
  if (sold === 0) return 0;
  for (const row of tradedRows(portfolio)) {
    if (row.product !== 'CNC' || !isSame(row.instrument)) continue;
    sold -= Math.max(row.sellQuantity, row.day?.sellQuantity ?? 0, -row.quantity);
  }
  return Math.max(0, sold);
}
