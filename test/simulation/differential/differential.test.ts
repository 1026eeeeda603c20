import { describe, expect, it } from 'vitest';
import { firstDifference } from './compare.ts';
import { digestsOf } from './play.ts';
import { readRecorded } from './recorded.ts';

const { header, seeds } = readRecorded();

describe('the recording', () => {
  it('names its commit and has a thousand seeds', () => {
    expect(header).toMatch(/^Digests as of commit [0-9a-f]{7}\./);
    expect(new Set(seeds.map(({ kind, seed }) => `${kind} ${seed}`)).size).toBe(1_000);
    expect(new Set(seeds.map(({ requests }) => requests)).size).toBe(1_000);
    expect(new Set(seeds.map(({ orders }) => orders)).size).toBe(1_000);
  });
});

describe('the log of a day', () => {
  it('shows the first line that differs', () => {
    expect(firstDifference(['a', 'b', 'c'], ['a', 'x', 'c'])).toBe('line 2:\n  a\n- b\n+ x');
    expect(firstDifference(['a'], ['a', 'b'])).toBe('line 2:\n  a\n- (the log ends here)\n+ b');
    expect(firstDifference(['a'], ['a'])).toBeNull();
  });

  it('gives another digest when one character changes', () => {
    const log = { requests: ['GET http://kite.test/orders'], orders: ['filled 10'] };
    const other = { requests: ['GET http://kite.test/orders?'], orders: ['filled 10'] };
    expect(digestsOf(other).requests).not.toBe(digestsOf(log).requests);
    expect(digestsOf(other).orders).toBe(digestsOf(log).orders);
  });
});
