import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { InstrumentLookup, InstrumentName } from '../../domain/instrument.ts';
import { tradingDay } from '../../domain/ist.ts';
import type { OrderTerms } from '../../domain/order.ts';
import type { Holding, Position, TradedOfRow, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Decision } from '../../platform/single-writer.ts';
import type { EpochMs, TradingDay } from '../../units/branded.ts';
import { accountField, type Change, type PortfolioRecord } from '../journal/records.ts';
import type { ExecutionState } from '../journal/state.ts';
import { UnitOfWork } from '../journal/unit-of-work.ts';
import { believedRows, isUsable, leastOf, mostOf } from './believed-rows.ts';
import { type IsinOf, otherNames, sameDelivered } from './delivered-shares.ts';
import { missingRows } from './missing-rows.ts';
import { oneRowEach } from './one-row-each.ts';

export type { IsinOf } from './delivered-shares.ts';

/** Each look-up once: an order is compared with all that are open. */
export function isinsOf(instruments: Pick<InstrumentLookup, 'byName'>): IsinOf {
  const known = new Map<InstrumentName, string | null>();
  return (name) => {
    let isin = known.get(name);
    if (isin === undefined) known.set(name, (isin = instruments.byName(name)?.isin ?? null));
    return isin;
  };
}

/** What an order says of the shares that it moves. */
export type Shares = Pick<OrderTerms, 'instrument' | 'product' | 'side'>;

/** The same shares, moved the other way: what opens the position that an order ends. */
export const openingOf = <Terms extends Shares>(terms: Terms): Terms => ({
  ...terms,
  side: terms.side === 'SELL' ? 'BUY' : 'SELL',
});

/**
 * Keeps what an account was found to have, and when it was read. A row that could not be read is alerted
 * to, once; what an earlier read had shown of it is kept beside what was read.
 */
export function decidePortfolio(
  state: ExecutionState,
  command: {
    broker: BrokerId;
    mode: Mode;
    positions: readonly Position[];
    holdings: readonly Holding[];
    unread: readonly UnreadPortfolioRow[];
    /** Wall time before the first of the reads began. */
    at: EpochMs;
    /** Null where the broker has not said whose it is. */
    account?: string | null;
  },
): Decision<Change, boolean> {
  const believed = believedRows(oneRowEach(command));
  const { broker, mode, positions, holdings, unread, at, account = null } = believed;
  const before = state.portfolios.get(broker);
  const missing = missingRows(before, { positions, holdings, unread, at, account });
  const read = {
    ...{ broker, mode, readAt: at, ...accountField(account), positions, holdings },
    ...(missing.length === 0 ? {} : { missing }),
  };
  const row =
    unread.length === 0
      ? read
      : { ...read, unread, ...earlierRows(before, { positions, holdings, unread }) };
  const unit = new UnitOfWork(state, at);
  unit.changes.push({ table: 'portfolios', key: broker, row });
  const told = new Set(before?.unread?.map(nameOfUnread));
  for (const each of unread) {
    if (told.has(nameOfUnread(each))) continue;
    const message =
      `a row of the ${each.list} at ${broker} cannot be read: ${nameOfUnread(each)} (${each.reason}). ` +
      "All others are used; look at it in the broker's app. Under the kill switch, an order that this " +
      'row could be about needs force';
    unit.alert('warning', null, message);
  }
  return { changes: unit.changes, reply: true };
}

const nameOfUnread = ({ instrument, product }: UnreadPortfolioRow): string =>
  [instrument ?? 'one without a readable instrument', product ?? ''].join(' ').trim();

type Rows = Pick<PortfolioRecord, 'positions' | 'holdings'>;

