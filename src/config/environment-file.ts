import { ConfigurationError, throwAll } from './configuration-error.ts';

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*(=.*)$/;
const QUOTES = new Set(['"', "'", '`']);
const FORM = 'a line NAME=value, a comment that begins with #, or an empty line';

/**
 * Refuses a `.env` file in which a line would be skipped or read in part without a word: one without a
 * name and an equals sign, a quote that does not end, text behind a closing quote, a `#` inside a value
 * without quotes (the rest would be a comment), a name that is given twice, and text that is not UTF-8.
 * Throws ConfigurationErrors, one for each such line by its number; they quote names, and no values.
 */
export function checkEnvironmentFile(path: string, text: string): void {
  // Text of another encoding, as some editors of Windows write it, shows as one of these.
  if (/[\0\uFFFD]/.test(text)) {
    throw new ConfigurationError(
      path,
      'bytes that are not UTF-8',
      'text in UTF-8: save it as such',
    );
  }
  const lines = text.split(/\r\n|\n|\r/);
  const errors: ConfigurationError[] = [];
  const seenAt = new Map<string, number>();
  for (let at = 0; at < lines.length; at += 1) {
    const refuse = (got: string, takes = FORM): void => {
      errors.push(new ConfigurationError(`${path}, line ${number}`, got, takes));
    };
    const number = at + 1;
    const line = lines[at] ?? '';
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, assigned = ''] = ASSIGNMENT.exec(line) ?? [];
    if (name === undefined) {
      refuse('something else');
      continue;
    }
    const earlier = seenAt.get(name);
    if (earlier !== undefined) {
      refuse(`${name}, which line ${earlier} has too`, 'each name once: remove one of the two');
    }
    seenAt.set(name, number);
    const quote = assigned.slice(1).trimStart().slice(0, 1);
    if (!QUOTES.has(quote)) {
      if (/\S#/.test(assigned)) {
        refuse(
          `a value of ${name} with a # in it`,
          'such a value in quotes: the rest would be ignored',
        );
      }
      continue;
    }
    const end = endOfQuoted(lines, at, line.indexOf(quote) + 1, quote);
    if (end === null) refuse(`a quote for ${name} that does not end`, `a closing ${quote}`);
    else {
      if (!/^\s*(#|$)/.test(end.rest)) {
        refuse(`text behind the closing quote of ${name}`, 'nothing there, or a comment');
      }
      at = end.at;
    }
  }
  throwAll(errors);
}

/** The line on which a quoted value ends, and what stands behind it there; null where it does not end. */
function endOfQuoted(
  lines: readonly string[],
  first: number,
  from: number,
  quote: string,
): { at: number; rest: string } | null {
  for (let at = first; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const closing = line.indexOf(quote, at === first ? from : 0);
    if (closing !== -1) return { at, rest: line.slice(closing + 1) };
  }
  return null;
}
