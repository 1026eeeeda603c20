import type { Instrument, InstrumentName } from '../domain/instrument.ts';
import { createInstrumentTable, selectRows, type Instruments } from './instrument-table.ts';

/** An instrument of the joined list, and what the lists say of it. */
export interface Listed {
  instrument: Instrument;
  /** The list that had it last. */
  master: number;
  /** The edition of that list. */
  edition: number;
  /** The brokers whose lists have it, one bit each. */
  brokers: number;
  /** Of those, the ones that list it without a token: they are sent its number. */
  byNumber: number;
  /** Of those, the ones whose number for it may by now be another instrument's. */
  doubted: number;
  /** The place of the instrument that has its number; null where nothing disputes it. */
  rival: number | null;
}

/** A view of one entry: what is written to it is in the entries. Two views of one place are not one object. */
export interface Entry extends Listed {
  readonly place: number;
}

/** The entries while lists are joined, in columns: a list has a hundred thousand of them. */
export interface Entries {
  /** The place that it has now. */
  add(entry: Listed): number;
  at(place: number): Entry;
  nameAt(place: number): InstrumentName;
  /** The instruments of these places, in this order. The entries must not be changed afterwards. */
  select(places: readonly number[]): Instruments;
}

const NO_RIVAL = -1;

export function createEntries(most: number): Entries {
  const table = createInstrumentTable(most);
  const column = (): Int32Array => new Int32Array(most);
  const [masters, editions, brokers] = [column(), column(), column()];
  const [byNumber, doubted, rivals] = [column(), column(), column()];
  const value = (of: Int32Array, place: number): number => of[place] ?? 0;

  class View implements Entry {
    readonly place: number;
    constructor(place: number) {
      this.place = place;
    }
    get instrument(): Instrument {
      return table.at(this.place);
    }
    set instrument(instrument: Instrument) {
      table.replace(this.place, instrument);
    }
    get master(): number {
      return value(masters, this.place);
    }
    set master(master: number) {
      masters[this.place] = master;
    }
    get edition(): number {
      return value(editions, this.place);
    }
    set edition(edition: number) {
      editions[this.place] = edition;
    }
    get brokers(): number {
      return value(brokers, this.place);
    }
    set brokers(bits: number) {
      brokers[this.place] = bits;
    }
    get byNumber(): number {
      return value(byNumber, this.place);
    }
    set byNumber(bits: number) {
      byNumber[this.place] = bits;
    }
    get doubted(): number {
      return value(doubted, this.place);
    }
    set doubted(bits: number) {
      doubted[this.place] = bits;
    }
    get rival(): number | null {
      const place = value(rivals, this.place);
      return place === NO_RIVAL ? null : place;
    }
    set rival(place: number | null) {
      rivals[this.place] = place ?? NO_RIVAL;
    }
  }

  return {
    add({ instrument, ...listed }) {
      const place = table.add(instrument);
      Object.assign(new View(place), listed);
      return place;
    },
    at: (place) => new View(place),
    nameAt: table.nameAt,
    select: (places) => selectRows(table, Uint32Array.from(places)),
  };
}
