import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import type { Files } from '../platform/files.ts';
import type { Ids } from '../platform/ids.ts';
import type { Log } from '../platform/log.ts';
import { sameText, Secret, sha256 } from '../platform/secret.ts';
import { openStateFile } from '../platform/state-file.ts';
import { type ElapsedMs, epochMs, type EpochMs, plus } from '../units/branded.ts';
import type { Caller } from './caller.ts';
import type { Callers } from './callers.ts';

/** How long a link may be used, ms. */
export const LINK_MS = 10 * 60_000;
/** How long a browser stays signed in, ms: a week of mornings. */
export const SIGN_IN_MS = 7 * 24 * 3_600_000;
/** One more takes the place of the oldest. */
const MOST_LINKS = 32;
const MOST_SIGN_INS = 32;
/** How the token of a page begins: so that it is never taken for a key. */
export const PAGE_TOKEN = 'abp_';

export interface SignInLink {
  /** For the fragment of an address: `/#sign-in=…`. Used once. */
  readonly token: Secret;
  readonly until: EpochMs;
}

/**
 * Two secrets, and neither is of use without the other: browsers send cookies of one port to every other port of the
 * machine, and scripts read what a page keeps.
 */
export interface NewSignIn {
  /** The page keeps it, and sends it as `Authorization: Bearer`. */
  readonly token: Secret;
  /** For a cookie that no script reads. */
  readonly cookie: Secret;
  readonly caller: Caller;
  readonly until: EpochMs;
  /** From now, ms. */
  readonly lastsMs: number;
}

export interface SignedIn {
  readonly caller: Caller;
  readonly until: EpochMs;
}

/** Browsers that may use the dashboard, each as the key whose link it opened (docs/dashboard.md). */
export interface SignIns {
  issueLink(caller: Caller): SignInLink;
  /** Null for a link that was used, is too old or none, and where its key is no longer valid. */
  redeem(link: string): NewSignIn | null;
  /** Null where the two secrets are not those of one sign-in that is valid now. */
  find(token: string, cookie: string | null): SignedIn | null;
  /** Signs the browser out; it no longer works when this returns. */
  end(token: string): void;
}

export interface SignInsParts {
  readonly files: Files;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly log: Log;
  readonly callers: Pick<Callers, 'current'>;
  /** `data/sign-ins.json`. It has hashes alone, so that a sign-in lasts over a restart and is told to nobody. */
  readonly path: string;
  /** Called when somebody was signed out. */
  readonly ended: () => void;
}

const HASH = z.string().regex(/^[0-9a-f]{64}$/);
const fileSchema = z.strictObject({
  version: z.literal(1),
  signIns: z.array(
    z.strictObject({
      token: HASH,
      cookie: HASH,
      /** The id of the key, and the SHA-256 that the key had: another key of the same id is not this one. */
      ...{ caller: z.string(), key: HASH },
      /** Epoch ms. */
      until: z.number(),
    }),
  ),
});
type SignIn = z.output<typeof fileSchema>['signIns'][number];

interface Link {
  readonly caller: string;
  readonly key: string;
  /** By the clock that nobody sets. */
  readonly until: ElapsedMs;
}

export function createSignIns(parts: SignInsParts): SignIns {
  const { ids, clock, callers } = parts;
  const file = openStateFile({ ...parts, parse: (json) => fileSchema.parse(json) });
  /** By hash, so that how long a comparison takes tells nothing. */
  const links = new Map<string, Link>();

  const valid = (): readonly SignIn[] =>
    (file.content()?.signIns ?? []).filter(({ until }) => until > clock.now());

  function takeLink(hash: string): Link | null {
    const found = links.get(hash);
    links.delete(hash);
    return found !== undefined && found.until > clock.elapsed() ? found : null;
  }

  /** The caller as it is now; null where its key is revoked, or another one than then. */
  function callerNow({ caller: id, key }: Pick<SignIn, 'caller' | 'key'>): Caller | null {
    const current = callers.current(id);
    return current !== null && sameText(current.sha256, key) ? current.caller : null;
  }

  return {
    issueLink(caller) {
      const [oldest] = links.keys();
      if (oldest !== undefined && links.size >= MOST_LINKS) takeLink(oldest);
      const token = new Secret(`abl_${ids.secret(32)}`);
      const hash = sha256(token.reveal());
      const until = plus(clock.elapsed(), LINK_MS);
      const key = callers.current(caller.id)?.sha256 ?? '';
      links.set(hash, { caller: caller.id, key, until });
      return { token, until: plus(clock.now(), LINK_MS) };
    },

    redeem(link) {
      const found = takeLink(sha256(link));
      const caller = found && callerNow(found);
      if (found === null || caller === null) return null;
      const token = new Secret(`${PAGE_TOKEN}${ids.secret(32)}`);
      const cookie = new Secret(ids.secret(32));
      const until = plus(clock.now(), SIGN_IN_MS);
      const added = {
        ...{ token: sha256(token.reveal()), cookie: sha256(cookie.reveal()) },
        ...{ caller: found.caller, key: found.key, until },
      };
      const kept = valid().slice(-(MOST_SIGN_INS - 1));
      file.write({ version: 1, signIns: [...kept, added] });
      return { token, cookie, caller, until, lastsMs: SIGN_IN_MS };
    },

    find(token, cookie) {
      if (cookie === null || !token.startsWith(PAGE_TOKEN)) return null;
      const [ofPage, ofCookie] = [sha256(token), sha256(cookie)];
      const [match] = valid().filter((each) => {
        const [samePage, sameCookie] = [
          sameText(each.token, ofPage),
          sameText(each.cookie, ofCookie),
        ];
        return samePage && sameCookie;
      });
      if (match === undefined) return null;
      const caller = callerNow(match);
      return caller && { caller, until: epochMs(match.until) };
    },

    end(token) {
      const hash = sha256(token);
      file.write({ version: 1, signIns: valid().filter((each) => each.token !== hash) });
      parts.ended();
    },
  };
}
