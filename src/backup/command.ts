import { createDataLock } from '../platform/data-lock.ts';
import { systemClock } from '../platform/clock.ts';
import { systemFiles } from '../platform/files.ts';
import { makeBackup, type Tell } from './backup.ts';
import { restoreBackup } from './restore.ts';

export interface BackupCommand {
  readonly kind: 'backup' | 'restore';
  readonly directory: string;
  /** Prints JSON, for programs. */
  readonly json?: true;
}

/** What a copy is made of and by. */
export interface CopyParts {
  readonly dataDirectory: string;
  readonly version: string;
  /** Told what is being done, while it is. */
  readonly tell?: Tell;
}

/** Does what `backup` and `restore` of the command line ask for; returns what to print at the end. */
export function runBackupCommand(
  { kind, directory, json }: BackupCommand,
  { dataDirectory, version, tell }: CopyParts,
): string {
  const files = systemFiles;
  const clock = systemClock;
  if (kind === 'backup') {
    const { path, manifest } = makeBackup({
      ...{ dataDirectory, target: directory, files, clock, version },
      ...(tell ? { tell } : {}),
    });
    const { version: by, madeAt, lastEvent, files: copied } = manifest;
    if (json) return jsonText({ path, version: by, madeAt, lastEvent, files: copied });
    return `${path}\n${copied.length} files, the journal up to event ${lastEvent}`;
  }
  const { manifest, keptIn, mayLackOrders } = restoreBackup({
    ...{ source: directory, dataDirectory, files, clock },
    ...(tell ? { tell } : {}),
    lockData: createDataLock(files),
  });
  if (json) {
    const acceptJournalAt = mayLackOrders ? manifest.lastEvent : null;
    const { madeAt, lastEvent } = manifest;
    const armed = false;
    return jsonText({ dataDirectory, madeAt, lastEvent, keptIn, acceptJournalAt, armed });
  }
  const restored = `restored the backup of ${manifest.madeAt} into ${dataDirectory}`;
  const kept = keptIn === null ? [] : [`what was there before is in ${keptIn}`];
  const accept = mayLackOrders
    ? [
        'Orders that were placed since that backup are not known, and their keys would place again. ' +
          "Compare the brokers' order books with what you expect, then start once with " +
          `APP_ACCEPT_JOURNAL_AT=${manifest.lastEvent}`,
      ]
    : [];
  const disarmed =
    'The gateway starts disarmed on it: it reads, and sends nothing, until you say that no other gateway runs on ' +
    'the original: altbroker-gateway arm (docs/moving.md)';
  return [restored, ...kept, ...accept, disarmed].join('\n');
}

const jsonText = (data: object): string => JSON.stringify({ data }, null, 2);
