import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256 as lower-case hex. */
export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Compares without telling by its duration where the two differ. */
export function sameText(left: string, right: string): boolean {
  // Hashed first: equal lengths, whatever was given.
  return timingSafeEqual(Buffer.from(sha256(left)), Buffer.from(sha256(right)));
}
