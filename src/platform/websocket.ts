/**
 * One WebSocket towards a broker. The connector never throws, never connects again and never follows
 * a redirect: what an end means is the caller's to say.
 */
export interface SocketRequest {
  /** Absolute, `ws:` or `wss:`. May hold a secret: it is in no message and no error. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Total time from now until the connection stands. */
  readonly handshakeMs: number;
  /** A longer message ends the connection. Counted after decompression. */
  readonly maxMessageBytes: number;
}

export interface SocketListener {
  onOpen(): void;
  onText(text: string): void;
  onBinary(bytes: Uint8Array): void;
  /** The last event, and one that comes once, unless `close` came first. */
  onClose(end: SocketEnd): void;
}

export type SocketEnd =
  /** The other side answered the handshake with something else than a connection. */
  | { readonly kind: 'refused'; readonly status: number }
  /** No connection came about: DNS, connect, TLS, a reset, an unreadable answer, or the deadline. */
  | { readonly kind: 'failed'; readonly message: string }
  /** It stood, and is gone. `code` is RFC 6455's: 1006 without a word of the other side. */
  | { readonly kind: 'closed'; readonly code: number };

export interface Socket {
  /** Text; dropped when the connection does not stand. */
  send(text: string): void;
  /** Ends the connection, or the attempt at one. No event comes after this. */
  close(): void;
}

export interface SocketConnector {
  /** Events come later than this returns. */
  connect(request: SocketRequest, listener: SocketListener): Socket;
}
