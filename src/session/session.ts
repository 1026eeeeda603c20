/** Where the token in use came from; the levels in the order in which they are asked. */
export const TOKEN_SOURCES = ['memory', 'file', 'environment', 'configuration'] as const;
export type TokenSource = (typeof TOKEN_SOURCES)[number];

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

/** The login to the alternative broker, as the faces see it. */
export interface Session {
  current(): SessionState;
  /** As current, after trying the token at the broker if that was not done in the last minute. */
  check(): Promise<SessionState>;
  /** Begins a login: the broker's page, and the one-time state that must come back. */
  begin(): { readonly url: string; readonly state: string };
  /**
   * Ends a login. Rejects with a GatewayProblem: `login_refused` (wrong or used state, status other
   * than success, another user than the configured one), `login_failed` (the exchange failed).
   */
  complete(callback: LoginCallback): Promise<Extract<SessionState, { state: 'valid' }>>;
  /** Ends the session at the broker and forgets the token at every level. */
  end(): Promise<void>;
}

export interface LoginCallback {
  readonly requestToken: string | null;
  readonly status: string | null;
  /** The state from the redirect's parameters, and the one from the browser's cookie. */
  readonly state: string | null;
  readonly cookieState: string | null;
}
