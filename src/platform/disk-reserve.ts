import { freeBytes } from './files.ts';

/** How much of the disk a database takes beforehand. */
export interface Room {
  /** Kept in the database file for what has to be written when the disk is full, in bytes. */
  readonly reserveBytes: number;
  /** The write-ahead log, in pages of 4,096 bytes. */
  readonly logPages: number;
}

/** `reserve`: the disk is nearly full, and what is written now uses the room that was kept for it. */
export type DiskSpace = 'ample' | 'reserve';

/**
 * Room in a database file that others cannot take. A file system gives its last block to whoever asks
 * first; pages that are in the database file already are the database's alone.
 */
export interface DiskReserve {
  /** Looks at the disk: frees the reserve where it is nearly full, makes it again where it has space. */
  look(): DiskSpace;
  /** Frees the reserve because a commit found no space. False where there is nothing to free. */
  release(): boolean;
}

/** More than the log can hold: all of it can still be copied into the database when this is noticed. */
const LOW_BYTES = 10 * 1_024 * 1_024;
/** Well above LOW_BYTES, so that making the reserve again does not use up the space that it waits for. */
const AMPLE_BYTES = 24 * 1_024 * 1_024;
const PAGE_BYTES = 4_096;
/** After a failure to make the reserve, this many looks pass before it is tried again. */
const LOOKS_BETWEEN_TRIES = 100;

/**
 * Makes the reserve, and allocates the log: a commit that only overwrites does not wait for the file
 * system to allocate blocks, which takes as long as the sync itself, and cannot fail for want of space.
 * A quarter of the log is left to what is written while the log cannot be copied into the database.
 * Without space for all this the database is used all the same, as it is on a disk that is nearly full.
 */
export function keepReserve(
  database: { exec(sql: string): void },
  path: string,
  { reserveBytes, logPages }: Room,
  free: (path: string) => number | null = freeBytes,
): DiskReserve {
  let space: DiskSpace = 'ample';
  let looksLeft = 0;

  function make(): void {
    database.exec('CREATE TABLE IF NOT EXISTS reserve (id INTEGER PRIMARY KEY, bytes BLOB)');
    database.exec('PRAGMA wal_autocheckpoint = 0');
    // Written again and again, until the log is as long as it may become. Not zeros: pages that do not
    // change are not written.
    for (let pages = 0; pages < logPages; pages += reserveBytes / PAGE_BYTES) {
      database.exec('DELETE FROM reserve');
      database.exec(`INSERT INTO reserve VALUES (1, randomblob(${reserveBytes}))`);
    }
  }

  /** Copies the log into the database, and lets it start again from its beginning. */
  function copyLog(): void {
    database.exec('PRAGMA wal_checkpoint(RESTART)');
    database.exec(`PRAGMA wal_autocheckpoint = ${Math.floor((logPages * 3) / 4)}`);
  }

  function tryToMake(): void {
    space = attempt(make) ? 'ample' : 'reserve';
    attempt(copyLog);
    if (space === 'reserve') looksLeft = LOOKS_BETWEEN_TRIES;
  }

  function release(): boolean {
    if (space === 'reserve') return false;
    space = 'reserve';
    // First, while there may be space for the pages by which the log makes the file longer.
    attempt(copyLog);
    return attempt(() => database.exec('DELETE FROM reserve'));
  }

  const isLow = (least: number): boolean => (free(path) ?? Infinity) < least;
  if (isLow(LOW_BYTES)) {
    attempt(make);
    release();
  } else tryToMake();

  return {
    look() {
      if (space === 'ample') {
        if (isLow(LOW_BYTES)) release();
      } else if (looksLeft > 0) looksLeft -= 1;
      else if (!isLow(AMPLE_BYTES)) tryToMake();
      return space;
    },
    release,
  };
}

function attempt(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
