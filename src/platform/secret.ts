import { createHmac, hash, timingSafeEqual } from 'node:crypto';

const HIDDEN = '[secret]';

/**
 * A value that no log, error, template or JSON text can show by accident. Code must call `reveal`,
 * so every place that uses the value can be found.
 */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return HIDDEN;
  }

  toJSON(): string {
    return HIDDEN;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return HIDDEN;
  }
}

/** SHA-256 as lower-case hex. */
export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

/** HMAC-SHA-256 of a text, in base64. */
export function hmacSha256(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64');
}

/** HMAC-SHA-1, from which one-time codes are computed (RFC 6238). */
export function hmacSha1(key: Uint8Array, message: Uint8Array): Uint8Array {
  return createHmac('sha1', key).update(message).digest();
}

/** Compares in a time that does not depend on where the two differ. */
export function sameText(left: string, right: string): boolean {
  // Both are hashed first, so that the lengths are equal.
  return timingSafeEqual(Buffer.from(sha256(left)), Buffer.from(sha256(right)));
}
