import type { HttpRequest } from '../../src/platform/http.ts';
import type { VirtualTime } from '../support/virtual-time.ts';

/** Most connections open at once; a few take seconds, or too long. */
export function connectingMs(request: HttpRequest, time: VirtualTime, isSlow: boolean): number {
  const spin = (time.elapsed() * 37 + request.url.length * 13 + (request.body?.length ?? 0)) % 991;
  if (isSlow) return 2_000 + spin * 2;
  return spin < 20 ? 500 + spin * 200 : 0;
}

/** Most requests arrive at once; a few stay on the way for longer than any deadline. */
export function networkMs(request: HttpRequest, time: VirtualTime): number {
  const spin = (time.elapsed() * 31 + request.url.length * 17 + (request.body?.length ?? 0)) % 997;
  if (spin === 13 && request.method !== 'GET') return 12_000;
  return 2 + (spin % 9);
}
