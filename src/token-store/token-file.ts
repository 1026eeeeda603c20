import { LowSync } from 'lowdb';
import { z } from 'zod';
import { FileError, type Files } from '../platform/files.ts';

/** What the file holds (docs/spec/token.md). Times are epoch ms. */
const tokenFile = z.object({
  version: z.literal(1),
  token: z
    .object({
      accessToken: z.string().min(1),
      userId: z.string().nullable(),
      obtainedAt: z.number().nullable(),
      expiresAt: z.number(),
    })
    .nullable(),
  /** The last session that ended before its time: whose it was, and when. */
  lapsed: z.object({ userId: z.string().nullable(), expiredAt: z.number() }).nullable(),
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

/** The file is there and is not ours to overwrite: a person must look. */
export class TokenFileError extends FileError {
  override readonly name = 'TokenFileError';
}

/** The persisted level: whole or absent, readable by its owner only. */
export interface TokenFile {
  /** As the disk has it. */
  content(): TokenFileContent;
  /** Throws what the file system says; then the content stays what it was. */
  replace(content: TokenFileContent): void;
  /** Takes the file away, where that much is possible; the content is then empty. Never throws. */
  discard(): void;
}

/**
 * Opens the file. Throws UnsafeFileError when others can read it, TokenFileError when it is not a
 * token file.
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
        // It stays as it is; who asked has been told that the change will not outlive this process.
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
  throw notOurs(path, `${field} is not what it should be`);
}

/** Says nothing of what the file holds: it may be a token. */
function notOurs(path: string, why: string): TokenFileError {
  return new TokenFileError(
    `${path} is not a token file of this gateway (${why}). It is left as it is: ` +
      `move or delete it, then start again and log in`,
  );
}
