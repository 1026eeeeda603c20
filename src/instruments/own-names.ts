import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import type { Chunked } from '../platform/chunks.ts';
import type { Entries, Entry } from './entries.ts';
import { isSameTerms, merge } from './merge.ts';
import { createRowIndex } from './row-index.ts';

/** What a name stands for, by the places of the entries. */
export interface OwnNames {
  /** In the order of the places that were given. */
  readonly places: readonly number[];
  /** Entries that became part of another one, under whose name they are found. */
  readonly absorbed: ReadonlyMap<number, number>;
}

type Note = (kind: 'name' | 'number', instrument: Instrument) => void;

const ENTRIES_A_SLICE = 5_000;

/**
 * Makes names unique, so that the order of the rows never decides what an order is for. What
 * several brokers call by one name becomes one instrument, also where they disagree about its
 * number. Of the others that share a name, the only one with an instrument token keeps it; the rest
 * are named by segment and security id, and left out when they have none. Renames in place.
 */
export function* giveOwnNames(
  entries: Entries,
  places: readonly number[],
  note: Note,
): Chunked<OwnNames> {
  const byName = createRowIndex(places.length);
  const shared = new Map<InstrumentName, number[]>();
  for (const [index, place] of places.entries()) {
    const name = entries.nameAt(place);
    const isNamed = (other: number): boolean => entries.nameAt(other) === name;
    const first = byName.find(name, isNamed);
    if (first === null) byName.set(name, place, isNamed);
    else shared.set(name, [...(shared.get(name) ?? [first]), place]);
    if ((index + 1) % ENTRIES_A_SLICE === 0) yield;
  }
  const absorbed = new Map<number, number>();
  const nameless = new Set<number>();
  for (const sharers of shared.values()) {
    const left = absorb(
      sharers.map((place) => entries.at(place)),
      absorbed,
      note,
    );
    if (left.length === 1) continue;
    const tokened = left.filter(({ instrument }) => instrument.instrumentToken !== null);
    for (const entry of left) {
      if (tokened.length === 1 && entry === tokened[0]) continue;
      note('name', entry.instrument);
      const name = codeName(entry.instrument);
      if (name === null) nameless.add(entry.place);
      else entry.instrument = { ...entry.instrument, name };
    }
  }
  const named = places.filter((place) => !nameless.has(place) && !absorbed.has(place));
  return { places: named, absorbed };
}

/**
 * Merges those that one broker each calls by the name, and that contradict each other in nothing but
 * the number. What is left shares the name without being one instrument.
 */
function absorb(
  sharers: readonly Entry[],
  absorbed: Map<number, number>,
  note: Note,
): readonly Entry[] {
  const isAlone = (entry: Entry): boolean =>
    sharers.every((other) => other === entry || (other.brokers & entry.brokers) === 0);
  const tokened = sharers.filter(({ instrument }) => instrument.instrumentToken !== null);
  const leader = tokened.length === 1 ? tokened[0] : sharers.find(isAlone);
  if (!leader) return sharers;
  for (const entry of sharers) {
    if (entry === leader || !isAlone(entry)) continue;
    if (leader.instrument.segment !== entry.instrument.segment) continue;
    if (!isSameTerms(leader.instrument, entry.instrument)) continue;
    note('number', leader.instrument);
    unite(leader, entry);
    absorbed.set(entry.place, leader.place);
  }
  return sharers.filter(({ place }) => !absorbed.has(place));
}

/**
 * One name, two numbers. The number of the list of the later day counts; of lists of one day, that
 * of the broker without tokens, because only it is sent a number.
 */
function unite(leader: Entry, entry: Entry): void {
  const [older, newer] = leader.edition <= entry.edition ? [leader, entry] : [entry, leader];
  const isNewer = older.edition < newer.edition;
  const numbered = isNewer ? newer : ([leader, entry].find((each) => each.byNumber > 0) ?? leader);
  const { securityId } = numbered.instrument;
  // A token is made of the number, so an older list's token is as doubtful as its number.
  const told = isNewer ? withoutToken(older.instrument) : older.instrument;
  const merged = merge(told, newer.instrument, isNewer);
  leader.doubted |= entry.doubted | (isNewer ? older.byNumber : 0);
  leader.rival ??= entry.rival;
  leader.brokers |= entry.brokers;
  leader.byNumber |= entry.byNumber;
  leader.edition = newer.edition;
  leader.instrument = { ...merged, name: leader.instrument.name, securityId };
}

const withoutToken = (instrument: Instrument): Instrument => ({
  ...instrument,
  instrumentToken: null,
});

/** A security id with its segment: `NFO_56980`, `NIDX_40000001`. */
function codeName({ exchange, segment, securityId }: Instrument): InstrumentName | null {
  if (securityId === null) return null;
  if (segment === 'INDEX') return `${exchange === 'BSE' ? 'BIDX' : 'NIDX'}_${securityId}`;
  return `${exchange}_${securityId}`;
}
