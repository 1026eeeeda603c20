/** Where each row of a list stands in the text of its reply. */
interface ReadList {
  readonly text: string;
  readonly body: unknown;
  readonly rows: readonly object[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const HEAD = /^\s*\{\s*"status"\s*:\s*"success"\s*,\s*"data"\s*:\s*\[(?=\{)/;
const TAIL = /\]\s*\}\s*$/;
/** As much of the end of a text as TAIL is looked for in. */
const TAIL_LENGTH = 20;

/**
 * Parses replies, as `parse` does (undefined for a text that is not JSON). In a list,
 * `{"status":"success","data":[{…},{…}]}`, a row whose text is that of a row of the reply before is the
 * same object again: a book costs what has changed in it, and not its length.
 *
 * A text that consists of a list's head, of texts with commas between them, each of which is an object
 * by itself, and of its end, is that list of objects, and no other: JSON can be read in one way only. A
 * text of any other form is parsed as a whole.
 */
export function createListParser(parse: (text: string) => unknown): (text: string) => unknown {
  let last: ReadList | null = null;
  return (text) => {
    if (last?.text !== text) {
      last = readList(text, last, parse) ?? {
        ...{ text, body: parse(text) },
        ...{ rows: [], starts: [], ends: [] },
      };
    }
    return last.body;
  };
}

/** Null where the text is not a list of this form. */
function readList(
  text: string,
  before: ReadList | null,
  parse: (text: string) => unknown,
): ReadList | null {
  const head = HEAD.exec(text);
  const tail = TAIL.exec(text.slice(-TAIL_LENGTH));
  if (!head || !tail) return null;
  const end = text.length - tail[0].length;
  const rows: object[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  /** The place of the row before which is expected next, and rows since then that were not there. */
  let [expected, others] = [0, 0];
  for (let at = head[0].length; at < end; at = (ends.at(-1) ?? end) + 1) {
    // The rows between were changed; or they are new.
    const same = [expected + others, expected].find((place) => isAt(text, at, end, before, place));
    const known = same === undefined ? undefined : before?.rows[same];
    if (same !== undefined && known !== undefined) {
      rows.push(known);
      ends.push(at + lengthOf(before, same));
      [expected, others] = [same + 1, 0];
    } else {
      const next = text.indexOf('},{', at);
      const stop = next < 0 ? end : next + 1;
      const row = parse(text.slice(at, stop));
      if (typeof row !== 'object' || row === null || Array.isArray(row)) return null;
      rows.push(row);
      ends.push(stop);
      others += 1;
    }
    starts.push(at);
  }
  // A list that ends with a comma is not JSON.
  if (ends.at(-1) !== end) return null;
  return { text, body: { status: 'success', data: rows }, rows, starts, ends };
}

const lengthOf = (list: ReadList | null, place: number): number =>
  (list?.ends[place] ?? 0) - (list?.starts[place] ?? 0);

/** Whether the whole row at a place of the list before is also what stands here. */
function isAt(
  text: string,
  at: number,
  end: number,
  before: ReadList | null,
  place: number,
): boolean {
  const start = before?.starts[place];
  if (before === null || start === undefined) return false;
  const length = lengthOf(before, place);
  const stop = at + length;
  if (stop !== end && (stop > end || text[stop] !== ',')) return false;
  return text.slice(at, stop) === before.text.slice(start, start + length);
}
