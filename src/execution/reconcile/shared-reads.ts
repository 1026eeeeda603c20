import { type Clock, type Scheduler, sleep } from '../../platform/clock.ts';
import { type ElapsedMs, plus } from '../../units/branded.ts';

export interface SharedReads<Read> extends ReadsInTurn<Read> {
  /** Reads that have failed since one that did not. */
  failures(): number;
  /** The last read that succeeded; null before one. */
  lastRead(): Read | null;
}

/** Reads of one thing, for all who ask for one. */
export interface ReadsInTurn<Read> {
  /**
   * A read begun at `since` (not in the future) or later; rejects as the read does. Those for whom the
   * read under way began too early share the next one.
   */
  read(since: ElapsedMs): Promise<Read>;
  /** The next read that begins: at the end of this turn, or after the read that is under way. */
  next(): Promise<Read>;
  /** Whether a read is under way. */
  reading(): boolean;
}

/** A read that is under way for longer than this holds up the next one no more, ms. */
const PATIENCE_MS = 500;

/** Callers who ask at the same time share one read. */
export function createSharedReads<Read extends { readonly begun: ElapsedMs }>(
  readOnce: () => Promise<Read>,
  parts: {
    readonly clock: Clock;
    readonly scheduler: Scheduler;
    /** Called after every read that was taken in. */
    readonly onRead: (read: Read) => void;
    /** Called when a read is over, however it ended. */
    readonly onOver: () => void;
  },
): SharedReads<Read> {
  let last: Read | null = null;
  let failures = 0;

  async function readAndKeep(): Promise<Read> {
    try {
      const read = await readOnce();
      last = read;
      parts.onRead(read);
      failures = 0;
      return read;
    } catch (error) {
      failures += 1;
      throw error;
    }
  }

  const inTurn = createReadsInTurn(readAndKeep, parts);
  return {
    ...inTurn,
    read: (since) => (last && last.begun >= since ? Promise.resolve(last) : inTurn.read(since)),
    failures: () => failures,
    lastRead: () => last,
  };
}

/**
 * Callers of one turn share a read, and those for whom the one under way began too early wait for the next one
 * together; it begins when that one is over, or takes long. Forty exits that each began a read of their own
 * would use up the broker's rate limit on reads, so that none of them would be answered in time.
 */
export function createReadsInTurn<Read>(
  readOnce: (begun: ElapsedMs) => Promise<Read>,
  {
    clock,
    scheduler,
    onOver,
  }: { readonly clock: Clock; readonly scheduler: Scheduler; readonly onOver?: () => void },
): ReadsInTurn<Read> {
  let running: { readonly begun: ElapsedMs; readonly result: Promise<Read> } | null = null;
  let gathering: Promise<Read> | null = null;

  function start(): Promise<Read> {
    const begun = clock.elapsed();
    const result = readOnce(begun);
    const mine = { begun, result };
    running = mine;
    const done = (): void => {
      if (running === mine) running = null;
      onOver?.();
    };
    result.then(done, done);
    return result;
  }

  function next(): Promise<Read> {
    gathering ??= turnOver().then(() => {
      gathering = null;
      return start();
    });
    return gathering;
  }

  /** Resolves once the read under way is over, or has taken long; at the end of the turn without one. */
  async function turnOver(): Promise<void> {
    if (running === null) return new Promise((resolve) => scheduler.endOfTurn(resolve));
    const over = new AbortController();
    const left = Math.max(0, plus(running.begun, PATIENCE_MS) - clock.elapsed());
    const long = sleep(scheduler, left, over.signal);
    await Promise.race([Promise.allSettled([running.result]), long]);
    over.abort();
  }

  return {
    read: (since) => (running && running.begun >= since ? running.result : next()),
    next,
    reading: () => running !== null || gathering !== null,
  };
}
