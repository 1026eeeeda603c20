import { describe, expect, it } from 'vitest';
import { lastOnly, oncePerObject } from '../../src/platform/last-only.ts';

describe('lastOnly', () => {
  it('computes the result again for any other than the last input', () => {
    const seen: string[] = [];
    const lengths = lastOnly((text: string) => {
      seen.push(text);
      return { length: text.length };
    });
    const [first, again, other, back] = ['one', 'one', 'three', 'one'].map(lengths);
    expect(seen).toEqual(['one', 'three', 'one']);
    expect(again).toBe(first);
    expect([other, back]).toEqual([{ length: 5 }, { length: 3 }]);
  });

  it('remembers undefined, and no errors', () => {
    let count = 0;
    const work = lastOnly((input: string | undefined) => {
      count += 1;
      if (input === 'bad') throw new Error('bad');
      return count;
    });
    expect([work(undefined), work(undefined)]).toEqual([1, 1]);
    expect(() => work('bad')).toThrow('bad');
    expect(work(undefined)).toBe(1);
    expect(() => work('bad')).toThrow('bad');
  });
});

describe('oncePerObject', () => {
  it('computes the result once for each object, and each time for anything else', () => {
    let count = 0;
    const work = oncePerObject((input) => {
      count += 1;
      if (input === null) throw new Error('bad');
      return { input };
    });
    const [one, other] = [{ id: 1 }, { id: 1 }];
    expect(work(one)).toBe(work(one));
    expect(work(other)).not.toBe(work(one));
    expect(count).toBe(2);
    expect(work('text')).not.toBe(work('text'));
    expect(() => work(null)).toThrow('bad');
    expect(count).toBe(5);
  });
});
