const COMMA = 44;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const BYTE_ORDER_MARK = 0xfeff;

/** At most one row in this many may be malformed; in a shorter list, one row. */
const ROWS_FOR_EACH_MALFORMED = 100;

/** The text cannot be used at all. The message says why and quotes nothing from the text. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** A broker's list as CSV text (RFC 4180), read row by row. */
export interface CsvFile {
  /** The first row: the names of the columns. Empty for a text without a row. */
  readonly header: readonly string[];
  /**
   * The rows below the header, in order, each as wide as the header; to be read once, to the end.
   * Null stands for a malformed row: one of another width, or with text after a closing quote. Its
   * fields are never returned, so that no value ends up under another column's name.
   *
   * Throws a CsvError where a quote is not closed, and at the end where the whole list must not be
   * used: more than one row in 100 was malformed (in a list of fewer than 200 rows: more than one),
   * or the last row was, which is how a truncated file ends.
   */
  readonly rows: Iterable<readonly string[] | null>;
  /** What was left out of the rows read so far, for one line in the log. */
  readonly malformed: () => MalformedRows;
}

export interface MalformedRows {
  readonly count: number;
  /** The number of the first malformed row, where the header is row 1; null when there is none. */
  readonly firstRow: number | null;
}

/**
 * Reads CSV. Quoted fields may hold commas, doubled quotes and line breaks; elsewhere a quote is an
 * ordinary character. Lines end with LF or CRLF; empty lines and a byte order mark are skipped.
 * Besides the text, one row at a time is in memory. Throws a CsvError for a malformed header.
 */
export function readCsv(text: string): CsvFile {
  const records = recordsOf(text);
  const first = records.next();
  if (!first.done && first.value === null) throw new CsvError('the header is malformed');
  const header = first.value ?? [];
  let firstMalformed: number | null = null;
  let count = 0;

  function* rows(): Generator<readonly string[] | null> {
    let read = 0;
    let isLastMalformed = false;
    for (const record of records) {
      read += 1;
      isLastMalformed = record?.length !== header.length;
      if (isLastMalformed) {
        count += 1;
        firstMalformed ??= read + 1;
      }
      yield isLastMalformed ? null : record;
    }
    if (isLastMalformed) throw new CsvError('the last row is incomplete: the list was truncated');
    if (count > Math.max(1, Math.floor(read / ROWS_FOR_EACH_MALFORMED))) {
      throw new CsvError(`${count} of ${read} rows have another number of fields than the header`);
    }
  }

  return { header, rows: rows(), malformed: () => ({ count, firstRow: firstMalformed }) };
}

/** The fields of each row; null for a row with text after a closing quote. */
function* recordsOf(text: string): Generator<readonly string[] | null, undefined> {
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let quote = indexOrEnd(text, '"', at);
  while (at < text.length) {
    const end = indexOrEnd(text, '\n', at);
    if (quote > end || quote === text.length) {
      // Nearly every line has no quote, and the host's own split is the fastest reader.
      const line = text.slice(at, text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end);
      at = end + 1;
      if (line !== '') yield line.split(',');
      continue;
    }
    const fields: string[] = [];
    const { next, isWhole } = readQuotedRecord(text, at, fields);
    yield isWhole ? fields : null;
    at = next;
    quote = indexOrEnd(text, '"', at);
  }
}

/** Reads the row that begins at `from` field by field. `next` is where the row after it begins. */
function readQuotedRecord(
  text: string,
  from: number,
  fields: string[],
): { readonly next: number; readonly isWhole: boolean } {
  let at = from;
  for (;;) {
    const isQuoted = text[at] === '"';
    const closed = isQuoted ? readQuoted(text, at) : null;
    const end = fieldEnd(text, closed?.end ?? at);
    const isLast = text.charCodeAt(end) !== COMMA;
    const plain = text.slice(closed?.end ?? at, end);
    const rest = isLast ? plain.replace(/\r$/, '') : plain;
    if (closed && rest !== '') {
      return { next: indexOrEnd(text, '\n', end) + 1, isWhole: false };
    }
    fields.push(closed?.content ?? rest);
    at = end + 1;
    if (isLast) return { next: at, isWhole: true };
  }
}

/** The content of the quoted field that opens at `at`, and where the text continues after it. */
function readQuoted(text: string, at: number): { readonly content: string; readonly end: number } {
  let content = '';
  let from = at + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw new CsvError('a quoted field is not closed');
    content += text.slice(from, quote);
    if (text[quote + 1] !== '"') return { content, end: quote + 1 };
    content += '"';
    from = quote + 2;
  }
}

function fieldEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === LINE_FEED) break;
    end += 1;
  }
  return end;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}
