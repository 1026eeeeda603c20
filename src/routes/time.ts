import { z } from 'zod';
import { istIso } from '../domain/ist.ts';

/** Every time in a reply: ISO 8601 with +05:30. */
export const time = z.iso.datetime({ offset: true }).meta({
  id: 'Time',
  description: 'ISO 8601 with +05:30',
  example: '2026-11-23T09:15:00.000+05:30',
});

export function isoOrNull(at: number | null): string | null {
  return at === null ? null : istIso(at);
}
