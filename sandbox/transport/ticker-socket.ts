import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { KiteTicker } from '../kite/ticker.ts';

/** The path of the ticker at the alternative broker's origin. */
export const TICKER_PATH = '/ws';

/** A client's messages are lists of tokens: 3,000 of them are far below this. */
const MAX_MESSAGE_BYTES = 262_144;

export interface TickerSocket {
  /** Drops every connection, as when the host fails. */
  cutAll(): void;
}

/** Plays the ticker on the sockets of a listener. */
export function serveTicker(server: Server, ticker: () => KiteTicker | null): TickerSocket {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });

  server.on('upgrade', (request: IncomingMessage, line: Duplex, head: Buffer) => {
    line.on('error', () => line.destroy());
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://ticker');
    const playing = ticker();
    if (pathname !== TICKER_PATH || !playing) return refuse(line, 404);
    const status = playing.refusal(searchParams);
    if (status !== null) return refuse(line, status);
    sockets.handleUpgrade(request, line, head, (socket) => {
      const connection = playing.connect(
        {
          send: (message) => socket.send(message),
          cut: () => socket.terminate(),
        },
        searchParams.get('access_token') ?? '',
      );
      socket.on('message', (data, isBinary) => {
        if (!isBinary) connection.heard(String(data));
      });
      socket.on('error', () => undefined);
      socket.on('close', () => connection.left());
    });
  });

  return {
    cutAll() {
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

function refuse(line: Duplex, status: number): void {
  line.end(`HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}
