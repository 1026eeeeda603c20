import { describe, expect, it } from 'vitest';
import { FakeSource, primaryContract, share } from './support/lists.ts';
import { INFY, TCS, OPTION, bench, later } from './support/directory-bench.ts';

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

  it('reads each list once for many callers, and once a day', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { directory, time, load } = bench([source]);
    await Promise.all([load(), load()]);
    await time.advanceTo('2026-11-07T08:29:59.999+05:30');
    await directory.ensureLoaded();
    expect(source.reads).toBe(1);
  });

  it('reads the list again when the broker publishes a new one, at 08:30', async () => {
    const source = new FakeSource('alt', [INFY]);
    const { time, load, names } = bench([source]);
    await load();
    source.next = [TCS];
    await time.advanceTo('2026-11-07T08:30:00+05:30');
    await load();
    expect(names()).toEqual(['NSE:TCS']);
  });

  it('reads the primary brokerage’s list again after an hour; callers use the last one meanwhile', async () => {
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
  ])('keeps yesterday’s list, and logs it, when the read %s', async (_how, next) => {
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

  it('repeats a failed read after five seconds, and not earlier', async () => {
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

  it('doubles the pause between failed reads, up to one minute', async () => {
    const source = new FakeSource('alt', new Error('away'));
    const { time, load } = bench([source]);
    const triedAfter: number[] = [];
    for (let second = 0; second <= 240; second += 1) {
      const before = source.reads;
      await load();
      if (source.reads > before) triedAfter.push(second);
      await time.advance(1_000);
    }
    expect(triedAfter).toEqual([0, 5, 15, 35, 75, 135, 195]);
  });

  it('starts again at five seconds once a read has succeeded', async () => {
    const source = new FakeSource('alt', new Error('away'));
    const { time, load } = bench([source]);
    for (const pause of [0, 5_000, 10_000, 20_000]) {
      await time.advance(pause);
      await load();
    }
    source.next = [INFY];
    await time.advance(40_000);
    await load();
    source.next = new Error('away again');
    await time.advanceTo('2026-11-07T08:30:00+05:30');
    await load();
    await time.advance(5_000);
    await load();
    expect(source.reads).toBe(7);
  });

  it('logs the reason of a failure once a day, however often it reads', async () => {
    const { time, said, load } = bench([new FakeSource('alt', new Error('away'))]);
    for (let round = 0; round < 3; round += 1) {
      await load();
      await time.advance(5_000);
    }
    expect(said).toHaveLength(1);
  });

  it('keeps the other source’s list when one source fails', async () => {
    const { load, names } = bench([
      new FakeSource('primary', new Error('away')),
      new FakeSource('alt', [INFY]),
    ]);
    await load();
    expect(names()).toEqual(['NSE:INFY']);
  });

  it('does not ask a blocked source, and asks it as soon as it is unblocked', async () => {
    const source = new FakeSource('alt', [INFY]);
    source.blocked = 'no token';
    const { directory, load } = bench([source]);
    await load();
    expect([source.reads, directory.size()]).toEqual([0, 0]);
    source.blocked = null;
    await load();
    expect([source.reads, directory.size()]).toEqual([1, 1]);
  });

  it('logs where the lists disagree', async () => {
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
  it('lasts until a list is there, when there is none', async () => {
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

  it('ends three seconds after the load began, when another list is there', async () => {
    const { directory, time, load } = bench([
      new FakeSource('primary', [INFY]),
      new FakeSource('alt', later().list),
    ]);
    await load();
    expect([time.elapsed(), directory.size()]).toEqual([3_000, 1]);
    // A later caller waits for the rest of the three seconds only.
    await directory.ensureLoaded();
    expect(time.elapsed()).toBe(3_000);
  });

  it('ends after three seconds when yesterday’s list can be used', async () => {
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

  it('does not happen for a list whose last read failed', async () => {
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

  it('leaves no timer when the list arrives in time', async () => {
    const { time, load } = bench([new FakeSource('primary', [TCS]), new FakeSource('alt', [INFY])]);
    await load();
    expect(time.pending).toBe(0);
  });
});
