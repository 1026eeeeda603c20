import { hmacSha1 } from '../../platform/secret.ts';
import { must } from '../../platform/values.ts';
import type { EpochMs } from '../../units/branded.ts';

/** How long a code is valid. */
export const TOTP_STEP_MS = 30_000;
const DIGITS = 6;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The bytes of a base32 text (RFC 4648), in either case, with or without padding; null for any other. */
export function base32Bytes(text: string): Uint8Array | null {
  const letters = text.toUpperCase().replace(/=+$/, '');
  if (!/^[A-Z2-7]+$/.test(letters)) return null;
  const bytes = new Uint8Array(Math.floor((letters.length * 5) / 8));
  let bits = 0;
  let value = 0;
  let place = 0;
  for (const letter of letters) {
    value = ((value << 5) | ALPHABET.indexOf(letter)) & 0xffff;
    bits += 5;
    if (bits >= 8) {
      bits -= 8;
      bytes[place] = (value >> bits) & 0xff;
      place += 1;
    }
  }
  return bytes;
}

/** The one-time code of an instant, epoch ms: RFC 6238 with SHA-1, 30 seconds and six digits. */
export function totpCode(secret: Uint8Array, at: EpochMs): string {
  const message = new Uint8Array(8);
  new DataView(message.buffer).setBigUint64(0, BigInt(Math.floor(at / TOTP_STEP_MS)));
  const hash = hmacSha1(secret, message);
  const start = must(hash.at(-1), 'a SHA-1 digest has 20 bytes') & 0xf;
  const number = new DataView(hash.buffer, hash.byteOffset + start, 4).getUint32(0) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}
