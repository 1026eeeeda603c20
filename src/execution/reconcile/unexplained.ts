import type { BrokerId } from '../../domain/broker.ts';
import type { TradingDay } from '../../units/branded.ts';
import type { Shares } from './held.ts';

/**
 * How much the positions show as traded today, on the side of an order, that no row of the book explains: a sale of which the
 * broker lists no order, or what was traded on another day. It was shown before a fill of ours, so it is none of it.
 */
export interface Unexplained {
  of(broker: BrokerId, shares: Shares, seen: SeenTrades): number;
}

interface SeenTrades {
  readonly day: TradingDay;
  /** What the positions show of the side, less all that is known to have filled. */
  readonly excess: number;
  /** Whether the account and then the book were read so long after the last fill that both are sure to show it. */
  readonly isSettled: boolean;
}

export function createUnexplained(): Unexplained {
  const known = new Map<string, Pick<SeenTrades, 'day' | 'excess'>>();

  return {
    of(broker, { instrument, product, side }, { day, excess, isSettled }) {
      const key = [broker, instrument, product, side].join('|');
      // Where it shows less than has filled, it is behind, and tells nothing.
      if (isSettled && excess >= 0) known.set(key, { day, excess });
      const last = known.get(key);
      return last?.day === day ? last.excess : 0;
    },
  };
}
