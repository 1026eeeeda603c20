/*
 * Columns of a table of instruments. Most of what they hold lies outside the heap, as numbers and bytes: a hundred
 * thousand objects would take ten times as much, and the collector would walk through them again and again.
 */

/** One value for each row. Rows are set from 0 on, without a gap; a row may be set again. */
export interface Column<T> {
  set(row: number, value: T): void;
  /** Only for a row that has been set. */
  at(row: number): T;
}

/**
 * The buffer itself, or, where `needed` bytes do not fit, one of at least twice the length with the same content.
 * The former buffer is given back at once, not when the collector finds it.
 */
const roomy = (buffer: ArrayBuffer, needed: number): ArrayBuffer =>
  needed <= buffer.byteLength ? buffer : buffer.transfer(Math.max(needed, 2 * buffer.byteLength));

const FEWEST_ROWS = 64;

/** For values of which the same few recur: each is kept once, and a row has its number. */
export function createRecurringColumn<T>(expected = 0): Column<T> {
  const values: T[] = [];
  const numbers = new Map<T, number>();
  let rows = new Uint32Array(Math.max(FEWEST_ROWS, expected));
  return {
    set(row, value) {
      let number = numbers.get(value);
      if (number === undefined) {
        number = values.push(value) - 1;
        numbers.set(value, number);
      }
      if (row >= rows.length) rows = new Uint32Array(roomy(rows.buffer, 4 * (row + 1)));
      rows[row] = number;
    },
    at: (row) => values[rows[row] ?? NaN] as T,
  };
}

/** For numbers that nearly all differ, or null. */
export function createNumberColumn(expected = 0): Column<number | null> {
  let rows = new Float64Array(Math.max(FEWEST_ROWS, expected));
  return {
    set(row, value) {
      if (row >= rows.length) rows = new Float64Array(roomy(rows.buffer, 8 * (row + 1)));
      rows[row] = value ?? NaN;
    },
    at(row) {
      const value = rows[row] ?? NaN;
      return Number.isNaN(value) ? null : value;
    },
  };
}

const FIRST_BYTES = 1_024;
/** Of a symbol or a company's name. */
const BYTES_EXPECTED = 16;
/** A UTF-16 unit takes at most three bytes of UTF-8. */
const BYTES_A_UNIT = 3;
/** Stands for null in the place of a text's first byte. */
const NOTHING = 0xffff_ffff;

/** For texts that nearly all differ, or null: one after the other in one buffer, as UTF-8. */
export function createTextColumn(expected = 0): Column<string | null> {
  let bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES + BYTES_EXPECTED * expected));
  let used = 0;
  let starts = new Uint32Array(Math.max(FEWEST_ROWS, expected));
  let ends = new Uint32Array(Math.max(FEWEST_ROWS, expected));
  let rows = 0;

  function at(row: number): string | null {
    const start = starts[row] ?? NOTHING;
    return start === NOTHING ? null : bytes.toString('utf8', start, ends[row]);
  }

  return {
    set(row, text) {
      // The bytes of a text that is replaced stay unused, so an equal one is not written again.
      if (row < rows && at(row) === text) return;
      rows = Math.max(rows, row + 1);
      if (row >= starts.length) {
        starts = new Uint32Array(roomy(starts.buffer, 4 * rows));
        ends = new Uint32Array(roomy(ends.buffer, 4 * rows));
      }
      if (text === null) {
        starts[row] = NOTHING;
        return;
      }
      const needed = used + BYTES_A_UNIT * text.length;
      if (needed > bytes.length) bytes = Buffer.from(roomy(bytes.buffer, needed));
      starts[row] = used;
      used += bytes.write(text, used, 'utf8');
      ends[row] = used;
    },
    at,
  };
}
