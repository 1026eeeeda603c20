import {
  instrumentName,
  parentExchange,
  parseInstrumentReference,
  type Instrument,
  type InstrumentName,
  type Segment,
} from '../domain/instrument.ts';
import type { Chunked } from '../platform/chunks.ts';
import { indexKey } from './index-names.ts';
import type { Joined } from './join.ts';
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
  readonly search: Search;
}

const INSTRUMENTS_A_SLICE = 2_000;
const SEGMENTS: readonly Segment[] = ['EQUITY', 'DERIVATIVE', 'INDEX'];
/** How the primary brokerage writes the exchange of an index. */
const INDEX_EXCHANGES = new Map([
  ['NIDX', 'NSE'],
  ['BIDX', 'BSE'],
]);

export const isExpired = ({ expiry }: Instrument, today: string): boolean =>
  expiry !== null && expiry < today;

export function* createListIndex({ instruments, aliases }: Joined): Chunked<ListIndex> {
  const byName = new Map<InstrumentName, Instrument>();
  /**
   * By exchange and segment, then by id; the keys are the instruments' own strings, to save memory.
   */
  const bySecurity = new Map<string, Map<string, Instrument>>();
  const indices = new Map<string, Instrument>();
  for (const [place, instrument] of instruments.entries()) {
    const { name, exchange, tradingSymbol, segment, securityId } = instrument;
    byName.set(name, instrument);
    if (securityId !== null) {
      const group = groupOf(exchange, segment);
      let ids = bySecurity.get(group);
      if (!ids) bySecurity.set(group, (ids = new Map()));
      ids.set(securityId, instrument);
    }
    if (segment === 'INDEX') indices.set(`${exchange}|${indexKey(tradingSymbol)}`, instrument);
    if ((place + 1) % INSTRUMENTS_A_SLICE === 0) yield;
  }
  const search = yield* createSearch(instruments);

  const named = (name: InstrumentName): Instrument | null =>
    byName.get(name) ?? aliases.get(name) ?? null;

  function bySecurityId(
    exchange: string,
    securityId: string,
    segment: Segment | undefined,
    today: string,
  ): Instrument | null {
    for (const each of segment ? [segment] : SEGMENTS) {
      const found = bySecurity.get(groupOf(exchange, each))?.get(securityId);
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
      const index = indices.get(`${exchange}|${indexKey(tradingSymbol)}`) ?? null;
      return named(instrumentName(exchange, tradingSymbol)) ?? index;
    }
    const { securityId } = reference;
    const ofIndex = INDEX_EXCHANGES.get(exchange);
    if (ofIndex !== undefined) return bySecurityId(ofIndex, securityId, 'INDEX', today);
    // An id under NFO means a derivative, also when a share of NSE has the same id.
    const segment = parentExchange(exchange) === exchange ? undefined : 'DERIVATIVE';
    return bySecurityId(exchange, securityId, segment, today);
  }

  const unexpired = (found: Instrument | null, today: string): Instrument | null =>
    found === null || isExpired(found, today) ? null : found;

  return {
    size: instruments.length,
    byName: named,
    bySecurityId,
    resolve: (text, today) => unexpired(byText(text, today), today),
    search,
  };
}

const groupOf = (exchange: string, segment: Segment): string =>
  `${parentExchange(exchange)}|${segment}`;
