import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKiteJson } from '../../../src/adapters/alt/calls.ts';
import { createListParser } from '../../../src/adapters/kit/list-text.ts';

const RUNS = { seed: 20_261_122, numRuns: 500 };

const bookOf = (rows: readonly string[]): string => `{"status":"success","data":[${rows.join()}]}`;
const row = (id: number, status = 'OPEN'): string => `{"order_id":"${id}","status":"${status}"}`;
const rowsOf = (body: unknown): readonly object[] => (body as { data: object[] }).data;

/** Values whose texts hold what separates rows: within strings, in lists, and nested. */
const value = fc.oneof(
  fc.constantFrom<unknown>('},{', '}]}', '"},{"', '{"a":1},{"b":2}', [{}, {}], { a: [{ b: 1 }] }),
  fc.jsonValue({ maxDepth: 2 }),
);
const rowText = fc
  .dictionary(fc.constantFrom('order_id', 'status', 'meta', 'x'), value, { maxKeys: 3 })
  .map((fields) => JSON.stringify(fields));
/** Something that nearly is a row. */
const oddText = fc.constantFrom('1', 'null', '[]', '{', '}', '{"a":1', '"a":1}', '', ' {"a":1} ');
const listText = fc
  .array(fc.oneof({ weight: 9, arbitrary: rowText }, { weight: 1, arbitrary: oddText }), {
    maxLength: 6,
  })
  .map(bookOf);
const anyText = fc.oneof(
  { weight: 6, arbitrary: listText },
  { weight: 1, arbitrary: value.map((each) => JSON.stringify(each)) },
  { weight: 1, arbitrary: listText.map((text) => text.replaceAll(',', ' , ')) },
  { weight: 1, arbitrary: listText.map((text) => `${text.slice(0, -1)},"data":[{"a":1}]}`) },
  { weight: 1, arbitrary: fc.tuple(listText, fc.nat(80)).map(([text, n]) => text.slice(0, n)) },
);

describe('a parser of lists', () => {
  it('reads what the plain parser reads, whatever came before', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 5 }), (texts) => {
        const read = createListParser(parseKiteJson);
        for (const text of texts) expect(read(text)).toEqual(parseKiteJson(text));
      }),
      RUNS,
    );
  });

  it('reads a book whose rows are changed, added and removed at any place', () => {
    const change = fc.tuple(fc.constantFrom('change', 'add', 'remove'), fc.nat(6), rowText);
    fc.assert(
      fc.property(fc.array(rowText, { maxLength: 6 }), fc.array(change), (first, changes) => {
        const read = createListParser(parseKiteJson);
        const rows = [...first];
        read(bookOf(rows));
        for (const [kind, place, text] of changes) {
          if (kind === 'add') rows.splice(place, 0, text);
          else rows.splice(place, 1, ...(kind === 'change' ? [text] : []));
          expect(read(bookOf(rows))).toEqual(parseKiteJson(bookOf(rows)));
        }
      }),
      RUNS,
    );
  });

  it.each([
    ['one has changed', [row(1), row(2, 'COMPLETE'), row(3)], [0, null, 2]],
    ['two have changed', [row(1, 'COMPLETE'), row(2, 'COMPLETE'), row(3)], [null, null, 2]],
    ['one is new at the end', [row(1), row(2), row(3), row(4)], [0, 1, 2, null]],
    ['one is new at the beginning', [row(4), row(1), row(2), row(3)], [null, 0, 1, 2]],
  ])('gives the same objects for the rows that are left when %s', (_, after, places) => {
    const read = createListParser(parseKiteJson);
    const before = rowsOf(read(bookOf([row(1), row(2), row(3)])));
    const now = rowsOf(read(bookOf(after)));
    expect(now.map((each) => before.indexOf(each))).toEqual(places.map((place) => place ?? -1));
  });

  it.each([
    ['there is something else than a comma between rows', `${row(1)};${row(2)}`],
    ['it ends with a comma', `${row(1)},${row(2)},`],
    ['it ends within a row', `${row(1)},${row(2).slice(0, -1)}`],
  ])('does not take a text for a list of known rows where %s', (_, list) => {
    const read = createListParser(parseKiteJson);
    read(bookOf([row(1), row(2)]));
    expect(read(bookOf([list]))).toBeUndefined();
  });

  it('gives the same body for the same text', () => {
    const read = createListParser(parseKiteJson);
    const text = bookOf([row(1)]);
    expect(read(`${text.slice(0, 5)}${text.slice(5)}`)).toBe(read(text));
  });

  it('keeps every digit of ids that come as bare numbers', () => {
    const read = createListParser(parseKiteJson);
    const text = '{"order_id":2611200000000012345}';
    expect(read(bookOf([text, text]))).toMatchObject({
      data: [{ order_id: '2611200000000012345' }, { order_id: '2611200000000012345' }],
    });
  });
});
