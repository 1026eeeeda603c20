/** What became of a message. */
export type SendResult =
  | {
      readonly kind: 'sent';
      /** Grows from message to message of a chat, whoever wrote it. */
      readonly messageId: number;
    }
  /** Not now: the service could not be reached, is failing, or wants to be left alone for a while. */
  | { readonly kind: 'away'; readonly reason: string; readonly retryAfterMs: number | null }
  /** Not like this: a setting is wrong, or the user has shut the chat. Holds no secret. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface IncomingMessage {
  readonly text: string;
  /** As SendResult's: a later message has a larger one. */
  readonly messageId: number;
}

/** One chat with the one user of the gateway, in both directions. */
export interface Messenger {
  /**
   * One try. Never rejects. A text that could not be shown to have arrived counts as `away`, so one
   * that is sent again can come twice. `signal` ends the try, with `away`.
   */
  send(text: string, options?: { readonly signal?: AbortSignal }): Promise<SendResult>;
  /**
   * Hands over what the user writes, in order, from now on; goes on by itself when the service was
   * away. The returned function ends it, at once.
   */
  listen(take: (message: IncomingMessage) => void): () => Promise<void>;
}
