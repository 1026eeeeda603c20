import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import { bench, FakeKept, INFY, later, OPTION, TCS } from './support/directory-bench.ts';
import { contract, FakeSource, share, sourceOf } from './support/lists.ts';

const NIFTY = share('NIFTY 50', '40000001', { segment: 'INDEX', instrumentToken: null });
const ALL = { equity: [INFY], index: [NIFTY], fno: [OPTION] } as const;
const NAMES = { equity: 'NSE:INFY', index: 'NSE:NIFTY 50', fno: 'NFO:NIFTY26NOV24450CE' } as const;
const KINDS = ['equity', 'index', 'fno'] as const;
const failing = ['is away', 'is empty'] as const;
const failureOf = (how: (typeof failing)[number]) => (how === 'is away' ? new Error('away') : []);

/** A first start: nothing is on disk, and one of the lists fails. */
describe.each(KINDS)('on a first start without the list %s', (failed) => {
  it.each(failing)('serves all other lists when one %s', async (how) => {
    const { source } = sourceOf({ ...ALL, [failed]: failureOf(how) });
    const { load, directory, said } = bench([source]);
    await load();
    const found = KINDS.filter((kind) => directory.resolve(NAMES[kind]) !== null);
    expect(found).toEqual(KINDS.filter((kind) => kind !== failed));
    expect(said).toHaveLength(1);
    expect(directory.lists()).toMatchObject([
      {
        count: 2,
        problem: expect.stringContaining(`${failed}: `),
        lists: KINDS.map((name) => ({ name, count: name === failed ? 0 : 1 })),
      },
    ]);
  });

  it('reads a late list alone, and adds it to the others', async () => {
    const lists = sourceOf({ ...ALL, [failed]: new Error('away') });
    const { load, directory, time } = bench([lists.source]);
    await load();
    lists[failed].next = ALL[failed];
    await time.advance(5_000);
    await load();
    // The load runs in the background: nobody waits for a list whose read failed.
    await time.advance(0);
    expect(KINDS.every((kind) => directory.resolve(NAMES[kind]) !== null)).toBe(true);
    expect(KINDS.map((kind) => lists[kind].reads)).toEqual(
      KINDS.map((kind) => (kind === failed ? 2 : 1)),
    );
    expect(directory.lists()).toMatchObject([{ count: 3, problem: null }]);
  });
});

describe('a list that fails', () => {
  it.each(failing)('stays in its last good edition beside newer lists: %s', async (how) => {
    const lists = sourceOf(ALL);
    const { load, directory, time, names } = bench([lists.source]);
    await load();
    lists.fno.next = failureOf(how);
    lists.equity.next = [TCS];
    await time.advanceTo('2026-11-07T08:50:00+05:30');
    await load();
    expect(names().sort()).toEqual(['NFO:NIFTY26NOV24450CE', 'NSE:NIFTY 50', 'NSE:TCS']);
    expect(directory.lists()[0]?.lists).toMatchObject([
      { name: 'equity', outdated: false, problem: null },
      { name: 'index', outdated: false, problem: null },
      { name: 'fno', count: 1, outdated: true, problem: expect.any(String) },
    ]);
  });

  it('keeps its file on disk; the others are written', async () => {
    const kept = new FakeKept()
      .keep('primary-equity', '2026-11-05T10:00:00+05:30', INFY)
      .keep('primary-fno', '2026-11-05T10:00:00+05:30', OPTION);
    const { source } = sourceOf({ equity: [TCS], index: [NIFTY], fno: new Error('away') });
    const { load, names } = bench([source], { kept });
    await load();
    expect(names().sort()).toEqual(['NFO:NIFTY26NOV24450CE', 'NSE:NIFTY 50', 'NSE:TCS']);
    expect(kept.writes).toBe(2);
    const again = bench([sourceOf({ ...ALL, fno: new Error('away') }).source], { kept });
    expect(again.names()).toEqual(names());
  });

  it('delays no caller: it is read in the background', async () => {
    const lists = sourceOf({ ...ALL, fno: new Error('away') });
    const { load, directory, time } = bench([lists.source]);
    await load();
    lists.fno.next = later().list;
    await time.advance(5_000);
    const begun = time.elapsed();
    await directory.ensureLoaded();
    expect([lists.fno.reads, time.elapsed() - begun]).toEqual([2, 0]);
  });
});

