import { z } from 'zod';
import type { Cancel, Scheduler } from '../../platform/clock.ts';
import { FileError, type Files } from '../../platform/files.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Log } from '../../platform/log.ts';
import { openStateFile } from '../../platform/state-file.ts';
import { epochMs } from '../../units/branded.ts';
import type { Journal } from './journal.ts';

/**
 * A file beside the journal that says how far the journal went: the journal cannot tell by itself
 * that it was deleted, or that only its write-ahead log was. A gateway that started without part of
 * it would place an order again under a key that was used (docs/orders.md, "The journal").
 */
export interface JournalMark {
  /**
   * Letters and digits that every tag of this data directory has, so that an order of its own which the
   * journal does not know can be told from those of others. To be called after `check`.
   */
  tagMark(): string;
  /** Throws a FileError where the journal holds less than the mark says. Called before it is used. */
  check(): Promise<void>;
  /** The journal, with a mark written a few seconds after each commit: no order waits for it. */
  readonly marked: Journal;
  /** Writes the mark a last time. */
  stop(): Promise<void>;
}

export interface JournalMarkParts {
  readonly journal: Journal;
  readonly path: string;
  /** What the file of the journal is called, for people. */
  readonly journalPath: string;
  readonly files: Files;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly ids: Pick<Ids, 'tag'>;
  /** The last event of a journal that was restored from a backup on purpose; null for none. */
  readonly accepted: number | null;
}

const MARK_AFTER_MS = 5_000;
const TAG_MARK_LENGTH = 4;
const markSchema = z.object({
  lastEvent: z.number().int().nonnegative(),
  /** Absent in files of older versions. */
  tagMark: z
    .string()
    .regex(/^[0-9A-Za-z]{4}$/)
    .optional()
    .catch(undefined),
});

export function createJournalMark(parts: JournalMarkParts): JournalMark {
  const { journal, path, journalPath, files, scheduler, log, ids, accepted } = parts;
  const parse = (json: unknown) => markSchema.parse(json);
  const file = openStateFile({ files, log, path, parse });
  // The end of a tag is random.
  const newMark = (): string => ids.tag(epochMs(0)).slice(-TAG_MARK_LENGTH);
  const tagMark = file.content()?.tagMark ?? newMark();
  let cancel: Cancel | null = null;

  async function write(): Promise<void> {
    cancel?.();
    cancel = null;
    const lastEvent = await journal.lastEvent();
    const written = file.content();
    if (written?.lastEvent === lastEvent && written.tagMark === tagMark) return;
    file.write({ lastEvent, tagMark });
  }

  function writeSoon(): void {
    cancel ??= scheduler.after(MARK_AFTER_MS, () => {
      cancel = null;
      write().catch((error: unknown) => {
        log.error('the mark of the journal could not be written', { reason: String(error) });
      });
    });
  }

  return {
    tagMark: () => tagMark,
    async check() {
      const marked = file.content()?.lastEvent ?? 0;
      const found = await journal.lastEvent();
      if (found < marked) {
        if (found !== accepted) throw lessThanMarked(journalPath, found, marked);
        log.error(
          'the journal was restored from a backup: orders placed since then are not known, and their ' +
            'keys place again. Compare the order books of the brokers with what you expect',
          { path: journalPath },
        );
      }
      await write();
    },
    marked: {
      ...journal,
      async commit(units) {
        const result = await journal.commit(units);
        if (result.committed > 0) writeSoon();
        return result;
      },
    },
    stop: write,
  };
}

function lessThanMarked(journalPath: string, found: number, marked: number): FileError {
  return new FileError(
    `${journalPath} ends with event ${found}, and this data directory had a journal that went to ` +
      `event ${marked}: it, or its write-ahead log (${journalPath}-wal), was deleted or replaced. ` +
      'Orders could be placed twice, so the gateway does not start. Put the missing files back. If ' +
      `this is a backup that you restored on purpose, set APP_ACCEPT_JOURNAL_AT=${found} for one start`,
  );
}