/** What was known before and is not in this read, where an unread row of it may be that. */
function earlierRows(
  before: PortfolioRecord | undefined,
  { positions, holdings, unread }: Rows & { readonly unread: readonly UnreadPortfolioRow[] },
): Pick<PortfolioRecord, 'earlier'> {
  const unclear = unread.filter((row) => !isUsable(row));
  const earlier = {
    positions: [...(before?.positions ?? []), ...(before?.earlier?.positions ?? [])].filter(
      (row) =>
        unclear.some((each) => each.list === 'positions' && mayBe(each, row)) &&
        !positions.some(
          (each) => each.instrument === row.instrument && each.product === row.product,
        ),
    ),
    holdings: [...(before?.holdings ?? []), ...(before?.earlier?.holdings ?? [])].filter(
      (row) =>
        unclear.some(
          (each) => each.list === 'holdings' && mayBe(each, { ...row, product: 'CNC' }),
        ) && !holdings.some(({ instrument }) => instrument === row.instrument),
    ),
  };
  return earlier.positions.length + earlier.holdings.length > 0 ? { earlier } : {};
}

/** Whether nothing that can be read of a row speaks against its being about an instrument and product. */
export function mayBe(
  { instrument, product }: UnreadPortfolioRow,
  other: { readonly instrument: InstrumentName; readonly product: string },
): boolean {
  return (
    (instrument === null || instrument === other.instrument) &&
    (product === null || product === other.product)
  );
}

type Quantity = Pick<Position, 'instrument' | 'product' | 'quantity'>;

/**
 * The positions of a read, with the quantities of rows that could be read as far as that. A row whose figures contradict
 * one another counts with the least that they allow, or with the most.
 */
export function positionsOf(
  { positions: read, unread = [] }: PortfolioRecord,
  { most = false } = {},
): readonly Quantity[] {
  const rest = unread.flatMap(({ list, instrument, product, quantity, otherQuantities }) =>
    list === 'positions' && instrument !== null && product !== null && quantity !== null
      ? [{ instrument, product, quantity, ...(otherQuantities ? { otherQuantities } : {}) }]
      : [],
  );
  const rows: readonly (Quantity & Pick<Position, 'otherQuantities'>)[] =
    rest.length === 0 ? read : [...read, ...rest];
  return rows.map((row) =>
    row.otherQuantities ? { ...row, quantity: most ? mostOf(row) : leastOf(row) } : row,
  );
}

type HeldShares = Pick<Holding, 'instrument' | 'isin' | 'quantity'>;

function holdingsOf({ holdings, unread = [] }: PortfolioRecord): readonly HeldShares[] {
  const rest = unread.flatMap(({ list, instrument, quantity }) =>
    list === 'holdings' && instrument !== null && quantity !== null
      ? [{ instrument, isin: null, quantity }]
      : [],
  );
  return rest.length === 0 ? holdings : [...holdings, ...rest];
}

/**
 * How much an account was last known to have that an order of these terms could reduce, negative when
 * short: positions of the same product, and for delivery the holdings too. Delivered shares are the same
 * on every exchange where the lists have one ISIN for both names; what was sold of them on the other
 * exchange is subtracted, and what was bought there today is not counted: it is not delivered yet. Where one symbol
 * alone tells that they are the same, the other name's shares only make up for what was sold under this one, unless they
 * are `likely` to count. 0 when nothing is known. With `earlier`, rows that cannot be read now count as they were last known, and with
 * `most`, rows whose figures contradict one another count with the most that they allow.
 */
export function heldOf(
  portfolio: PortfolioRecord | undefined,
  { instrument, product }: Shares,
  isinOf: IsinOf,
  { earlier = false, likely = false, most = false } = {},
): number {
  if (!portfolio) return 0;
  const last = earlier ? portfolio.earlier : undefined;
  const positions = [...positionsOf(portfolio, { most }), ...(last?.positions ?? [])];
  let held = 0;
  for (const row of positions) {
    if (row.product === product && row.instrument === instrument) held += row.quantity;
  }
  if (product !== 'CNC') return held;
  const holdings = [...holdingsOf(portfolio), ...(last?.holdings ?? [])];
  for (const row of holdings) if (row.instrument === instrument) held += row.quantity;
  let mayBe = 0;
  for (const other of otherNames({ positions, holdings }, instrument, isinOf)) {
    const { sameness, delivered, today } = other;
    if (sameness === 'known') held += delivered + Math.min(0, today);
    else {
      const there = delivered + Math.min(0, today);
      held += Math.min(0, there);
      mayBe += Math.max(0, there);
    }
  }
  return likely || held >= 0 ? held + (likely ? mayBe : 0) : Math.min(0, held + mayBe);
}

