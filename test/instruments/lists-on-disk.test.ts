import { describe, expect, it } from 'vitest';
import { FakeSource } from './support/lists.ts';
import { INFY, TCS, FakeKept, bench } from './support/directory-bench.ts';
import { packTexts } from '../../src/instruments/packed-list.ts';
import { epochMs } from '../../src/units/branded.ts';

describe('lists on disk', () => {
  it('are used from the start without asking a broker', () => {
    const kept = new FakeKept().keep('alt', '2026-11-06T10:00:00+05:30', INFY);
    const source = new FakeSource('alt', new Error('away'));
    const { directory, said } = bench([source], { kept });
    expect([directory.resolve('NSE:INFY'), source.reads, said]).toEqual([INFY, 0, []]);
  });

  it('are not read again when they are of today', async () => {
    const kept = new FakeKept()
      .keep('alt', '2026-11-06T08:50:00+05:30', INFY)
      .keep('primary', '2026-11-06T10:00:01+05:30', TCS);
    const sources = [new FakeSource('primary', [INFY]), new FakeSource('alt', [INFY])];
    const { load } = bench(sources, { kept });
    await load();
    expect(sources.map(({ reads }) => reads)).toEqual([0, 0]);
  });

  it('are used, with a warning, when they are of an earlier day and the broker is away', async () => {
    const kept = new FakeKept().keep('alt', '2026-11-04T10:00:00+05:30', INFY);
    const source = new FakeSource('alt', new Error('away'));
    const { directory, said, load, names } = bench([source], { kept });
    expect(said).toEqual([
      'the instrument list of an earlier day is in use until a new one is read',
    ]);
    await load();
    expect([source.reads, names()]).toEqual([1, ['NSE:INFY']]);
    expect(directory.lists()).toEqual([
      {
        broker: 'alt',
        count: 1,
        fetchedAt: Date.parse('2026-11-04T10:00:00+05:30'),
        outdated: true,
        problem: 'away',
        lists: [
          {
            name: 'all',
            count: 1,
            fetchedAt: Date.parse('2026-11-04T10:00:00+05:30'),
            outdated: true,
            problem: 'away',
          },
        ],
      },
    ]);
  });

  it('are not used, with a warning, when they are older than a week', async () => {
    const kept = new FakeKept().keep('alt', '2026-10-30T10:59:59+05:30', INFY);
    const { directory, said, load } = bench([new FakeSource('alt', new Error('away'))], { kept });
    expect([directory.size(), said.length]).toEqual([0, 1]);
    await load();
    expect(directory.size()).toBe(0);
  });

  it('are no longer used once they are older than a week', async () => {
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

  it('are used and read again when they are dated in the future', async () => {
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

  it('are written again when today’s list equals yesterday’s, with today’s date', async () => {
    const kept = new FakeKept().keep('alt', '2026-11-05T10:00:00+05:30', INFY);
    const { load } = bench([new FakeSource('alt', [INFY])], { kept });
    await load();
    expect(kept.held.get('alt')?.fetchedAt).toBe(Date.parse('2026-11-06T11:00:00+05:30'));
  });

  it('are not used when they cannot be joined: the gateway starts and reads new ones', async () => {
    const kept = new FakeKept();
    kept.held.set('alt', {
      fetchedAt: epochMs(Date.parse('2026-11-06T10:00:00+05:30')),
      list: packTexts(['[[1]]'], 1),
    });
    const { directory, load, names } = bench([new FakeSource('alt', [INFY])], { kept });
    expect(directory.size()).toBe(0);
    await load();
    expect(names()).toEqual(['NSE:INFY']);
  });
});
