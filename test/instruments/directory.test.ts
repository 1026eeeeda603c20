import { describe, expect, it } from 'vitest';
import { createInstrumentDirectory } from '../../src/instruments/directory.ts';
import type { HeldList, KeptLists } from '../../src/instruments/kept-lists.ts';
import { silentLog } from '../../src/platform/log.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { packList } from '../../src/instruments/packed-list.ts';
import { atOnce } from '../../src/platform/slices.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { contract, FakeSource, primaryContract, share } from './support/lists.ts';

const INFY = share('INFY', '1594', { displayName: 'Infosys Limited' });
const TCS = share('TCS', '11536', { instrumentToken: 2_953_217 });
const OPTION = contract('NIFTY26NOV24450CE', '51011', { instrumentToken: 13_058_818 });
const NIFTY = share('NIFTY 50', '40000001', { segment: 'INDEX', instrumentToken: 256_265 });
const SENSEX = share('SENSEX', '51', {
  exchange: 'BSE',
  segment: 'INDEX',
  instrumentToken: null,
});

/** What is on disk, by broker. */
class FakeKept implements KeptLists {
  readonly held = new Map<string, HeldList>();
  writes = 0;

  keep(broker: string, fetchedAt: string, ...instruments: Instrument[]): this {
    this.held.set(broker, {
      fetchedAt: Date.parse(fetchedAt),
      list: atOnce(packList(instruments)),
    });
    return this;
  }

  read(broker: string): HeldList | null {
    return this.held.get(broker) ?? null;
  }

  write(broker: string, held: HeldList): void {
    this.writes += 1;
    this.held.set(broker, held);
  }
}

interface Options {
  readonly kept?: KeptLists;
  readonly start?: string;
}

function bench(sources: FakeSource[], { kept, start }: Options = {}) {
  const time = new VirtualTime(start ?? '2026-11-06T11:00:00+05:30');
  const said: string[] = [];
  const directory = createInstrumentDirectory({
    sources,
    blocked: (source) => (source as FakeSource).blocked,
    kept: kept ?? null,
    clock: time,
    scheduler: time,
    log: { ...silentLog, warn: (message) => void said.push(message) },
  });
  const load = (): Promise<void> => time.settle(directory.ensureLoaded());
  const names = (): string[] => directory.search({ limit: 99 }).map(({ name }) => name);
  return { time, directory, said, load, names };
}

async function loaded(...instruments: Instrument[]) {
  const { directory, load } = bench([new FakeSource('alt', instruments)]);
  await load();
  return directory;
}

/** A list that comes when it is told to. */
function later(): { list: Promise<Instrument[]>; come: (...list: Instrument[]) => void } {
  let come!: (list: Instrument[]) => void;
  const list = new Promise<Instrument[]>((resolve) => (come = resolve));
  return { list, come: (...instruments) => come(instruments) };
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

  it.each(['NSE:NOSUCH', 'BSE:INFY', 'NSE_1', 'BSE_1594', 'NIDX_1594', 'INFY', '408065', ''])(
    'not by %j',
    async (text) => {
      expect((await loaded(INFY, OPTION, NIFTY)).resolve(text)).toBeNull();
    },
  );

  it('by the alternative broker’s token, as by name and by number', async () => {
    const directory = await loaded(INFY, TCS);
    expect(directory.byToken(408_065)).toBe(directory.byName('NSE:INFY'));
    expect(directory.byToken(408_065)).toBe(directory.resolve('NSE_1594'));
    expect(directory.byToken(1)).toBeNull();
  });

  it('among derivatives, when a share has the number of the one that is meant', async () => {
    const directory = await loaded(share('TWIN', '51011'), OPTION, INFY);
    expect(directory.resolve('NFO_51011')).toEqual(OPTION);
    // A share’s number under the derivatives’ exchange is nobody’s.
    expect(directory.resolve('NFO_1594')).toBeNull();
  });

  it('by its number at the exchange that takes its orders, in its segment', async () => {
    const directory = await loaded(share('TWIN', '51011'), OPTION);
    expect(directory.bySecurityId('NSE', '51011', 'DERIVATIVE')).toEqual(OPTION);
    expect(directory.bySecurityId('NSE', '51011', 'EQUITY')?.name).toBe('NSE:TWIN');
    expect(directory.bySecurityId('NSE', '51011', 'INDEX')).toBeNull();
  });

  it('by the name that the primary brokerage’s list alone has given it', async () => {
    const symbol = 'NIFTY26N2424450CE';
    const { directory, load } = bench([
      new FakeSource('primary', [primaryContract('NIFTY-NOV2026-24450-CE', '51011')]),
      new FakeSource('alt', [contract(symbol, '51011')]),
    ]);
    await load();
    expect(directory.resolve('NFO:NIFTY26NOV24450CE')?.tradingSymbol).toBe(symbol);
    expect(directory.byName('NFO:NIFTY26NOV24450CE')?.tradingSymbol).toBe(symbol);
  });

  it('until its last day is over: its number and its token are then another’s', async () => {
    const { directory, time, load } = bench([new FakeSource('alt', [OPTION])]);
    await load();
    const ways = () => [
      directory.resolve('NFO:NIFTY26NOV24450CE'),
      directory.resolve('NFO_51011'),
      directory.bySecurityId('NSE', '51011', 'DERIVATIVE'),
      directory.byToken(13_058_818),
      directory.search({ text: 'nifty', limit: 1 })[0] ?? null,
    ];
    await time.advanceTo('2026-11-24T23:59:59+05:30');
    expect(ways()).toEqual([OPTION, OPTION, OPTION, OPTION, OPTION]);
    await time.advanceTo('2026-11-25T00:00:00+05:30');
    expect(ways()).toEqual([null, null, null, null, null]);
    expect(directory.byName(OPTION.name)).toEqual(OPTION);
  });
});

