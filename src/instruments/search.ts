import type { Instrument, Segment } from '../domain/instrument.ts';
import { must } from '../platform/values.ts';
import type { Chunked } from '../platform/chunks.ts';
import type { Instruments } from './instrument-table.ts';
import { expiryWords, indexSpellings } from './names.ts';

export type ContractType = 'FUT' | 'CE' | 'PE';

export interface InstrumentQuery {
  /** Words that the symbol or the name must all contain; absent means every instrument. */
  readonly text?: string | undefined;
  /** NSE, NFO, … */
  readonly exchange?: string | undefined;
  readonly segment?: Segment | undefined;
  readonly type?: ContractType | undefined;
  /** IST day `YYYY-MM-DD` on which the contract expires. */
  readonly expiry?: string | undefined;
  readonly limit: number;
  /** The place of the last instrument of the previous page; absent for the first page. */
  readonly after?: SearchPlace | undefined;
}

/**
 * The place of an instrument among all matches, which does not depend on what else matches: a search goes on
 * where it was, also in a newer edition of the lists.
 */
export interface SearchPlace {
  /** How well it matches: 0 is best. */
  readonly rank: number;
  /** IST day; empty without one. */
  readonly expiry: string;
  /** 0 without one. */
  readonly strike: number;
  readonly name: string;
}

export interface SearchPage {
  readonly instruments: readonly Instrument[];
  /** The place of the last instrument, where more follow. */
  readonly last: SearchPlace | null;
}

/** Best match first; contracts that expired before `today` are not found. */
export type Search = (query: InstrumentQuery, today: string) => SearchPage;

const INSTRUMENTS_A_CHUNK = 1_000;

const EACH_LINE_HAS_A_START = 'each line has a start, and the end of the text is one as well';

/**
 * A search in one long text with a line for each instrument, which has all its search terms. One
 * pass of the engine's text search finds the lines with the longest word; the other words are
 * searched within those.
 */
export function* createSearch(instruments: Instruments): Chunked<Search> {
  const texts: string[] = [];
  let lines: string[] = [];
  const starts = new Uint32Array(instruments.length + 1);
  let length = 0;
  let row = 0;
  for (const instrument of instruments) {
    const line = `${searchText(instrument)}\n`;
    lines.push(line);
    length += line.length;
    row += 1;
    starts[row] = length;
    if (row % INSTRUMENTS_A_CHUNK !== 0) continue;
    texts.push(lines.join(''));
    lines = [];
    yield;
  }
  const text = [...texts, ...lines].join('');
  const endOf = (place: number): number => must(starts[place + 1], EACH_LINE_HAS_A_START);

  /** The rows of the instruments whose line contains the word, ascending. */
  function* withWord(word: string): Generator<number> {
    let at = text.indexOf(word);
    while (at >= 0) {
      const place = placeOf(starts, at);
      yield place;
      at = text.indexOf(word, endOf(place));
    }
  }

  function* everyRow(): Generator<number> {
    for (let each = 0; each < instruments.length; each += 1) yield each;
  }

  return (query, today) => {
    const wanted = (query.text ?? '').trim().toUpperCase();
    const words = wanted.split(/[\s:]+/).filter((word) => word !== '');
    const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '');
    const others = words.filter((word) => word !== longest);
    const matches = createRankedMatches(instruments, query);
    for (const place of longest === '' ? everyRow() : withWord(longest)) {
      if (!passes(instruments, place, query, today)) continue;
      const line = others.length === 0 ? null : text.slice(starts[place], endOf(place) - 1);
      if (line !== null && !others.every((word) => line.includes(word))) continue;
      matches.add(rankOf(instruments, place, { wanted, words, line }), place);
    }
    return matches.page();
  };
}

/** The last index whose line starts at or before `at`. */
function placeOf(starts: Uint32Array, at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (must(starts[middle], EACH_LINE_HAS_A_START) <= at) low = middle;
    else high = middle;
  }
  return low;
}

