import { z } from 'zod';
import type { Cancel, Scheduler } from '../platform/clock.ts';
import { FileError, type Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { messageOf } from '../platform/values.ts';
import { OF_SETTINGS, webhookRecord, type WebhookRecord } from './webhook.ts';

export interface WebhookStoreParts {
  readonly files: Files;
  readonly scheduler: Scheduler;
  readonly log: Log;
  /** `data/webhooks.json`, which holds their secrets. */
  readonly path: string;
}

/** The records of webhooks, in memory and in a file. */
export interface WebhookStore {
  all(): readonly WebhookRecord[];
  find(id: string): WebhookRecord | undefined;
  /** What is asked for: on disk when it returns. Throws FileWriteError; nothing has changed then. */
  save(next: readonly WebhookRecord[]): void;
  /** The records with one changed. */
  changed(id: string, changes: Partial<WebhookRecord>): readonly WebhookRecord[];
  /**
   * What a delivery learns: in memory at once, and on disk at once (`now`) or within a second. Where the disk does not
   * take it, the next change tries again: after a restart, what was sent since is sent again.
   */
  note(id: string, changes: Partial<WebhookRecord>, now: boolean): void;
  /** Writes what is not on disk yet. */
  close(): void;
}

/** After a crash, what was sent within this time is sent again. */
const KEEP_AFTER_MS = 1_000;

/**
 * `initial`: what to begin with, of the records that the file has. Throws FileError where the file cannot be read, and
 * UnsafeFileError where others can read it.
 */
export function openWebhookStore(
  { files, scheduler, log, path }: WebhookStoreParts,
  initial: (kept: readonly WebhookRecord[]) => readonly WebhookRecord[],
): WebhookStore {
  const kept = readWebhooks(files, path);
  let records = initial(kept);
  let cancelKeep: Cancel | null = null;
  let isWritten = true;

  function save(next: readonly WebhookRecord[]): void {
    writeWebhooks(files, path, next);
    records = next;
    isWritten = true;
    cancelKeep?.();
    cancelKeep = null;
  }

  function keep(): void {
    cancelKeep?.();
    cancelKeep = null;
    try {
      save(records);
    } catch (error) {
      log.error('the positions of the webhooks cannot be written; the next change tries again', {
        reason: messageOf(error),
      });
    }
  }

  // One that is no longer in the settings must not go on from its old position if it comes back later.
  if (records.length < kept.length) {
    isWritten = false;
    keep();
  }

  const changed = (id: string, changes: Partial<WebhookRecord>): readonly WebhookRecord[] =>
    records.map((each) => (each.id === id ? { ...each, ...changes } : each));

  return {
    all: () => records,
    find: (id) => records.find((each) => each.id === id),
    ...{ save, changed },
    note(id, changes, now) {
      records = changed(id, changes);
      isWritten = false;
      if (now) keep();
      else cancelKeep ??= scheduler.after(KEEP_AFTER_MS, keep);
    },
    close() {
      if (!isWritten) keep();
    },
  };
}

const file = z.object({ version: z.literal(1), webhooks: z.array(webhookRecord) });

/**
 * An absent file has no webhooks. Throws FileError where it cannot be read, since it may be the only record of them, and
 * UnsafeFileError where others can read the secrets in it.
 */
function readWebhooks(files: Files, path: string): readonly WebhookRecord[] {
  const content = files.readPrivate(path);
  if (content === null) return [];
  const read = file.safeParse(jsonOf(content));
  if (read.success) return read.data.webhooks;
  throw new FileError(
    `${path} is not a file of webhooks that this version knows: restore it, or remove it to add the webhooks again`,
  );
}

/** The secret of the webhook that the settings name is left out. Throws FileWriteError. */
function writeWebhooks(files: Files, path: string, records: readonly WebhookRecord[]): void {
  const webhooks = records.map((record) =>
    record.id === OF_SETTINGS ? { ...record, secret: '' } : record,
  );
  files.replacePrivate(path, `${JSON.stringify({ version: 1, webhooks })}\n`);
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}
