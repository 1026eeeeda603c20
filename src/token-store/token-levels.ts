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
  /** The environment variable of the third level; null for none. */
  readonly environmentName: string | null;
  readonly configurationToken: string | null;
  readonly clock: Clock;
}

/** The present tokens of the four levels, including dead and expired ones. */
export interface TokenLevels {
  /** Upper levels first. */
  all(): readonly SourcedToken[];
  /** The token in the environment when the gateway started: the next start finds it again. */
  atStart(): readonly SourcedToken[];
  /** The changeable values behind `all`, for comparison by identity. */
  changing(): readonly unknown[];
  /**
   * Writes memory and environment; the caller writes the file, because it has the rest of its
   * content.
   */
  save(token: StoredToken): void;
  /** Clears memory and environment. */
  forget(): void;
  /** Clears memory and environment where they have this token. */
  drop(accessToken: string): void;
}

export function createTokenLevels(parts: TokenLevelsParts): TokenLevels {
  const { file, environment, environmentName, clock } = parts;
  let memory: StoredToken | null = null;
  let environmentSeen: StoredToken | null = null;
  const configuration = byHand(parts.configurationToken);
  // A login overwrites the variable, and the next start sets it again.
  const environmentAtStart = environmentToken();

  /**
   * A token set by hand has no expiry: it expires at the next 06:00 IST after it was first seen.
   */
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
      // When an upper level has the same token, that level knows its real expiry.
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
