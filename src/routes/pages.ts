import {
  compareAge,
  cursorOf,
  type ListPosition,
  MOST_IN_PAGE,
  type PagedList,
  takePage,
  writeCursor,
} from '../router/pages.ts';
import { type EpochMs, epochMs } from '../units/branded.ts';
import { cursor, digits } from './define-route.ts';

/** The inputs of every list that comes in pages (docs/orders.md, "Lists come in pages"). */
export const pageInputs = (entries: string) => ({
  limit: digits(1, MOST_IN_PAGE)
    .optional()
    .meta({
      description: `${entries} in the page; 1,000 when absent. No answer is larger than 1 MB`,
    }),
  cursor: cursor.optional().meta({
    description: 'The nextCursor of the previous page, unchanged; the first page when absent',
  }),
});

export interface PageRequest {
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

export interface ListToPage<Entry, View> {
  readonly list: PagedList;
  /** The day of the list, or what has it; a cursor of another one is refused with `wrong_cursor`. */
  readonly of: string;
  readonly id: (entry: Entry) => string;
  /** Epoch ms; an entry without a time is among the oldest. */
  readonly at: (entry: Entry) => EpochMs | null;
  readonly view: (entry: Entry) => View;
}

const LONG_AGO = epochMs(0);

/**
 * One page of a list that is wholly known, oldest first: what is added while a caller reads page after
 * page is on a later one. Throws `wrong_cursor`.
 */
export function pageOf<Entry, View>(
  all: readonly Entry[],
  { limit, cursor: text }: PageRequest,
  { list, of, id, at, view }: ListToPage<Entry, View>,
): { readonly data: readonly View[]; readonly nextCursor: string | null } {
  const after = cursorOf(list, text, of)?.after ?? null;
  const sorted = all
    .map((entry) => ({ entry, id: id(entry), createdAt: at(entry) ?? LONG_AGO }))
    .sort(compareAge);
  const shown = shownAfter(sorted, after, view);
  const { entries, last } = takePage(shown, ({ shown: each }) => bytesOf(each), limit);
  return {
    data: entries.map((each) => each.shown),
    nextCursor: last === null ? null : writeCursor({ list, of, after: last.position }),
  };
}

const bytesOf = (shown: unknown): number => Buffer.byteLength(JSON.stringify(shown)) + 1;

interface Shown<View> {
  readonly position: ListPosition;
  readonly shown: View;
}

function* shownAfter<Entry, View>(
  sorted: readonly (ListPosition & { readonly entry: Entry })[],
  after: ListPosition | null,
  view: (entry: Entry) => View,
): Generator<Shown<View>, void, undefined> {
  for (const { entry, id, createdAt } of sorted) {
    const position = { id, createdAt };
    if (after === null || compareAge(position, after) > 0) yield { position, shown: view(entry) };
  }
}
