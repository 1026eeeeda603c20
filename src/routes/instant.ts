import { z } from 'zod';
import { istTime } from '../domain/ist.ts';
import { epochMs, plus, type EpochMs } from '../units/branded.ts';
import { noPattern } from './no-pattern.ts';

const TAKES =
  'takes a time with its zone, or Indian time without one: 2026-11-23T09:15:00+05:30, ' +
  '2026-11-23T09:15, 2026-11-23';

/** Before electronic trading: an earlier year is a typing error. */
const EARLIEST = Date.UTC(1990, 0, 1);
const LATEST = Date.UTC(2100, 0, 1);

const PARTS =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(\.\d{1,6})?)?(Z|[+ -]\d{2}:\d{2})?)?$/i;

/**
 * An instant in a query parameter, as epoch ms: ISO 8601 with a zone; or, without one, Indian time
 * or a day (its midnight).
 */
export const instant = z
  .string()
  .transform((text, context) => {
    const at = readInstant(text);
    if (at !== null && at >= EARLIEST && at < LATEST) return at;
    context.addIssue({ code: 'custom', message: TAKES });
    return z.NEVER;
  })
  .meta({ override: { type: 'string', ...noPattern }, example: '2026-11-23T09:15:00+05:30' });

/** Null when the text is not an existing instant. */
export function readInstant(text: string): EpochMs | null {
  const [matched, day, minute = '00:00', second = '00', fraction = '', zone] =
    PARTS.exec(text) ?? [];
  if (matched === undefined || day === undefined) return null;
  // The runtime reads the 30th of February and 24:00 as other instants, instead of refusing them.
  const wall = `${day}T${minute}:${second}`;
  const asUtc = Date.parse(`${wall}Z`);
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(wall)) return null;
  const ms = Math.floor(Number(`0${fraction}`) * 1000);
  if (zone === undefined) return plus(istTime(day, `${minute}:${second}`), ms);
  // An unescaped plus arrives as a space.
  const at = Date.parse(`${wall}${zone.toUpperCase().replace(' ', '+')}`);
  return Number.isNaN(at) ? null : epochMs(at + ms);
}
