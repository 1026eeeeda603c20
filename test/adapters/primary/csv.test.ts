import { describe, expect, it } from 'vitest';
import { CsvError, csvRows } from '../../../src/adapters/primary/csv.ts';

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
  ])('of %j', (text, rows) => {
    expect([...csvRows(text)]).toEqual(rows);
  });

  it('fail on a quote that is never closed, rather than swallow what follows', () => {
    expect(() => [...csvRows('a,"b\nc,d\ne,f\n')]).toThrow(CsvError);
  });
});
