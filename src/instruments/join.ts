import {
  instrumentName,
  parentExchange,
  type Instrument,
  type InstrumentName,
} from '../domain/instrument.ts';
import { must } from '../platform/values.ts';
import type { Chunked } from '../platform/chunks.ts';
import { contractSymbol, giveOwnNames, indexKey, type LastExpiries, noteExpiry } from './names.ts';
import { isSameContract, merge } from './merge.ts';
import { unpackList, type PackedList } from './packed-list.ts';

/**
 * One of a broker's lists, and its edition (`editionOf`). No broker has two lists of one segment.
 */
export interface Master {
  readonly edition: number;
  readonly list: PackedList;
}

export interface Joined {
  /** The instruments; names are unique. */
  readonly instruments: readonly Instrument[];
  /** Names of the other list for these instruments, unless another instrument has that name. */
  readonly aliases: ReadonlyMap<InstrumentName, Instrument>;
  readonly clashes: Clashes;
}

/** Where the lists disagree: how often, and one example. */
export type Clashes = Readonly<Record<Clash, { readonly count: number; readonly example: string }>>;
export type Clash = 'lot' | 'contract' | 'name';

interface Entry {
  instrument: Instrument;
  /** The list that had it last. */
  master: number;
  /** The edition of that list. */
  edition: number;
}

const ROWS_A_SLICE = 1_000;

/**
 * Joins the brokers' lists into one (docs/spec/instruments.md, "Two lists, one directory"): by
 * segment and the exchange's own id, indices by name. Contracts that expired before `today` (IST)
 * are left out, because the exchange gives their ids to new ones.
 */
export function* joinMasters(masters: readonly Master[], today: string): Chunked<Joined> {
  const entries = new Map<string, Entry>();
  const aliases = new Map<InstrumentName, string | null>();
  const clashes = {
    lot: { count: 0, example: '' },
    contract: { count: 0, example: '' },
    name: { count: 0, example: '' },
  };
  const note = (clash: Clash, { name }: Instrument): void => {
    clashes[clash].count += 1;
    clashes[clash].example ||= name;
  };

  function put(entry: Entry): void {
    const key = joinKey(entry.instrument);
    const known = entries.get(key);
    if (!known) entries.set(key, entry);
    else if (known.master === entry.master) putBeside(entry, known);
    else join(known, key, entry);
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

  function join(known: Entry, key: string, entry: Entry): void {
    const first = known.instrument;
    const { instrument, master, edition } = entry;
    if (!isSameContract(first, instrument)) return separate(known, entry);
    const merged = merge(first, instrument, edition > known.edition);
    if (first.lotSize !== instrument.lotSize) note('lot', merged);
    for (const { name } of [first, instrument]) {
      // A name that would mean two instruments is given to neither.
      if (name !== merged.name) aliases.set(name, aliases.has(name) ? null : key);
    }
    entries.set(key, { instrument: merged, master, edition });
  }

  /**
   * One id, two contracts: the newer list's contract keeps the id; in lists of one edition, the
   * contract with its own name loses it.
   */
  function separate(known: Entry, { instrument: other, master, edition }: Entry): void {
    note('contract', other);
    const first = known.instrument;
    const isNewer = edition > known.edition;
    known.master = master;
    known.edition = edition;
    if (isNewer) {
      known.instrument = other;
      return;
    }
    const [named, numbered] = other.instrumentToken === null ? [first, other] : [other, first];
    known.instrument = numbered;
    const unnumbered = { ...named, securityId: null };
    entries.set(nameKey(unnumbered), { instrument: unnumbered, master, edition });
  }

  const oldestFirst = [...masters].sort((left, right) => left.edition - right.edition);
  for (const [master, { edition, list }] of oldestFirst.entries()) {
    const rows: Instrument[] = [];
    const lastExpiries: LastExpiries = new Map();
    yield* unpackList(list, (instrument) => {
      noteExpiry(lastExpiries, instrument);
      if (instrument.expiry === null || instrument.expiry >= today) rows.push(instrument);
    });
    for (const [place, row] of rows.entries()) {
      put({ instrument: renamed(row, lastExpiries), master, edition });
      if ((place + 1) % ROWS_A_SLICE === 0) yield;
    }
  }
  const instruments = yield* giveOwnNames([...entries.values()], (instrument) => {
    note('name', instrument);
    aliases.delete(instrument.name);
  });
  return { instruments, aliases: resolved(aliases, entries), clashes };
}

function joinKey(instrument: Instrument): string {
  const { segment, securityId, tradingSymbol } = instrument;
  const group = `${parentExchange(instrument.exchange)}|${segment}|`;
  if (segment === 'INDEX') return group + indexKey(tradingSymbol);
  return securityId === null ? nameKey(instrument) : group + securityId;
}

const nameKey = ({ segment, name }: Instrument): string => `${segment}|${name}`;

function renamed(instrument: Instrument, lastExpiries: LastExpiries): Instrument {
  const tradingSymbol = contractSymbol(instrument, lastExpiries);
  if (tradingSymbol === null) return instrument;
  return { ...instrument, tradingSymbol, name: instrumentName(instrument.exchange, tradingSymbol) };
}

function resolved(
  aliases: ReadonlyMap<InstrumentName, string | null>,
  entries: ReadonlyMap<string, Entry>,
): ReadonlyMap<InstrumentName, Instrument> {
  const found = new Map<InstrumentName, Instrument>();
  for (const [alias, key] of aliases) {
    if (key === null) continue;
    const entry = must(entries.get(key), 'an alias has the key of an instrument that was joined');
    found.set(alias, entry.instrument);
  }
  return found;
}
