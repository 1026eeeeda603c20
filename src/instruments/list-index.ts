import type { BrokerId } from '../domain/broker.ts';
import {
  type Instrument,
  instrumentName,
  type InstrumentName,
  isExpired,
  parentExchange,
  parseInstrumentReference,
  type Segment,
} from '../domain/instrument.ts';
import type { Chunked } from '../platform/chunks.ts';
import { indexKey } from './names.ts';
import type { Instruments } from './instrument-table.ts';
import type { Joined, OwnLists } from './join.ts';
import { numberKey } from './join-keys.ts';
import { createRowIndex } from './row-index.ts';
import { createSearch, type Search } from './search.ts';

/**
 * The joined list, for look-ups. `today` is the IST day: contracts that expired before are not
 * found.
 */
export interface ListIndex {
  readonly size: number;
  /** By canonical name, or by the other list's name; expired or not. */
  byName(name: InstrumentName): Instrument | null;
  bySecurityId(
    exchange: string,
    securityId: string,
    segment: Segment | undefined,
    today: string,
  ): Instrument | null;
  /** By name or by exchange and security id; null when no list has it. */
  resolve(text: string, today: string): Instrument | null;
  /** What has a symbol, on whichever exchange; indices also by another spelling, where nothing has it. */
  listings(symbol: string, today: string): readonly Instrument[];
  readonly search: Search;
  /** What `broker` may use of the joined list, as far as its own lists tell. */
  ofBroker(broker: BrokerId): OwnIndex;
}

/** See BrokerInstruments; `today` is the IST day. */
export interface OwnIndex {
  own(instrument: Instrument): Instrument;
  bySecurityId: ListIndex['bySecurityId'];
  /** Why no order for the instrument may go to this broker; null where one may. */
  refusal(instrument: Instrument): OwnRefusal | null;
}

/** `isLasting`: another edition of a list is needed, not only the first one. */
export interface OwnRefusal {
  readonly reason: string;
  readonly isLasting: boolean;
}

const INSTRUMENTS_A_SLICE = 2_000;
const SEGMENTS: readonly Segment[] = ['EQUITY', 'DERIVATIVE', 'INDEX'];
/** How the primary brokerage writes the exchange of an index. */
const INDEX_EXCHANGES = new Map([
  ['NIDX', 'NSE'],
  ['BIDX', 'BSE'],
]);

export function* createListIndex(joined: Joined): Chunked<ListIndex> {
  const { instruments, aliases } = joined;
  const rows = yield* indexRows(instruments);
  const indices = new Map<string, number>();
  const exchanges = new Set<string>();
  for (let row = 0; row < instruments.length; row += 1) {
    const exchange = instruments.exchangeAt(row);
    exchanges.add(exchange);
    if (instruments.segmentAt(row) !== 'INDEX') continue;
    indices.set(`${exchange}|${indexKey(instruments.tradingSymbolAt(row))}`, row);
  }
  const search = yield* createSearch(instruments);
  const made = rememberingSome((row) => instruments.at(row));
  const atRow = (row: number | null | undefined): Instrument | null =>
    row === null || row === undefined ? null : made(row);

  const rowNamed = (name: InstrumentName): number | null =>
    rows.byName(name) ?? aliases.get(name) ?? null;

  function bySecurityId(
    exchange: string,
    securityId: string,
    segment: Segment | undefined,
    today: string,
  ): Instrument | null {
    for (const each of segment ? [segment] : SEGMENTS) {
      const found = atRow(rows.byNumber(exchange, each, securityId));
      // The exchange gives the id of an expired contract to another one.
      if (found && !isExpired(found, today)) return found;
    }
    return null;
  }

  function byText(text: string, today: string): Instrument | null {
    const reference = parseInstrumentReference(text);
    if (!reference) return null;
    const { exchange } = reference;
    if (reference.kind === 'name') {
      const { tradingSymbol } = reference;
      const ofIndex = indices.get(`${exchange}|${indexKey(tradingSymbol)}`);
      return atRow(rowNamed(instrumentName(exchange, tradingSymbol)) ?? ofIndex);
    }
    const { securityId } = reference;
    const ofIndex = INDEX_EXCHANGES.get(exchange);
    if (ofIndex !== undefined) return bySecurityId(ofIndex, securityId, 'INDEX', today);
    // An id under NFO means a derivative, also when a share of NSE has the same id.
    const segment = parentExchange(exchange) === exchange ? undefined : 'DERIVATIVE';
    return bySecurityId(exchange, securityId, segment, today);
  }

  function listings(symbol: string, today: string): readonly Instrument[] {
    const among = (find: (exchange: string) => number | null | undefined): Instrument[] => {
      const found = new Set([...exchanges].map(find));
      return [...found].flatMap((row) => unexpired(atRow(row), today) ?? []);
    };
    const exact = among((exchange) => rowNamed(instrumentName(exchange, symbol)));
    return exact.length > 0
      ? exact
      : among((exchange) => indices.get(`${exchange}|${indexKey(symbol)}`));
  }

  const unexpired = (found: Instrument | null, today: string): Instrument | null =>
    found === null || isExpired(found, today) ? null : found;

  return {
    size: instruments.length,
    byName: (name) => atRow(rowNamed(name)),
    bySecurityId,
    resolve: (text, today) => unexpired(byText(text, today), today),
    listings,
    search,
    ofBroker: (broker) =>
      createOwnIndex({
        broker,
        rowOf: rows.byName,
        bySecurityId,
        own: joined.own.get(broker) ?? null,
      }),
  };
}

