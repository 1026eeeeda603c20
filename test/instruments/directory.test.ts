import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { InstrumentSource } from '../../src/domain/ports.ts';
import { createInstrumentDirectory } from '../../src/instruments/directory.ts';
import { silentLog } from '../../src/platform/log.ts';
import { instrument } from '../execution/support/makers.ts';
import { VirtualTime } from '../support/virtual-time.ts';

const share = (tradingSymbol: string, securityId: string, parts: Partial<Instrument> = {}) =>
  instrument({
    name: `NSE:${tradingSymbol}`,
    tradingSymbol,
    securityId,
    displayName: '',
    ...parts,
  });

const INFY = share('INFY', '1594', { displayName: 'Infosys Limited' });
const TCS = share('TCS', '11536', { displayName: 'Tata Consultancy' });
const OPTION = share('NIFTY26AUG24450CE', '51011', {
  name: 'NFO:NIFTY26AUG24450CE',
  exchange: 'NFO',
  segment: 'DERIVATIVE',
});
const NIFTY = share('NIFTY 50', '40000001', { segment: 'INDEX' });
const SENSEX = share('SENSEX', '51', { name: 'BSE:SENSEX', exchange: 'BSE', segment: 'INDEX' });

/** A source whose next lists are those that it is given; an error is a failed read. */
class FakeSource implements InstrumentSource {
  readonly broker: 'alt' | 'primary';
  reads = 0;
  next: readonly Instrument[] | Error;
  blocked: string | null = null;

  constructor(broker: 'alt' | 'primary', next: readonly Instrument[] | Error) {
    this.broker = broker;
    this.next = next;
  }

  instruments(): Promise<readonly Instrument[]> {
    this.reads += 1;
    return this.next instanceof Error ? Promise.reject(this.next) : Promise.resolve(this.next);
  }
}

function bench(...sources: FakeSource[]) {
  const time = new VirtualTime('2026-11-06T11:00:00+05:30');
  const directory = createInstrumentDirectory({
    sources,
    blocked: (source) => (source as FakeSource).blocked,
    clock: time,
    log: silentLog,
  });
  return { time, directory };
}

async function loaded(...instruments: Instrument[]) {
  const { directory } = bench(new FakeSource('alt', instruments));
  await directory.ensureLoaded();
  return directory;
}

describe('an instrument is found', () => {
  it.each([
    ['NSE:INFY', 'NSE:INFY'],
    ['nse:infy', 'NSE:INFY'],
    ['NSE:NIFTY 50', 'NSE:NIFTY 50'],
    ['NSE_1594', 'NSE:INFY'],
    ['nfo_51011', 'NFO:NIFTY26AUG24450CE'],
    ['NSE_51011', 'NFO:NIFTY26AUG24450CE'],
    ['NIDX_40000001', 'NSE:NIFTY 50'],
    ['BIDX_51', 'BSE:SENSEX'],
  ])('by %s: %s', async (text, name) => {
    const directory = await loaded(INFY, TCS, OPTION, NIFTY, SENSEX);
    expect(directory.resolve(text)?.name).toBe(name);
  });

  it.each(['NSE:NOSUCH', 'BSE:INFY', 'NSE_1', 'BSE_1594', 'NIDX_1594', 'INFY', ''])(
    'not by %j',
    async (text) => {
      expect((await loaded(INFY, OPTION, NIFTY)).resolve(text)).toBeNull();
    },
  );

  it('among derivatives, when a share has the number of the one that is meant', async () => {
    const directory = await loaded(share('TWIN', '51011'), OPTION, INFY);
    expect(directory.resolve('NFO_51011')).toBe(OPTION);
    // A share’s number under the derivatives’ exchange is nobody’s.
    expect(directory.resolve('NFO_1594')).toBeNull();
  });

  it('by its number at the exchange that takes its orders, in its segment', async () => {
    const directory = await loaded(share('TWIN', '51011'), OPTION);
    expect(directory.bySecurityId('NSE', '51011', 'DERIVATIVE')).toBe(OPTION);
    expect(directory.bySecurityId('NSE', '51011', 'EQUITY')?.name).toBe('NSE:TWIN');
    expect(directory.bySecurityId('NSE', '51011', 'INDEX')).toBeNull();
  });
});

