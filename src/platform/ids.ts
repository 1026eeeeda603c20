import { must } from './values.ts';
import { randomBytes } from 'node:crypto';
import type { EpochMs } from '../units/branded.ts';

/** Identifiers and secrets. A port, so that a simulation can be repeated exactly. */
export interface Ids {
  /** UUIDv7 (RFC 9562): sorts by the time it was made. `at` is epoch ms. */
  uuid7(at: EpochMs): string;
  /**
   * 20 letters and digits, as many as Kite's `tag` can hold: 8 that grow with time, so that an
   * index of tags stays compact, then `mark`, and random ones for the rest (5.9 bits each). `at` is
   * epoch ms.
   */
  tag(at: EpochMs, mark?: string): string;
  /** Random bytes as lower-case hex. */
  secret(bytes: number): string;
}

/** In the order of their character codes, so that the texts sort like their numbers. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const TAG_LENGTH = 20;
const TIME_LENGTH = 8;

/** Whether a text is a tag that was made with this mark. */
export function hasTagMark(tag: string, mark: string): boolean {
  return tag.startsWith(mark, TIME_LENGTH) && /^[0-9A-Za-z]{20}$/.test(tag);
}

function base62(value: number): string {
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text;
}

const TEN_BYTES = 'the source of random bytes gives as many as it is asked for';

/** Builds identifiers from a source of random bytes. */
export function createIds(random: (count: number) => Uint8Array): Ids {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return {
    uuid7(at) {
      const bytes = random(10);
      const time = Math.floor(at).toString(16).padStart(12, '0');
      bytes[0] = 0x70 | (must(bytes[0], TEN_BYTES) & 0x0f);
      bytes[2] = 0x80 | (must(bytes[2], TEN_BYTES) & 0x3f);
      const rest = hex(bytes);
      return [
        time.slice(0, 8),
        time.slice(8),
        rest.slice(0, 4),
        rest.slice(4, 8),
        rest.slice(8, 20),
      ].join('-');
    },
    tag(at, mark = '') {
      let tag = base62(Math.floor(at)).padStart(TIME_LENGTH, ALPHABET[0]) + mark;
      while (tag.length < TAG_LENGTH) {
        // Bytes that would make the first characters more likely are discarded.
        for (const byte of random(16)) {
          if (byte < 248 && tag.length < TAG_LENGTH) tag += ALPHABET[byte % 62];
        }
      }
      return tag;
    },
    secret: (bytes) => hex(random(bytes)),
  };
}

/** Random bytes are read a kilobyte at a time, because each call to the system is slow. */
function pooledRandom(): (count: number) => Uint8Array {
  let pool: Buffer = Buffer.alloc(0);
  let used = 0;
  return (count) => {
    if (count > 256) return randomBytes(count);
    if (used + count > pool.length) {
      pool = randomBytes(4_096);
      used = 0;
    }
    const bytes = Uint8Array.from(pool.subarray(used, used + count));
    // Bytes that were handed out may be someone's secret, so they are erased here.
    pool.fill(0, used, used + count);
    used += count;
    return bytes;
  };
}

export const systemIds: Ids = createIds(pooledRandom());
