/** One HTTP request as it reaches a broker. */
export interface WireRequest {
  method: string;
  /** Absolute; the origin identifies the broker. */
  url: string;
  /** Lower-case names. */
  headers: Record<string, string>;
  body: string;
}

/** What the caller's socket sees. */
export type WireReaction =
  | {
      kind: 'answer';
      status: number;
      headers: Record<string, string>;
      body: string;
      delayMs: number;
    }
  /** Connection refused: nothing reached the broker. */
  | { kind: 'refuse' }
  /** Connection dropped, before or after the broker acted: the caller cannot tell. */
  | { kind: 'reset'; delayMs: number }
  /** Never answers. */
  | { kind: 'hang' }
  /** The body is incomplete, and the connection drops. */
  | { kind: 'cut'; status: number; headers: Record<string, string>; body: string; delayMs: number }
  /** Headers and the beginning of the body arrive; the body never ends. */
  | { kind: 'trickle'; status: number; headers: Record<string, string>; body: string };

/** A broker's reply before any network fault. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

export function jsonReply(status: number, value: unknown): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  };
}

export function textReply(status: number, contentType: string, body: string): Reply {
  return { status, headers: { 'content-type': contentType }, body };
}
