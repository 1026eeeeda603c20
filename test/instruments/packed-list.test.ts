import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { packList, packTexts, textsOf, unpackList } from '../../src/instruments/packed-list.ts';
import { atOnce } from '../../src/platform/chunks.ts';
import { contract, share } from './support/lists.ts';

const many = (count: number): Instrument[] =>
  Array.from({ length: count }, (_, place) => share(`S${place}`, String(place)));

function unpacked(instruments: readonly Instrument[]): Instrument[] {
  const found: Instrument[] = [];
  atOnce(unpackList(atOnce(packList(instruments)), (each) => found.push(each)));
  return found;
}

describe('a packed list', () => {
  it.each<[string, Instrument]>([
    ['a share', share('INFY', '1594', { isin: 'INE009A01021', displayName: 'A, "B"\nC' })],
    ['a contract', contract('NIFTY26NOV24450CE', '56980', { strike: 92.5, freezeQuantity: 1_800 })],
    ['an index', share('NIFTY 50', '9', { segment: 'INDEX', securityId: null, tickSize: null })],
    ['what only the primary lists', share('X', '7', { instrumentToken: null })],
  ])('gives back %s as it was', (_what, instrument) => {
    expect(unpacked([instrument])).toEqual([instrument]);
  });

  it.each([999, 1_000, 1_001, 2_500])('gives back each of %i, in order', (count) => {
    expect(unpacked(many(count)).map(({ name }) => name)).toEqual(
      many(count).map(({ name }) => name),
    );
  });

  it('leaves out rows that are no instruments, and reads a list in chunks also where it has none', () => {
    const rows = Array.from({ length: 9_000 }, (_, at) => (at === 4_500 ? share('A', '1') : null));
    const packing = packList(rows);
    const turns: unknown[] = [];
    let step = packing.next();
    for (; !step.done; step = packing.next()) turns.push(step.value);
    expect([turns.length >= 8, step.value.count]).toEqual([true, 1]);
  });

  it('has one digest for equal lists, and another when one thing differs', () => {
    const digest = (list: readonly Instrument[]): string => atOnce(packList(list)).digest;
    expect(digest(many(1_500))).toBe(digest(many(1_500)));
    expect(digest(many(1_500))).not.toBe(digest(many(1_499)));
    expect(digest([share('A', '1')])).not.toBe(digest([share('A', '1', { lotSize: 2 })]));
  });

  it.each(['{}', '[[]]', '[["NSE","A",0,"1",1,"1",0.05,null,null,"A",null,null,null]]'])(
    'is refused when a chunk is another text: %s',
    (chunk) => {
      const list = packTexts([chunk], 1);
      expect(() => atOnce(unpackList(list, () => undefined))).toThrow('a row of the list has');
    },
  );

  it('has no line break in a chunk, since each chunk is a line of a file', () => {
    const list = atOnce(packList([share('A', '1', { displayName: 'one\ntwo\r\u2028' })]));
    expect([...textsOf(list)].filter((chunk) => /[\n\r]/.test(chunk))).toEqual([]);
  });
});
