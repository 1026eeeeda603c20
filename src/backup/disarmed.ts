import { z } from 'zod';

/** Its file says that the data directory is a copy, and that nothing may be sent on it (decision 0063). */
export const DISARMED = 'disarmed.json';
/** Its file says which directory this is; a copy has the one of the original. */
export const HOME = 'home.json';

export const disarmedSchema = z.object({
  /** By `restore`, or by hand; or the record of which directory it is cannot be read, so that it may be a copy. */
  why: z.enum(['restored', 'copied', 'damaged']),
  /** When it was restored, or found to be a copy: ISO 8601 with +05:30; null where that is not known. */
  at: z.string().nullable(),
});
export type Disarmed = z.output<typeof disarmedSchema>;
