/**
 * One HTTP request to a broker, and what is known about it afterwards. The transport never throws,
 * never retries and never follows a redirect: the caller decides what a failure means.
 */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with every method, also with GET, as the primary brokerage requires. */
  readonly body?: string;
  /** Total time from now until the last byte of the reply. */
  readonly deadlineMs: number;
  /**
   * Uses a new connection, at most a second old, that has carried no request. After a reset on a
   * pooled connection we cannot tell whether the request was read, so every request that changes
   * something uses a fresh one.
   */
  readonly fresh: boolean;
  /**
   * Asked in the turn in which a `fresh` request is written, once its connection is open: opening one can
   * take seconds, in which what spoke for the request may end. False keeps it back: the reply is
   * `not_sent`, with the cause HELD_BACK.
   */
  readonly mayLeave?: () => boolean;
  /** Connect over IPv4 only: order calls come from a whitelisted IPv4 address. */
  readonly ipv4?: boolean;
  /** Replies above this many bytes are `broken` (`too_large`). Default 64 MiB. */
  readonly maxReplyBytes?: number;
}

/** Why a request did not leave that `mayLeave` kept back. */
export const HELD_BACK = 'held_back';

/** Why a request did not leave for which the rate limit had no place any more. */
export const CROWDED = 'crowded';

/** How long a `fresh` request waits for its connection; what cannot connect by then has not left. */
export const CONNECT_WITHIN_MS = 4_000;

export type HttpReply =
  /** A whole reply, whatever its status. Header names are lower-case. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly statusText: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }
  /** No byte of the request left this machine: DNS, connect or TLS failed, or it was never tried. */
  | { readonly kind: 'not_sent'; readonly cause: string; readonly message: string }
  /**
   * The request may have left, and no whole reply came back. `status` is set when the reply had
   * begun.
   */
  | {
      readonly kind: 'broken';
      readonly cause: 'deadline' | 'reset' | 'too_large' | 'malformed';
      readonly message: string;
      readonly status: number | null;
    };

export interface HttpTransport {
  send(request: HttpRequest): Promise<HttpReply>;
  /**
   * Prepares a connection for a `fresh` request that is about to come, so that the handshake runs
   * while the gateway writes to disk what must be there before the request leaves. Opens none when
   * one is waiting.
   */
  connectAhead(target: Pick<HttpRequest, 'url' | 'ipv4'>): void;
  /** Closes pooled connections. */
  close(): Promise<void>;
}
