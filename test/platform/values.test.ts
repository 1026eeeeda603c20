import { describe, expect, it } from 'vitest';
import { must } from '../../src/platform/values.ts';

describe('must', () => {
  it('answers the value, and takes 0, false and an empty text for one', () => {
    expect(['value', 0, false, ''].map((value) => must(value, 'it is given'))).toEqual([
      'value',
      0,
      false,
      '',
    ]);
  });

  it.each([null, undefined])('throws for %s, with the rule that does not hold', (absent) => {
    expect(() => must(absent, 'each order has its instrument')).toThrow(
      'a value is missing that has to be there: each order has its instrument',
    );
  });
});
