import { CommitError } from '../../platform/single-writer.ts';
import type { BookRead, ShownRead } from './book-read.ts';

/** A book was read, and the disk does not take what it tells. */
export class UnwrittenRead extends CommitError {
  override readonly name = 'CommitError';

  /** As the broker gave it: not complete, and to be used for no new order. */
  readonly read: BookRead;

  constructor(shown: ShownRead, { cause }: CommitError) {
    super(`the book of ${shown.broker} was read, and the journal did not take what it tells`, {
      cause,
    });
    const unusable = { isUsable: () => false, baseline: () => [], bearsOutRefusal: () => false };
    this.read = { ...shown, complete: false, isUnwritten: true, ...unusable };
  }
}

/** What was taken in of a book; rejects with an UnwrittenRead where the disk does not take it. */
export async function unlessUnwritten(
  take: () => Promise<BookRead>,
  shown: ShownRead,
): Promise<BookRead> {
  try {
    return await take();
  } catch (error) {
    throw error instanceof CommitError ? new UnwrittenRead(shown, error) : error;
  }
}

/** A read that could not be written, for those who use it all the same: a cancel opens no risk. */
export function asShown(error: unknown): BookRead {
  if (error instanceof UnwrittenRead) return error.read;
  throw error;
}
