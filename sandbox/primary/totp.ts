import { createHmac } from 'node:crypto';

/** The secret of the sandbox's one-time codes, unless the settings have one. */
export const SANDBOX_TOTP_SECRET = 'ONSWG4TFOQQGC3DMEBSGC6JB';

const STEP_MS = 30_000;

function bytesOf(base32: string): Buffer {
  const bits = [...base32.toUpperCase().replaceAll('=', '')]
    .map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
    .map((value) => value.toString(2).padStart(5, '0'))
    .join('');
  const whole = bits.match(/.{8}/g) ?? [];
  return Buffer.from(whole.map((byte) => Number.parseInt(byte, 2)));
}

function codeOf(key: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', key).update(counter).digest();
  const offset = digest.readUInt8(digest.length - 1) % 16;
  return String((digest.readUInt32BE(offset) % 2 ** 31) % 1_000_000).padStart(6, '0');
}

/** Whether a code is that of the present half minute; no other is accepted. */
export function isCode(secret: string, code: string, at: number): boolean {
  return codeOf(bytesOf(secret), Math.floor(at / STEP_MS)) === code;
}
