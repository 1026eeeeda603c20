/**
 * Reads CSV text (RFC 4180: quotes, doubled quotes, CRLF) row by row, without holding all rows at
 * once. A last line without fields is no row. A row whose number of fields differs from the
 * header's is an error: a file that was cut must not look like a short one.
 */
export function* csvRows(text: string): Generator<readonly string[]> {
  let width: number | null = null;
  let start = 0;
  while (start < text.length) {
    const end = endOfRow(text, start);
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end);
    start = end + 1;
    if (line === '') continue;
    const fields = line.includes('"') ? quotedFields(line) : line.split(',');
    width ??= fields.length;
    if (fields.length !== width) throw new Error('a row has another number of fields');
    yield fields;
  }
}

/** The next line feed that is not inside quotes, or the end of the text. */
function endOfRow(text: string, start: number): number {
  const feed = text.indexOf('\n', start);
  const plain = feed < 0 ? text.length : feed;
  const quote = text.indexOf('"', start);
  if (quote < 0 || quote > plain) return plain;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '"') quoted = !quoted;
    else if (text[at] === '\n' && !quoted) return at;
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
