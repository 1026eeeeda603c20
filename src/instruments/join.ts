import type { BrokerId } from '../domain/broker.ts';
import {
  instrumentName,
  parentExchange,
  type Instrument,
  type InstrumentName,
  type Segment,
} from '../domain/instrument.ts';
import type { Chunked } from '../platform/chunks.ts';
import { contractSymbol, indexKey, type LastExpiries, noteExpiry } from './names.ts';
import { isSameInstrument, merge } from './merge.ts';
import { type Entry, giveOwnNames, type OwnNames } from './own-names.ts';
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
  readonly instruments: readonly Instrument[];
  /** Names of the other list for these instruments, unless another instrument has that name. */
  readonly aliases: ReadonlyMap<InstrumentName, Instrument>;
  readonly clashes: Clashes;
  /** What each broker's own lists say. */
  readonly own: ReadonlyMap<BrokerId, OwnLists>;
}

/** One broker's own lists, beside the joined one. */
export interface OwnLists {
  /** The segments of which the broker has a list in use. */
  readonly segments: ReadonlySet<Segment>;
  /** Whether the broker's own list has the instrument at this place of `instruments`. */
  lists(place: number): boolean;
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

const ROWS_A_SLICE = 1_000;

/**
 * Joins the brokers' lists into one (docs/spec/instruments.md, "Two lists, one directory"): by
 * segment, the exchange's own id and the name, indices by name. Contracts that expired before `today` (IST)
 * are left out, because the exchange gives their ids to new ones.
 */
export function* joinMasters(masters: readonly Master[], today: string): Chunked<Joined> {
  const entries = new Map<string, Entry>();
  /** Instruments that lost their number to another one. */
  const losers: Entry[] = [];
  const aliases = new Map<InstrumentName, Entry | null>();
  const brokers = [...new Set(masters.map(({ broker }) => broker))];
  const told = brokers.map(() => ({ segments: new Set<Segment>(), displaced: new Set<string>() }));
  const clashes = newClashes();
  const note = (clash: Clash, { name }: Instrument): void => {
    clashes[clash].count += 1;
    clashes[clash].example ||= name;
  };

  function put(entry: Entry): void {
    const key = joinKey(entry.instrument);
    const known = entries.get(key);
    if (!known) entries.set(key, entry);
    else if (known.master === entry.master) putBeside(entry, known);
    else if (isSameInstrument(known.instrument, entry.instrument)) join(known, entry);
    else separate(known, key, entry);
  }

  /**
   * When one list has two instruments with one key: for an id the first one stays; for an index's
   * name both stay, as written.
   */
  function putBeside(entry: Entry, known: Entry): void {
    const { instrument } = entry;
    if (instrument.segment !== 'INDEX' || known.instrument.name === instrument.name) return;
    entries.set(nameKey(instrument), entry);
  }

  function join(known: Entry, { instrument, master, edition, ...added }: Entry): void {
    const first = known.instrument;
    const merged = merge(first, instrument, edition > known.edition);
    if (first.lotSize !== instrument.lotSize) note('lot', merged);
    for (const { name } of [first, instrument]) {
      // A name that would mean two instruments is given to neither.
      if (name !== merged.name) aliases.set(name, aliases.has(name) ? null : known);
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
  function separate(known: Entry, key: string, entry: Entry): void {
    note(entry.instrument.segment === 'DERIVATIVE' ? 'contract' : 'share', entry.instrument);
    const isNewer = entry.edition > known.edition;
    const keeps = isNewer || entry.instrument.instrumentToken === null;
    const [keeper, loser] = keeps ? [entry, known] : [known, entry];
    // Later lists are compared with the keeper; `master` only tells rows of one list apart.
    keeper.master = entry.master;
    entries.set(key, keeper);
    for (const [place, { displaced }] of told.entries()) {
      if ((loser.brokers & (1 << place)) !== 0) displaced.add(key);
    }
    loseNumber(loser, keeper, isNewer);
    losers.push(loser);
  }

  const oldestFirst = [...masters].sort((left, right) => left.edition - right.edition);
  for (const [master, { broker, edition, list }] of oldestFirst.entries()) {
    const place = brokers.indexOf(broker);
    const rows: Instrument[] = [];
    const lastExpiries: LastExpiries = new Map();
    yield* unpackList(list, (instrument) => {
      told[place]?.segments.add(instrument.segment);
      noteExpiry(lastExpiries, instrument);
      if (instrument.expiry === null || instrument.expiry >= today) rows.push(instrument);
    });
    for (const [row, read] of rows.entries()) {
      const instrument = renamed(read, lastExpiries);
      put(newEntry(instrument, { master, edition, broker: 1 << place }));
      if ((row + 1) % ROWS_A_SLICE === 0) yield;
    }
  }
  const named = yield* giveOwnNames([...entries.values(), ...losers], (clash, instrument) => {
    note(clash, instrument);
    if (clash === 'name') aliases.delete(instrument.name);
  });
  const own = told.map((each, place) => ownLists(named, 1 << place, each));
  return {
    instruments: named.entries.map(({ instrument }) => instrument),
    aliases: resolved(aliases, named),
    clashes,
    own: new Map(brokers.flatMap((broker, place) => pairOf(broker, own[place]))),
  };
}

const newEntry = (
  instrument: Instrument,
  { broker, ...of }: { readonly master: number; readonly edition: number; readonly broker: number },
): Entry => ({
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
  loser.rival = keeper;
}

const newClashes = (): Record<Clash, { count: number; example: string }> => ({
  lot: { count: 0, example: '' },
  contract: { count: 0, example: '' },
  share: { count: 0, example: '' },
  name: { count: 0, example: '' },
  number: { count: 0, example: '' },
});

function ownLists(
  { entries }: OwnNames,
  bit: number,
  { segments, displaced }: Pick<OwnLists, 'segments' | 'displaced'>,
): OwnLists {
  const listing = Uint8Array.from(entries, ({ brokers }) => ((brokers & bit) === 0 ? 0 : 1));
  const doubted = new Set<InstrumentName>();
  const rivals = new Map<InstrumentName, InstrumentName>();
  for (const { instrument, doubted: brokers, rival } of entries) {
    if ((brokers & bit) !== 0) doubted.add(instrument.name);
    if (rival) rivals.set(instrument.name, rival.instrument.name);
  }
  return { segments, lists: (place) => listing[place] === 1, doubted, displaced, rivals };
}

/** Equal for the rows of two lists that have one number, or one index. */
export function joinKey(instrument: Instrument): string {
  const { exchange, segment, securityId, tradingSymbol } = instrument;
  if (segment === 'INDEX') return `${parentExchange(exchange)}|INDEX|${indexKey(tradingSymbol)}`;
  return securityId === null ? nameKey(instrument) : numberKey(exchange, segment, securityId);
}

export const numberKey = (exchange: string, segment: Segment, securityId: string): string =>
  `${parentExchange(exchange)}|${segment}|${securityId}`;

const nameKey = ({ segment, name }: Instrument): string => `${segment}|${name}`;

function renamed(instrument: Instrument, lastExpiries: LastExpiries): Instrument {
  const tradingSymbol = contractSymbol(instrument, lastExpiries);
  if (tradingSymbol === null) return instrument;
  return { ...instrument, tradingSymbol, name: instrumentName(instrument.exchange, tradingSymbol) };
}

function resolved(
  aliases: ReadonlyMap<InstrumentName, Entry | null>,
  { absorbed }: OwnNames,
): ReadonlyMap<InstrumentName, Instrument> {
  const found = new Map<InstrumentName, Instrument>();
  for (const [alias, entry] of aliases) {
    if (entry) found.set(alias, (absorbed.get(entry) ?? entry).instrument);
  }
  return found;
}