/** The rows of a table by name, and by number. */
interface Rows {
  byName(name: InstrumentName): number | null;
  byNumber(exchange: string, segment: Segment, securityId: string): number | null;
}

function* indexRows(instruments: Instruments): Chunked<Rows> {
  const byName = createRowIndex(instruments.length);
  const byNumber = createRowIndex(instruments.length);
  const hasName = (name: InstrumentName) => (row: number) => instruments.nameAt(row) === name;
  const hasNumber = (key: string) => (row: number) => numberKeyAt(instruments, row) === key;
  for (let row = 0; row < instruments.length; row += 1) {
    const name = instruments.nameAt(row);
    byName.set(name, row, hasName(name));
    const key = numberKeyAt(instruments, row);
    if (key !== null) byNumber.set(key, row, hasNumber(key));
    if ((row + 1) % INSTRUMENTS_A_SLICE === 0) yield;
  }
  return {
    byName: (name) => byName.find(name, hasName(name)),
    byNumber(exchange, segment, securityId) {
      const key = numberKey(exchange, segment, securityId);
      return byNumber.find(key, hasNumber(key));
    },
  };
}

function numberKeyAt(instruments: Instruments, row: number): string | null {
  const securityId = instruments.securityIdAt(row);
  if (securityId === null) return null;
  return numberKey(instruments.exchangeAt(row), instruments.segmentAt(row), securityId);
}

const REMEMBERED = 4_096;

/** Makes an instrument of a row once, for as long as no more than some thousands are asked for. */
function rememberingSome(make: (row: number) => Instrument): (row: number) => Instrument {
  const made = new Map<number, Instrument>();
  return (row) => {
    let instrument = made.get(row);
    if (!instrument) {
      if (made.size >= REMEMBERED) made.clear();
      made.set(row, (instrument = make(row)));
    }
    return instrument;
  };
}

const KINDS: Readonly<Record<Segment, string>> = {
  EQUITY: 'shares',
  DERIVATIVE: 'contracts',
  INDEX: 'indices',
};
const SEE_LISTS = 'GET /api/v1/brokers tells how old the lists are';

/**
 * What one broker's own lists say (docs/spec/instruments.md, "An order goes by the broker's own
 * list"). `own` is null where the broker has no list in use.
 */
function createOwnIndex(parts: {
  readonly broker: BrokerId;
  readonly own: OwnLists | null;
  readonly rowOf: (name: InstrumentName) => number | null;
  readonly bySecurityId: ListIndex['bySecurityId'];
}): OwnIndex {
  const { broker, own, rowOf } = parts;
  const isListed = (lists: OwnLists, { name }: Instrument): boolean => {
    const row = rowOf(name);
    return row !== null && lists.lists(row);
  };
  return {
    own(instrument) {
      if (!own?.segments.has(instrument.segment)) return instrument;
      const isUsable = isListed(own, instrument) && !own.doubted.has(instrument.name);
      return isUsable ? instrument : { ...instrument, securityId: null };
    },
    bySecurityId(exchange, securityId, segment, today) {
      const found = parts.bySecurityId(exchange, securityId, segment, today);
      if (!found || !own) return found;
      const isDisplaced = own.displaced.has(numberKey(exchange, found.segment, securityId));
      return isDisplaced && !isListed(own, found) ? null : found;
    },
    refusal(instrument) {
      const { name, segment } = instrument;
      if (!own?.segments.has(segment)) {
        const reason =
          `the gateway has no list of the ${KINDS[segment]} of ${broker} yet, and an order goes by ` +
          `the broker's own list only: try again, ${SEE_LISTS}`;
        return { reason, isLasting: false };
      }
      const rival = own.rivals.get(name);
      if (!isListed(own, instrument)) {
        const other = rival === undefined ? '' : `, and has its number as ${rival}`;
        const reason =
          `the instrument list of ${broker} does not have ${name}${other}: name another broker, or ` +
          `the instrument as ${broker} lists it; ${SEE_LISTS}`;
        return { reason, isLasting: true };
      }
      if (!own.doubted.has(name)) return null;
      const taken = rival === undefined ? '' : `: it may be the number of ${rival} now`;
      const reason =
        `the instrument lists disagree about the number of ${name} at ${broker}${taken}. Try again ` +
        `after the next list of ${broker}; ${SEE_LISTS}`;
      return { reason, isLasting: true };
    },
  };
}
