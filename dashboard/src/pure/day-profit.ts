import type { Schemas } from '../../../client/index.ts';
import { clockTime, gain, sum } from './format.ts';
import type { Account } from './stop-words.ts';

type Brakes = Schemas['Brakes'];

/** What an account has made today, before charges (docs/spec/daily-profit.md). */
export interface ProfitOfDay {
  /** Rupees; null where it is not known. */
  readonly amount: number | null;
  /** Which figure it is, or why it is not known. */
  readonly words: string;
}

/**
 * The figure that the daily loss limit compares, where it is set: it is the one that stops trading. Otherwise the broker's own count since
 * the close of the day before, which is the same sum at last prices. One position that does not tell it makes the whole figure unknown.
 */
export function profitOfDay(account: Account, brakes: Brakes | null, now: number): ProfitOfDay {
  const { broker, positions, problem } = account;
  const limited = brakes?.maxDailyLoss?.accounts.find((each) => each.broker === broker);
  if (limited !== undefined && brakes?.maxDailyLoss) {
    const { profit, at, unread } = limited;
    const limit = `the limit is a loss of ${gain(brakes.maxDailyLoss.limit).replace('+', '')}`;
    const old = unread === null ? '' : `, and not read since: ${unread}`;
    if (profit === null || at === null) {
      return { amount: null, words: `the daily loss limit has not read it yet${old}; ${limit}` };
    }
    const words = `as the daily loss limit computes it, read at ${clockTime(at, now)}${old}; ${limit}`;
    return { amount: profit, words };
  }
  if (positions === null) {
    return {
      amount: null,
      words: `the positions cannot be read: ${problem ?? 'no reason is known'}`,
    };
  }
  const untold = positions.find((each) => ofToday(each) === null);
  if (untold !== undefined) {
    const { instrument, product } = untold;
    return {
      amount: null,
      words: `the broker does not tell what ${instrument} ${product} made today`,
    };
  }
  return {
    amount: sum(positions.map(ofToday)),
    words: 'by the broker’s own count, before charges; no daily loss limit is set',
  };
}

/** Since the close of the day before, rupees; `pnl` is over the life of a position, and counts where that began today. */
function ofToday(position: Schemas['Position']): number | null {
  const { product, quantity, m2m, pnl, overnightQuantity, day } = position;
  // Delivery shares sold out of the holdings have made nothing by that; the broker's row counts them as short.
  if (product === 'CNC' && quantity < 0) return null;
  if (m2m !== null) return m2m;
  const isCarried =
    overnightQuantity === null
      ? day === null || quantity !== day.buyQuantity - day.sellQuantity
      : overnightQuantity !== 0;
  return isCarried ? null : pnl;
}
