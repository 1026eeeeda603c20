import { LowSync } from 'lowdb';
import { z } from 'zod';
import { FileError, type Files } from '../platform/files.ts';
import { epochMs } from '../units/branded.ts';

const time = z.number().transform(epochMs);

/** The content of the token file (docs/spec/token.md). Times are epoch ms. */
const tokenFile = z.object({
  version: z.literal(1),
  token: z
    .object({
      accessToken: z.string().min(1),
      userId: z.string().nullable(),
      obtainedAt: time.nullable(),
      expiresAt: time,
    })
    .nullable(),
  /** The last session that ended early: its user, and when it ended. */
  lapsed: z.object({ userId: z.string().nullable(), expiredAt: time }).nullable(),
  /** SHA-256 of tokens that are known to be dead, oldest first. */
  deadTokens: z.array(z.string()),
});
export type TokenFileContent = z.infer<typeof tokenFile>;

export const EMPTY_TOKEN_FILE: TokenFileContent = {
  version: 1,
  token: null,
  lapsed: null,
  deadTokens: [],
};

/** The file exists and is not a token file of the gateway: a person must look at it. */
export class TokenFileError extends FileError {
  override readonly name = 'TokenFileError';
}

/** The level on disk: the file is whole or absent, and only its owner can read it. */
export interface TokenFile {
  /** The content on disk. */
  content(): TokenFileContent;
  /** Throws the file system's error; then the content is unchanged. */
  replace(content: TokenFileContent): void;
  /** Removes the file if possible; the content is then empty. Never throws. */
  discard(): void;
}

/**
 * Opens the file. Throws UnsafeFileError when other users can read it, TokenFileError when it is
 * not a token file.
 */
export function openTokenFile(files: Files, path: string): TokenFile {
  const store = new LowSync<TokenFileContent>(
    {
      read: () => parse(files.readPrivate(path), path),
      write: (content) => files.replacePrivate(path, `${JSON.stringify(content, null, 2)}\n`),
    },
    EMPTY_TOKEN_FILE,
  );
  store.read();
  return {
    content: () => store.data,
    replace(content) {
      const before = store.data;
      store.data = content;
      try {
        store.write();
      } catch (error) {
        store.data = before;
        throw error;
      }
    },
    discard() {
      try {
        files.remove(path);
        store.data = EMPTY_TOKEN_FILE;
      } catch {
        // The file stays as it is; the caller knows that the change is lost at a restart.
      }
    },
  };
}

function parse(text: string | null, path: string): TokenFileContent | null {
  if (text === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw notOurs(path, 'it is not JSON');
  }
  const parsed = tokenFile.safeParse(json);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') || 'its content';
  throw notOurs(path, `${field} has another shape than expected`);
}

/** Quotes nothing of the file's content, which may be a token. */
function notOurs(path: string, why: string): TokenFileError {
  return new TokenFileError(
    `${path} is not a token file of this gateway (${why}). The gateway leaves it as it is: move or delete it, then start again and log in`,
  );
}
