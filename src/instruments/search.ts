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
}

/** Best match first; contracts that expired before `today` are not found. */
export type Search = (query: InstrumentQuery, today: string) => Instrument[];

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
    const matches = createRankedMatches(instruments, query.limit);
    for (const place of longest === '' ? everyRow() : withWord(longest)) {
      if (!passes(instruments, place, query, today)) continue;
      const line = others.length === 0 ? null : text.slice(starts[place], endOf(place) - 1);
      if (line !== null && !others.every((word) => line.includes(word))) continue;
      matches.add(rankOf(instruments, place, { wanted, words, line }), place);
    }
    return matches.best().map((place) => instruments.at(place));
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
  /** Rows. */
  best(): readonly number[];
}

/** Keeps the first `limit` of each rank, without sorting all matches of a short word. */
function createRankedMatches(instruments: Instruments, limit: number): RankedMatches {
  const byRank = Array.from({ length: RANKS }, (): number[] => []);
  const keepFirst = (matches: number[]): void => {
    matches.sort((left, right) => inOrder(instruments, left, right));
    matches.length = Math.min(matches.length, limit);
  };
  return {
    add(rank, row) {
      const matches = must(byRank[rank], 'there is a list for each rank');
      matches.push(row);
      if (matches.length >= 4 * limit + 1_000) keepFirst(matches);
    },
    best() {
      byRank.forEach(keepFirst);
      return byRank.flat().slice(0, limit);
    },
  };
}

/** Instruments without an expiry first, then by expiry, strike and name. */
function inOrder(instruments: Instruments, left: number, right: number): number {
  const byExpiry = compare(instruments.expiryAt(left) ?? '', instruments.expiryAt(right) ?? '');
  if (byExpiry !== 0) return byExpiry;
  const byStrike = (instruments.strikeAt(left) ?? 0) - (instruments.strikeAt(right) ?? 0);
  return byStrike || compare(instruments.nameAt(left), instruments.nameAt(right));
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
