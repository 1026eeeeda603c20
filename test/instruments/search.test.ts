import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { createInstrumentTable, type Instruments } from '../../src/instruments/instrument-table.ts';
import {
  createSearch,
  type InstrumentQuery,
  type SearchPage,
  type SearchPlace,
} from '../../src/instruments/search.ts';
import { atOnce } from '../../src/platform/chunks.ts';
import { contract, future, share } from './support/lists.ts';

function tableOf(list: readonly Instrument[]): Instruments {
  const table = createInstrumentTable();
  for (const each of list) table.add(each);
  return table;
}

const pageOf = (list: readonly Instrument[], query: Partial<InstrumentQuery>): SearchPage =>
  atOnce(createSearch(tableOf(list)))({ limit: 9, ...query }, '2026-11-06');

const find = (list: readonly Instrument[], query: Partial<InstrumentQuery>): string[] =>
  pageOf(list, query).instruments.map(({ name }) => name);

const shares = [
  share('TATAINFY', '3'),
  share('NOTHING', '4', { displayName: 'Like Infy' }),
  share('INFYBEES', '2'),
  share('INFY', '1594', { displayName: 'Infosys Limited', isin: 'INE009A01021' }),
  share('INFY', '5', { exchange: 'BSE' }),
];

const option = (
  underlying: string,
  expiry: string,
  code: string,
  strike: number,
  optionType: 'CE' | 'PE',
): Instrument =>
  contract(`${underlying}${code}${strike}${optionType}`, `${underlying}${code}${strike}`, {
    displayName: `${underlying} ${expiry} ${strike} ${optionType}`,
    expiry,
    strike,
    optionType,
  });

const chain = [
  option('BANKNIFTY', '2026-11-24', '26NOV', 24_450, 'CE'),
  option('NIFTY', '2026-12-29', '26DEC', 24_450, 'CE'),
  option('NIFTY', '2026-11-24', '26NOV', 24_450, 'PE'),
  option('NIFTY', '2026-11-24', '26NOV', 24_500, 'CE'),
  option('NIFTY', '2026-11-24', '26NOV', 24_450, 'CE'),
  option('NIFTY', '2026-11-10', '26N10', 24_450, 'CE'),
  contract('NIFTY26NOVFUT', '9', { ...future, displayName: 'NIFTY 2026-11-24' }),
];

describe('a search', () => {
  it('lists exact matches first, then prefixes, then the rest', () => {
    expect(find(shares, { text: ' infy ' })).toEqual([
      'BSE:INFY',
      'NSE:INFY',
      'NSE:INFYBEES',
      'NSE:TATAINFY',
      'NSE:NOTHING',
    ]);
  });

  it('accepts a whole name, or an ISIN', () => {
    expect(find(shares, { text: 'NSE:INFY' })[0]).toBe('NSE:INFY');
    expect(find(shares, { text: 'ine009a01021' })).toEqual(['NSE:INFY']);
  });

  it('returns only the exchange asked for, and at most the limit', () => {
    expect(find(shares, { text: 'infy', exchange: 'BSE' })).toEqual(['BSE:INFY']);
    expect(find(shares, { text: 'infy', limit: 2 })).toEqual(['BSE:INFY', 'NSE:INFY']);
  });

  it('returns everything for an empty text, and nothing for an unknown word', () => {
    expect(find(shares, {})).toHaveLength(5);
    expect(find(shares, { text: '  ' })).toHaveLength(5);
    expect(find(shares, { text: 'zzz' })).toEqual([]);
    expect(find([], { text: 'infy' })).toEqual([]);
  });

  it('returns the best matches up to its limit, in whatever order they were listed', () => {
    const many = Array.from({ length: 3_000 }, (_, place) =>
      share(`S${String(2_999 - place).padStart(4, '0')}`, String(place)),
    );
    expect(find(many, { text: 's', limit: 3 })).toEqual(['NSE:S0000', 'NSE:S0001', 'NSE:S0002']);
  });

  it('does not match across two instruments', () => {
    const list = [share('AB', '1'), share('CD', '2', { displayName: 'x\ny' })];
    expect(find(list, { text: 'y' })).toEqual(['NSE:CD']);
    expect(find(list, { text: 'abnse' })).toEqual([]);
  });
});

