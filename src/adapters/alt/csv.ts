const BYTE_ORDER_MARK = 0xfeff;
const CARRIAGE_RETURN = 13;

/**
 * Reads CSV text (RFC 4180: quotes, doubled quotes, CRLF) row by row, without holding all rows at
 * once. A line without anything is no row. A row whose number of fields differs from the header's is
 * an error: a file that was cut must not look like a short one.
 */
export function* csvRows(text: string): Generator<readonly string[]> {
  let width: number | null = null;
  let start = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  // Looked for once, not in each row: most files have none, or have them everywhere.
  let quote = text.indexOf('"');
  while (start < text.length) {
    if (quote >= 0 && quote < start) quote = text.indexOf('"', start);
    const end = endOfRow(text, start, quote);
    const line = text.slice(start, text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end);
    const isQuoted = quote >= 0 && quote < end;
    start = end + 1;
    if (line === '') continue;
    const fields = isQuoted ? quotedFields(line) : line.split(',');
    width ??= fields.length;
    if (fields.length !== width) throw new Error('a row has another number of fields');
    yield fields;
  }
}

/** The next line feed that is not inside quotes, or the end of the text. */
function endOfRow(text: string, start: number, quote: number): number {
  const feed = text.indexOf('\n', start);
  const plain = feed < 0 ? text.length : feed;
  if (quote < 0 || quote > plain) return plain;
  let quoted = false;
  for (let at = quote; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (character === '\n' && !quoted) return at;
  }
  if (quoted) throw new Error('a quote is not closed');
  return text.length;
}

function quotedFields(line: string): readonly string[] {
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at]!;
    if (character === '"' && quoted && line[at + 1] === '"') {
      field += '"';
      at += 1;
    } else if (character === '"') quoted = !quoted;
    else if (character === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else field += character;
  }
  fields.push(field);
  return fields;
}
