import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { contract, FakeSource, primaryContract, share } from './support/lists.ts';
import { INFY, TCS, OPTION, FakeKept, bench, later } from './support/directory-bench.ts';

const NIFTY = share('NIFTY 50', '40000001', { segment: 'INDEX', instrumentToken: 256_265 });
const SENSEX = share('SENSEX', '51', {
  exchange: 'BSE',
  segment: 'INDEX',
  instrumentToken: null,
});

async function loaded(...instruments: Instrument[]) {
  const { directory, load } = bench([new FakeSource('alt', instruments)]);
  await load();
  return directory;
}

describe('an instrument is found', () => {
  it.each([
    ['NSE:INFY', 'NSE:INFY'],
    ['nse:infy', 'NSE:INFY'],
    ['NSE:NIFTY 50', 'NSE:NIFTY 50'],
    ['NSE_1594', 'NSE:INFY'],
    ['nfo_51011', 'NFO:NIFTY26NOV24450CE'],
    ['NSE_51011', 'NFO:NIFTY26NOV24450CE'],
    ['NIDX_40000001', 'NSE:NIFTY 50'],
    ['BIDX_51', 'BSE:SENSEX'],
    ['NSE:NIFTY', 'NSE:NIFTY 50'],
    ['BSE:S&P BSE SENSEX', 'BSE:SENSEX'],
  ])('by %s: %s', async (text, name) => {
    const directory = await loaded(INFY, TCS, OPTION, NIFTY, SENSEX);
    expect(directory.resolve(text)?.name).toBe(name);
  });

  it.each(['NSE:NOSUCH', 'BSE:INFY', 'NSE_1', 'BSE_1594', 'NIDX_1594', 'INF', '408065', ''])(
    'not by %j',
    async (text) => {
      expect((await loaded(INFY, OPTION, NIFTY)).resolve(text)).toBeNull();
    },
  );

  it('among derivatives, when a share has the same security id', async () => {
    const directory = await loaded(share('TWIN', '51011'), OPTION, INFY);
    expect(directory.resolve('NFO_51011')).toEqual(OPTION);
    // No instrument has a share’s security id under the derivatives’ exchange.
    expect(directory.resolve('NFO_1594')).toBeNull();
  });

  it('by its security id, exchange and segment', async () => {
    const directory = await loaded(share('TWIN', '51011'), OPTION);
    expect(directory.bySecurityId('NSE', '51011', 'DERIVATIVE')).toEqual(OPTION);
    expect(directory.bySecurityId('NSE', '51011', 'EQUITY')?.name).toBe('NSE:TWIN');
    expect(directory.bySecurityId('NSE', '51011', 'INDEX')).toBeNull();
  });

  it('by the name that only the primary brokerage’s list has', async () => {
    const symbol = 'NIFTY26N2424450CE';
    const { directory, load } = bench([
      new FakeSource('primary', [primaryContract('NIFTY-NOV2026-24450-CE', '51011')]),
      new FakeSource('alt', [contract(symbol, '51011')]),
    ]);
    await load();
    expect(directory.resolve('NFO:NIFTY26NOV24450CE')?.tradingSymbol).toBe(symbol);
    expect(directory.byName('NFO:NIFTY26NOV24450CE')?.tradingSymbol).toBe(symbol);
  });

  it('until its last day is over, since its security id is used again', async () => {
    const { directory, time, load } = bench([new FakeSource('alt', [OPTION])]);
    await load();
    const ways = () => [
      directory.resolve('NFO:NIFTY26NOV24450CE'),
      directory.resolve('NFO_51011'),
      directory.bySecurityId('NSE', '51011', 'DERIVATIVE'),
      directory.search({ text: 'nifty', limit: 1 }).instruments[0] ?? null,
    ];
    await time.advanceTo('2026-11-24T23:59:59+05:30');
    expect(ways()).toEqual([OPTION, OPTION, OPTION, OPTION]);
    await time.advanceTo('2026-11-25T00:00:00+05:30');
    expect(ways()).toEqual([null, null, null, null]);
    expect(directory.byName(OPTION.name)).toEqual(OPTION);
  });
});

describe('a stopped directory', () => {
  it('uses and writes nothing of a read that was under way', async () => {
    const kept = new FakeKept();
    const { list, come } = later();
    const { directory, time } = bench([new FakeSource('alt', list)], { kept });
    const wait = directory.ensureLoaded();
    directory.stop();
    come(INFY);
    await time.settle(wait);
    expect([directory.size(), kept.writes]).toEqual([0, 0]);
  });

  it('asks no broker any more', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, load } = bench([source]);
    directory.stop();
    await load();
    expect(source.reads).toBe(0);
  });
});

it('reads a long list in chunks, so that other work runs in between', async () => {
  const list = Array.from({ length: 5_000 }, (_, place) =>
    share(`S${place}`, String(place), { instrumentToken: place + 1 }),
  );
  const { directory, time } = bench([new FakeSource('alt', list)]);
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    if (directory.size() === 0) time.endOfTurn(turn);
  };
  const wait = directory.ensureLoaded();
  turn();
  await time.settle(wait);
  expect(directory.size()).toBe(5_000);
  expect(turns).toBeGreaterThan(5);
});
