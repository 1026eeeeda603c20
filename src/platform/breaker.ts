import type { Clock } from './clock.ts';

/** Each state carries only what it needs. Times are elapsed ms. */
export type BreakerState =
  | { readonly kind: 'closed'; readonly failures: number }
  | { readonly kind: 'open'; readonly until: number }
  | { readonly kind: 'half_open' };

export interface Breaker {
  /** True when a call may be made. In `half_open` only one may, until its result is reported. */
  allow(): boolean;
  succeeded(): void;
  /** Reports that the broker could not be reached. A refusal by the broker counts as a success. */
  failed(): void;
  state(): BreakerState;
}

/** Opens after 5 connectivity failures in a row; lets one call through after 10 s. */
export function createBreaker(clock: Clock, threshold = 5, openMs = 10_000): Breaker {
  let state: BreakerState = { kind: 'closed', failures: 0 };
  return {
    allow() {
      if (state.kind === 'closed') return true;
      if (state.kind === 'half_open') return false;
      if (clock.elapsed() < state.until) return false;
      state = { kind: 'half_open' };
      return true;
    },
    succeeded() {
      state = { kind: 'closed', failures: 0 };
    },
    failed() {
      const failures = state.kind === 'closed' ? state.failures + 1 : threshold;
      state =
        failures >= threshold
          ? { kind: 'open', until: clock.elapsed() + openMs }
          : { kind: 'closed', failures };
    },
    state: () => state,
  };
}
