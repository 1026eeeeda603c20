import type { BrokerId } from '../domain/broker.ts';
import { BrokerError } from '../domain/outcome.ts';
import type { LoginBroker, SessionGrant } from '../domain/ports.ts';
import { GatewayProblem } from '../domain/problem.ts';
import type { Log } from '../platform/log.ts';
import { explainLoginFailure } from './explain-login-failure.ts';
import type { LoginStates } from './login-states.ts';
import type { LoginCallback, LoginRefusal } from './session.ts';
import type { SessionUser } from './session-user.ts';
import { createSpentTokens } from './spent-tokens.ts';

const OTHER_ADDRESS =
  ' If this happens each time, begin the login under the same host name as that of the redirect address ' +
  'in the broker’s developer console.';

export interface CompleteLoginParts {
  readonly login: LoginBroker;
  readonly states: LoginStates;
  readonly user: SessionUser;
  readonly log: Log;
  readonly endAtBroker: (accessToken: string) => Promise<boolean>;
}

/**
 * Exchanges the callback of a login for a grant (docs/spec/login.md). Rejects with a
 * GatewayProblem: `login_refused` or `login_failed`, as Session.complete says.
 */
export function createLoginCompletion(
  parts: CompleteLoginParts,
): (callback: LoginCallback) => Promise<SessionGrant> {
  const { login, states, user, log } = parts;
  const { broker } = login;
  const spentTokens = createSpentTokens();

  async function exchange(requestToken: string): Promise<SessionGrant> {
    const spent = spentTokens.spend(requestToken);
    try {
      return await login.exchange(requestToken);
    } catch (error) {
      const detail =
        error instanceof BrokerError
          ? explainLoginFailure(error.failure, {
              spent,
              explainRefusal: (message) => login.explainRefusal?.(message) ?? null,
            })
          : 'The login failed because of an error in the gateway. Log in again.';
      log.warn('a login failed', { broker, reason: detail });
      throw new GatewayProblem({ code: 'login_failed', detail, broker }, error);
    }
  }

  return async ({ requestToken, status, state, cookieState }) => {
    const refuse = (kind: LoginRefusal, detail: string) => refusal(broker, kind, detail);
    if (status !== 'success') {
      throw refuse('status', 'The broker did not report a successful login. Log in again.');
    }
    if (requestToken === null || !/^[A-Za-z0-9]{1,128}$/.test(requestToken)) {
      throw refuse('request_token', 'The callback has no readable request token. Log in again.');
    }
    if (!states.consume(state, cookieState)) {
      throw refuse(
        'state',
        'This login was not started in this browser, is already complete, or is older than ten ' +
          'minutes. Log in again.' +
          // A cookie belongs to one host name: 127.0.0.1 and localhost are two.
          (state !== null && cookieState === null ? OTHER_ADDRESS : ''),
      );
    }
    const grant = await exchange(requestToken);
    if (user.isOtherUser(grant.userId)) {
      log.warn('a login by another user than configured was refused', { broker });
      await parts.endAtBroker(grant.accessToken);
      throw refuse(
        'user',
        `The user who logged in is not the one that ${user.setting} names. Log in as that user.`,
      );
    }
    const inUse = user.otherInUse(grant.userId);
    if (inUse !== null) {
      log.warn('a login by another user than the one with open orders was refused', { broker });
      await parts.endAtBroker(grant.accessToken);
      throw refuse(
        'account',
        `User ${inUse} has open orders, and the user who logged in could neither see nor cancel them. ` +
          `Log in as ${inUse}. To change the user all the same, set ${user.setting} to the new user ` +
          'and start the gateway again.',
      );
    }
    return grant;
  };
}

function refusal(broker: BrokerId, kind: LoginRefusal, detail: string): GatewayProblem {
  return new GatewayProblem({ code: 'login_refused', detail, broker, extra: { refusal: kind } });
}
