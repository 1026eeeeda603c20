import type { ServerSocket } from '../platform/http-upgrade.ts';
import type { StreamOut } from './define-route.ts';
import type { Ending, StreamLine } from './price-session.ts';

/** Codes of RFC 6455: the gateway goes away, or the reader may not go on like this. */
const CLOSE_CODES: Readonly<Record<Ending, number>> = {
  stopping: 1001,
  key_revoked: 1008,
  slow_consumer: 1008,
};
/** How long a client waits before it connects again, ms. */
const RETRY_MS = 2_000;

export function lineOfSocket(socket: ServerSocket): StreamLine {
  return {
    write(messages, taken) {
      for (const message of messages.slice(0, -1)) socket.send(message, () => undefined);
      socket.send(messages.at(-1) ?? '', taken);
    },
    isBehind: socket.isBehind,
    onCaughtUp: socket.onCaughtUp,
    onClose: socket.onClose,
    end(message, why) {
      socket.send(message, () => undefined);
      socket.close(CLOSE_CODES[why]);
    },
    destroy: socket.destroy,
  };
}

/** The same messages as server-sent events, without ids: a stream that begins again begins with a snapshot. */
export function lineOfEvents(out: StreamOut): StreamLine {
  const frame = (message: string): string => `data: ${message}\n\n`;
  let head = `retry: ${RETRY_MS}\n\n`;
  return {
    write(messages, taken) {
      const isTaken = out.write(head + messages.map(frame).join(''));
      head = '';
      if (isTaken) taken();
      else out.onDrain(taken);
    },
    // What an HTTP response has delivered is not told.
    isBehind: () => false,
    onCaughtUp: () => undefined,
    onClose: out.onClose,
    end: (message) => out.end(frame(message)),
    destroy: out.destroy,
  };
}
