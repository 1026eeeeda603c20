/**
 * How long the texts of a broker's rows may be, in UTF-16 code units. A row that has longer ones must
 * not slow down the reading of all others, nor fill the journal (docs/orders.md, "What is assumed").
 */

/**
 * An id, a symbol or a word of a list, such as a product. The longest id that is known has 36
 * characters; the ids in requests may have 64. A longer one is unreadable: cut, it could be that of
 * another order.
 */
export const LONGEST_NAME = 128;
/** A tag: Kite allows 20 characters, and the primary brokerage shows remarks that people write. */
export const LONGEST_TAG = 512;
/** Kite shows a tag in `tag` and in a list of one. */
export const MOST_TAGS = 32;
/** A number that is written as text. Some patterns for numbers are slow on long texts. */
export const LONGEST_NUMBER = 64;
/** What is read of words for people. Redaction takes about 0.5 ms for 1,000 characters of escapes. */
const LONGEST_READ = 2_000;
/** What is shown and kept of them. */
const LONGEST_SHOWN = 500;

/** Whether a value is a text that is too long to be what it should be. */
export const isTooLong = (value: unknown, most = LONGEST_NAME): boolean =>
  typeof value === 'string' && value.length > most;

/**
 * The beginning of words for people, which may be of any length, with `…` where something is left out:
 * to be called before secrets are removed from it, and `shownWords` after that. It ends with a whole
 * word, since half a secret would not be found: secrets have no spaces (src/config/readers.ts).
 */
export function beginningOf(words: string, most = LONGEST_READ): string {
  if (words.length <= most) return words;
  const read = words.slice(0, most + 1);
  const end = Math.max(...[' ', '\n', '\t'].map((space) => read.lastIndexOf(space)), 0);
  // A slice would hold the whole text in memory for as long as somebody has the beginning.
  return `${Buffer.from(read.slice(0, end), 'utf16le').toString('utf16le')}…`;
}

/** Words for people at the length in which they are shown and kept. */
export const shownWords = (words: string): string =>
  words.length <= LONGEST_SHOWN ? words : `${words.slice(0, LONGEST_SHOWN - 1)}…`;

/** The status of a row. One that is too long is on no list, and so is its beginning. */
export const statusOf = (status: string): string =>
  status.length <= LONGEST_NAME ? status : beginningOf(status.trim(), LONGEST_NAME);
