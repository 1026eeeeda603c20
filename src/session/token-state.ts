import { nextTokenExpiry } from '../domain/ist.ts';
import type { SessionGrant } from '../domain/ports.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Persisted, TokenStore } from '../token-store/token-store.ts';
import type { SessionChange, SessionListener, SessionState, ValidSession } from './session.ts';
import type { SessionUser } from './session-user.ts';
import type { TokenVerdict } from './token-check.ts';
import type { EpochMs } from '../units/branded.ts';

export interface TokenStateParts {
  readonly tokens: TokenStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly user: SessionUser;
}

/** The token in use, what the broker has said about it, and the listeners for its changes. */
export interface TokenState {
  current(): SessionState;
  valid(): ValidSession | null;
  accessToken(): string | null;
  /**
   * Reports that the broker called a token dead. A token that is not the present one changes
   * nothing.
   */
  tokenDied(accessToken: string): void;
  /** Records the broker's answer about `accessToken`. */
  applyVerdict(accessToken: string, verdict: TokenVerdict): void;
  /** Stores the token of a completed login. */
  save(grant: SessionGrant): Persisted;
  forget(): Persisted;
  notify(kind: SessionChange['kind'], persisted: Persisted): void;
  onChange(listener: SessionListener): () => void;
}

const OF_OTHER_USER = 'the access token belongs to another user than configured';

export function createTokenState(parts: TokenStateParts): TokenState {
  const { tokens, clock, log, user } = parts;
  const listeners = new Set<SessionListener>();
  /** What the broker has said about the token in use. */
  let verified: { accessToken: string; userId: string; verifiedAt: EpochMs } | null = null;

  function valid(): ValidSession | null {
    const token = tokens.read(clock.now());
    if (!token) return null;
    const known = verified?.accessToken === token.accessToken ? verified : null;
    return {
      state: 'valid',
      accessToken: token.accessToken,
      userId: token.userId ?? known?.userId ?? null,
      obtainedAt: token.obtainedAt,
      expiresAt: token.expiresAt,
      source: token.source,
      verifiedAt: known?.verifiedAt ?? null,
    };
  }

  function current(): SessionState {
    const session = valid();
    if (session) return session;
    const lapsed = tokens.lapsed(clock.now());
    return lapsed ? { state: 'expired', ...lapsed } : { state: 'absent' };
  }

  function notify(kind: SessionChange['kind'], { persisted }: Persisted): void {
    for (const listener of listeners) {
      try {
        listener({ kind, persisted, state: current() });
      } catch (error) {
        log.error('a listener of the session failed', { kind, reason: String(error) });
      }
    }
  }

  function tokenDied(accessToken: string): void {
    if (tokens.read(clock.now())?.accessToken !== accessToken) return;
    const persisted = tokens.markDead(accessToken);
    log.warn('the broker no longer accepts the access token: log in again', {
      broker: user.broker,
    });
    notify('died', persisted);
  }

  /** Orders with the token of another user than configured would go to that one's account, whether or not the broker can be asked. */
  function endThoseOfOthers(): void {
    for (;;) {
      const token = tokens.read(clock.now());
      const userId = token?.userId ?? null;
      if (token === null || userId === null || !user.isOtherUser(userId)) return;
      log.error(OF_OTHER_USER, { broker: user.broker, setting: user.setting });
      tokens.markDead(token.accessToken);
    }
  }
  endThoseOfOthers();

  return {
    current,
    valid,
    accessToken: () => tokens.read(clock.now())?.accessToken ?? null,
    tokenDied,
    applyVerdict(accessToken, verdict) {
      if (verdict.kind === 'unknown') return;
      if (verdict.kind === 'dead') return tokenDied(accessToken);
      if (user.isOtherUser(verdict.userId)) {
        // Orders with it would go to another account.
        log.error(OF_OTHER_USER, { broker: user.broker, setting: user.setting });
        return tokenDied(accessToken);
      }
      // A login may have replaced it while the broker was being asked.
      if (tokens.read(clock.now())?.accessToken !== accessToken) return;
      verified = { accessToken, userId: verdict.userId, verifiedAt: clock.now() };
    },
    save({ accessToken, userId, obtainedAt }) {
      const expiresAt = nextTokenExpiry(obtainedAt);
      const persisted = tokens.save({ accessToken, userId, obtainedAt, expiresAt });
      verified = { accessToken, userId, verifiedAt: clock.now() };
      return persisted;
    },
    forget: () => tokens.forget(),
    notify,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
