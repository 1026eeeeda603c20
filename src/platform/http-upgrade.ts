import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';

/** The gateway's side of a WebSocket that a program has opened. */
export interface ServerSocket {
  /** Calls `taken` once the operating system has taken the text; never after the connection has ended. */
  send(text: string, taken: () => void): void;
  /**
   * Whether the other side has not yet read much of what was sent (`MOST_UNREAD_CHARACTERS`). The operating system
   * takes megabytes for a program that reads nothing. False while paused: then nothing is heard from it.
   */
  isBehind(): boolean;
  /** Called when it has read so much that it no longer `isBehind`. */
  onCaughtUp(listener: () => void): void;
  /** Binary messages come as null. */
  onText(listener: (text: string | null) => void): void;
  onClose(listener: () => void): void;
  /** Takes no further messages until `resume`: what comes meanwhile waits at the sender. */
  pause(): void;
  resume(): void;
  /** Sends a close with this code (RFC 6455) after all that was sent before. */
  close(code: number): void;
  /** Cuts the connection. */
  destroy(): void;
}

/** A longer message ends the connection. 3,000 instruments are below 200,000 bytes. */
const MAX_MESSAGE_BYTES = 262_144;

/** What may be sent to a program and not yet read by it; on a line of 100 kB/s, more than a second of prices. */
export const MOST_UNREAD_CHARACTERS = 131_072;
/** A ping goes with so much, so that its pong comes long before the limit where a program reads. */
const CHARACTERS_OF_PING = 16_384;

const sockets = new WebSocketServer({
  ...{ noServer: true, clientTracking: false, perMessageDeflate: false },
  maxPayload: MAX_MESSAGE_BYTES,
});
/** What came behind the head of a request to upgrade. */
const heads = new WeakMap<IncomingMessage, Buffer>();

/** Whether a request asks for a WebSocket. Other upgrades are not offered: such requests are answered as any other. */
export function asksForSocket({ headers, method }: IncomingMessage): boolean {
  return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';
}

/** Whether the server has left the connection of a request to whoever answers it. */
export const isUpgrade = (request: IncomingMessage): boolean => heads.has(request);

/**
 * Requests that ask for a WebSocket are answered like all others, with the same checks: `answer` writes a
 * response, after which the connection is closed, or calls `acceptSocket`.
 */
export function answerUpgrades(
  server: Server,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, line: Duplex, head: Buffer) => {
    line.on('error', () => line.destroy());
    if (!(line instanceof Socket)) return void line.destroy();
    heads.set(request, head);
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(line);
    response.once('finish', () => {
      response.detachSocket(line);
      line.end();
      // The other side may keep its half open: then nothing else would end it.
      line.destroySoon();
    });
    line.once('close', () => response.emit('close'));
    answer(request, response);
  });
}

/** Takes the connection of a request that `isUpgrade`. A handshake that is wrong is answered 400. */
export function acceptSocket(
  request: IncomingMessage,
  response: ServerResponse,
  then: { readonly open: (socket: ServerSocket) => void; readonly refused: () => void },
): void {
  const line = response.socket;
  const head = heads.get(request);
  if (line === null || head === undefined) return then.refused();
  response.detachSocket(line);
  // For who counts and logs answers; the head itself is written below.
  response.statusCode = 101;
  let isOpen = false;
  line.once('close', () => {
    if (!isOpen) then.refused();
  });
  sockets.handleUpgrade(request, line, head, (socket) => {
    isOpen = true;
    then.open(serverSocket(socket));
  });
}

function serverSocket(socket: WebSocket): ServerSocket {
  // The close follows, which everybody hears.
  socket.on('error', () => undefined);
  const receipts = receiptsOf(socket);
  return {
    send(text, taken) {
      socket.send(text, (error) => {
        if (!error) taken();
      });
      receipts.sent(text.length);
    },
    isBehind: () => !socket.isPaused && receipts.isBehind(),
    onCaughtUp: receipts.onCaughtUp,
    onText(listener) {
      socket.on('message', (data, isBinary) => listener(isBinary ? null : String(data)));
    },
    onClose: (listener) => void socket.on('close', () => listener()),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    close: (code) => socket.close(code),
    destroy: () => socket.terminate(),
  };
}

/**
 * How much of what was sent the other side has read: it answers a ping when it has read all that was sent before
 * (RFC 6455, 5.5.3). One ping is on its way at a time.
 */
function receiptsOf(socket: WebSocket) {
  let unread = 0;
  let pinged: { readonly characters: number; readonly id: string } | null = null;
  let pings = 0;
  let tell: () => void = () => undefined;
  const isBehind = (): boolean => unread >= MOST_UNREAD_CHARACTERS;

  function ping(): void {
    if (pinged !== null || unread < CHARACTERS_OF_PING || socket.readyState !== socket.OPEN) return;
    pings += 1;
    pinged = { characters: unread, id: String(pings) };
    socket.ping(pinged.id, undefined, () => undefined);
  }

  socket.on('pong', (id) => {
    // A pong that nobody asked for says nothing of what was read.
    if (pinged === null || String(id) !== pinged.id) return;
    const wasBehind = isBehind();
    unread -= pinged.characters;
    pinged = null;
    ping();
    if (wasBehind && !isBehind()) tell();
  });
  return {
    isBehind,
    onCaughtUp: (listener: () => void) => void (tell = listener),
    sent(characters: number): void {
      unread += characters;
      ping();
    },
  };
}
