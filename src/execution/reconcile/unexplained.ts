import type { BrokerId } from '../../domain/broker.ts';
import type { TradingDay } from '../../units/branded.ts';
import type { Shares } from './held.ts';

/**
 * How much the positions show as traded today, on the side of an order, that no row of the book explains: a sale of which the
 * broker lists no order, or what was traded on another day. It was shown before a fill of ours, so it is none of it.
 */
export interface Unexplained {
  /** Null before a look of that day that was sure to show every fill: then nobody knows. */
  of(broker: BrokerId, shares: Shares, seen: SeenTrades): number | null;
}

interface SeenTrades {
  readonly day: TradingDay;
  /** What the positions show of the side, less all that is known to have filled. */
  readonly excess: number;
  /** Whether the account and the book were read so long after the last fill that both are sure to show it. */
  readonly isQuiet: boolean;
  /** Whether the account was read before the book as well: then the book has every trade that the account shows. */
  readonly isSettled: boolean;
}

export function createUnexplained(): Unexplained {
  const known = new Map<string, Pick<SeenTrades, 'day' | 'excess'>>();

  return {
    of(broker, { instrument, product, side }, { day, excess, isQuiet, isSettled }) {
      const key = [broker, instrument, product, side].join('|');
      // Where it shows less than has filled, it is behind, and tells nothing.
      const isKnown = known.get(key)?.day === day;
      const isExplained = isQuiet && !isKnown && excess === 0;
      if (isExplained || (isSettled && excess >= 0)) known.set(key, { day, excess });
      const last = known.get(key);
      return last?.day === day ? last.excess : null;
    },
  };
}