describe('a search for contracts', () => {
  it('requires every word, and lists whole words before parts', () => {
    expect(find(chain, { text: 'NIFTY NOV 24450 CE' })).toEqual([
      'NFO:NIFTY26N1024450CE',
      'NFO:NIFTY26NOV24450CE',
      'NFO:BANKNIFTY26NOV24450CE',
    ]);
  });

  it('accepts the words in any order, a day, and a future', () => {
    expect(find(chain, { text: 'pe 24450 nifty' })).toEqual(['NFO:NIFTY26NOV24450PE']);
    expect(find(chain, { text: 'nifty 10 nov ce' })[0]).toBe('NFO:NIFTY26N1024450CE');
    expect(find(chain, { text: 'nifty fut' })).toEqual(['NFO:NIFTY26NOVFUT']);
  });

  it('lists the nearest expiry first, then the lower strike', () => {
    expect(find(chain, { text: 'NIFTY26', type: 'CE' })).toEqual([
      'NFO:NIFTY26N1024450CE',
      'NFO:NIFTY26NOV24450CE',
      'NFO:NIFTY26NOV24500CE',
      'NFO:NIFTY26DEC24450CE',
      'NFO:BANKNIFTY26NOV24450CE',
    ]);
  });

  it('leaves out expired contracts, and keeps those that expire today', () => {
    const list = [
      option('NIFTY', '2026-11-05', '26N05', 24_450, 'CE'),
      option('NIFTY', '2026-11-06', '26N06', 24_450, 'CE'),
    ];
    expect(find(list, { text: 'nifty' })).toEqual(['NFO:NIFTY26N0624450CE']);
  });

  it('filters by segment, option type and expiry', () => {
    const all = [...shares, ...chain];
    expect(find(all, { text: 'n', segment: 'EQUITY' })).toHaveLength(5);
    expect(find(all, { segment: 'DERIVATIVE' })).toHaveLength(7);
    expect(find(all, { type: 'FUT' })).toEqual(['NFO:NIFTY26NOVFUT']);
    expect(find(all, { type: 'PE' })).toEqual(['NFO:NIFTY26NOV24450PE']);
    expect(find(all, { expiry: '2026-12-29' })).toEqual(['NFO:NIFTY26DEC24450CE']);
  });
});

it('an index is found by its other spellings', () => {
  const bank = share('NIFTY BANK', '1', { segment: 'INDEX', displayName: 'NIFTY BANK' });
  expect(find([bank], { text: 'banknifty' })).toEqual(['NSE:NIFTY BANK']);
});

describe('the pages of a search', () => {
  /** All pages of a search, one after the other. */
  function pages(
    list: readonly Instrument[],
    query: Partial<InstrumentQuery>,
    change: (list: readonly Instrument[]) => readonly Instrument[] = (same) => same,
  ): string[][] {
    const read: string[][] = [];
    let after: SearchPlace | undefined;
    let current = list;
    do {
      const { instruments, last } = pageOf(current, { ...query, after });
      read.push(instruments.map(({ name }) => name));
      after = last ?? undefined;
      current = change(current);
    } while (after);
    return read;
  }

  it.each([1, 2, 3, 4, 5])('of %i have everything once, in the order of one page', (limit) => {
    for (const [list, text] of [
      [shares, 'infy'],
      [chain, 'nifty'],
      [[...shares, ...chain], undefined],
    ] as const) {
      const read = pages(list, { text, limit });
      expect(read.flat()).toEqual(find(list, { text, limit: 99 }));
      expect(read.slice(0, -1).every((page) => page.length === limit)).toBe(true);
      expect(read.at(-1)?.length).toBeGreaterThan(0);
    }
  });

  it('go on where they were although an instrument of the last page is no longer listed', () => {
    const whole = find(shares, { text: 'infy', limit: 99 });
    const read = pages(shares, { text: 'infy', limit: 2 }, (list) =>
      list.filter(({ name }) => name !== whole[1]),
    );
    expect(read.flat()).toEqual(whole);
  });

  it('end with a page that is full where nothing follows', () => {
    expect(pageOf(shares, { text: 'infy', limit: 5 }).last).toBeNull();
    expect(pageOf(shares, { text: 'infy', limit: 4 }).last).toEqual({
      ...{ rank: 2, expiry: '', strike: 0, name: 'NSE:TATAINFY' },
    });
  });
});
