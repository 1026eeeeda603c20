import type { Instrument, Segment } from '../domain/instrument.ts';
import { must } from '../platform/values.ts';
import type { Chunked } from '../platform/chunks.ts';
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
export function* createSearch(instruments: readonly Instrument[]): Chunked<Search> {
  const lines: string[] = [];
  const starts = new Uint32Array(instruments.length + 1);
  let length = 0;
  for (const [place, instrument] of instruments.entries()) {
    const line = `${searchText(instrument)}\n`;
    lines.push(line);
    length += line.length;
    starts[place + 1] = length;
    if ((place + 1) % INSTRUMENTS_A_CHUNK === 0) yield;
  }
  const text = lines.join('');
  const endOf = (place: number): number => must(starts[place + 1], EACH_LINE_HAS_A_START);

  /** The indices of the instruments whose line contains the word, ascending. */
  function* withWord(word: string): Generator<number> {
    let at = text.indexOf(word);
    while (at >= 0) {
      const place = placeOf(starts, at);
      yield place;
      at = text.indexOf(word, endOf(place));
    }
  }

  return (query, today) => {
    const wanted = (query.text ?? '').trim().toUpperCase();
    const words = wanted.split(/[\s:]+/).filter((word) => word !== '');
    const longest = words.reduce((one, other) => (other.length > one.length ? other : one), '');
    const others = words.filter((word) => word !== longest);
    const matches = createRankedMatches(query.limit);
    for (const place of longest === '' ? instruments.keys() : withWord(longest)) {
      const instrument = must(instruments[place], 'each line is that of an instrument');
      if (!passes(instrument, query, today)) continue;
      const line = others.length === 0 ? null : text.slice(starts[place], endOf(place) - 1);
      if (line !== null && !others.every((word) => line.includes(word))) continue;
      matches.add(rankOf(instrument, wanted, words, line), instrument);
    }
    return matches.best();
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

function passes(instrument: Instrument, query: InstrumentQuery, today: string): boolean {
  const { exchange, segment, type, expiry } = query;
  if (exchange !== undefined && instrument.exchange !== exchange) return false;
  if (segment !== undefined && instrument.segment !== segment) return false;
  if (type !== undefined && contractType(instrument) !== type) return false;
  if (expiry !== undefined && instrument.expiry !== expiry) return false;
  return instrument.expiry === null || instrument.expiry >= today;
}

function contractType({ segment, optionType }: Instrument): ContractType | null {
  return segment === 'DERIVATIVE' ? (optionType ?? 'FUT') : null;
}

const RANKS = 5;

/** 0 exact match, 1 start of the symbol, 2 within the symbol, 3 whole words, 4 any other match. */
function rankOf(
  { tradingSymbol, name, displayName }: Instrument,
  wanted: string,
  words: readonly string[],
  line: string | null,
): number {
  if (wanted === '' || tradingSymbol === wanted || name === wanted) return 0;
  if (tradingSymbol.startsWith(wanted)) return 1;
  if (tradingSymbol.includes(wanted)) return 2;
  const whole = ` ${line ?? displayName.toUpperCase()} `;
  return words.every((word) => whole.includes(` ${word} `)) ? 3 : 4;
}

interface RankedMatches {
  add(rank: number, instrument: Instrument): void;
  best(): Instrument[];
}

/** Keeps the first `limit` of each rank, without sorting all matches of a short word. */
function createRankedMatches(limit: number): RankedMatches {
  const byRank = Array.from({ length: RANKS }, (): Instrument[] => []);
  const keepFirst = (matches: Instrument[]): void => {
    matches.sort(inOrder);
    matches.length = Math.min(matches.length, limit);
  };
  return {
    add(rank, instrument) {
      const matches = must(byRank[rank], 'there is a list for each rank');
      matches.push(instrument);
      if (matches.length >= 4 * limit + 1_000) keepFirst(matches);
    },
    best() {
      byRank.forEach(keepFirst);
      return byRank.flat().slice(0, limit);
    },
  };
}

/** Instruments without an expiry first, then by expiry, strike and name. */
function inOrder(left: Instrument, right: Instrument): number {
  const byExpiry = compare(left.expiry ?? '', right.expiry ?? '');
  if (byExpiry !== 0) return byExpiry;
  return (left.strike ?? 0) - (right.strike ?? 0) || compare(left.name, right.name);
}

function compare(left: string, right: string): number {
  return left === right ? 0 : left < right ? -1 : 1;
}
