/**
 * One HTTP request towards a broker, and what is known of it afterwards. The transport never throws,
 * never retries and never follows a redirect: what a failure means is the caller's to say.
 */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Absolute. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent with every method, GET too: the primary brokerage wants it. */
  readonly body?: string;
  /** Total time from now until the last byte of the reply. */
  readonly deadlineMs: number;
  /**
   * A connection of its own, that has carried nothing and is at most a second old: a reset on a pooled
   * connection leaves open whether the request was read, so whatever changes something goes fresh.
   */
  readonly fresh: boolean;
  /** Connect over IPv4 only: order calls come from a whitelisted IPv4 address. */
  readonly ipv4?: boolean;
  /** Replies above this many bytes are `broken` (`too_large`). Default 64 MiB. */
  readonly maxReplyBytes?: number;
}

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
  /** It may have left: no whole reply came back. `status` when the reply had begun. */
  | {
      readonly kind: 'broken';
      readonly cause: 'deadline' | 'reset' | 'too_large' | 'malformed';
      readonly message: string;
      readonly status: number | null;
    };

export interface HttpTransport {
  send(request: HttpRequest): Promise<HttpReply>;
  /**
   * Has a connection ready for a `fresh` request that is about to come: what has to be written to disk
   * before it may leave, and the handshake, then take their time together. Opens none where one waits.
   */
  connectAhead(target: Pick<HttpRequest, 'url' | 'ipv4'>): void;
  /** Closes pooled connections. */
  close(): Promise<void>;
}
