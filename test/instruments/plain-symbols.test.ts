import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { bench, INFY, OPTION } from './support/directory-bench.ts';
import { contract, FakeSource, share } from './support/lists.ts';

const NIFTY = share('NIFTY 50', '40000001', { segment: 'INDEX' });
const SENSEX = share('SENSEX', '51', { exchange: 'BSE', segment: 'INDEX' });
const AT_BSE = share('INFY', '500209', { exchange: 'BSE' });
const withIsin = (of: Instrument, isin: string): Instrument => ({ ...of, isin });

async function loaded(...instruments: Instrument[]) {
  const { directory, load } = bench([new FakeSource('alt', instruments)]);
  await load();
  return {
    named: (text: string) => directory.resolve(text)?.name ?? null,
    choices: (text: string) => directory.listings(text).map(({ name }) => name),
  };
}

describe('a symbol without an exchange', () => {
  it.each([
    ['INFY', 'NSE:INFY'],
    ['infy', 'NSE:INFY'],
    ['NIFTY26NOV24450CE', 'NFO:NIFTY26NOV24450CE'],
    ['NIFTY 50', 'NSE:NIFTY 50'],
    ['SENSEX', 'BSE:SENSEX'],
  ])('is the only instrument that has it: %s', async (text, name) => {
    expect((await loaded(INFY, OPTION, NIFTY, SENSEX)).named(text)).toBe(name);
  });

  it('is an index by another spelling, where nothing else has it', async () => {
    expect((await loaded(INFY, NIFTY)).named('NIFTY')).toBe('NSE:NIFTY 50');
    const { named } = await loaded(share('NIFTY', '7'), NIFTY);
    expect(named('NIFTY')).toBe('NSE:NIFTY');
  });

  it.each([
    ['of one ISIN', withIsin(INFY, 'INE009A01021'), withIsin(AT_BSE, 'INE009A01021')],
    ['whose ISIN one list does not tell', INFY, withIsin(AT_BSE, 'INE009A01021')],
    ['in the other order', AT_BSE, INFY],
  ])('is the share of NSE where BSE lists it too: %s', async (_what, one, other) => {
    const { named, choices } = await loaded(one, other);
    expect(named('INFY')).toBe('NSE:INFY');
    expect([...choices('INFY')].sort()).toEqual(['BSE:INFY', 'NSE:INFY']);
  });

  it.each<[string, readonly Instrument[]]>([
    ['of two companies', [withIsin(INFY, 'INE009A01021'), withIsin(AT_BSE, 'INE000X01010')]],
    ['of a share and an index', [share('SENSEX', '7'), SENSEX]],
    ['at three exchanges', [INFY, AT_BSE, share('INFY', '9', { exchange: 'MCX' })]],
    ['of two contracts', [OPTION, contract(OPTION.tradingSymbol, '9', { exchange: 'BFO' })]],
  ])('is none where it is that %s, and all of them are choices', async (_what, all) => {
    const { named, choices } = await loaded(...all);
    const symbol = all[0]?.tradingSymbol ?? '';
    expect(named(symbol)).toBeNull();
    expect([...choices(symbol)].sort()).toEqual(all.map(({ name }) => name).sort());
  });

  it('is no share of BSE while a list that could have it at NSE is missing', async () => {
    const missing = new FakeSource('primary', []);
    missing.blocked = 'no session';
    const { directory, load } = bench([new FakeSource('alt', [AT_BSE]), missing]);
    await load();
    expect(directory.resolve('INFY')).toBeNull();
    expect(directory.listings('INFY').map(({ name }) => name)).toEqual(['BSE:INFY']);
    expect(directory.resolve('BSE:INFY')?.name).toBe('BSE:INFY');
  });

  it('is no contract that has expired', async () => {
    const { named, choices } = await loaded(
      contract('NIFTY26O0524450CE', '5', { expiry: '2026-10-05' }),
    );
    expect([named('NIFTY26O0524450CE'), choices('NIFTY26O0524450CE')]).toEqual([null, []]);
  });

  it.each(['NSE:INFY', 'NSE_1594', '408065', '', 'IN FY!', 'no:such:name'])(
    'is not %j',
    async (text) => {
      expect((await loaded(INFY, AT_BSE)).choices(text)).toEqual([]);
    },
  );
});
