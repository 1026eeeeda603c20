import type { BrokerId } from '../domain/broker.ts';
import type { TokenSource } from '../token-store/token-source.ts';

export { TOKEN_SOURCES, type TokenSource } from '../token-store/token-source.ts';

/** Each state carries only what it has. Times are epoch ms. */
export type SessionState =
  | { readonly state: 'absent' }
  | {
      readonly state: 'valid';
      readonly accessToken: string;
      /** Null for a token that came without one, until the broker has told. */
      readonly userId: string | null;
      readonly obtainedAt: number | null;
      readonly expiresAt: number;
      readonly source: TokenSource;
      /** When the broker last took it; null before the first time. */
      readonly verifiedAt: number | null;
    }
  | { readonly state: 'expired'; readonly userId: string | null; readonly expiredAt: number };

export type ValidSession = Extract<SessionState, { state: 'valid' }>;

/** The login to one broker, as the entry points see it. */
export interface Session {
  readonly broker: BrokerId;
  /** What messages to people call the broker, after "the": `alternative broker`. */
  readonly title: string;
  current(): SessionState;
  /** As current, after trying the token at the broker if that was not done in the last minute. */
  check(): Promise<SessionState>;
  /** Begins a login: the broker's page, and the one-time state that must come back. */
  begin(): { readonly url: string; readonly state: string };
  /**
   * Ends a login. Rejects with a GatewayProblem: `login_refused` (wrong or used state, status other
   * than success, another user than the configured one), `login_failed` (the exchange failed).
   */
  complete(callback: LoginCallback): Promise<ValidSession>;
  /**
   * Forgets the token at every level and ends the session at the broker. A broker that is away does
   * not keep the token here.
   */
  end(): Promise<SessionEnd>;
  /** As current, for those who need a token. Throws a GatewayProblem `token_absent` without one. */
  required(): ValidSession;
  /** Hears of logins, deaths and ends, not of a token that expires with its day. */
  onChange(listener: SessionListener): () => void;
}

/** The session as the broker's adapter is wired to it. */
export interface SessionControl extends Session {
  /** The token to use now; null when there is none that is valid. */
  accessToken(): string | null;
  /** The broker called a token dead: it is not used again. Another than the present changes nothing. */
  tokenDied(accessToken: string): void;
}

export interface SessionChange {
  readonly kind: 'logged_in' | 'died' | 'ended';
  /** False when the file could not be written: a restart will not know of the change. */
  readonly persisted: boolean;
  /** As it stands after the change. */
  readonly state: SessionState;
}
export type SessionListener = (change: SessionChange) => void;

/** How far the end of a session went. It is over here in any case. */
export interface SessionEnd {
  /** False when the file could not be written: a restart may find the token again. */
  readonly persisted: boolean;
  /** False when the broker could not be told: it takes the token until 06:00 IST. */
  readonly endedAtBroker: boolean;
}

/** Why a login was refused; `extra.refusal` of a `login_refused`. */
export type LoginRefusal = 'status' | 'request_token' | 'state' | 'user';

export interface LoginCallback {
  readonly requestToken: string | null;
  readonly status: string | null;
  /** The state from the redirect's parameters, and the one from the browser's cookie. */
  readonly state: string | null;
  readonly cookieState: string | null;
}
