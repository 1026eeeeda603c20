/**
 * One WebSocket to a broker. The connector never throws, never reconnects and never follows a
 * redirect: the caller decides what an end means.
 */
export interface SocketRequest {
  /** Absolute, `ws:` or `wss:`. May hold a secret, so no message and no error contains it. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Total time from now until the connection is open. */
  readonly handshakeMs: number;
  /** A longer message ends the connection. Counted after decompression. */
  readonly maxMessageBytes: number;
}

export interface SocketListener {
  onOpen(): void;
  onText(text: string): void;
  onBinary(bytes: Uint8Array): void;
  /** The last event; it comes once, or not at all after a call of `close`. */
  onClose(end: SocketEnd): void;
}

export type SocketEnd =
  /** The other side refused the handshake. */
  | { readonly kind: 'refused'; readonly status: number }
  /** There was no connection: DNS, connect, TLS, a reset, an unreadable answer, or the deadline. */
  | { readonly kind: 'failed'; readonly message: string }
  /**
   * The connection was open and has ended. `code` is RFC 6455's; 1006 when the other side sent
   * none.
   */
  | { readonly kind: 'closed'; readonly code: number };

export interface Socket {
  /** Sends a text; dropped when the connection is not open. */
  send(text: string): void;
  /** Ends the connection, or the attempt to connect. No event comes after this. */
  close(): void;
}

export interface SocketConnector {
  /** Events come only after this has returned. */
  connect(request: SocketRequest, listener: SocketListener): Socket;
}
