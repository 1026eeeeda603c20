import { pino, type DestinationStream, type Logger } from 'pino';

/**
 * What a log line may contain: plain values under known names. A whole object cannot be logged, so
 * no reply, header or request body can carry a secret into the log.
 */
export interface LogFields {
  readonly broker?: string;
  readonly orderId?: string;
  readonly attemptId?: string;
  readonly brokerOrderId?: string;
  readonly instrument?: string;
  readonly status?: string;
  readonly rawStatus?: string;
  readonly outcome?: string;
  readonly reason?: string;
  readonly kind?: string;
  readonly count?: number;
  readonly ms?: number;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
  readonly caller?: string;
  readonly requestId?: string;
  readonly setting?: string;
  readonly source?: string;
  readonly day?: string;
}

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';

export interface Log {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
}

/** The logger that writes all lines, one JSON object per line; the HTTP request log uses it too (`createLogOutput`). */
export function createPino(level: LogLevel, destination: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

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

/** How long a line that is being written may still take when the process is about to end, ms. */
const LAST_WRITE_MS = 100;

/**
 * For the last line of a process. A thread of its own writes the lines of the log (`createLogOutput`), so that nobody who
 * reads the log slowly holds up an order; but a process that ends does not wait for that thread. This gives
 * it a moment, and writes its own line before it returns.
 */
export function createLastLog(level: LogLevel): Pick<Log, 'error'> {
  const output = pino.destination({ dest: 1, sync: true });
  // An output that takes nothing must not hide the error that the process ends by.
  output.on('error', () => undefined);
  const { error } = createLog(createPino(level, output));
  const moment = new Int32Array(new SharedArrayBuffer(4));
  return {
    error(message, fields) {
      Atomics.wait(moment, 0, 0, LAST_WRITE_MS);
      error(message, fields);
    },
  };
}

export function createLog(logger: Logger): Log {
  return {
    error: (message, fields = {}) => logger.error(fields, message),
    warn: (message, fields = {}) => logger.warn(fields, message),
    info: (message, fields = {}) => logger.info(fields, message),
    debug: (message, fields = {}) => logger.debug(fields, message),
  };
}

export const silentLog: Log = {
  error: () => undefined,
  warn: () => undefined,
  info: () => undefined,
  debug: () => undefined,
};
