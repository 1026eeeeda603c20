import { request as send } from 'node:http';
import type { WireRequest } from '../kernel/wire.ts';

/** Kite waits two or three seconds for a reply and ignores its content. */
const PATIENCE_MS = 3_000;

/** Sends a postback and ignores the result: no error here may reach the sandbox. */
export function postAndForget(request: WireRequest): void {
  try {
    const outgoing = send(request.url, {
      method: request.method,
      headers: { ...request.headers, 'content-length': Buffer.byteLength(request.body) },
      timeout: PATIENCE_MS,
      agent: false,
    });
    outgoing.on('response', (response) => response.resume());
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => undefined);
    outgoing.end(request.body);
  } catch {
    // A postback to a URL that cannot be called is lost.
  }
}
