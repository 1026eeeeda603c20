/** The result of sending a message. */
export type SendResult =
  | {
      readonly kind: 'sent';
      /** Grows with each message of a chat, whoever wrote it. */
      readonly messageId: number;
    }
  /** Try later: the service could not be reached, is failing, or asks for a pause. */
  | { readonly kind: 'away'; readonly reason: string; readonly retryAfterMs: number | null }
  /**
   * Do not retry: a setting is wrong, or the user has blocked the bot. `reason` holds no secret.
   */
  | { readonly kind: 'refused'; readonly reason: string };

export interface IncomingMessage {
  readonly text: string;
  /** As in SendResult: a later message has a larger id. */
  readonly messageId: number;
}

/** One chat with the one user of the gateway, in both directions. */
export interface Messenger {
  /**
   * Makes one attempt. Never rejects. A text whose arrival was not confirmed counts as `away`, so a
   * retry can send it twice. Aborting `signal` ends the attempt with `away`.
   */
  send(text: string, options?: { readonly signal?: AbortSignal }): Promise<SendResult>;
  /**
   * Passes on what the user writes, in order, from now on, and continues by itself after the
   * service was away. The returned function ends this at once.
   */
  listen(take: (message: IncomingMessage) => void): () => Promise<void>;
}
