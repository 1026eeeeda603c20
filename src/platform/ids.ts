import { randomBytes } from 'node:crypto';

/** Identifiers and secrets. Handed in, so that a simulation is the same twice. */
export interface Ids {
  /** UUIDv7 (RFC 9562): sorts by the time it was made. `at` is epoch ms. */
  uuid7(at: number): string;
  /** 20 random letters and digits: what Kite's `tag` can carry, with 119 bits of randomness. */
  tag(): string;
  /** Random bytes as lower-case hex. */
  secret(bytes: number): string;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Builds identifiers from a source of random bytes. */
export function createIds(random: (count: number) => Uint8Array): Ids {
  const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
  return {
    uuid7(at) {
      const bytes = random(10);
      const time = Math.floor(at).toString(16).padStart(12, '0');
      bytes[0] = 0x70 | (bytes[0]! & 0x0f);
      bytes[2] = 0x80 | (bytes[2]! & 0x3f);
      const rest = hex(bytes);
      return [
        time.slice(0, 8),
        time.slice(8),
        rest.slice(0, 4),
        rest.slice(4, 8),
        rest.slice(8, 20),
      ].join('-');
    },
    tag() {
      let tag = '';
      while (tag.length < 20) {
        // Bytes that would favour the alphabet's beginning are thrown away.
        for (const byte of random(32)) {
          if (byte < 248 && tag.length < 20) tag += ALPHABET[byte % 62];
        }
      }
      return tag;
    },
    secret: (bytes) => hex(random(bytes)),
  };
}

export const systemIds: Ids = createIds((count) => randomBytes(count));
