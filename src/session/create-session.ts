import { BrokerError } from '../domain/failure.ts';
import { nextTokenExpiry } from '../domain/ist.ts';
import type { LoginBroker, SessionGrant } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { Persisted, TokenStore } from '../token-store/token-store.ts';
import { clockAdvice } from './clock-advice.ts';
import { explainLoginFailure } from './explain-login-failure.ts';
import { createLoginStates } from './login-states.ts';
import type {
  LoginRefusal,
  SessionChange,
  SessionControl,
  SessionListener,
  SessionState,
  ValidSession,
} from './session.ts';
import { createSpentTokens } from './spent-tokens.ts';
import { createTokenCheck, type TokenVerdict } from './token-check.ts';

export interface SessionParts {
  readonly login: LoginBroker;
  readonly tokens: TokenStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** The one user who may log in; null lets any. */
  readonly userId: string | null;
}

/** The session with the alternative broker (docs/spec/token.md, docs/spec/login.md). */
export function createSession(parts: SessionParts): SessionControl {
  const { login, tokens, clock, ids, log } = parts;
  const states = createLoginStates({ clock, ids });
  const spentTokens = createSpentTokens();
  const check = createTokenCheck({ login, clock, log });
  const listeners = new Set<SessionListener>();
  /** What the broker has told of the token in use. */
  let told: { accessToken: string; userId: string; verifiedAt: number } | null = null;

  function valid(): ValidSession | null {
    const token = tokens.read(clock.now());
    if (!token) return null;
    const known = told?.accessToken === token.accessToken ? told : null;
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

  function required(): ValidSession {
    const session = valid();
    if (session) return session;
    const detail = 'There is no valid access token: log in at /api/altbroker/login.';
    throw new GatewayProblem({ code: 'token_absent', detail, broker: login.broker });
  }

  function current(): SessionState {
    const session = valid();
    if (session) return session;
    const lapsed = tokens.lapsed(clock.now());
    return lapsed ? { state: 'expired', ...lapsed } : { state: 'absent' };
  }

  function tell(kind: SessionChange['kind'], { persisted }: Persisted): void {
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
    log.warn('the access token is dead: log in again', { broker: login.broker });
    tell('died', persisted);
  }

  /** With no user configured, whoever holds the account may log in. */
  function isStranger(userId: string): boolean {
    return parts.userId !== null && userId.toUpperCase() !== parts.userId.trim().toUpperCase();
  }

  function heed(accessToken: string, verdict: TokenVerdict): void {
    if (verdict.kind === 'unknown') return;
    if (verdict.kind === 'dead') return tokenDied(accessToken);
    if (isStranger(verdict.userId)) {
      // Orders under it would go to another account.
      log.error('the access token belongs to another user than configured', {
        broker: login.broker,
        setting: 'APP_ALT_BROKER_USER_ID',
      });
      return tokenDied(accessToken);
    }
    // A login may have replaced it while the broker was asked.
    if (tokens.read(clock.now())?.accessToken !== accessToken) return;
    told = { accessToken, userId: verdict.userId, verifiedAt: clock.now() };
  }

  async function exchange(requestToken: string): Promise<SessionGrant> {
    const spent = spentTokens.spend(requestToken);
    try {
      return await login.exchange(requestToken);
    } catch (error) {
      const detail =
        error instanceof BrokerError
          ? explainLoginFailure(error.failure, spent)
          : "The login failed for a reason of the gateway's own. Begin it again.";
      log.warn('a login failed', { broker: login.broker, reason: detail });
      throw new GatewayProblem({ code: 'login_failed', detail, broker: login.broker }, error);
    }
  }

  /** Best effort: what matters here has been done already. */
  async function endAtBroker(accessToken: string): Promise<boolean> {
    try {
      await login.end(accessToken);
      return true;
    } catch (error) {
      const reason = error instanceof BrokerError ? error.failure.message : String(error);
      log.warn('the session could not be ended at the broker', { broker: login.broker, reason });
      return false;
    }
  }

  return {
    current,
    accessToken: () => tokens.read(clock.now())?.accessToken ?? null,
    tokenDied,

    required,

    async check() {
      const token = tokens.read(clock.now());
      const verdict = token ? check.run(token.accessToken) : null;
      if (token && verdict) heed(token.accessToken, await verdict);
      return current();
    },

    begin() {
      const state = states.issue();
      return { url: login.loginUrl(state), state };
    },

    async complete({ requestToken, status, state, cookieState }) {
      if (status !== 'success') {
        throw refusal('status', 'The broker did not report a successful login. Begin it again.');
      }
      if (requestToken === null || !/^[A-Za-z0-9]{1,128}$/.test(requestToken)) {
        throw refusal('request_token', 'The callback carries no readable request token.');
      }
      if (!states.consume(state, cookieState)) {
        throw refusal(
          'state',
          'This login was not begun in this browser, was completed already, or is older than ten ' +
            'minutes. Begin it again at /api/altbroker/login.',
        );
      }
      const grant = await exchange(requestToken);
      if (isStranger(grant.userId)) {
        log.warn('a login by another user than configured was refused', { broker: login.broker });
        await endAtBroker(grant.accessToken);
        throw refusal('user', 'Another user has logged in than APP_ALT_BROKER_USER_ID names.');
      }
      const { accessToken, userId, obtainedAt } = grant;
      const persisted = tokens.save({
        accessToken,
        userId,
        obtainedAt,
        expiresAt: nextTokenExpiry(obtainedAt),
      });
      told = { accessToken, userId, verifiedAt: clock.now() };
      check.skip(accessToken);
      log.info('logged in', { broker: login.broker });
      const advice = clockAdvice(grant.clockAheadMs);
      if (advice !== null) log.warn(advice, { broker: login.broker });
      tell('logged_in', persisted);
      return required();
    },

    async end() {
      const token = tokens.read(clock.now());
      // First here, so that a login that completes meanwhile is not forgotten with it.
      const forgotten = tokens.forget();
      tell('ended', forgotten);
      const endedAtBroker = token === null || (await endAtBroker(token.accessToken));
      return { persisted: forgotten.persisted, endedAtBroker };
    },

    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function refusal(kind: LoginRefusal, detail: string): GatewayProblem {
  return new GatewayProblem({
    code: 'login_refused',
    detail,
    broker: 'alt',
    extra: { refusal: kind },
  });
}
