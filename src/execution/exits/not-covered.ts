import type { InstrumentName } from '../../domain/instrument.ts';
import { PRODUCTS } from '../../domain/order.ts';
import type { Holding } from '../../domain/portfolio.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { type IsinOf, sameDelivered } from '../reconcile/delivered-shares.ts';
import { isUsable } from '../reconcile/believed-rows.ts';
import type { Shares } from '../reconcile/held.ts';

/** Products that an order of ours can have. */
const COVERED: ReadonlySet<string> = new Set(PRODUCTS);

/**
 * What an account has of an exit's shares and no order of the gateway can sell, for people; empty where that is
 * nothing. Delivered shares are the same on every exchange. What was sold under MTF today is listed beside the
 * holding that it was sold from: no broker tells whether it has subtracted one from the other.
 */
export function notCovered(
  portfolio: PortfolioRecord | undefined,
  shares: Shares,
  isinOf: IsinOf,
): readonly string[] {
  if (!portfolio) return [];
  const { instrument, product } = shares;
  const isDelivery = product === 'CNC';
  const isSame = (name: InstrumentName, theirs: string | null = null): boolean =>
    name === instrument || (isDelivery && sameDelivered(instrument, name, isinOf, theirs) !== 'no');
  const found = portfolio.positions
    .filter((row) => row.quantity !== 0 && !COVERED.has(row.product) && isSame(row.instrument))
    .map((row) => `${row.quantity} under ${row.product || 'a product without a name'}`);
  if (!isDelivery) return found;
  for (const row of portfolio.holdings)
    if (isSame(row.instrument, row.isin)) found.push(...of(row));
  const unread = portfolio.unread?.find(
    (row) => row.list === 'holdings' && !isUsable(row) && isSame(row.instrument ?? instrument),
  );
  if (unread) found.push(`a row of the holdings that cannot be read (${unread.reason})`);
  return found;
}

function of({ mtfQuantity = 0, pledgedQuantity = 0 }: Holding): readonly string[] {
  const kinds = [
    [mtfQuantity, 'under MTF among the holdings'],
    [pledgedQuantity, 'pledged'],
  ] as const;
  return kinds
    .filter(([quantity]) => quantity !== 0)
    .map(([quantity, how]) => `${quantity ?? 'an unreadable number'} ${how}`);
}
