import { type DestinationStream, pino } from 'pino';

/** Lines that the output does not take yet, characters; what is more is lost. A reader that hangs costs no more memory. */
const MOST_WAITING = 4 * 1_048_576;

export interface LogOutput extends DestinationStream {
  /** `tell` is called once lines are taken again after some were lost, with the reason: `ENOSPC`. */
  onTakenAgain(tell: (reason: string) => void): void;
}

/**
 * An output for the lines of the log, written by a thread of its own. It never throws, and never ends the process:
 * lines that it does not take, because the disk is full or nobody reads, are lost. Orders must not depend on
 * whether their log can be written. `to` is a file descriptor or a path.
 */
export function createLogOutput(to: number | string): LogOutput {
  let lost: string | null = null;
  let tell: (reason: string) => void = () => undefined;
  let stream: ReturnType<typeof open> | null = null;

  function open() {
    const next = pino.destination({ dest: to, sync: false, maxLength: MOST_WAITING });
    next.on('error', (error: NodeJS.ErrnoException) => {
      lost = error.code ?? error.name;
      if (stream === next) stream = null;
      // What waits in it would be tried again for ever, also when the process is about to end.
      next.destroy();
    });
    next.on('drop', () => (lost = 'nobody reads it'));
    next.on('drain', () => {
      if (lost === null) return;
      const reason = lost;
      lost = null;
      tell(reason);
    });
    return next;
  }

  return {
    write(line) {
      stream ??= open();
      stream.write(line);
    },
    onTakenAgain: (listener) => void (tell = listener),
  };
}
