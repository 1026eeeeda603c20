const COMMA = 44;
const NEWLINE = 10;
const RETURN = 13;
const BYTE_ORDER_MARK = 0xfeff;

/** A quote that is never closed would swallow the rest of the list without a word. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/**
 * Reads CSV row by row: quoted fields with doubled quotes, commas and line breaks in them, either
 * line ending, blank lines left out. One row at a time is in memory, beside the text. Throws
 * CsvError.
 */
export function* csvRows(text: string): Generator<readonly string[]> {
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let quote = indexOrEnd(text, '"', at);
  while (at < text.length) {
    const end = indexOrEnd(text, '\n', at);
    if (quote > end || quote === text.length) {
      // Nearly every line: without a quote, the host's own split is the fastest reader there is.
      const line = text.slice(at, text.charCodeAt(end - 1) === RETURN ? end - 1 : end);
      at = end + 1;
      if (line !== '') yield line.split(',');
      continue;
    }
    const row: string[] = [];
    at = readRow(text, at, row);
    quote = indexOrEnd(text, '"', at);
    if (row.length > 1 || row[0] !== '') yield row;
  }
}

/** Reads the row that begins at `from` field by field; answers where the next one begins. */
function readRow(text: string, from: number, row: string[]): number {
  let at = from;
  for (;;) {
    let quoted = '';
    if (text[at] === '"') [quoted, at] = readQuoted(text, at);
    const end = fieldEnd(text, at);
    const plain = text.slice(at, end);
    at = end + 1;
    const isLast = text.charCodeAt(end) !== COMMA;
    row.push(quoted + (isLast ? plain.replace(/\r$/, '') : plain));
    if (isLast) return at;
  }
}

/** The content of a quoted field that opens at `at`, and where the text goes on after it. */
function readQuoted(text: string, at: number): [string, number] {
  let content = '';
  let from = at + 1;
  for (;;) {
    const quote = text.indexOf('"', from);
    if (quote < 0) throw new CsvError('a quoted field is not closed');
    content += text.slice(from, quote);
    if (text[quote + 1] !== '"') return [content, quote + 1];
    content += '"';
    from = quote + 2;
  }
}

function fieldEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const code = text.charCodeAt(end);
    if (code === COMMA || code === NEWLINE) break;
    end += 1;
  }
  return end;
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from);
  return index < 0 ? text.length : index;
}
