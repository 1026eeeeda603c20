import { BrokerError } from '../domain/outcome.ts';
import type { LoginBroker } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { ElapsedMs } from '../units/branded.ts';

/** The broker's answer about a token. `unknown`: the broker could not be asked. */
export type TokenVerdict =
  | { readonly kind: 'taken'; readonly userId: string }
  | { readonly kind: 'dead' }
  | { readonly kind: 'unknown' };

export interface TokenCheck {
  /**
   * Tests a token at the broker; null when that was done within the last minute, with any result.
   * Simultaneous callers share one call. Never rejects.
   */
  run(accessToken: string): Promise<TokenVerdict> | null;
  /** Counts as a test: the broker has just issued the token. */
  skip(accessToken: string): void;
}

const BETWEEN_TRIES_MS = 60_000;

export function createTokenCheck(parts: {
  readonly login: LoginBroker;
  readonly clock: Clock;
  readonly log: Log;
}): TokenCheck {
  const { login, clock, log } = parts;
  let last: { readonly accessToken: string; readonly at: ElapsedMs } | null = null;
  let running: { readonly accessToken: string; readonly verdict: Promise<TokenVerdict> } | null =
    null;

  async function ask(accessToken: string): Promise<TokenVerdict> {
    try {
      const user = await login.verify(accessToken);
      return user === null ? { kind: 'dead' } : { kind: 'taken', userId: user.userId };
    } catch (error) {
      const reason = error instanceof BrokerError ? error.failure.message : String(error);
      log.warn('the access token could not be tested at the broker', {
        broker: login.broker,
        reason,
      });
      return { kind: 'unknown' };
    }
  }

  return {
    run(accessToken) {
      if (running?.accessToken === accessToken) return running.verdict;
      const recent = last?.accessToken === accessToken;
      if (recent && last !== null && clock.elapsed() - last.at < BETWEEN_TRIES_MS) return null;
      last = { accessToken, at: clock.elapsed() };
      const current = { accessToken, verdict: ask(accessToken) };
      running = current;
      void current.verdict.then(() => {
        if (running === current) running = null;
      });
      return current.verdict;
    },
    skip(accessToken) {
      last = { accessToken, at: clock.elapsed() };
    },
  };
}
