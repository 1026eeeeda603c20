import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LEAST_SECRET_LENGTH, redact } from '../../src/platform/redaction.ts';

const RUNS = { seed: 20_261_123, numRuns: 1_000 };

const hex = (char: string, width: number): string =>
  char.charCodeAt(0).toString(16).padStart(width, '0');

/** The ways in which a server can write one character of what it was sent. */
const SPELLINGS: Readonly<Record<string, (char: string) => string>> = {
  literally: (char) => char,
  'as a JSON escape': (char) => `\\u${hex(char, 4)}`,
  'as a JSON escape in capitals': (char) => `\\u${hex(char, 4).toUpperCase()}`,
  'as a JSON escape within JSON': (char) => `\\\\u${hex(char, 4)}`,
  'as a JavaScript escape': (char) => `\\x${hex(char, 2)}`,
  'percent-encoded': (char) => `%${hex(char, 2)}`,
  'percent-encoded twice': (char) => `%25${hex(char, 2).toUpperCase()}`,
  'percent-encoded three times': (char) => `%2525${hex(char, 2)}`,
  'as a decimal entity': (char) => `&#${char.charCodeAt(0)};`,
  'as a hexadecimal entity': (char) => `&#x${hex(char, 2)};`,
};

const token = fc.string({
  unit: fc.constantFrom(...'abcXYZ0189-_.:'),
  minLength: LEAST_SECRET_LENGTH,
  maxLength: 36,
});
const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 4, maxLength: 6 });
const spelling = fc.constantFrom(...Object.values(SPELLINGS));

/** All that a reader could decode from a text. */
function readings(text: string): readonly string[] {
  const once = (value: string): string =>
    value
      .replace(/\\\\/g, '\\')
      .replace(
        /\\u([0-9a-f]{4})|\\x([0-9a-f]{2})|%([0-9a-f]{2})|&#x([0-9a-f]+);/gi,
        (_all, ...found) =>
          String.fromCharCode(
            parseInt(String(found.slice(0, 4).find((each) => each !== undefined)), 16),
          ),
      )
      .replace(/&#(\d+);/g, (_all, code: string) => String.fromCharCode(Number(code)));
  const twice = once(text);
  return [text, twice, once(twice), once(once(twice))];
}

describe('a secret that a server repeats', () => {
  it.each(Object.entries(SPELLINGS))('%s is not shown', (_how, write) => {
    fc.assert(
      fc.property(token, (secret) => {
        const text = `unknown key ${[...secret].map(write).join('')}, try again`;
        const shown = redact(text, { secrets: [secret] });
        expect(readings(shown).filter((each) => each.includes(secret))).toEqual([]);
        expect(shown).toBe('unknown key [secret], try again');
      }),
      RUNS,
    );
  });

  it('with each character in another spelling is not shown', () => {
    fc.assert(
      fc.property(token, fc.array(spelling, { minLength: 36, maxLength: 36 }), (secret, writes) => {
        const echo = [...secret].map((char, at) => writes[at]!(char)).join('');
        const shown = redact(`key=${echo}&x=1`, { secrets: [secret] });
        expect(readings(shown).filter((each) => each.includes(secret))).toEqual([]);
      }),
      RUNS,
    );
  });

  it.each(Object.entries(SPELLINGS))('as a code, %s, is not shown', (_how, write) => {
    fc.assert(
      fc.property(digits, (code) => {
        const echo = [...code].map(write).join('');
        expect(redact(`PIN ${echo}.`, { codes: [code] })).toBe('PIN [secret].');
        // A letter before it may be written in digits.
        expect(redact(`\\u0041${echo}`, { codes: [code] })).not.toContain(echo);
      }),
      RUNS,
    );
  });

  it('in other letter case is not shown', () => {
    expect(redact('NO KEY ABC-123XYZ', { secrets: ['abc-123xyz'] })).toBe('NO KEY [secret]');
  });

  it('leaves a text without it as it was, encoded or not', () => {
    const text = 'caf\\u00e9 %41 &#65; C:\\\\temp 100% \\u12';
    expect(redact(text, { secrets: ['abcdef'], codes: ['1234'] })).toBe(text);
  });

  it('is found although it contains what looks like an escape', () => {
    expect(redact('is \\u0061b%41cd', { secrets: ['ab%41cd'] })).toBe('is [secret]');
  });
});
