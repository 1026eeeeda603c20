import { dayProfitOf, type DayProfit, needsQuote } from '../../domain/day-profit.ts';
import {
  exchangeOf,
  type Instrument,
  type InstrumentLookup,
  type InstrumentName,
} from '../../domain/instrument.ts';
import { isMarketOpen } from '../../domain/market-hours.ts';
import { lacksSession } from '../../domain/outcome.ts';
import type { Position } from '../../domain/portfolio.ts';
import type { Account, Trading } from '../../domain/ports.ts';
import type { Quote } from '../../domain/quote.ts';
import { messageOf } from '../../platform/values.ts';
import type { EpochMs } from '../../units/branded.ts';
import type { MarketHours } from '../order/order-day.ts';
import { oneRowEach } from '../reconcile/one-row-each.ts';

export interface LossFigureParts {
  readonly trading: Trading;
  readonly account: Account;
  readonly marketHours: MarketHours;
  /** The time at the broker, as far as it is known. */
  readonly now: () => EpochMs;
  readonly instruments: Pick<InstrumentLookup, 'byName'>;
  readonly loadInstruments: () => Promise<void>;
  /** Quotes of a second at most; without those that there are none of. Never rejects. */
  readonly quotes: (
    instruments: readonly Instrument[],
  ) => Promise<ReadonlyMap<InstrumentName, Quote>>;
}

/** Where no position says which exchange it is of. */
const EXCHANGES = ['NSE', 'NFO'];
const OTHER_EXCHANGES = ['MCX', 'CDS', 'BCD'];

/** What one read of an account found. */
export type LossFigure = DayProfit & {
  /** Absent where the positions could not be read. */
  readonly positions?: readonly Position[];
  /** Set where there is no session, as each morning before the login. */
  readonly lacksSession?: true;
};

/** One read of the positions and their quotes. Never rejects. */
export async function readFigure(parts: LossFigureParts): Promise<LossFigure> {
  const { account, instruments, trading } = parts;
  const blocked = trading.blocked('way_out');
  if (blocked && lacksSession(blocked)) return { ...unknown(blocked.reason), lacksSession: true };
  try {
    await parts.loadInstruments();
    const read = await account.positions('watch');
    const unread = account.unread?.(read) ?? [];
    const { positions, ...rest } = oneRowEach({ positions: read, holdings: [], unread });
    const [row] = rest.unread;
    if (row) return { ...unknown(`a position cannot be read: ${row.reason}`), positions };
    const named = positions
      .filter(needsQuote)
      .flatMap(({ instrument }) => instruments.byName(instrument) ?? []);
    const quotes =
      named.length === 0 ? new Map<InstrumentName, Quote>() : await parts.quotes(named);
    return { ...dayProfitOf(positions, quotes), positions };
  } catch (error) {
    return unknown(messageOf(error));
  }
}

const unknown = (reason: string): DayProfit => ({ kind: 'unknown', reason });

/** Whether an exchange trades of which the account has positions, or may have. */
export function isOpenMarket(
  { marketHours, now }: Pick<LossFigureParts, 'marketHours' | 'now'>,
  positions: readonly Position[],
): boolean {
  const exchanges = positions.map(({ instrument }) => exchangeOf(instrument));
  return (
    marketHours === 'always' ||
    [...EXCHANGES, ...exchanges].some((exchange) => isMarketOpen(now(), exchange))
  );
}

/** Whether commodities or currencies trade: the account may have positions there that no read has shown yet. */
export const mayTradeElsewhere = ({ now }: Pick<LossFigureParts, 'now'>): boolean =>
  OTHER_EXCHANGES.some((exchange) => isMarketOpen(now(), exchange));
