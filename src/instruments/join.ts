import type { BrokerId } from '../domain/broker.ts';
import {
  instrumentName,
  type Instrument,
  type InstrumentName,
  type Segment,
} from '../domain/instrument.ts';
import type { Chunked } from '../platform/chunks.ts';
import { contractSymbol, type LastExpiries, noteExpiry } from './names.ts';
import { createEntries, type Entries, type Entry, type Listed } from './entries.ts';
import type { Instruments } from './instrument-table.ts';
import { createKeyedPlaces, joinKey, nameKey } from './join-keys.ts';
import { isSameInstrument, merge } from './merge.ts';
import { giveOwnNames, type OwnNames } from './own-names.ts';
import { unpackList, type PackedList } from './packed-list.ts';

/**
 * One of a broker's lists, and its edition (`editionOf`). No broker has two lists of one segment.
 */
export interface Master {
  readonly broker: BrokerId;
  readonly edition: number;
  readonly list: PackedList;
}

export interface Joined {
  /** The instruments; names are unique. */
  readonly instruments: Instruments;
  /** Names of the other list, with the rows of their instruments, unless another one has that name. */
  readonly aliases: ReadonlyMap<InstrumentName, number>;
  readonly clashes: Clashes;
  /** What each broker's own lists say. */
  readonly own: ReadonlyMap<BrokerId, OwnLists>;
}

/** One broker's own lists, beside the joined one. */
export interface OwnLists {
  /** The segments of which the broker has a list in use. */
  readonly segments: ReadonlySet<Segment>;
  /** Whether the broker's own list has the instrument in this row of `instruments`. */
  lists(row: number): boolean;
  /** Names whose number in the broker's list may by now be another instrument's. */
  readonly doubted: ReadonlySet<InstrumentName>;
  /** Numbers, by `joinKey`, that mean something else in a list that counts for more. */
  readonly displaced: ReadonlySet<string>;
  /** What has the number of an instrument that lost it, by the name of the latter. */
  readonly rivals: ReadonlyMap<InstrumentName, InstrumentName>;
}

/** Where the lists disagree: how often, and one example. */
export type Clashes = Readonly<Record<Clash, { readonly count: number; readonly example: string }>>;
/** `contract` and `share`: one number, two instruments. `number`: one instrument, two numbers. */
export type Clash = 'lot' | 'contract' | 'share' | 'name' | 'number';

/**
 * Joins the brokers' lists into one (docs/spec/instruments.md, "Two lists, one directory"): by
 * segment, the exchange's own id and the name, indices by name. Contracts that expired before `today` (IST)
 * are left out, because the exchange gives their ids to new ones.
 */
export function* joinMasters(masters: readonly Master[], today: string): Chunked<Joined> {
  const most = masters.reduce((sum, { list }) => sum + list.count, 0);
  const entries = createEntries(most);
  const placed = createKeyedPlaces(entries, most);
  /** The places of instruments that lost their number to another one. */
  const losers: number[] = [];
  const aliases = new Map<InstrumentName, number | null>();
  const brokers = [...new Set(masters.map(({ broker }) => broker))];
  const told = brokers.map(() => ({ segments: new Set<Segment>(), displaced: new Set<string>() }));
  const clashes = newClashes();
  const note = noteIn(clashes);

  function put(listed: Listed): void {
    const key = joinKey(listed.instrument);
    const place = placed.get(key);
    if (place === undefined) return placed.set(key, entries.add(listed));
    const known = entries.at(place);
    if (known.master === listed.master) putBeside(listed, known);
    else if (isSameInstrument(known.instrument, listed.instrument)) join(known, listed);
    else separate(known, key, listed);
  }

  /**
   * When one list has two instruments with one key: for an id the first one stays; for an index's
   * name both stay, as written.
   */
  function putBeside(listed: Listed, known: Entry): void {
    const { instrument } = listed;
    if (instrument.segment !== 'INDEX' || known.instrument.name === instrument.name) return;
    placed.set(nameKey(instrument), entries.add(listed));
  }

  function join(known: Entry, { instrument, master, edition, ...added }: Listed): void {
    const first = known.instrument;
    const merged = merge(first, instrument, edition > known.edition);
    if (first.lotSize !== instrument.lotSize) note('lot', merged);
    for (const { name } of [first, instrument]) {
      // A name that would mean two instruments is given to neither.
      if (name !== merged.name) aliases.set(name, aliases.has(name) ? null : known.place);
    }
    known.instrument = merged;
    known.master = master;
    known.edition = edition;
    known.brokers |= added.brokers;
    known.byNumber |= added.byNumber;
  }

  /**
   * One number, two instruments: the one of the newer list keeps it; of lists of one edition, that
   * of the broker without tokens, because only it is sent the number.
   */
  function separate(known: Entry, key: string, listed: Listed): void {
    const { instrument, master, edition } = listed;
    note(instrument.segment === 'DERIVATIVE' ? 'contract' : 'share', instrument);
    const isNewer = edition > known.edition;
    const keeps = isNewer || instrument.instrumentToken === null;
    const added = entries.at(entries.add(listed));
    const [keeper, loser] = keeps ? [added, known] : [known, added];
    // Later lists are compared with the keeper; `master` only tells rows of one list apart.
    keeper.master = master;
    placed.set(key, keeper.place);
    for (const [place, { displaced }] of told.entries()) {
      if ((loser.brokers & (1 << place)) !== 0) displaced.add(key);
    }
    loseNumber(loser, keeper, isNewer);
    losers.push(loser.place);
  }

  const oldestFirst = [...masters].sort((left, right) => left.edition - right.edition);
  for (const [master, { broker, edition, list }] of oldestFirst.entries()) {
    const place = brokers.indexOf(broker);
    const lastExpiries: LastExpiries = new Map();
    // Twice, so that no more than one chunk of the list is in memory as instruments.
    yield* unpackList(list, (instrument) => {
      told[place]?.segments.add(instrument.segment);
      noteExpiry(lastExpiries, instrument);
    });
    yield;
    yield* unpackList(list, (instrument) => {
      if (instrument.expiry !== null && instrument.expiry < today) return;
      put(newListed(renamed(instrument, lastExpiries), { master, edition, broker: 1 << place }));
    });
    yield;
  }
  const names = yield* giveOwnNames(
    entries,
    [...placed.inOrder(), ...losers],
    (clash, instrument) => {
      note(clash, instrument);
      if (clash === 'name') aliases.delete(instrument.name);
    },
  );
  const own = told.map((each, place) => ownLists(entries, names.places, 1 << place, each));
  return {
    instruments: entries.select(names.places),
    aliases: resolved(aliases, names),
    clashes,
    own: new Map(brokers.flatMap((broker, place) => pairOf(broker, own[place]))),
  };
}

