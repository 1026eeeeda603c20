import { z } from 'zod';
import { GatewayProblem } from '../domain/problem.ts';
import { sha256 } from '../platform/secret.ts';
import type { InstrumentQuery, SearchPlace } from '../router/instrument-reads.ts';
import { CURSOR_TAKES } from '../router/pages.ts';

/** What is searched for, without which page of it. */
type Wanted = Omit<InstrumentQuery, 'limit' | 'after'>;

const LIST = 'instruments';
const EXAMPLE: SearchPlace = { rank: 2, expiry: '2026-11-24', strike: 24_450, name: 'NFO:A' };

const placeSchema = z.tuple([
  z.literal(LIST),
  z.string(),
  z.int().min(0),
  z.string(),
  z.number(),
  z.string(),
]);

/** The cursor of the page of a search that begins after a place. */
export const writeInstrumentCursor = (
  wanted: Wanted,
  { rank, expiry, strike, name }: SearchPlace,
): string =>
  Buffer.from(JSON.stringify([LIST, markOf(wanted), rank, expiry, strike, name])).toString(
    'base64url',
  );

/** Another search has other pages; the order in which a caller gives its words and filters does not matter. */
const markOf = ({ text, exchange, segment, type, expiry }: Wanted): string =>
  sha256(JSON.stringify([text, exchange, segment, type, expiry])).slice(0, 12);

/** The place after which a page begins; undefined for the first page. Throws `wrong_cursor` for another search's. */
export function placeOfCursor(text: string | undefined, wanted: Wanted): SearchPlace | undefined {
  const read = text === undefined ? undefined : readCursor(text);
  if (!read) return undefined;
  if (read.mark === markOf(wanted)) return read.place;
  const message = 'belongs to another search: leave it out for the first page of this one';
  throw new GatewayProblem({
    code: 'wrong_cursor',
    detail: `query.cursor: ${message}`,
    errors: [{ path: 'query.cursor', message }],
  });
}

/** Null for a text that `writeInstrumentCursor` did not make. */
function readCursor(text: string): { readonly mark: string; readonly place: SearchPlace } | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [, mark, rank, expiry, strike, name] = placeSchema.parse(read);
    return { mark, place: { rank, expiry, strike, name } };
  } catch {
    return null;
  }
}

/** Opaque to callers. */
export const instrumentCursor = z
  .string()
  .max(1_024)
  .refine((text) => readCursor(text) !== null, CURSOR_TAKES)
  .meta({
    description: 'The nextCursor of the previous page, unchanged; the first page when absent',
    example: writeInstrumentCursor({}, EXAMPLE),
    override: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  });
