import { BrokerError } from '../domain/outcome.ts';
import type { LoginBroker } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Clock } from '../platform/clock.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import type { TokenStore } from '../token-store/token-store.ts';
import { clockAdvice } from './clock-advice.ts';
import { createLoginCompletion } from './complete-login.ts';
import { createLoginStates } from './login-states.ts';
import { createSessionUser } from './session-user.ts';
import type { SessionControl, ValidSession } from './session.ts';
import { createTokenCheck } from './token-check.ts';
import { createTokenState } from './token-state.ts';

export interface SessionParts {
  readonly login: LoginBroker;
  /** The broker's name in messages to people, after "the": `alternative broker`. */
  readonly title: string;
  readonly tokens: TokenStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** The only user who may log in; null allows any user. */
  readonly userId: string | null;
  /** The setting that names that user, for messages. */
  readonly userSetting: string;
  /** Accounts at the broker that have open orders; absent where that is not known. */
  readonly accountsInUse?: () => readonly string[];
}

/** The session with one broker that has a daily login (docs/spec/token.md, docs/spec/login.md). */
export function createSession(parts: SessionParts): SessionControl {
  const { login, clock, ids, log } = parts;
  const { broker } = login;
  const user = createSessionUser(broker, parts);
  const states = createLoginStates({ clock, ids });
  const state = createTokenState({ tokens: parts.tokens, clock, log, user });
  const check = createTokenCheck({ login, clock, log });
  const completeLogin = createLoginCompletion({ login, states, user, log, endAtBroker });

  function required(): ValidSession {
    const session = state.valid();
    if (session) return session;
    const detail = 'There is no valid access token: log in at /api/altbroker/login.';
    throw new GatewayProblem({ code: 'token_absent', detail, broker });
  }

  /** Best effort: the token is already forgotten here. */
  async function endAtBroker(accessToken: string): Promise<boolean> {
    try {
      await login.end(accessToken);
      return true;
    } catch (error) {
      const reason = error instanceof BrokerError ? error.failure.message : String(error);
      log.warn('the session could not be ended at the broker', { broker, reason });
      return false;
    }
  }

  return {
    broker,
    title: parts.title,
    current: state.current,
    accessToken: state.accessToken,
    tokenDied: state.tokenDied,
    onChange: state.onChange,
    required,

    async check() {
      const accessToken = state.accessToken();
      const verdict = accessToken === null ? null : check.run(accessToken);
      if (accessToken !== null && verdict) state.applyVerdict(accessToken, await verdict);
      return state.current();
    },

    begin() {
      const issued = states.issue();
      return { url: login.loginUrl(issued), state: issued };
    },

    async complete(callback) {
      const grant = await completeLogin(callback);
      const persisted = state.save(grant);
      check.skip(grant.accessToken);
      log.info('logged in', { broker });
      const advice = clockAdvice(grant.clockAheadMs);
      if (advice !== null) log.warn(advice, { broker });
      state.notify('logged_in', persisted);
      return required();
    },

    async end() {
      const accessToken = state.accessToken();
      // Clears the token first, so that a login that completes meanwhile is not cleared with it.
      const forgotten = state.forget();
      state.notify('ended', forgotten);
      const endedAtBroker = accessToken === null || (await endAtBroker(accessToken));
      return { persisted: forgotten.persisted, endedAtBroker };
    },
  };
}
