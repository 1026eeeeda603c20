const COMMA = 44;
const NEWLINE = 10;
const BYTE_ORDER_MARK = 0xfeff;

/** A quote that is never closed would swallow the rest of the list without a word. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/**
 * Reads CSV row by row: quoted fields with doubled quotes, commas and line breaks in them, either
 * line ending, blank lines left out. Every character is looked at once. Throws CsvError.
 */
export function* csvRows(text: string): Generator<readonly string[]> {
  let at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  let row: string[] = [];
  while (at < text.length) {
    let quoted = '';
    const isQuoted = text[at] === '"';
    if (isQuoted) [quoted, at] = readQuoted(text, at);
    const end = fieldEnd(text, at);
    const atLineEnd = end >= text.length || text.charCodeAt(end) === NEWLINE;
    const plain = text.slice(at, end);
    row.push(quoted + (atLineEnd ? plain.replace(/\r$/, '') : plain));
    at = end + 1;
    if (!atLineEnd && at >= text.length) row.push('');
    if (atLineEnd || at >= text.length) {
      if (row.length > 1 || row[0] !== '') yield row;
      row = [];
    }
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