describe('a list that the broker does not serve', () => {
  it('is asked for again only when lists are due, and logged', async () => {
    const lists = sourceOf({ ...ALL, index: null });
    const { load, directory, time, said } = bench([lists.source]);
    await load();
    await time.advance(10_000);
    await load();
    expect([lists.index.reads, directory.size(), said.length]).toEqual([1, 2, 1]);
    expect(directory.lists()[0]?.problem).toBe('index: the broker does not offer this list');
    await time.advance(3_600_000);
    await load();
    expect(lists.index.reads).toBe(2);
  });

  it('stays in use in its last edition when the broker stops serving it', async () => {
    const lists = sourceOf(ALL);
    const { load, time, directory } = bench([lists.source]);
    await load();
    lists.index.next = null;
    await time.advance(3_600_000);
    await load();
    await time.advance(0);
    expect(directory.resolve('NSE:NIFTY 50')).not.toBeNull();
  });
});

describe('any sequence of good and failed reads', () => {
  type Kind = (typeof KINDS)[number];
  const editionOf = (kind: Kind, round: number): Instrument =>
    ({
      equity: share(`S${round}`, String(100 + round), { instrumentToken: null }),
      index: share(`I${round}`, String(200 + round), { segment: 'INDEX', instrumentToken: null }),
      fno: contract(`NIFTY26NOV${24_000 + round}CE`, String(300 + round), {
        strike: 24_000 + round,
        instrumentToken: null,
      }),
    })[kind];
  const become = fc.constantFrom('new', 'away', 'empty', 'not served');
  const rounds = fc.array(fc.record({ equity: become, index: become, fno: become }), {
    minLength: 1,
    maxLength: 6,
  });

  it('leaves exactly the last good edition of each list in the directory', async () => {
    await fc.assert(
      fc.asyncProperty(rounds, async (all) => {
        const lists = sourceOf({ equity: null, index: null, fno: null });
        const { load, time, names } = bench([lists.source]);
        const good = new Map<Kind, string>();
        for (const [round, becomes] of all.entries()) {
          for (const kind of KINDS) {
            const edition = editionOf(kind, round);
            const next = { new: [edition], away: new Error('away'), empty: [], 'not served': null };
            lists[kind].next = next[becomes[kind]];
            if (becomes[kind] === 'new') good.set(kind, edition.name);
          }
          await load();
          await time.advance(3_600_000);
          expect(names().sort()).toEqual([...good.values()].sort());
        }
      }),
      { seed: 20_261_122, numRuns: 200 },
    );
  });
});

describe('lists of different days', () => {
  it('are each compared by their own day with the other broker’s list', async () => {
    const fno = [contract('NIFTY26NOV24450CE', '51011', { lotSize: 75, instrumentToken: null })];
    const equity = [share('INFY', '1594', { lotSize: 4, instrumentToken: null })];
    const kept = new FakeKept()
      // The share's lot is of a later day than the alternative broker's, the contract's of an earlier.
      .keep('primary-fno', '2026-11-04T10:00:00+05:30', ...fno)
      .keep('alt', '2026-11-05T10:00:00+05:30', { ...INFY, lotSize: 6 }, OPTION)
      .keep('primary-equity', '2026-11-06T10:00:00+05:30', ...equity)
      .keep('primary-index', '2026-11-06T10:00:00+05:30', NIFTY);
    const { directory } = bench(
      [sourceOf({ equity: null, index: null, fno: null }).source, new FakeSource('alt', null)],
      { kept },
    );
    expect(directory.resolve('NSE:INFY')?.lotSize).toBe(4);
    expect(directory.resolve('NFO:NIFTY26NOV24450CE')?.lotSize).toBe(65);
  });
});
