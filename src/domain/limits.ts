import { epochMs, type EpochMs } from '../units/branded.ts';

/** The present state of one of a broker's rate limits, as the gateway counts it. */
export interface LimitBucket {
  /** Which calls count towards it: `orders`. */
  readonly name: string;
  /** Rolling: at most `limit` calls in any `perMs`. */
  readonly windows: readonly {
    readonly perMs: number;
    readonly limit: number;
    readonly left: number;
    /** Of `limit`, places that only more urgent calls than those of callers may use. */
    readonly reserved: number;
  }[];
  /** How many calls wait for a place. */
  readonly waiting: number;
  /** Calls that waited for a place and got one since the start, and how long all together, ms. */
  readonly waited: { readonly calls: number; readonly ms: number };
  /** Epoch ms until which no call leaves because the broker asked for a pause; null without one. */
  readonly pausedUntil: EpochMs | null;
}

/** A limiter's state under its name. `now` is epoch ms. */
export function limitBucket(
  name: string,
  state: {
    readonly windows: readonly {
      readonly perMs: number;
      readonly count: number;
      readonly left: number;
      readonly reserved: number;
    }[];
    readonly waiting: number;
    readonly waited: { readonly calls: number; readonly ms: number };
    readonly pausedMs: number;
  },
  now: EpochMs,
): LimitBucket {
  return {
    name,
    windows: state.windows.map(({ count, ...rest }) => ({ ...rest, limit: count })),
    waiting: state.waiting,
    waited: state.waited,
    pausedUntil: state.pausedMs > 0 ? epochMs(Math.ceil(now + state.pausedMs)) : null,
  };
}
