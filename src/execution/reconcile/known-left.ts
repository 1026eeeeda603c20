import type { BrokerId } from '../../domain/broker.ts';
import { type ElapsedMs, plus, type TradingDay } from '../../units/branded.ts';
import type { Shares } from './held.ts';

/** What was known of a position before orders of ours reduced it. */
interface Known {
  readonly day: TradingDay;
  /** The most that was held, by any reading of the positions and by the fills that they did not show. */
  readonly most: number;
  /** What orders of ours had filled that day which reduce it, and what all orders had which open it. */
  readonly reduced: number;
  readonly opened: number;
}

/** What is known of it now. */
export interface Seen extends Known {
  /** When an order of ours that reduces it last filled, and when the read of the account began. */
  readonly reducedAt: ElapsedMs;
  readonly begun: ElapsedMs;
}

/** So long after a fill of ours, positions that show more than our own count are believed, as by an exit. */
const COUNTS_MS = 20_000;

/**
 * The gateway's own count of what its orders may still reduce, which no figure of the broker's can make larger while
 * it matters: what was known to be held, less what our orders have reduced since, and with what any order has added. Where
 * the positions show less, others have reduced it, and that counts from then on. Where they show more, they are behind, or others
 * have added to it in a way that no book shows: they are believed twenty seconds after our last fill.
 */
export interface KnownLeft {
  of(broker: BrokerId, shares: Shares, seen: Seen): number;
}

export function createKnownLeft(): KnownLeft {
  const knownOf = new Map<string, Known>();

  return {
    of(broker, { instrument, product, side }, { reducedAt, begun, ...seen }) {
      const key = [broker, instrument, product, side].join('|');
      const known = knownOf.get(key);
      const left = known?.day === seen.day ? leftOf(known, seen) : Infinity;
      const isSettled = begun >= plus(reducedAt, COUNTS_MS);
      if (seen.most >= left && !isSettled) return left;
      knownOf.set(key, seen);
      return seen.most;
    },
  };
}

const leftOf = (known: Known, now: Known): number =>
  known.most + Math.max(0, now.opened - known.opened) - (now.reduced - known.reduced);
