import { describe, expect, it } from 'vitest';
import { base32Bytes, totpCode } from '../../../src/adapters/primary/totp.ts';
import { epochMs } from '../../../src/units/branded.ts';

const text = (bytes: Uint8Array | null): string | null => bytes && Buffer.from(bytes).toString();
/** The secret of RFC 6238's own examples. */
const RFC_SECRET = Buffer.from('12345678901234567890');

describe('a one-time code', () => {
  // RFC 6238, appendix B, SHA-1; its eight digits end in these six.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('of second %s is %s', (second, code) => {
    expect(totpCode(RFC_SECRET, epochMs(second * 1000))).toBe(code);
  });

  it('is valid for its half minute', () => {
    expect(totpCode(RFC_SECRET, epochMs(30_000))).toBe(totpCode(RFC_SECRET, epochMs(59_999)));
    expect(totpCode(RFC_SECRET, epochMs(60_000))).not.toBe(totpCode(RFC_SECRET, epochMs(59_999)));
  });
});

describe('base32', () => {
  // RFC 4648, section 10.
  it.each([
    ['MY======', 'f'],
    ['MZXQ====', 'fo'],
    ['MZXW6===', 'foo'],
    ['MZXW6YQ=', 'foob'],
    ['MZXW6YTB', 'fooba'],
    ['MZXW6YTBOI======', 'foobar'],
    ['mzxw6ytboi', 'foobar'],
  ])('of %s is %s', (written, plain) => {
    expect(text(base32Bytes(written))).toBe(plain);
  });

  it.each(['', '=', 'MZXW 6YTB', 'MZXW1YTB', 'MZ=XW6'])('is not %j', (written) => {
    expect(base32Bytes(written)).toBeNull();
  });
});