describe('a search', () => {
  const names = async (text: string, exchange?: string, limit = 9): Promise<string[]> => {
    const list = [
      share('TATAINFY', '3'),
      share('NOTHING', '4', { displayName: 'Like Infy' }),
      share('INFYBEES', '2'),
      INFY,
      share('INFY', '5', { name: 'BSE:INFY', exchange: 'BSE' }),
    ];
    const directory = await loaded(...list);
    return directory.search({ text, exchange, limit }).map(({ name }) => name);
  };

  it('gives what is exact first, then what begins so, then the rest', async () => {
    expect(await names(' infy ')).toEqual([
      'BSE:INFY',
      'NSE:INFY',
      'NSE:INFYBEES',
      'NSE:TATAINFY',
      'NSE:NOTHING',
    ]);
  });

  it('stays within one exchange, and within its limit', async () => {
    expect(await names('infy', 'BSE')).toEqual(['BSE:INFY']);
    expect(await names('infy', undefined, 2)).toEqual(['BSE:INFY', 'NSE:INFY']);
  });

  it('for nothing gives everything, and for nonsense nothing', async () => {
    expect(await names('')).toHaveLength(5);
    expect(await names('zzz')).toEqual([]);
  });
});

describe('loading', () => {
  it('joins what all sources have', async () => {
    const { directory } = bench(
      new FakeSource('primary', [instrument({ instrumentToken: null, isin: 'INE' }), TCS]),
      new FakeSource('alt', [instrument({ isin: null })]),
    );
    await directory.ensureLoaded();
    expect(directory.size()).toBe(2);
    expect(directory.byName('NSE:INFY')).toMatchObject({ isin: 'INE', instrumentToken: 408_065 });
  });

  it('happens once for many who need it, and once a day', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, time } = bench(source);
    await Promise.all([directory.ensureLoaded(), directory.ensureLoaded()]);
    await time.advanceTo('2026-11-07T05:59:59.999+05:30');
    await directory.ensureLoaded();
    expect(source.reads).toBe(1);
  });

  it('happens again when the broker’s day begins, at six', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, time } = bench(source);
    await directory.ensureLoaded();
    source.next = [TCS];
    await time.advanceTo('2026-11-07T06:00:00+05:30');
    await directory.ensureLoaded();
    expect([directory.byName('NSE:INFY'), directory.byName('NSE:TCS')]).toEqual([null, TCS]);
  });

  it.each([
    ['fails', new Error('away')],
    ['gives an empty list', []],
  ])('that %s keeps yesterday’s list', async (_how, next) => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, time } = bench(source);
    await directory.ensureLoaded();
    source.next = next;
    await time.advanceTo('2026-11-07T06:00:00+05:30');
    await directory.ensureLoaded();
    expect(source.reads).toBe(2);
    expect(directory.byName('NSE:INFY')).toBe(INFY);
  });

  it('that fails is tried again after five seconds, and not before', async () => {
    const source = new FakeSource('alt', new Error('away'));
    const { directory, time } = bench(source);
    await directory.ensureLoaded();
    source.next = [INFY];
    await time.advance(4_999);
    await directory.ensureLoaded();
    expect([source.reads, directory.size()]).toEqual([1, 0]);
    await time.advance(1);
    await directory.ensureLoaded();
    expect([source.reads, directory.size()]).toEqual([2, 1]);
  });

  it('of one source that fails leaves the other’s list', async () => {
    const { directory } = bench(
      new FakeSource('primary', new Error('away')),
      new FakeSource('alt', [INFY]),
    );
    await directory.ensureLoaded();
    expect(directory.size()).toBe(1);
  });

  it('does not ask a source that is blocked, and asks it at once when it no longer is', async () => {
    const source = new FakeSource('alt', [INFY]);
    source.blocked = 'no token';
    const { directory } = bench(source);
    await directory.ensureLoaded();
    expect([source.reads, directory.size()]).toEqual([0, 0]);
    source.blocked = null;
    await directory.ensureLoaded();
    expect([source.reads, directory.size()]).toEqual([1, 1]);
  });
});
