import { describe, expect, it } from 'vitest';
import {
  resolutionOf,
  resolutionWords,
  type TriggerAnswer,
  wordsFor,
} from '../../dashboard/src/pure/triggers.ts';
import { resolvedTriggerOutcome } from '../../dashboard/src/pure/outcomes.ts';

const EMPTY: TriggerAnswer = {
  ...{ word: null, placed: '', isForced: false, filled: '', averagePrice: '' },
};

describe('what a person can say of a trigger', () => {
  it.each([
    ['uncertain', false, ['placed', 'absent']],
    ['absent', false, ['placed']],
    ['triggered', false, []],
    ['triggered', true, ['filled']],
    ['ended', true, ['filled']],
    ['waiting', true, []],
    ['refused', false, []],
  ] as const)('%s, with a fill that nothing tells: %s', (status, isFillLost, words) => {
    expect(wordsFor({ status }, isFillLost)).toEqual(words);
  });

  it.each([
    [{ word: 'placed', placed: ' 123 ' }, { placed: '123' }],
    [
      { word: 'placed', placed: '123', isForced: true },
      { placed: '123', force: true },
    ],
    [{ word: 'placed', placed: ' ' }, null],
    [{ word: 'absent', placed: '123' }, { absent: true }],
    [{ word: 'filled', filled: '' }, null],
    [{ word: 'filled', filled: '2.5' }, null],
    [{ word: 'filled', filled: '0' }, { filled: 0 }],
    [{ word: 'filled', filled: '0', averagePrice: '10' }, { filled: 0 }],
    [
      { word: 'filled', filled: '10', averagePrice: '1,449.7' },
      { filled: 10, averagePrice: 1449.7 },
    ],
    // A price that cannot be read is not left out.
    [{ word: 'filled', filled: '10', averagePrice: 'x' }, null],
    [{}, null],
  ] as const)('sends of %j: %j', (changes, body) => {
    expect(resolutionOf({ ...EMPTY, ...changes })).toEqual(body);
  });

  it('has words of its own for the journal of the page', () => {
    expect(resolutionWords('T', { absent: true })).toContain('does not have it');
    expect(resolutionWords('T', { placed: '5' })).toContain('has it as 5');
    expect(resolutionWords('T', { filled: 0 })).toContain('has filled 0');
    const outcome = resolvedTriggerOutcome({ status: 'absent', instrument: 'NSE:INFY' });
    expect(outcome).toMatchObject({ kind: 'done', words: expect.stringContaining('NSE:INFY') });
  });
});
