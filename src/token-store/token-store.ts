import { nextTokenExpiry } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import { sha256 } from '../platform/secret.ts';
import { openTokenFile, type TokenFile, type TokenFileContent } from './token-file.ts';
import type { EpochMs } from '../units/branded.ts';

/** A session that has ended: its user, where known, and when it ended. */
export interface LapsedToken {
  readonly userId: string | null;
  readonly expiredAt: EpochMs;
}

/** Whether a change will survive a restart. */
export type Persisted =
  { readonly persisted: true } | { readonly persisted: false; readonly reason: string };

/** The four levels of the access token (docs/spec/token.md); an upper one wins over a lower. */
export interface TokenStore {
  /**
   * The token of the first level that has one which has not expired and is not known to be dead.
   */
  read(now: EpochMs): SourcedToken | null;
  /** The session that ended last, when there is no token; null when there never was one. */
  lapsed(now: EpochMs): LapsedToken | null;
  /**
   * Writes memory, file and environment. If the file cannot be written, the login is still used.
   */
  save(token: StoredToken): Persisted;
  /** Clears every level. A token that cannot be removed (from settings) is remembered as dead. */
  forget(): Persisted;
  /**
   * Remembers a dead token by its hash, on disk, so that a restart does not use it again from a
   * lower level.
   */
  markDead(accessToken: string): Persisted;
}

export interface TokenStoreParts {
  readonly files: Files;
  readonly environment: Environment;
  readonly log: Log;
  readonly clock: Clock;
  /** The file's path, in an existing private directory. */
  readonly path: string;
  /** The environment variable of the third level; null for none. */
  readonly environmentName: string | null;
  readonly configurationToken: string | null;
}

const DEAD_TOKENS_KEPT = 50;

/** Throws UnsafeFileError or TokenFileError when the file must not be used. */
export function createTokenStore(parts: TokenStoreParts): TokenStore {
  const { log, clock } = parts;
  const file = openTokenFile(parts.files, parts.path);
  const levels = createTokenLevels({ ...parts, file });
  // Kept in memory as well, so that they are known when the file cannot be written.
  let deadTokens: readonly string[] = file.content().deadTokens;
  let lapsedEarly: LapsedToken | null = file.content().lapsed;
  let usable: { madeOf: readonly unknown[]; tokens: readonly SourcedToken[] } | null = null;

  function isDead(accessToken: string): boolean {
    return deadTokens.includes(sha256(accessToken));
  }

  function rememberDead(tokens: readonly string[]): void {
    const hashes = tokens.map(sha256);
    const others = deadTokens.filter((hash) => !hashes.includes(hash));
    deadTokens = [...others, ...new Set(hashes)].slice(-DEAD_TOKENS_KEPT);
  }

  function persist(token: TokenFileContent['token']): Persisted {
    try {
      file.replace({ version: 1, token, lapsed: lapsedEarly, deadTokens: [...deadTokens] });
      return { persisted: true };
    } catch (error) {
      const reason = messageOf(error);
      log.error('the token file could not be written: a restart will not know of this change', {
        path: parts.path,
        reason,
      });
      return { persisted: false, reason };
    }
  }

  /** Read about ten times for each order, while the levels change about once a day. */
  function usableTokens(): readonly SourcedToken[] {
    const madeOf = [...levels.changing(), deadTokens];
    if (usable === null || usable.madeOf.some((part, place) => part !== madeOf[place])) {
      const tokens = levels.all().filter(({ accessToken }) => !isDead(accessToken));
      usable = { madeOf, tokens };
    }
    return usable.tokens;
  }

  function read(now: EpochMs): SourcedToken | null {
    return usableTokens().find((token) => now < token.expiresAt) ?? null;
  }

  return {
    read,

    lapsed(now) {
      if (read(now)) return null;
      const expired = levels
        .all()
        .filter((token) => !isDead(token.accessToken))
        .map(({ userId, expiresAt }) => ({ userId, expiredAt: expiresAt }));
      if (lapsedEarly) expired.push(lapsedEarly);
      return expired.reduce<LapsedToken | null>(
        (last, each) => (last === null || each.expiredAt > last.expiredAt ? each : last),
        null,
      );
    },

    save(token) {
      levels.save(token);
      lapsedEarly = null;
      // The broker may issue a token again that it once called dead.
      deadTokens = deadTokens.filter((hash) => hash !== sha256(token.accessToken));
      return persist(token);
    },

    forget() {
      rememberDead([...levels.all(), ...levels.atStart()].map((token) => token.accessToken));
      levels.forget();
      lapsedEarly = null;
      const persisted = persist(null);
      // On a full disk a new file cannot be written, but the old one can be removed: its token is
      // no longer valid.
      if (!persisted.persisted) file.discard();
      return persisted;
    },

    markDead(accessToken) {
      const held = levels.all().find((token) => token.accessToken === accessToken);
      if (held) lapsedEarly = { userId: held.userId, expiredAt: clock.now() };
      rememberDead([accessToken]);
      levels.drop(accessToken);
      const kept = file.content().token;
      return persist(kept?.accessToken === accessToken ? null : kept);
    },
  };
}

/** Times are epoch ms. */
export interface StoredToken {
  readonly accessToken: string;
  /** Null for a token that was set by hand. */
  readonly userId: string | null;
  readonly obtainedAt: EpochMs | null;
  readonly expiresAt: EpochMs;
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

/** Where the token in use came from: the levels, from the first to the last that is read. */
export const TOKEN_SOURCES = ['memory', 'file', 'environment', 'configuration'] as const;
export type TokenSource = (typeof TOKEN_SOURCES)[number];