describe('loading', () => {
  it('joins what all sources have', async () => {
    const { directory, load } = bench([
      new FakeSource('primary', [
        share('INFY', '1594', { instrumentToken: null, isin: 'INE' }),
        TCS,
      ]),
      new FakeSource('alt', [INFY]),
    ]);
    await load();
    expect(directory.size()).toBe(2);
    expect(directory.byName('NSE:INFY')).toMatchObject({ isin: 'INE', instrumentToken: 408_065 });
  });

  it('happens once for many who need it, and once a day', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, time, load } = bench([source]);
    await Promise.all([load(), load()]);
    await time.advanceTo('2026-11-07T08:29:59.999+05:30');
    await directory.ensureLoaded();
    expect(source.reads).toBe(1);
  });

  it('happens again when the broker makes its list anew, at half past eight', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { time, load, names } = bench([source]);
    await load();
    source.next = [TCS];
    await time.advanceTo('2026-11-07T08:30:00+05:30');
    await load();
    expect(names()).toEqual(['NSE:TCS']);
  });

  it('of the primary brokerage happens again after an hour, while others use the last list', async () => {
    const source = new FakeSource('primary', [INFY]);
    const { directory, time, load, names } = bench([source]);
    await load();
    await time.advance(3_599_999);
    await load();
    expect(source.reads).toBe(1);
    const { list, come } = later();
    source.next = list;
    await time.advance(1);
    await directory.ensureLoaded();
    expect([source.reads, names()]).toEqual([2, ['NSE:INFY']]);
    come(TCS);
    await time.advance(0);
    expect(names()).toEqual(['NSE:TCS']);
  });

  it.each([
    ['fails', new Error('away')],
    ['gives an empty list', []],
  ])('that %s keeps yesterday’s list, and says so', async (_how, next) => {
    const source = new FakeSource('alt', [INFY]);
    const { time, directory, said, load, names } = bench([source]);
    await load();
    source.next = next;
    await time.advanceTo('2026-11-07T08:30:00+05:30');
    await load();
    expect([source.reads, names()]).toEqual([2, ['NSE:INFY']]);
    expect(said.join()).toContain('the last list stays in use');
    expect(directory.lists()).toMatchObject([{ count: 1, outdated: true }]);
    expect(directory.lists()[0]?.problem).not.toBeNull();
  });

  it('that fails is tried again after five seconds, and not before', async () => {
    const source = new FakeSource('alt', new Error('away'));
    const { directory, time, load } = bench([source]);
    await load();
    source.next = [INFY];
    await time.advance(4_999);
    await load();
    expect([source.reads, directory.size()]).toEqual([1, 0]);
    await time.advance(1);
    await load();
    expect([source.reads, directory.size()]).toEqual([2, 1]);
    expect(directory.lists()[0]).toMatchObject({ problem: null, outdated: false });
  });

  it('says once a day why it fails, however often it is tried', async () => {
    const { time, said, load } = bench([new FakeSource('alt', new Error('away'))]);
    for (let round = 0; round < 3; round += 1) {
      await load();
      await time.advance(5_000);
    }
    expect(said).toHaveLength(1);
  });

  it('of one source that fails leaves the other’s list', async () => {
    const { load, names } = bench([
      new FakeSource('primary', new Error('away')),
      new FakeSource('alt', [INFY]),
    ]);
    await load();
    expect(names()).toEqual(['NSE:INFY']);
  });

  it('does not ask a source that is blocked, and asks it at once when it no longer is', async () => {
    const source = new FakeSource('alt', [INFY]);
    source.blocked = 'no token';
    const { directory, load } = bench([source]);
    await load();
    expect([source.reads, directory.size()]).toEqual([0, 0]);
    source.blocked = null;
    await load();
    expect([source.reads, directory.size()]).toEqual([1, 1]);
  });

  it('tells what the lists do not agree on', async () => {
    const { said, load } = bench([
      new FakeSource('primary', [
        primaryContract('NIFTY-NOV2026-24450-CE', '51011', { lotSize: 75 }),
      ]),
      new FakeSource('alt', [OPTION]),
    ]);
    await load();
    expect(said).toEqual(['the instrument lists do not agree']);
  });
});

