import type { Files } from './files.ts';
import type { Log } from './log.ts';

export interface StateFileParts<T> {
  readonly files: Files;
  readonly log: Log;
  readonly path: string;
  /** Throws when the JSON is not what it should be. */
  readonly parse: (json: unknown) => T;
}

/** A small piece of state that outlives the process, and that can be done without. */
export interface StateFile<T> {
  /** As the last write left it, or as it was found; null when there was nothing that can be read. */
  content(): T | null;
  /**
   * Whole or not at all. A disk that does not take it is logged, and what was to be written holds
   * until the process ends.
   */
  write(content: T): void;
}

/** A file that cannot be read is said to the log, and the next write takes its place. */
export function openStateFile<T>({ files, log, path, parse }: StateFileParts<T>): StateFile<T> {
  let held = read();

  function read(): T | null {
    try {
      const text = files.read(path);
      return text === null ? null : parse(JSON.parse(text));
    } catch (error) {
      // What a parser says can quote the file.
      const reason = error instanceof SyntaxError ? 'it is not JSON' : shortReason(error);
      log.error('a file of the data directory cannot be read: it is begun anew', { path, reason });
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
  return error.name === 'ZodError' ? 'its content is not what it should be' : error.message;
}
