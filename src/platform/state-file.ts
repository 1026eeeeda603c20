import type { Files } from './files.ts';
import type { Log } from './log.ts';

export interface StateFileParts<T> {
  readonly files: Files;
  readonly log: Log;
  readonly path: string;
  /** Throws when the JSON has another shape. */
  readonly parse: (json: unknown) => T;
}

/** A small piece of state that is kept on disk, and that the gateway can work without. */
export interface StateFile<T> {
  /**
   * The value last written, or the one found at the start; null when there was none that can be
   * read.
   */
  content(): T | null;
  /**
   * Writes the whole value or nothing. When the disk fails, the error is logged, and the new value
   * is kept in memory until the process ends.
   */
  write(content: T): void;
}

/** A file that cannot be read is logged, and the next write replaces it. */
export function openStateFile<T>({ files, log, path, parse }: StateFileParts<T>): StateFile<T> {
  let held = read();

  function read(): T | null {
    try {
      const text = files.read(path);
      return text === null ? null : parse(JSON.parse(text));
    } catch (error) {
      // A parser's message can quote the file.
      const reason = error instanceof SyntaxError ? 'it is not JSON' : shortReason(error);
      log.error('a file of the data directory cannot be read; the next write replaces it', {
        path,
        reason,
      });
      return null;
    }
  }

  return {
    content: () => held,
    write(content) {
      held = content;
      try {
        files.replacePrivate(path, `${JSON.stringify(content)}\n`);
      } catch (error) {
        log.error('a file of the data directory cannot be written', {
          path,
          reason: shortReason(error),
        });
      }
    },
  };
}

function shortReason(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return error.name === 'ZodError' ? 'its content has another shape than expected' : error.message;
}
