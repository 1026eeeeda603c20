import { nextTokenExpiry } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import type { TokenFile } from './token-file.ts';
import type { TokenSource } from './token-source.ts';

/** Times are epoch ms. */
export interface StoredToken {
  readonly accessToken: string;
  /** Null for a token that was set by hand. */
  readonly userId: string | null;
  readonly obtainedAt: number | null;
  readonly expiresAt: number;
}

export interface SourcedToken extends StoredToken {
  readonly source: TokenSource;
}

export interface TokenLevelsParts {
  readonly file: Pick<TokenFile, 'content'>;
  readonly environment: Environment;
  /** The variable of the third level; null for none. */
  readonly environmentName: string | null;
  readonly configurationToken: string | null;
  readonly clock: Clock;
}

/** The tokens of the four levels as they stand, dead and expired ones included. */
export interface TokenLevels {
  /** An upper level first. */
  all(): readonly SourcedToken[];
  /** What the environment held when the gateway started: the next start finds it again. */
  atStart(): readonly SourcedToken[];
  /** What `all` is made of and can change, to be compared by identity. */
  changing(): readonly unknown[];
  /** Into memory and environment; the file is written by whoever has the rest of its content. */
  save(token: StoredToken): void;
  /** Out of memory and environment. */
  forget(): void;
  /** Out of memory and environment, where they have this token. */
  drop(accessToken: string): void;
}

export function createTokenLevels(parts: TokenLevelsParts): TokenLevels {
  const { file, environment, environmentName, clock } = parts;
  let memory: StoredToken | null = null;
  let environmentSeen: StoredToken | null = null;
  const configuration = byHand(parts.configurationToken);
  // A login writes over it, and the next start sets it again.
  const environmentAtStart = environmentToken();

  /** A token set by hand does not say when it dies: at the next 06:00 IST after it was first seen. */
  function byHand(text: string | null | undefined): StoredToken | null {
    const accessToken = text?.trim();
    if (!accessToken) return null;
    const expiresAt = nextTokenExpiry(clock.now());
    return { accessToken, userId: null, obtainedAt: null, expiresAt };
  }

  function environmentToken(): StoredToken | null {
    if (environmentName === null) return null;
    const text = environment.get(environmentName)?.trim();
    if (environmentSeen?.accessToken !== text) environmentSeen = byHand(text);
    return environmentSeen;
  }

  function clearEnvironment(): void {
    if (environmentName !== null) environment.remove(environmentName);
  }

  return {
    all() {
      const saved = [sourced(memory, 'memory'), sourced(file.content().token, 'file')].flat();
      const set = [
        sourced(environmentToken(), 'environment'),
        sourced(configuration, 'configuration'),
      ].flat();
      // Where an upper level has the very token, it knows when that one really dies.
      const known = new Map(saved.map((token) => [token.accessToken, token.expiresAt]));
      return [
        ...saved,
        ...set.map((token) => ({
          ...token,
          expiresAt: known.get(token.accessToken) ?? token.expiresAt,
        })),
      ];
    },
    atStart: () => sourced(environmentAtStart, 'environment'),
    changing: () => [memory, file.content().token, environmentToken()],
    save(token) {
      memory = token;
      if (environmentName === null) return;
      environment.set(environmentName, token.accessToken);
      environmentSeen = token;
    },
    forget() {
      memory = null;
      clearEnvironment();
    },
    drop(accessToken) {
      if (memory?.accessToken === accessToken) memory = null;
      if (environmentToken()?.accessToken === accessToken) clearEnvironment();
    },
  };
}

function sourced(token: StoredToken | null, source: TokenSource): SourcedToken[] {
  return token === null ? [] : [{ ...token, source }];
}
