import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEAST_SECRET_LENGTH, redact } from '../../src/platform/redaction.ts';

const RUNS = { seed: 20_261_122, numRuns: 500 };
const MARK = '[secret]';

/** What a setting accepts: printable characters without a space. */
const printable = fc.string({
  unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
  minLength: LEAST_SECRET_LENGTH,
  maxLength: 40,
});
/** The mark itself contains a word that could be a secret. */
const secretText = printable.filter((secret) => !MARK.includes(secret));
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });

describe('redaction', () => {
  it.each([
    ['a token in words', 'no such token abc123', { secrets: ['abc123'] }, 'no such token [secret]'],
    ['a token in a longer word', 'key=xabc123x', { secrets: ['abc123'] }, 'key=x[secret]x'],
    ['each time', 'abc123 abc123', { secrets: ['abc123'] }, '[secret] [secret]'],
    [
      'nothing where there is none',
      'Insufficient',
      { secrets: [null, undefined, ''] },
      'Insufficient',
    ],
    ['no letter of a word', 'Insufficient funds', { secrets: ['s', 'fi'] }, 'Insufficient funds'],
    [
      'a short token that is a word',
      'token ab1 is dead',
      { secrets: ['ab1'] },
      'token [secret] is dead',
    ],
    ['the longer of two that overlap', 'abc1234', { secrets: ['abc123', 'abc1234'] }, '[secret]'],
    ['a PIN', 'wrong PIN 1234.', { codes: ['1234'] }, 'wrong PIN [secret].'],
    ['no part of a number', 'order 12345, 01234', { codes: ['1234'] }, 'order 12345, 01234'],
    ['a PIN of one digit', '7 of 17', { codes: ['7'] }, '[secret] of 17'],
    ['a PIN of letters', 'pin ab, table', { codes: ['ab'] }, 'pin [secret], table'],
  ])('replaces %s', (_what, text, hidden, shown) => {
    expect(redact(text, hidden)).toBe(shown);
  });

  it('finds a secret as it is written in a URL and in JSON', () => {
    const secret = 'a+b/c="d"';
    const hidden = { secrets: [secret] };
    expect(redact(`https://x/?t=${encodeURIComponent(secret)}&v=3`, hidden)).toBe(
      `https://x/?t=${MARK}&v=3`,
    );
    expect(redact(JSON.stringify({ secret }), hidden)).toBe(`{"secret":"${MARK}"}`);
    expect(redact(String.raw`{"t":"a+b\/c=\"d\""}`, hidden)).toBe(`{"t":"${MARK}"}`);
  });

  it('treats a secret as text, also when it looks like a pattern', () => {
    expect(redact('a.b', { secrets: ['a.b'] })).toBe(MARK);
    expect(redact('axb', { secrets: ['a.b'] })).toBe('axb');
    expect(redact('$&$&$& x', { secrets: ['$&$&$&'] })).toBe('[secret] x');
  });
});

describe('whatever the text', () => {
  it('no secret that a setting accepts is left in it', () => {
    fc.assert(
      fc.property(secretText, fc.array(fc.string()), (secret, around) => {
        expect(redact(around.join(secret), { secrets: [secret] })).not.toContain(secret);
      }),
      RUNS,
    );
  });

  it('none of several secrets is left in it, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(secretText, { minLength: 2, maxLength: 4 }), (secrets) => {
        const shown = redact(secrets.join(' '), { secrets: secrets.toReversed() });
        for (const secret of secrets) expect(shown).not.toContain(secret);
      }),
      RUNS,
    );
  });

  it('it does not change when it holds no secret', () => {
    fc.assert(
      fc.property(secretText, fc.lorem(), (secret, text) => {
        fc.pre(!text.includes(secret));
        expect(redact(text, { secrets: [secret] })).toBe(text);
      }),
      RUNS,
    );
  });

  it('no secret below the least length changes a longer word that contains it', () => {
    const short = fc.string({
      unit: fc.constantFrom(...'abcdefghij0123456789'),
      minLength: 1,
      maxLength: LEAST_SECRET_LENGTH - 1,
    });
    fc.assert(
      fc.property(short, fc.stringMatching(/^[a-z]{1,5}$/), (secret, more) => {
        const text = `${more}${secret} ${secret}${more} ${more}${secret}${more}`;
        expect(redact(text, { secrets: [secret] })).toBe(text);
        expect(redact(`it is ${secret}.`, { secrets: [secret] })).toContain(`${MARK}.`);
      }),
      RUNS,
    );
  });

  it('a code is replaced where it is a whole run of digits, and nowhere else', () => {
    fc.assert(
      fc.property(digits(1, 8), fc.array(digits(1, 10)), (code, runs) => {
        const shown = redact(runs.join(' and '), { codes: [code] });
        const expected = runs.map((run) => (run === code ? MARK : run)).join(' and ');
        expect(shown).toBe(expected);
      }),
      RUNS,
    );
  });
});