describe('waiting for a list', () => {
  it('without any goes on until one is there', async () => {
    const { list, come } = later();
    const { directory, time } = bench([new FakeSource('alt', list)]);
    let waited = false;
    const wait = directory.ensureLoaded().then(() => (waited = true));
    await time.advance(20_000);
    expect(waited).toBe(false);
    come(INFY);
    await time.settle(wait);
    expect(directory.size()).toBe(1);
  });

  it('is over three seconds after the load began, once another list is there', async () => {
    const { directory, time, load } = bench([
      new FakeSource('primary', [INFY]),
      new FakeSource('alt', later().list),
    ]);
    await load();
    expect([time.elapsed(), directory.size()]).toEqual([3_000, 1]);
    // Whoever comes later does not begin to wait anew.
    await directory.ensureLoaded();
    expect(time.elapsed()).toBe(3_000);
  });

  it('for today’s list is over after three seconds, with yesterday’s', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { time, load, names } = bench([source]);
    await load();
    const { list, come } = later();
    source.next = list;
    await time.advanceTo('2026-11-07T08:50:00+05:30');
    const begun = time.elapsed();
    await load();
    expect([time.elapsed() - begun, names()]).toEqual([3_000, ['NSE:INFY']]);
    come(TCS);
    await time.advance(0);
    expect(names()).toEqual(['NSE:TCS']);
  });

  it('is not done for what has failed before: it is asked for beside', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, time, load } = bench([source]);
    await load();
    source.next = new Error('away');
    await time.advanceTo('2026-11-07T08:50:00+05:30');
    await load();
    source.next = later().list;
    await time.advance(5_000);
    const begun = time.elapsed();
    await directory.ensureLoaded();
    expect([source.reads, time.elapsed() - begun]).toEqual([3, 0]);
  });

  it('leaves no timer behind when the list comes in time', async () => {
    const { time, load } = bench([new FakeSource('primary', [TCS]), new FakeSource('alt', [INFY])]);
    await load();
    expect(time.pending).toBe(0);
  });
});

