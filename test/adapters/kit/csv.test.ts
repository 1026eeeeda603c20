import { describe, expect, it } from 'vitest';
import { CsvError, readCsv } from '../../../src/adapters/kit/csv.ts';

/** Header and rows in order; null stands for a malformed row. */
function read(text: string): readonly (readonly string[] | null)[] {
  const { header, rows } = readCsv(text);
  const found = [...rows];
  return header.length === 0 ? found : [header, ...found];
}

/** A header of three columns, `good` rows, and the given ones before the last good row. */
function listOf(good: number, ...odd: readonly string[]): string {
  const rows = Array.from({ length: good }, (_, at) => `a${at},b${at},c${at}`);
  return ['A,B,C', ...rows.slice(0, -1), ...odd, ...rows.slice(-1)].join('\n');
}

describe('CSV rows', () => {
  it.each([
    [
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,\n,b\n',
      [
        ['a', ''],
        ['', 'b'],
      ],
    ],
    ['a,', [['a', '']]],
    ['\uFEFFa\n', [['a']]],
    ['a\n\nb\n', [['a'], ['b']]],
    ['"a,b",c\n', [['a,b', 'c']]],
    ['"a ""b""",c\r\n', [['a "b"', 'c']]],
    ['"a\nb",c\n', [['a\nb', 'c']]],
    [
      'a,"b"\r\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['"",x\n', [['', 'x']]],
    ['', []],
    ['a,b"c\n', [['a', 'b"c']]],
    ['a,"b\r\nc"\r\n', [['a', 'b\r\nc']]],
  ])('of %j', (text, rows) => {
    expect(read(text)).toEqual(rows);
  });

  it('fail on a quote that is never closed, instead of swallowing the rows that follow', () => {
    expect(() => read('a,"b\nc,d\ne,f\n')).toThrow(CsvError);
    expect(() => read('a,b\nc,"d\ne,f\n')).toThrow(CsvError);
  });

  it('fail on a malformed header', () => {
    expect(() => read('"a"b,c\nd,e\n')).toThrow(CsvError);
  });
});

describe('a malformed row', () => {
  it.each([
    ['too few fields', 'x,y'],
    ['too many', 'x,y,z,'],
    ['text behind a closing quote', '"x"y,z,z'],
    ['a quote that takes in the next row’s', '"x,y,z'],
  ])('with %s is left out, counted, and named by its place', (_what, row) => {
    const text = listOf(5, row, ...(row.startsWith('"x,') ? ['"p",q,r'] : []));
    const { rows, malformed } = readCsv(text);
    const found = [...rows];
    expect(found.filter((fields) => fields !== null)).toHaveLength(5);
    expect(found.flat()).not.toContain('y');
    expect(malformed()).toEqual({ count: 1, firstRow: 6 });
  });

  it('is not reported where all rows are complete', () => {
    const { rows, malformed } = readCsv(listOf(3));
    expect([...rows]).toHaveLength(3);
    expect(malformed()).toEqual({ count: 0, firstRow: null });
  });
});

describe('a list', () => {
  it.each([
    [1, 1],
    [198, 1],
    [198, 2],
    [990, 9],
    [990, 10],
    [989, 11],
  ])('of %i good and %i malformed rows is used up to one malformed row in 100', (good, odd) => {
    const reading = () => read(listOf(good, ...Array.from({ length: odd }, () => 'x,y')));
    if (odd <= Math.max(1, Math.floor((good + odd) / 100)))
      expect(reading()).toHaveLength(1 + good + odd);
    else expect(reading).toThrow(CsvError);
  });

  it('whose last row is incomplete is refused as truncated', () => {
    const text = listOf(1_000);
    expect(read(text)).toHaveLength(1_001);
    expect(() => read(text.slice(0, text.lastIndexOf(',')))).toThrow('was truncated');
  });
});