const newListed = (
  instrument: Instrument,
  { broker, ...of }: { readonly master: number; readonly edition: number; readonly broker: number },
): Listed => ({
  ...of,
  instrument,
  brokers: broker,
  byNumber: instrument.instrumentToken === null ? broker : 0,
  doubted: 0,
  rival: null,
});

const pairOf = <K, V>(key: K, value: V | undefined): [K, V][] =>
  value === undefined ? [] : [[key, value]];

function loseNumber(loser: Entry, keeper: Entry, isNewer: boolean): void {
  const { instrument } = loser;
  loser.doubted |= loser.byNumber;
  loser.instrument = {
    ...instrument,
    securityId: null,
    // A token is made of the number: where that is another instrument's now, so is the token.
    instrumentToken: isNewer ? null : instrument.instrumentToken,
  };
  loser.rival = keeper.place;
}

const noteIn =
  (clashes: ReturnType<typeof newClashes>) =>
  (clash: Clash, { name }: Instrument): void => {
    clashes[clash].count += 1;
    clashes[clash].example ||= name;
  };

const newClashes = (): Record<Clash, { count: number; example: string }> => ({
  lot: { count: 0, example: '' },
  contract: { count: 0, example: '' },
  share: { count: 0, example: '' },
  name: { count: 0, example: '' },
  number: { count: 0, example: '' },
});

function ownLists(
  entries: Entries,
  places: readonly number[],
  bit: number,
  { segments, displaced }: Pick<OwnLists, 'segments' | 'displaced'>,
): OwnLists {
  const listing = new Uint8Array(places.length);
  const doubted = new Set<InstrumentName>();
  const rivals = new Map<InstrumentName, InstrumentName>();
  for (const [row, place] of places.entries()) {
    const entry = entries.at(place);
    if ((entry.brokers & bit) !== 0) listing[row] = 1;
    if ((entry.doubted & bit) !== 0) doubted.add(entries.nameAt(place));
    if (entry.rival !== null) rivals.set(entries.nameAt(place), entries.nameAt(entry.rival));
  }
  return { segments, lists: (row) => listing[row] === 1, doubted, displaced, rivals };
}

function renamed(instrument: Instrument, lastExpiries: LastExpiries): Instrument {
  const tradingSymbol = contractSymbol(instrument, lastExpiries);
  if (tradingSymbol === null) return instrument;
  return { ...instrument, tradingSymbol, name: instrumentName(instrument.exchange, tradingSymbol) };
}

/** The rows of the aliases; an alias of an instrument that the table does not have is left out. */
function resolved(
  aliases: ReadonlyMap<InstrumentName, number | null>,
  { places, absorbed }: OwnNames,
): ReadonlyMap<InstrumentName, number> {
  const rows = new Map<number, number>();
  const wanted = new Set(aliases.values());
  for (const leader of absorbed.values()) wanted.add(leader);
  for (const [row, place] of places.entries()) if (wanted.has(place)) rows.set(place, row);
  const found = new Map<InstrumentName, number>();
  for (const [alias, place] of aliases) {
    if (place === null) continue;
    const row = rows.get(absorbed.get(place) ?? place);
    if (row !== undefined) found.set(alias, row);
  }
  return found;
}
