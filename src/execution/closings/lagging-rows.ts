import type { BrokerId } from '../../domain/broker.ts';
import type { Side } from '../../domain/order.ts';
import type { Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import { type ExitParts, sharesOf } from '../exits/exit-parts.ts';
import type { PortfolioRecord } from '../journal/records.ts';
import { mostOf } from '../reconcile/believed-rows.ts';
import type { Shares } from '../reconcile/held.ts';

/**
 * Adds to the rows that cannot be read each position that lacks fills of today: what was filled a moment ago is not
 * "nothing held", and what may be short by now keeps its cover. A position that is larger by such fills than its row shows
 * says so (`otherQuantities`).
 */
export function withLagging(parts: ExitParts, portfolio: PortfolioRecord): PortfolioRecord {
  const { broker } = portfolio;
  let { positions, unread = [] } = portfolio;
  const lagging: UnreadPortfolioRow[] = [];
  for (const { instrument, product } of tradedToday(parts, broker)) {
    const missing = missingOf(parts, broker, { instrument, product });
    if (missing === 0) continue;
    const isOf = (row: Pick<UnreadPortfolioRow, 'instrument' | 'product'>): boolean =>
      row.instrument === instrument && row.product === product;
    // Of a row of which something else cannot be read, the quantity is shown as well.
    const isCut = (row: UnreadPortfolioRow): boolean =>
      row.list === 'positions' && row.quantity !== null && isOf(row);
    const shown = positions.find(isOf) ?? unread.find(isCut);
    // The exit of a position that is shown as held waits for its missing fills. One that may be short by now is not closed.
    const held = shown?.quantity ?? 0;
    if (held !== 0 && Math.sign(missing) === Math.sign(held)) {
      positions = positions.map((row) => (isOf(row) ? withMore(row, missing) : row));
    }
    if (held < 0 || (held > 0 && held + missing >= 0)) continue;
    positions = positions.filter((row) => !isOf(row));
    unread = unread.filter((row) => !isCut(row));
    const what = `${Math.abs(missing)} have been ${missing > 0 ? 'bought' : 'sold'}`;
    const reason = `the positions do not show yet that ${what}`;
    lagging.push({ list: 'positions', instrument, product, quantity: null, reason });
  }
  const all = lagging.length === 0 ? portfolio : { ...portfolio, unread: [...unread, ...lagging] };
  return { ...all, positions };
}

/**
 * Whether the account has no row at all of a position of which the book shows trades today that leave something open. Either
 * it was carried over and has been closed, and the broker leaves it out then, or this read lacks its row, and another one has it.
 */
export function mayLackRow({ poller }: ExitParts, portfolio: PortfolioRecord): boolean {
  const net = new Map<string, number>();
  for (const row of poller(portfolio.broker)?.lastRead()?.rows ?? []) {
    if (row.product === 'CNC' || !row.filledQuantity) continue;
    const key = `${row.instrument} ${row.product}`;
    const filled = row.side === 'BUY' ? row.filledQuantity : -row.filledQuantity;
    net.set(key, (net.get(key) ?? 0) + filled);
  }
  for (const { instrument, product } of [...portfolio.positions, ...(portfolio.unread ?? [])]) {
    net.delete(`${instrument ?? ''} ${product ?? ''}`);
  }
  return [...net.values()].some((filled) => filled !== 0);
}

/** More of a position is held than its row shows. */
function withMore(row: Position, missing: number): Position {
  const { otherQuantities = [] } = row;
  return { ...row, otherQuantities: [...otherQuantities, mostOf(row) + missing] };
}

/**
 * What orders of the gateway have traded today, but delivery shares; and intraday shares that others have. What others
 * trade under other products may be what was carried over, which a broker may leave out once it is closed.
 */
function tradedToday({ writer: { state }, accounts, poller }: ExitParts, broker: BrokerId) {
  const traded = new Map<string, Pick<Shares, 'instrument' | 'product'>>();
  for (const { instrument, product, filledQuantity } of poller(broker)?.lastRead()?.rows ?? []) {
    if (product !== 'INTRADAY' || !filledQuantity) continue;
    traded.set(`${instrument} ${product}`, { instrument, product });
  }
  for (const order of state.ordersOfDay.get(accounts.today(broker))?.values() ?? []) {
    const { instrument, product } = order.terms;
    if (order.broker !== broker || product === 'CNC') continue;
    traded.set(`${instrument} ${product}`, { instrument, product });
  }
  return traded.values();
}

/** What is known to have been bought and is not shown yet, less what was sold and is not shown. */
function missingOf(
  { accounts }: ExitParts,
  broker: BrokerId,
  shares: Pick<Shares, 'instrument' | 'product'>,
): number {
  const movedOf = (side: Side): number => {
    const terms = sharesOf({ ...shares, side });
    const { told, moved } = accounts.beside({ broker, terms, orderId: '' });
    return told ?? moved;
  };
  return movedOf('BUY') - movedOf('SELL');
}
