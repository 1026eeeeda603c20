import { parentExchange, type Instrument, type Segment } from '../domain/instrument.ts';
import type { Entries } from './entries.ts';
import { indexKey } from './names.ts';
import { createRowIndex } from './row-index.ts';

/** Equal for the rows of two lists that have one number, or one index. */
export function joinKey(instrument: Instrument): string {
  const { exchange, segment, securityId, tradingSymbol } = instrument;
  if (segment === 'INDEX') return `${parentExchange(exchange)}|INDEX|${indexKey(tradingSymbol)}`;
  return securityId === null ? nameKey(instrument) : numberKey(exchange, segment, securityId);
}

export const numberKey = (exchange: string, segment: Segment, securityId: string): string =>
  `${parentExchange(exchange)}|${segment}|${securityId}`;

export const nameKey = ({ segment, name }: Instrument): string => `${segment}|${name}`;

/** The entries that have a key, in the order in which the keys came. */
export interface KeyedPlaces {
  /** The place of the entry with this key; undefined for none. */
  get(key: string): number | undefined;
  /** An entry that takes over a key has the order of the one before. */
  set(key: string, place: number): void;
  inOrder(): readonly number[];
}

/** The keys follow from the entries, so that a hundred thousand texts need not be kept beside them. */
export function createKeyedPlaces(entries: Entries, most: number): KeyedPlaces {
  const places: number[] = [];
  const index = createRowIndex(most);
  /** Keys that are not the join key of their entry. */
  const others = new Map<number, string>();
  const keyAt = (at: number): string =>
    others.get(at) ?? joinKey(entries.at(places[at] ?? NaN).instrument);
  const find = (key: string): number | null => index.find(key, (at) => keyAt(at) === key);
  return {
    get(key) {
      const at = find(key);
      return at === null ? undefined : places[at];
    },
    set(key, place) {
      const at = find(key) ?? places.length;
      places[at] = place;
      if (joinKey(entries.at(place).instrument) !== key) others.set(at, key);
      else others.delete(at);
      index.set(key, at, (other) => keyAt(other) === key);
    },
    inOrder: () => places,
  };
}
