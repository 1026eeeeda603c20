import type { EpochMs } from '../units/branded.ts';
import { exchangeOf, type InstrumentName, parentExchange } from './instrument.ts';
import { istDay, tradingDay } from './ist.ts';
import type { ListedDerivative, Position, UnreadPortfolioRow } from './portfolio.ts';

/** What an account was seen to have. */
export interface AccountRead {
  readonly positions: readonly Position[];
  readonly unread?: readonly UnreadPortfolioRow[];
  /** Wall time before the read began. */
  readonly readAt: EpochMs;
}

/** What a broker that refuses to list derivatives asks about its account. */
export interface KnownDerivativeQuery {
  /** Wall time of a complete list that the broker has given since: what is older does not count. Null without one. */
  readonly since: EpochMs | null;
  /** Whether the list without parameters is there: derivatives that it listed itself do not count. */
  readonly inOlderForm: boolean;
}

/**
 * A derivative that the account may hold, by what the journal knows, for a message to people; null where none is known
 * (docs/spec/primary-brokerage.md#positions).
 */
export type KnownDerivative = (query: KnownDerivativeQuery) => Promise<string | null>;

/** The day on which a contract expires, `YYYY-MM-DD`; null where no list has it. */
export type ExpiryOf = (instrument: InstrumentName) => string | null;

/**
 * So long counts a derivative of which nobody can say when it expires: contracts on shares live for three months.
 * Without an end, an account would stay unreadable where the broker never lists derivatives again.
 */
export const UNKNOWN_EXPIRY_MS = 100 * 86_400_000;

/** Whether a contract may still be held; `seenAt` is when it was last seen. */
export function mayBeAlive(expiry: string | null, seenAt: EpochMs, now: EpochMs): boolean {
  return expiry === null ? now - seenAt < UNKNOWN_EXPIRY_MS : expiry >= istDay(now);
}

/**
 * A derivative that an account may still hold, going by a read of it, or one whose result belongs to today's; null where
 * there is none. Its name, or words for one without a readable name.
 */
export function derivativeIn(
  read: AccountRead,
  now: EpochMs,
  { inOlderForm, expiryOf }: { readonly inOlderForm: boolean; readonly expiryOf: ExpiryOf },
): string | null {
  const { positions, unread = [], readAt } = read;
  const isOfToday = tradingDay(readAt) === tradingDay(now);
  const isHeld = (row: Position | UnreadPortfolioRow): boolean => {
    const listed = listedOf(row);
    if (listed === null || (inOlderForm && listed.inOlderForm === true)) return false;
    // What was closed today still counts in the day's profit.
    if (row.quantity === 0 && !isOfToday) return false;
    const expiry = listed.expiry ?? (row.instrument === null ? null : expiryOf(row.instrument));
    return mayBeAlive(expiry, readAt, now);
  };
  const held = [...positions, ...unread].find(isHeld);
  return held === undefined ? null : (held.instrument ?? 'one without a readable name');
}

/** Rows that an earlier version has kept are told by their exchange, and by the product that shares do not have. */
function listedOf(row: Position | UnreadPortfolioRow): ListedDerivative | null {
  const { derivative, instrument, product } = row;
  if (derivative !== undefined) return derivative;
  const exchange = instrument === null ? '' : exchangeOf(instrument);
  const isShare = parentExchange(exchange) === exchange && product !== 'MARGIN';
  return isShare ? null : { expiry: null };
}
