import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from '../../../src/adapters/kit/csv.ts';

const RUNS = { seed: 20_261_122, numRuns: 500 };
const WIDTH = 4;

/** Fields with every character that has a meaning in CSV. */
const field = fc
  .array(fc.constantFrom('a', '1', ' ', ',', '"', '\n', '\r\n', ';', 'é', '0.05'), { maxLength: 6 })
  .map((parts) => parts.join(''));
const row = fc.array(field, { minLength: WIDTH, maxLength: WIDTH });
/** A row that no blank line can be taken for, and without what quotes are needed for. */
const plainRow = fc.array(fc.stringMatching(/^[a-z0-9 .]{1,6}$/), {
  minLength: WIDTH,
  maxLength: WIDTH,
});

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const written = (rows: readonly (readonly string[])[], end: string): string =>
  rows.map((fields) => fields.map(quoted).join(',') + end).join('');

describe('a list in CSV', () => {
  it('is read as it was written, whatever its fields hold', () => {
    fc.assert(
      fc.property(row, fc.array(row), fc.constantFrom('\n', '\r\n'), (header, rows, end) => {
        const file = readCsv(written([header, ...rows], end));
        expect([file.header, ...file.rows]).toEqual([header, ...rows]);
        expect(file.malformed().count).toBe(0);
      }),
      RUNS,
    );
  });

  it('gives no field of a row of another width, and every other row whole', () => {
    const otherWidth = fc
      .array(fc.constantFrom('x', 'y', ''), { minLength: 2, maxLength: 7 })
      .filter(({ length }) => length !== WIDTH);
    fc.assert(
      fc.property(
        fc.array(plainRow, { minLength: 2, maxLength: 20 }),
        otherWidth,
        fc.nat(),
        (rows, odd, place) => {
          // Never behind the last row: that would be a truncated list.
          const at = 1 + (place % (rows.length - 1));
          const lines = [...rows.slice(0, at), odd, ...rows.slice(at)].map((each) =>
            each.join(','),
          );
          const file = readCsv(lines.join('\n'));
          expect([file.header, ...file.rows].filter((each) => each !== null)).toEqual(rows);
          expect(file.malformed()).toEqual({ count: 1, firstRow: at + 1 });
        },
      ),
      RUNS,
    );
  });

  it('made of any text either fails as CSV or has rows of one width', () => {
    const text = fc
      .array(fc.constantFrom('a', ',', '"', '\n', '\r', '""', 'a,b\n', '\uFEFF'), { maxLength: 40 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (any) => {
        try {
          const file = readCsv(any);
          for (const fields of file.rows) {
            if (fields !== null) expect(fields).toHaveLength(file.header.length);
          }
        } catch (error) {
          expect(error).toBeInstanceOf(CsvError);
        }
      }),
      { ...RUNS, numRuns: 2_000 },
    );
  });

  it('that was truncated within a row is never read as a shorter list', () => {
    fc.assert(
      fc.property(fc.array(plainRow, { minLength: 2, maxLength: 8 }), fc.nat(), (rows, cut) => {
        const text = rows.map((each) => each.join(',')).join('\n');
        const lastRow = text.lastIndexOf('\n') + 1;
        const lastComma = text.lastIndexOf(',');
        // From the first character of the last row to just before its last field.
        const end = lastRow + 1 + (cut % Math.max(1, lastComma - lastRow));
        expect(() => [...readCsv(text.slice(0, Math.min(end, lastComma))).rows]).toThrow(CsvError);
      }),
      RUNS,
    );
  });
});
