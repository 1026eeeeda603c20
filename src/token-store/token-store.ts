import { nextTokenExpiry } from '../domain/ist.ts';
import type { Clock } from '../platform/clock.ts';
import { sha256 } from '../platform/digest.ts';
import type { Environment } from '../platform/environment.ts';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/thrown.ts';
import { openTokenFile, type TokenFileContent } from './token-file.ts';
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

/** A session that is over: whose it was, where known, and since when. */
export interface LapsedToken {
  readonly userId: string | null;
  readonly expiredAt: number;
}

/** Whether a change will outlive this process. */
export type Persisted =
  { readonly persisted: true } | { readonly persisted: false; readonly reason: string };

/** The four levels of the access token (docs/spec/token.md); an upper one wins over a lower. */
export interface TokenStore {
  /** The first level with a token that has not expired and is not known to be dead. */
  read(now: number): SourcedToken | null;
  /** The session that ended last, when there is no token; null when there never was one. */
  lapsed(now: number): LapsedToken | null;
  /** Into memory, file and environment. A file that cannot be written loses no login. */
  save(token: StoredToken): Persisted;
  /** At every level. What cannot be removed (settings) is remembered as dead. */
  forget(): Persisted;
  /** By its hash, on disk: a restart does not revive the token from a lower level. */
  markDead(accessToken: string): Persisted;
}

export interface TokenStoreParts {
  readonly files: Files;
  readonly environment: Environment;
  readonly log: Log;
  readonly clock: Clock;
  /** The file, in a private directory that is there. */
  readonly path: string;
  /** The variable of the third level; null for none. */
  readonly environmentName: string | null;
  readonly configurationToken: string | null;
}

const DEAD_TOKENS_KEPT = 50;

/** Throws UnsafeFileError or TokenFileError when the file must not be used. */
export function createTokenStore(parts: TokenStoreParts): TokenStore {
  const { environment, environmentName, log, clock } = parts;
  const file = openTokenFile(parts.files, parts.path);
  // Kept beside the file's, so that they hold when the file cannot be written.
  let deadTokens: readonly string[] = file.content().deadTokens;
  let lapsedEarly: LapsedToken | null = file.content().lapsed;
  let memory: StoredToken | null = null;
  let environmentSeen: StoredToken | null = null;
  let living: { madeOf: readonly unknown[]; tokens: readonly SourcedToken[] } | null = null;
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

  function levels(): readonly SourcedToken[] {
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
  }

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

  function clearEnvironment(): void {
    if (environmentName !== null) environment.remove(environmentName);
  }

  function dropFromEnvironment(accessToken: string): void {
    if (environmentToken()?.accessToken === accessToken) clearEnvironment();
  }

  /** Asked for some ten times an order; what it is made of changes about once a day. */
  function livingLevels(): readonly SourcedToken[] {
    const madeOf = [memory, file.content().token, environmentToken(), deadTokens];
    if (living === null || living.madeOf.some((part, place) => part !== madeOf[place])) {
      const tokens = levels().filter(({ accessToken }) => !isDead(accessToken));
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
      const expired = levels()
        .filter((token) => !isDead(token.accessToken))
        .map(({ userId, expiresAt }) => ({ userId, expiredAt: expiresAt }));
      if (lapsedEarly) expired.push(lapsedEarly);
      return expired.reduce<LapsedToken | null>(
        (last, each) => (last === null || each.expiredAt > last.expiredAt ? each : last),
        null,
      );
    },

    save(token) {
      memory = token;
      if (environmentName !== null) environment.set(environmentName, token.accessToken);
      environmentSeen = token;
      lapsedEarly = null;
      // The broker may hand out again what it once called dead.
      deadTokens = deadTokens.filter((hash) => hash !== sha256(token.accessToken));
      return persist(token);
    },

    forget() {
      const held = [...levels(), ...sourced(environmentAtStart, 'environment')];
      bury(held.map((token) => token.accessToken));
      memory = null;
      lapsedEarly = null;
      clearEnvironment();
      const persisted = persist(null);
      // A full disk takes no new file, but lets go of an old one: what it holds is over.
      if (!persisted.persisted) file.discard();
      return persisted;
    },

    markDead(accessToken) {
      const held = levels().find((token) => token.accessToken === accessToken);
      if (held) lapsedEarly = { userId: held.userId, expiredAt: clock.now() };
      bury([accessToken]);
      if (memory?.accessToken === accessToken) memory = null;
      dropFromEnvironment(accessToken);
      const kept = file.content().token;
      return persist(kept?.accessToken === accessToken ? null : kept);
    },
  };
}

function sourced(token: StoredToken | null, source: TokenSource): SourcedToken[] {
  return token === null ? [] : [{ ...token, source }];
}
