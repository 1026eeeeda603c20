import type { ClosingUnread } from '../../domain/closing.ts';
import type { UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { isUsable } from '../reconcile/believed-rows.ts';
import { isOfNothing, mayBe, positionsOf } from '../reconcile/held.ts';
import type { ClosingFilter } from './closing-filter.ts';

/**
 * The rows of an account that cannot be read and may be what a closing was asked for. A position of which
 * instrument, product and quantity could be read counts as any other, and is not among them.
 */
export function unreadIn(
  portfolio: PortfolioRecord,
  filter: ClosingFilter,
): readonly ClosingUnread[] {
  const { broker, mode } = portfolio;
  return unclearRows(portfolio)
    .filter((row) => isMeant(row, portfolio, filter))
    .map(({ list, instrument, product, quantity, reason }) => ({
      ...{ broker, mode, list, instrument, product, quantity, reason },
    }));
}

/** The rows of positions that cannot be read and may be short: what is long may cover them. */
export const unreadShorts = (portfolio: PortfolioRecord): readonly UnreadPortfolioRow[] =>
  unclearRows(portfolio).filter(
    ({ list, product, quantity }) =>
      list === 'positions' && product !== 'CNC' && (quantity ?? -1) < 0,
  );

/** An account has one position of an instrument and product: where that one can be read, no other row is it. */
function unclearRows(portfolio: PortfolioRecord): readonly UnreadPortfolioRow[] {
  const missing = (portfolio.missing ?? []).map(({ since: _, ...row }) => ({
    ...row,
    reason: MISSING,
  }));
  const unread = (portfolio.unread ?? []).filter((row) => {
    if (row.list === 'holdings') {
      return !portfolio.holdings.some(({ instrument }) => instrument === row.instrument);
    }
    return (
      !isUsable(row) &&
      !isOfNothing(row) &&
      !positionsOf(portfolio).some(
        ({ instrument, product }) => instrument === row.instrument && product === row.product,
      )
    );
  });
  return [...unread, ...missing];
}

const MISSING = 'the account lacks it, and had it a moment ago';

function isMeant(
  row: UnreadPortfolioRow,
  portfolio: PortfolioRecord,
  { instrument, product, side, holdings }: ClosingFilter,
): boolean {
  if (row.quantity !== null && side !== null && row.quantity > 0 !== (side === 'BUY')) return false;
  if (instrument !== null && (row.instrument ?? instrument) !== instrument) return false;
  if (row.list === 'holdings' || row.product === 'CNC') {
    const isNamed = holdings.some((name) => (row.instrument ?? name) === name);
    return isNamed && (product ?? 'CNC') === 'CNC';
  }
  if (product === null) return true;
  const wanted = { instrument: row.instrument ?? instrument, product };
  if (wanted.instrument === null) return (row.product ?? product) === product;
  const isRead = positionsOf(portfolio).some(
    (each) => each.instrument === wanted.instrument && each.product === product,
  );
  return !isRead && mayBe(row, { instrument: wanted.instrument, product });
}
