import { describe, expect, it } from 'vitest';
import type { Instrument } from '../../src/domain/instrument.ts';
import type { PriceKind } from '../../src/market-data/shared-reads.ts';
import { createSharedReads } from '../../src/market-data/shared-reads.ts';
import { sleep } from '../../src/platform/clock.ts';
import { elapsedMs } from '../../src/units/branded.ts';
import { VirtualTime } from '../support/virtual-time.ts';
import { many } from './live/support.ts';
import { INFY } from './support.ts';

/** Reads of a broker that takes a second for each request of at most 100 instruments. */
function bench() {
  const time = new VirtualTime(0);
  const requests: { readonly kind: PriceKind; readonly names: readonly string[] }[] = [];
  const reads = createSharedReads({
    ...{ clock: time, scheduler: time, atOnce: { quotes: 100, lastPrices: 100 } },
    askedOf: () => null,
    async fetch(kind, instruments, { leaves }) {
      leaves();
      requests.push({ kind, names: instruments.map(({ name }) => name) });
      await sleep(time, 1_000);
    },
  });
  const read = (kind: PriceKind, instruments: readonly Instrument[]) =>
    reads.read(kind, instruments, elapsedMs(time.elapsed())).then(() => time.elapsed());
  return { time, requests, read };
}

describe('a scan of a thousand instruments', () => {
  it.each(['quotes', 'lastPrices'] as const)(
    'of another program holds up %s of one instrument by a request or two',
    async (kind) => {
      const { time, requests, read } = bench();
      const scans = Array.from({ length: 10 }, (_, at) => read('quotes', many(100, `A${at}_`)));
      await time.advance(10);
      const one = read(kind, [INFY]);
      const all = await time.settle(Promise.all([one, ...scans]), 60_000);
      expect(all[0]).toBeLessThanOrEqual(3_000);
      // It costs the scan no more than the request that it shares or the one between.
      expect(Math.max(...all)).toBeLessThanOrEqual(12_000);
      expect(requests.length).toBeLessThanOrEqual(12);
    },
  );

  it('is read to its end beside programs that ask for another instrument all the time', async () => {
    const { time, read } = bench();
    const scan = read('quotes', many(1_000, 'SCAN_'));
    let isOver = false;
    void scan.then(() => (isOver = true));
    const others = Array.from({ length: 200 }, (_, program) => async () => {
      for (let round = 0; !isOver; round += 1)
        await read('quotes', many(1, `P${program}_${round}_`));
    });
    void Promise.all(others.map((program) => program()));
    // Half of each request is for what has waited longest.
    expect(await time.settle(scan, 60_000)).toBeLessThanOrEqual(25_000);
  });

  it('shares its instruments with who wants one of them', async () => {
    const { time, requests, read } = bench();
    const scan = read('quotes', many(1_000, 'A'));
    await time.advance(10);
    const last = many(1_000, 'A').slice(-1);
    expect(await time.settle(read('quotes', last), 60_000)).toBeLessThanOrEqual(3_000);
    await time.settle(scan, 60_000);
    const names = requests.flatMap((request) => request.names);
    expect([names.length, new Set(names).size]).toEqual([1_000, 1_000]);
  });
});
