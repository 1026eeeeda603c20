import type { Clock } from '../platform/clock.ts';
import { sha256 } from '../platform/digest.ts';
import type { Environment } from '../platform/environment.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/thrown.ts';
import { openTokenFile, type TokenFileContent } from './token-file.ts';
import { createTokenLevels, type SourcedToken, type StoredToken } from './token-levels.ts';

export type { SourcedToken, StoredToken };

/** A session that has ended: its user, where known, and when it ended. */
export interface LapsedToken {
  readonly userId: string | null;
  readonly expiredAt: number;
}

/** Whether a change will survive a restart. */
export type Persisted =
  { readonly persisted: true } | { readonly persisted: false; readonly reason: string };

/** The four levels of the access token (docs/spec/token.md); an upper one wins over a lower. */
export interface TokenStore {
  /**
   * The token of the first level that has one which has not expired and is not known to be dead.
   */
  read(now: number): SourcedToken | null;
  /** The session that ended last, when there is no token; null when there never was one. */
  lapsed(now: number): LapsedToken | null;
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
  let living: { madeOf: readonly unknown[]; tokens: readonly SourcedToken[] } | null = null;

  function isDead(accessToken: string): boolean {
    return deadTokens.includes(sha256(accessToken));
  }

  function bury(tokens: readonly string[]): void {
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
  function livingLevels(): readonly SourcedToken[] {
    const madeOf = [...levels.changing(), deadTokens];
    if (living === null || living.madeOf.some((part, place) => part !== madeOf[place])) {
      const tokens = levels.all().filter(({ accessToken }) => !isDead(accessToken));
      living = { madeOf, tokens };
    }
    return living.tokens;
  }

  function read(now: number): SourcedToken | null {
    return livingLevels().find((token) => now < token.expiresAt) ?? null;
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
      bury([...levels.all(), ...levels.atStart()].map((token) => token.accessToken));
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
      bury([accessToken]);
      levels.drop(accessToken);
      const kept = file.content().token;
      return persist(kept?.accessToken === accessToken ? null : kept);
    },
  };
}
