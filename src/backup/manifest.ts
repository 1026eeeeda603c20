import { z } from 'zod';
import type { DatabaseReader } from '../platform/database.ts';

export const JOURNAL = 'journal.db';
export const MARK = 'journal-mark.json';
/** Names what a backup holds. It is written last: a directory without it is no backup. */
export const MANIFEST = 'backup.json';

export const manifestSchema = z.object({
  /** The gateway's, that made it. */
  version: z.string(),
  /** ISO 8601 with +05:30. */
  madeAt: z.string(),
  /** The last event of the journal in it. */
  lastEvent: z.number().int().nonnegative(),
  files: z.array(z.object({ name: z.string().regex(/^[\w-][\w.-]*$/), bytes: z.number().int() })),
});
export type Manifest = z.output<typeof manifestSchema>;

/** The number of the last event in a journal; 0 in an empty one. */
export function lastEventIn(journal: Pick<DatabaseReader, 'prepare'>): number {
  const row = journal.prepare('SELECT coalesce(max(sequence), 0) AS last FROM events').get();
  return Number(row?.['last']);
}
