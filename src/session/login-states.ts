import type { Clock } from '../platform/clock.ts';
import { sameText, sha256 } from '../platform/secret.ts';
import type { Ids } from '../platform/ids.ts';
import { plus } from '../units/branded.ts';

const LIFE_MS = 10 * 60_000;
const MOST_PENDING = 100;

/** The one-time states of started logins (docs/spec/login.md). */
export interface LoginStates {
  /** 128 bits, as hex. The oldest is dropped when too many are pending. */
  issue(): string;
  /**
   * Whether a callback belongs to a login that this browser started: both copies are equal and
   * pending. Consumes the state.
   */
  consume(state: string | null, cookieState: string | null): boolean;
}

export function createLoginStates(parts: {
  readonly clock: Clock;
  readonly ids: Ids;
}): LoginStates {
  const { clock, ids } = parts;
  // By hash, so that the duration of a look-up reveals nothing about a state. Oldest first.
  const pending = new Map<string, number>();

  return {
    issue() {
      const state = ids.secret(16);
      pending.set(sha256(state), plus(clock.elapsed(), LIFE_MS));
      for (const hash of pending.keys()) {
        if (pending.size <= MOST_PENDING) break;
        pending.delete(hash);
      }
      return state;
    },

    consume(state, cookieState) {
      if (!state || !cookieState || !sameText(state, cookieState)) return false;
      const hash = sha256(state);
      const until = pending.get(hash);
      pending.delete(hash);
      return until !== undefined && clock.elapsed() < until;
    },
  };
}
