import type { Clock } from './clock.ts';
import { plus, type ElapsedMs } from '../units/branded.ts';

/** The breaker is open, so the call was not made. */
export class BreakerOpen extends Error {
  override readonly name = 'BreakerOpen';
}

/**
 * Makes one call behind a breaker and always reports its result to the breaker: a half-open breaker
 * without a report would refuse every later call. Rejects with BreakerOpen, or with what `run`
 * rejects with; `isDown` says which rejections mean that the other side could not be reached. A way
 * out is made whatever the breaker says, and its result counts.
 */
export async function guard<T>(
  breaker: Breaker,
  run: () => Promise<T>,
  isDown: (error: unknown) => boolean,
  wayOut = false,
): Promise<T> {
  if (!wayOut && !breaker.allow()) throw new BreakerOpen('the breaker is open');
  let down = false;
  try {
    return await run();
  } catch (error) {
    down = isDown(error);
    throw error;
  } finally {
    if (down) breaker.failed();
    else breaker.succeeded();
  }
}

/** Whether a call would be refused now. Does not use up the one call of a half-open breaker. */
export function isShut(breaker: Breaker, clock: Clock): boolean {
  const state = breaker.state();
  if (state.kind === 'open') return clock.elapsed() < state.until;
  return state.kind === 'half_open';
}

/** Each state carries only what it needs. Times are elapsed ms. */
export type BreakerState =
  | { readonly kind: 'closed'; readonly failures: number }
  | {
      readonly kind: 'open';
      readonly until: ElapsedMs;
      /** The one trial before `until`: not yet, allowed now, or made without success. */
      readonly early: 'unused' | 'allowed' | 'used';
    }
  | { readonly kind: 'half_open'; readonly early: boolean };

export interface Breaker {
  /** True when a call may be made. In `half_open` only one may, until its result is reported. */
  allow(): boolean;
  succeeded(): void;
  /** Reports that the broker could not be reached. A refusal by the broker counts as a success. */
  failed(): void;
  /**
   * Another part of the broker has answered: an open breaker lets one call through now, once before
   * its time. The count of failures stays.
   */
  allowEarly(): void;
  state(): BreakerState;
}

/** Opens after 5 connectivity failures in a row; lets one call through after 10 s. */
export function createBreaker(clock: Clock, threshold = 5, openMs = 10_000): Breaker {
  let state: BreakerState = { kind: 'closed', failures: 0 };

  function failedFrom(from: BreakerState): BreakerState {
    // A way out that fails does not delay the next trial.
    if (from.kind === 'open') return from;
    const failures = from.kind === 'closed' ? from.failures + 1 : threshold;
    if (failures < threshold) return { kind: 'closed', failures };
    const early = from.kind === 'half_open' && from.early ? 'used' : 'unused';
    return { kind: 'open', until: plus(clock.elapsed(), openMs), early };
  }

  return {
    allow() {
      if (state.kind === 'closed') return true;
      if (state.kind === 'half_open') return false;
      if (clock.elapsed() < state.until) return false;
      state = { kind: 'half_open', early: state.early === 'allowed' };
      return true;
    },
    succeeded() {
      state = { kind: 'closed', failures: 0 };
    },
    failed() {
      state = failedFrom(state);
    },
    allowEarly() {
      if (state.kind !== 'open' || state.early !== 'unused') return;
      state = { kind: 'open', until: clock.elapsed(), early: 'allowed' };
    },
    state: () => state,
  };
}
