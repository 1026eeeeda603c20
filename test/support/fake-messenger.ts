import type { IncomingMessage, Messenger, SendResult } from '../../src/platform/messenger.ts';

export interface FakeMessenger extends Messenger {
  /** Texts that have arrived, oldest first. */
  readonly texts: string[];
  /** How often sending was tried. */
  tries: number;
  /** What the next tries give, `hang` for no answer at all; when used up, all arrive. */
  readonly script: (Exclude<SendResult, { kind: 'sent' }> | 'hang')[];
  /** What every try gives that the script does not; null lets all arrive. */
  always: Exclude<SendResult, { kind: 'sent' }> | null;
  /** Whether somebody listens. */
  readonly listening: boolean;
  /** The user writes. */
  write(text: string, messageId?: number): void;
}

export const AWAY: SendResult & { kind: 'away' } = {
  kind: 'away',
  reason: 'it could not be reached',
  retryAfterMs: null,
};

/** A chat in memory, whose other side is the test. */
export function fakeMessenger(): FakeMessenger {
  let lastId = 100;
  let take: ((message: IncomingMessage) => void) | null = null;
  return {
    texts: [],
    tries: 0,
    script: [],
    always: null,
    get listening() {
      return take !== null;
    },
    send(text, { signal } = {}) {
      this.tries += 1;
      const next = this.script.shift() ?? this.always;
      if (next === 'hang') {
        return new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve({ ...AWAY, reason: 'stopping' }));
        });
      }
      if (next) return Promise.resolve(next);
      this.texts.push(text);
      lastId += 1;
      return Promise.resolve({ kind: 'sent', messageId: lastId });
    },
    listen(taker) {
      take = taker;
      return () => {
        take = null;
        return Promise.resolve();
      };
    },
    write(text, messageId) {
      lastId = Math.max(lastId, messageId ?? lastId + 1);
      take?.({ text, messageId: messageId ?? lastId });
    },
  };
}