/** Whether a row of the positions says that nothing is held by it, whatever else of it cannot be read. */
export const isOfNothing = ({ list, quantity }: UnreadPortfolioRow): boolean =>
  list === 'positions' && quantity === 0;

/**
 * A row that could not be read and that could mean that the account has less to reduce than the other
 * rows say; null when there is none. An account has one position of an instrument and product: where that
 * one can be read, no other row is it. A holding can only add to what a sale may reduce, and a closed position
 * takes nothing from it.
 */
export function unclearRowOf(
  portfolio: PortfolioRecord | undefined,
  { instrument, product, side }: Shares,
  isinOf: IsinOf,
): UnreadPortfolioRow | null {
  if (!portfolio) return null;
  const names = (row: UnreadPortfolioRow): boolean =>
    mayBe(row, { instrument: row.instrument ?? instrument, product }) &&
    (row.instrument === null ||
      row.instrument === instrument ||
      (product === 'CNC' && sameDelivered(instrument, row.instrument, isinOf) !== 'no'));
  const isRead = positionsOf(portfolio).some(
    (row) => row.instrument === instrument && row.product === product,
  );
  const found = portfolio.unread?.find((row) => {
    if (isUsable(row) || isOfNothing(row) || !names(row)) return false;
    if (row.list === 'holdings') return side === 'BUY' && product === 'CNC';
    return !isRead || (row.instrument !== null && row.instrument !== instrument);
  });
  if (found) return found;
  const nameless = portfolio.positions.find(
    (row) => row.instrument === instrument && row.product === '',
  );
  if (!nameless) return null;
  const reason = 'a position has no product';
  return { list: 'positions', instrument, product: null, quantity: nameless.quantity, reason };
}

/** A row of the holdings that could not be read and may be what an order sells; null without one. */
export function unreadHoldingOf(
  portfolio: PortfolioRecord | undefined,
  { instrument, product }: Shares,
): UnreadPortfolioRow | null {
  if (product !== 'CNC') return null;
  const isOf = (row: UnreadPortfolioRow): boolean =>
    row.list === 'holdings' && !isUsable(row) && mayBe(row, { instrument, product });
  return portfolio?.unread?.find(isOf) ?? null;
}

type Traded = Quantity & TradedOfRow;

/** The positions, and the rows of which only prices or amounts could not be read: they say like any other what was traded. */
export function tradedRows({ positions, unread = [] }: PortfolioRecord): readonly Traded[] {
  const rest = unread.flatMap(({ instrument, product, quantity, traded }) =>
    instrument !== null && product !== null && quantity !== null && traded
      ? [{ instrument, product, quantity, ...traded }]
      : [],
  );
  return rest.length === 0 ? positions : [...positions, ...rest];
}

/**
 * How much of an instrument and product the account's positions show as traded on one side on a day; 0
 * where they are of another day, or show none of it.
 */
export function shownTraded(
  portfolio: PortfolioRecord | undefined,
  { instrument, product, side }: Shares,
  day: TradingDay,
): number {
  if (!portfolio || tradingDay(portfolio.readAt) !== day) return 0;
  const name = side === 'BUY' ? 'buyQuantity' : 'sellQuantity';
  let shown = 0;
  for (const row of tradedRows(portfolio)) {
    if (row.instrument !== instrument || row.product !== product) continue;
    const { day: today, carried } = row;
    const rest = carried ? row[name] - carried[name] : 0;
    // Where the broker does not tell what was traded today from the rest, the sum is all that there is.
    shown += today ? Math.max(today[name], rest) : row[name];
  }
  return shown;
}
