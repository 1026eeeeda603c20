import { describe, expect, it } from 'vitest';
import { redactedReasons } from '../../../src/adapters/kit/replies.ts';
import { beginningOf, statusOf } from '../../../src/adapters/kit/row-texts.ts';
import { bookRow } from '../../execution/support/makers.ts';

const SECRET = 'planted-secret-0123456789';
const HIDDEN = { secrets: [SECRET], codes: ['4821'] };
const shown = (reason: string): string =>
  redactedReasons([bookRow({ reason })], HIDDEN)[0]?.reason ?? '';
/** Words of which `length` characters come before what the test puts there. */
const words = (length: number): string => 'rms limit '.repeat(length).slice(0, length);
const escaped = (text: string): string =>
  [...text].map((char) => `&#x${'0'.repeat(30)}${char.charCodeAt(0).toString(16)};`).join('');

describe('the words of a row', () => {
  it('stay as they are, up to some hundred characters', () => {
    expect(shown(words(500))).toBe(words(500));
    expect(shown(words(501))).toBe(`${words(499)}…`);
  });

  it('are cut before they are searched for secrets, so that long ones take no time', () => {
    const started = performance.now();
    expect(shown('%25'.repeat(4_000_000)).length).toBeLessThanOrEqual(500);
    expect(shown(`margin ${'%25'.repeat(4_000_000)}`)).toBe('margin…');
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  it.each([
    ['as it is', SECRET],
    ['escaped', escaped(SECRET)],
    ['as a code', '4821'],
  ])('show no part of a secret that stands across the cut: %s', (_how, secret) => {
    // The secrets before it become so short that the place of the cut is shown.
    const before = `${escaped(SECRET)} ${escaped(SECRET)}`;
    for (let at = 1_900 - before.length; at <= 2_010 - before.length; at += 1) {
      const text = shown(`${before} ${words(at)} ${secret} ${words(3_000)}`);
      expect(text).toMatch(/^\[secret\] \[secret\] rms /);
      expect(text).not.toMatch(/ p|plan|\d|&#/);
    }
  });

  it('end with a whole word where they are cut, and hold no more than that in memory', () => {
    expect(beginningOf('one two three', 9)).toBe('one two…');
    expect(beginningOf('one two three', 7)).toBe('one two…');
    expect(beginningOf('onetwothree', 7)).toBe('…');
    expect(beginningOf('one two', 7)).toBe('one two');
  });

  it('show no secret in a status that is not known', () => {
    const row = bookRow({ status: 'unrecognised', rawStatus: `WAITING FOR ${SECRET}` });
    expect(redactedReasons([row], HIDDEN)[0]?.rawStatus).toBe('WAITING FOR [secret]');
  });
});

describe('a status', () => {
  it('is cut so that it can be no other status', () => {
    expect(statusOf('OPEN')).toBe('OPEN');
    expect(statusOf(`${' '.repeat(200)}OPEN${' '.repeat(200)}`)).toBe('OPEN');
    expect(statusOf(`COMPLETE ${'x'.repeat(200)}`)).toBe('COMPLETE…');
    expect(statusOf('x'.repeat(200))).toBe('…');
  });
});