function searchText(instrument: Instrument): string {
  const { exchange, tradingSymbol, displayName, segment, expiry, strike, optionType } = instrument;
  const more =
    segment === 'INDEX'
      ? indexSpellings(tradingSymbol)
      : segment === 'DERIVATIVE'
        ? [
            expiry === null ? null : (expiryWords(expiry) ?? expiry),
            strike,
            optionType ?? 'FUT',
          ].join(' ')
        : (instrument.isin ?? '');
  return `${exchange} ${tradingSymbol} ${displayName} ${more}`.toUpperCase();
}

function passes(
  instruments: Instruments,
  row: number,
  { exchange, segment, type, expiry }: InstrumentQuery,
  today: string,
): boolean {
  if (exchange !== undefined && instruments.exchangeAt(row) !== exchange) return false;
  if (segment !== undefined && instruments.segmentAt(row) !== segment) return false;
  if (type !== undefined && contractType(instruments, row) !== type) return false;
  const expires = instruments.expiryAt(row);
  if (expiry !== undefined && expires !== expiry) return false;
  return expires === null || expires >= today;
}

function contractType(instruments: Instruments, row: number): ContractType | null {
  if (instruments.segmentAt(row) !== 'DERIVATIVE') return null;
  return instruments.optionTypeAt(row) ?? 'FUT';
}

const RANKS = 5;

/** 0 exact match, 1 start of the symbol, 2 within the symbol, 3 whole words, 4 any other match. */
function rankOf(
  instruments: Instruments,
  row: number,
  search: {
    readonly wanted: string;
    readonly words: readonly string[];
    readonly line: string | null;
  },
): number {
  const { wanted, words, line } = search;
  if (wanted === '') return 0;
  const tradingSymbol = instruments.tradingSymbolAt(row);
  if (tradingSymbol === wanted || instruments.nameAt(row) === wanted) return 0;
  if (tradingSymbol.startsWith(wanted)) return 1;
  if (tradingSymbol.includes(wanted)) return 2;
  const whole = ` ${line ?? instruments.displayNameAt(row).toUpperCase()} `;
  return words.every((word) => whole.includes(` ${word} `)) ? 3 : 4;
}

interface RankedMatches {
  add(rank: number, row: number): void;
  page(): SearchPage;
}

/** Keeps the first of each rank that a page can have, without sorting all matches of a short word. */
function createRankedMatches(
  instruments: Instruments,
  { limit, after }: Pick<InstrumentQuery, 'limit' | 'after'>,
): RankedMatches {
  const byRank = Array.from({ length: RANKS }, (): number[] => []);
  // One more than the page has tells whether another page follows.
  const most = limit + 1;
  const keepFirst = (matches: number[]): void => {
    matches.sort((left, right) =>
      compareWithinRank(placeWithinRank(instruments, left), placeWithinRank(instruments, right)),
    );
    matches.length = Math.min(matches.length, most);
  };
  const isOnEarlierPage = (rank: number, row: number): boolean =>
    after !== undefined &&
    (rank < after.rank ||
      (rank === after.rank && compareWithinRank(placeWithinRank(instruments, row), after) <= 0));
  return {
    add(rank, row) {
      if (isOnEarlierPage(rank, row)) return;
      const matches = must(byRank[rank], 'there is a list for each rank');
      matches.push(row);
      if (matches.length >= 4 * most + 1_000) keepFirst(matches);
    },
    page() {
      byRank.forEach(keepFirst);
      const found = byRank.flatMap((rows, rank) => rows.map((row) => ({ rank, row })));
      const shown = found.slice(0, limit);
      const end = shown.at(-1);
      return {
        instruments: shown.map(({ row }) => instruments.at(row)),
        last:
          end === undefined || found.length <= limit
            ? null
            : { rank: end.rank, ...placeWithinRank(instruments, end.row) },
      };
    },
  };
}

type PlaceWithinRank = Omit<SearchPlace, 'rank'>;

const placeWithinRank = (instruments: Instruments, row: number): PlaceWithinRank => ({
  expiry: instruments.expiryAt(row) ?? '',
  strike: instruments.strikeAt(row) ?? 0,
  name: instruments.nameAt(row),
});

/** Instruments without an expiry first, then by expiry, strike and name. */
function compareWithinRank(left: PlaceWithinRank, right: PlaceWithinRank): number {
  const byExpiry = compare(left.expiry, right.expiry);
  return byExpiry || left.strike - right.strike || compare(left.name, right.name);
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