describe('lists on disk', () => {
  it('are there from the start, without a question to anybody', () => {
    const kept = new FakeKept().keep('alt', '2026-11-06T10:00:00+05:30', INFY);
    const source = new FakeSource('alt', new Error('away'));
    const { directory, said } = bench([source], { kept });
    expect([directory.resolve('NSE:INFY'), source.reads, said]).toEqual([INFY, 0, []]);
  });

  it('of today are not asked for again', async () => {
    const kept = new FakeKept()
      .keep('alt', '2026-11-06T08:50:00+05:30', INFY)
      .keep('primary', '2026-11-06T10:00:01+05:30', TCS);
    const sources = [new FakeSource('primary', [INFY]), new FakeSource('alt', [INFY])];
    const { load } = bench(sources, { kept });
    await load();
    expect(sources.map(({ reads }) => reads)).toEqual([0, 0]);
  });

  it('of an earlier day are used while the broker is away, and it is said', async () => {
    const kept = new FakeKept().keep('alt', '2026-11-04T10:00:00+05:30', INFY);
    const source = new FakeSource('alt', new Error('away'));
    const { directory, said, load, names } = bench([source], { kept });
    expect(said).toEqual(['instruments of an earlier day are in use until new ones are read']);
    await load();
    expect([source.reads, names()]).toEqual([1, ['NSE:INFY']]);
    expect(directory.lists()).toEqual([
      {
        broker: 'alt',
        count: 1,
        fetchedAt: Date.parse('2026-11-04T10:00:00+05:30'),
        outdated: true,
        problem: 'away',
      },
    ]);
  });

  it('of more than a week are not used, and it is said', async () => {
    const kept = new FakeKept().keep('alt', '2026-10-30T10:59:59+05:30', INFY);
    const { directory, said, load } = bench([new FakeSource('alt', new Error('away'))], { kept });
    expect([directory.size(), said.length]).toEqual([0, 1]);
    await load();
    expect(directory.size()).toBe(0);
  });

  it('that become older than a week are used no more', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, time, load } = bench([source]);
    await load();
    source.blocked = 'no token';
    await time.advanceTo('2026-11-13T11:00:00+05:30');
    await load();
    expect(directory.size()).toBe(1);
    await time.advance(1);
    await load();
    await time.advance(0);
    expect([directory.size(), directory.lists()[0]?.fetchedAt]).toEqual([0, null]);
  });

  it('from the future are used, and asked for again', async () => {
    const kept = new FakeKept().keep('alt', '2026-11-08T10:00:00+05:30', INFY);
    const source = new FakeSource('alt', [TCS]);
    const { directory, load, names } = bench([source], { kept });
    expect(directory.size()).toBe(1);
    await load();
    expect(names()).toEqual(['NSE:TCS']);
  });

  it('are written when they are new, and not when they are the same', async () => {
    const kept = new FakeKept();
    const source = new FakeSource('primary', [INFY]);
    const { time, load } = bench([source], { kept });
    await load();
    await time.advance(3_600_000);
    await load();
    expect([source.reads, kept.writes]).toEqual([2, 1]);
    source.next = [TCS];
    await time.advance(3_600_000);
    await load();
    await time.advance(0);
    expect(kept.writes).toBe(2);
  });

  it('of yesterday are written anew though they are the same: they are of today now', async () => {
    const kept = new FakeKept().keep('alt', '2026-11-05T10:00:00+05:30', INFY);
    const { load } = bench([new FakeSource('alt', [INFY])], { kept });
    await load();
    expect(kept.held.get('alt')?.fetchedAt).toBe(Date.parse('2026-11-06T11:00:00+05:30'));
  });

  it('that cannot be joined are put aside: the start goes on, and asks for new ones', async () => {
    const kept = new FakeKept();
    kept.held.set('alt', {
      fetchedAt: Date.parse('2026-11-06T10:00:00+05:30'),
      list: { chunks: ['[[1]]'], count: 1, digest: '' },
    });
    const { directory, load, names } = bench([new FakeSource('alt', [INFY])], { kept });
    expect(directory.size()).toBe(0);
    await load();
    expect(names()).toEqual(['NSE:INFY']);
  });
});

describe('once it is stopped', () => {
  it('nothing that was under way is taken in or written', async () => {
    const kept = new FakeKept();
    const { list, come } = later();
    const { directory, time } = bench([new FakeSource('alt', list)], { kept });
    const wait = directory.ensureLoaded();
    directory.stop();
    come(INFY);
    await time.settle(wait);
    expect([directory.size(), kept.writes]).toEqual([0, 0]);
  });

  it('nobody is asked any more', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, load } = bench([source]);
    directory.stop();
    await load();
    expect(source.reads).toBe(0);
  });
});

it('a long list is taken in slices: others go between', async () => {
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
