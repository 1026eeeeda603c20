import type { BrokerId } from '../domain/broker.ts';
import type { TokenSource } from '../token-store/token-store.ts';
import type { EpochMs } from '../units/branded.ts';

export { TOKEN_SOURCES, type TokenSource } from '../token-store/token-store.ts';

/** Each state has only its own fields. Times are epoch ms. */
export type SessionState =
  | { readonly state: 'absent' }
  | {
      readonly state: 'valid';
      readonly accessToken: string;
      /** Null for a token that was set without a user, until the broker has named the user. */
      readonly userId: string | null;
      readonly obtainedAt: EpochMs | null;
      readonly expiresAt: EpochMs;
      readonly source: TokenSource;
      /** When the broker last accepted the token; null before the first time. */
      readonly verifiedAt: EpochMs | null;
    }
  | { readonly state: 'expired'; readonly userId: string | null; readonly expiredAt: EpochMs };

export type ValidSession = Extract<SessionState, { state: 'valid' }>;

/** The session with one broker, for the entry points. */
export interface Session {
  readonly broker: BrokerId;
  /** The broker's name in messages to people, after "the": `alternative broker`. */
  readonly title: string;
  current(): SessionState;
  /**
   * Like `current`, after testing the token at the broker if that was not done in the last minute.
   */
  check(): Promise<SessionState>;
  /**
   * Starts a login: returns the broker's page, and the one-time state that the callback must
   * return.
   */
  begin(): { readonly url: string; readonly state: string };
  /**
   * Completes a login. Rejects with a GatewayProblem: `login_refused` (wrong or used state, status
   * other than success, another user than the configured one), `login_failed` (the exchange
   * failed).
   */
  complete(callback: LoginCallback): Promise<ValidSession>;
  /**
   * Forgets the token at every level and ends the session at the broker. The token is forgotten
   * here also when the broker cannot be reached.
   */
  end(): Promise<SessionEnd>;
  /**
   * Like `current`, for callers who need a token. Throws a GatewayProblem `token_absent` without
   * one.
   */
  required(): ValidSession;
  /**
   * Calls the listener when a login completes, a token is called dead, or a session is ended; not
   * when a token expires at the end of its day.
   */
  onChange(listener: SessionListener): () => void;
}

/** The session, with the calls for the broker's adapter. */
export interface SessionControl extends Session {
  /** The token to use now; null when there is no valid one. */
  accessToken(): string | null;
  /**
   * Reports that the broker called a token dead: it is not used again. A token that is not the
   * present one changes nothing.
   */
  tokenDied(accessToken: string): void;
}

export interface SessionChange {
  readonly kind: 'logged_in' | 'died' | 'ended';
  /** False when the file could not be written: after a restart the change is lost. */
  readonly persisted: boolean;
  /** The state after the change. */
  readonly state: SessionState;
}
export type SessionListener = (change: SessionChange) => void;

/** How far ending a session succeeded. In the gateway it has ended in any case. */
export interface SessionEnd {
  /** False when the file could not be written: a restart may find the token again. */
  readonly persisted: boolean;
  /** False when the broker could not be reached: it accepts the token until 06:00 IST. */
  readonly endedAtBroker: boolean;
}

/** Why a login was refused; `extra.refusal` of a `login_refused`. */
export const LOGIN_REFUSALS = ['status', 'request_token', 'state', 'user', 'account'] as const;
export type LoginRefusal = (typeof LOGIN_REFUSALS)[number];

export interface LoginCallback {
  readonly requestToken: string | null;
  readonly status: string | null;
  /** The state from the redirect's parameters, and the one from the browser's cookie. */
  readonly state: string | null;
  readonly cookieState: string | null;
}
