import type { WireReaction } from '../../sandbox/kernel/wire.ts';
import type { HttpReply, HttpRequest } from '../../src/platform/http.ts';
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

/** What comes back of a broker's reaction; null where nothing does. */
export function replyOf(reaction: WireReaction): HttpReply | null {
  switch (reaction.kind) {
    case 'answer': {
      const { status, headers, body } = reaction;
      return { kind: 'answered', status, statusText: '', headers, body };
    }
    case 'refuse':
      return { kind: 'not_sent', cause: 'ECONNREFUSED', message: 'connect ECONNREFUSED' };
    case 'reset':
      return { kind: 'broken', cause: 'reset', message: 'ECONNRESET', status: null };
    case 'cut':
      return { kind: 'broken', cause: 'reset', message: 'ended early', status: reaction.status };
    case 'hang':
    case 'trickle':
      return null;
  }
}
