import type { IncomingMessage, ServerResponse } from 'node:http';
import type { WireReaction, WireRequest } from '../kernel/wire.ts';

/** The whole request with its body: GETs of the primary brokerage carry one. */
export async function readRequest(message: IncomingMessage, origin: string): Promise<WireRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  const remote = message.socket.remoteAddress ?? '';
  headers['x-sandbox-remote'] = remote.replace(/^::ffff:/, '');
  return {
    method: message.method ?? 'GET',
    url: `${origin}${message.url ?? '/'}`,
    headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}

/** How often an endless body sends a byte, so that idle timeouts do not end it. */
const TRICKLE_MS = 500;

function trickle(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), TRICKLE_MS);
  timer.unref();
  response.on('close', () => clearInterval(timer));
}

/**
 * Plays a reaction on a socket. A refusal is a reset here, because the listener has already
 * accepted the connection; stop the listener to refuse connections.
 */
export function playReaction(reaction: WireReaction, response: ServerResponse): void {
  const { socket } = response;
  switch (reaction.kind) {
    case 'refuse':
      socket?.resetAndDestroy();
      return;
    case 'hang':
      return;
    case 'reset':
      setTimeout(() => socket?.resetAndDestroy(), reaction.delayMs).unref();
      return;
    case 'trickle':
      response.writeHead(reaction.status, reaction.headers);
      response.write(reaction.body);
      trickle(response);
      return;
    case 'cut':
      setTimeout(() => {
        const missing = Buffer.byteLength(reaction.body) + 64;
        response.writeHead(reaction.status, { ...reaction.headers, 'content-length': missing });
        response.write(reaction.body, () => socket?.destroy());
      }, reaction.delayMs).unref();
      return;
    case 'answer': {
      const send = (): void => {
        const length = Buffer.byteLength(reaction.body);
        response.writeHead(reaction.status, { ...reaction.headers, 'content-length': length });
        response.end(reaction.body);
      };
      if (reaction.delayMs === 0) send();
      else setTimeout(send, reaction.delayMs).unref();
    }
  }
}
