import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import {
  contractSymbol,
  expiryWords,
  noteExpiry,
  type LastExpiries,
} from '../../src/instruments/names.ts';
import { contract, future, primaryContract } from './support/lists.ts';

/** The names that the whole list's contracts are given. */
function names(...list: Instrument[]): (string | null)[] {
  const expiries: LastExpiries = new Map();
  for (const each of list) noteExpiry(expiries, each);
  return list.map((each) => contractSymbol(each, expiries));
}

const weekly = (symbol: string, expiry: string, parts: Partial<Instrument> = {}): Instrument =>
  primaryContract(symbol, '1', { expiry, ...parts });

describe('a contract of the primary brokerage', () => {
  it('has the month in its name for the last expiry of a month', () => {
    expect(names(primaryContract('NIFTY-NOV2026-24450-CE', '1'))).toEqual(['NIFTY26NOV24450CE']);
  });

  it('has the month’s letter and the day for another expiry', () => {
    const list = [
      weekly('NIFTY-NOV2026-24450-CE', '2026-11-03'),
      weekly('NIFTY-NOV2026-24450-CE', '2026-11-24'),
      weekly('NIFTY-DEC2026-24450-CE', '2026-12-29'),
    ];
    expect(names(...list)).toEqual(['NIFTY26N0324450CE', 'NIFTY26NOV24450CE', 'NIFTY26DEC24450CE']);
  });

  it.each([
    ['JAN', '01', '1'],
    ['SEP', '09', '9'],
    ['OCT', '10', 'O'],
    ['NOV', '11', 'N'],
    ['DEC', '12', 'D'],
  ])('%s is written with the letter of month %s', (name, month, letter) => {
    const symbol = `NIFTY-${name}2026-24450-CE`;
    const list = [weekly(symbol, `2026-${month}-05`), weekly(symbol, `2026-${month}-26`)];
    expect(names(...list)[0]).toBe(`NIFTY26${letter}0524450CE`);
  });

  it('is weekly by the expiries of its own underlying and exchange only', () => {
    const list = [
      weekly('NIFTY-NOV2026-24450-CE', '2026-11-24'),
      weekly('INFY-NOV2026-24450-CE', '2026-11-26'),
      weekly('NIFTY-NOV2026-24450-CE', '2026-11-25', { exchange: 'BFO' }),
    ];
    expect(names(...list)[0]).toBe('NIFTY26NOV24450CE');
  });

  it('ends in FUT when it is a future', () => {
    expect(names(primaryContract('NIFTY-NOV2026-FUT', '1', future))).toEqual(['NIFTY26NOVFUT']);
  });

  it('keeps special characters of the underlying, and the fraction of a strike', () => {
    const odd = primaryContract('BAJAJ-AUTO-NOV2026-92.50-PE', '1', {
      strike: 92.5,
      optionType: 'PE',
    });
    const and = primaryContract('M&M-NOV2026-FUT', '2', future);
    expect(names(odd, and)).toEqual(['BAJAJ-AUTO26NOV92.5PE', 'M&M26NOVFUT']);
  });

  it.each<[string, Instrument]>([
    ['another strike', primaryContract('NIFTY-NOV2026-24500-CE', '1')],
    ['another type', primaryContract('NIFTY-NOV2026-24450-PE', '1')],
    ['a future', primaryContract('NIFTY-NOV2026-FUT', '1')],
    ['an option', primaryContract('NIFTY-NOV2026-24450-CE', '1', future)],
    ['another month', primaryContract('NIFTY-DEC2026-24450-CE', '1')],
    ['another year', primaryContract('NIFTY-NOV2027-24450-CE', '1')],
    ['nothing of an expiry', primaryContract('NIFTY-NOV2026-24450-CE', '1', { expiry: null })],
    ['something unknown', primaryContract('NIFTY 24 NOV 24450 CALL', '1')],
  ])('keeps its name when that says %s', (_what, instrument) => {
    expect(names(instrument)).toEqual([null]);
  });

  it('keeps its name when it is a future that is not of a month’s end', () => {
    const list = [
      weekly('NIFTY-NOV2026-FUT', '2026-11-03', future),
      weekly('NIFTY-NOV2026-FUT', '2026-11-24', future),
    ];
    expect(names(...list)).toEqual([null, 'NIFTY26NOVFUT']);
  });
});

it('a contract of the alternative broker keeps its name', () => {
  expect(names(contract('NIFTY-NOV2026-24450-CE', '1'))).toEqual([null]);
});

it('an expiry is written as people search for it', () => {
  expect([expiryWords('2026-11-24'), expiryWords('soon')]).toEqual(['24 NOV 2026', null]);
});
