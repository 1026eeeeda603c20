import { z } from 'zod';
import type { Files } from '../platform/files.ts';
import type { Log } from '../platform/log.ts';
import { openStateFile } from '../platform/state-file.ts';
import type { SlotRecord } from './policy.ts';

const content = z.object({
  version: z.literal(1),
  /** Oldest first. */
  slots: z.array(
    z.object({
      key: z.string(),
      state: z.enum(['sending', 'owed', 'sent', 'not_needed', 'covered', 'refused']),
      again: z.boolean(),
    }),
  ),
});

/** The slots of some days, in case the clock is set back. */
const SLOTS_KEPT = 60;

/**
 * The state of each reminder. It is a separate file, because reminders must be sent also when the
 * journal cannot be written. It may be deleted; then a reminder of the day can repeat.
 */
export interface ReminderFile {
  records(): readonly SlotRecord[];
  put(...records: readonly SlotRecord[]): void;
}

export function openReminderFile(parts: {
  readonly files: Files;
  readonly log: Log;
  readonly path: string;
}): ReminderFile {
  const file = openStateFile({ ...parts, parse: (json) => content.parse(json) });
  const records = (): readonly SlotRecord[] => file.content()?.slots ?? [];
  return {
    records,
    put(...changed) {
      const keys = new Set(changed.map(({ key }) => key));
      const kept = records().filter(({ key }) => !keys.has(key));
      file.write({ version: 1, slots: [...kept, ...changed].slice(-SLOTS_KEPT) });
    },
  };
}
