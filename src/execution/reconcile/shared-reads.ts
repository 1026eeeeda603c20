import type { Clock } from '../../platform/clock.ts';
import type { ElapsedMs } from '../../units/branded.ts';

export interface SharedReads<Read> {
  /** A read begun at `since` or later; rejects as the read does. */
  read(since: ElapsedMs): Promise<Read>;
  /** The next read that begins. It begins at once, or after the read that is under way. */
  next(): Promise<Read>;
  /** Whether a read is under way. */
  reading(): boolean;
  /** Reads that have failed since one that did not. */
  failures(): number;
  /** The last read that succeeded; null before one. */
  lastRead(): Read | null;
}

/** Callers who ask at the same time share one read. */
export function createSharedReads<Read extends { readonly begun: ElapsedMs }>(
  readOnce: () => Promise<Read>,
  parts: {
    readonly clock: Clock;
    /** Called after every read that was taken in. */
    readonly onRead: (read: Read) => void;
    /** Called when a read is over, however it ended. */
    readonly onOver: () => void;
  },
): SharedReads<Read> {
  const { clock, onRead, onOver } = parts;
  let last: Read | null = null;
  let running: { readonly begun: ElapsedMs; readonly result: Promise<Read> } | null = null;
  let gathering: Promise<Read> | null = null;
  let failures = 0;

  async function readAndKeep(): Promise<Read> {
    const read = await readOnce();
    last = read;
    onRead(read);
    return read;
  }

  function start(): Promise<Read> {
    const begun = clock.elapsed();
    const result = readAndKeep();
    const mine = { begun, result };
    running = mine;
    const done = (): void => {
      if (running === mine) running = null;
      onOver();
    };
    result.then(
      () => {
        failures = 0;
        done();
      },
      () => {
        failures += 1;
        done();
      },
    );
    return result;
  }

  return {
    read(since) {
      if (last && last.begun >= since) return Promise.resolve(last);
      if (running && running.begun >= since) return running.result;
      return start();
    },
    next() {
      gathering ??= Promise.allSettled([running?.result]).then(() => {
        gathering = null;
        return start();
      });
      return gathering;
    },
    reading: () => running !== null,
    failures: () => failures,
    lastRead: () => last,
  };
}
