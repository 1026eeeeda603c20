import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { istTime } from '../../domain/ist.ts';
import { BrokerError } from '../../domain/outcome.ts';
import type { Trading } from '../../domain/ports.ts';
import type { Log } from '../../platform/log.ts';
import { messageOf } from '../../platform/values.ts';
import type { BookObservation } from './book-observation.ts';
import type { ReadTimes } from './broker-clock.ts';
import type { TradingDay } from '../../units/branded.ts';

export type BookContent = Pick<
  BookObservation,
  'account' | 'rows' | 'fills' | 'unread' | 'unreadTrades'
>;

/**
 * The book of the account that is logged in, its rows as `distinct` gives them, and the day's trades where they
 * are needed.
 */
export async function readBook(
  { trading, log }: { readonly trading: Trading; readonly log: Log },
  distinct: (rows: readonly BrokerOrder[]) => readonly BrokerOrder[],
  needsTrades: (rows: readonly BrokerOrder[]) => boolean,
): Promise<BookContent> {
  const { broker } = trading;
  async function readTrades(): Promise<readonly BrokerFill[] | null> {
    try {
      return await trading.trades();
    } catch (error) {
      // Null is not the same as no trades: the quantities of the book still count.
      log.warn('trades could not be read', { broker, reason: messageOf(error) });
      return null;
    }
  }

  const accountNow = async (): Promise<string | null> => (await trading.account?.()) ?? null;
  const account = await accountNow();
  const listed = await trading.orderBook();
  const rows = distinct(listed);
  const fills = needsTrades(rows) ? await readTrades() : null;
  if ((await accountNow()) !== account) throw sessionChanged(broker);
  // The adapter knows what it could not read by its own lists.
  const unread = trading.unread?.(listed) ?? [];
  return { account, rows, fills, unread, unreadTrades: (fills && trading.unread?.(fills)) ?? [] };
}

/** A book that was read under two sessions may be of neither account. */
function sessionChanged(broker: BrokerId): BrokerError {
  const message = 'another user logged in while the order book was being read';
  return new BrokerError(broker, { kind: 'bad_payload', message });
}

/** A read as it is taken in. */
export type BookTaken = ReadTimes & BookContent;

/** The books of those of the days that are before `today`, where the broker keeps them. */
export async function earlierBooks(
  trading: Trading,
  days: readonly TradingDay[],
  today: TradingDay,
): Promise<BookTaken[]> {
  const books: BookTaken[] = [];
  for (const day of [...new Set(days)].filter((each) => each < today)) {
    const book = await trading.bookOf?.(day);
    if (!book) continue;
    // The last hours of the day itself, not of the night: only the day counts.
    const begunAt = istTime(day, '23:59');
    const times = {
      ...{ begunAt, localAt: begunAt, brokerAt: begunAt },
      ...{ aheadMs: null, sinceSend: () => null },
    };
    books.push({ ...book, ...times, account: null, unread: [], unreadTrades: [] });
  }
  return books;
}
