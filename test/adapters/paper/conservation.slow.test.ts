import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/platform/database.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { auditLedger, availableOnDisk } from './audit.ts';
import {
  FakeMarket,
  INFY,
  ITC,
  levels,
  MONDAY_TEN,
  paperBench,
  TCS,
  type PaperBench,
} from './paper-bench.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paper-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Mulberry32: small, seeded, and the same everywhere. */
function generator(seed: number) {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, one: <T>(of: readonly T[]): T => of[below(of.length)]! };
}

type Generator = ReturnType<typeof generator>;

const INSTRUMENTS = [INFY, TCS, ITC];
/** Ticks of 5 paise, as a price with two decimals. */
const price = (ticks: number): number => Number((ticks * 0.05).toFixed(2));

function moveMarket(random: Generator, market: FakeMarket): void {
  for (const instrument of INSTRUMENTS) {
    const ticks = 1_900 + random.below(200);
    const size = (): number => 1 + random.below(30);
    const depth = {
      buy: levels([price(ticks - 1), size()], [price(ticks - 3), size()]),
      sell: levels([price(ticks + 1), size()], [price(ticks + 2), size()]),
    };
    market.set(instrument, price(ticks), {
      bid: price(ticks - 1),
      ask: price(ticks + 1),
      depth: random.below(3) === 0 ? null : depth,
    });
  }
  market.mood = random.below(12) === 0 ? 'fails' : 'answers';
}

function randomAttempt(random: Generator, bench: PaperBench, name: string) {
  const orderType = random.one(['MARKET', 'LIMIT', 'LIMIT', 'SL', 'SL-M'] as const);
  const ticks = 1_850 + random.below(300);
  const side = random.one(['BUY', 'SELL'] as const);
  return bench.attemptFor(
    {
      side,
      orderType,
      product: random.one(['CNC', 'INTRADAY', 'MARGIN'] as const),
      validity: random.below(6) === 0 ? 'IOC' : 'DAY',
      quantity: 1 + random.below(40),
      price: orderType === 'LIMIT' || orderType === 'SL' ? price(ticks) : null,
      triggerPrice: orderType.startsWith('SL') ? price(ticks + (side === 'BUY' ? -10 : 10)) : null,
      amo: random.below(8) === 0,
    },
    random.one(INSTRUMENTS),
    name,
  );
}

async function seen(bench: PaperBench) {
  return {
    book: await bench.book(),
    trades: await bench.trades(),
    positions: (await bench.positions()).toSorted((a, b) =>
      `${a.instrument} ${a.product}` < `${b.instrument} ${b.product}` ? -1 : 1,
    ),
    holdings: (await bench.holdings()).toSorted((a, b) => (a.instrument < b.instrument ? -1 : 1)),
    funds: await bench.funds(),
  };
}

async function run(seed: number, steps: number, marketHours: 'exchange' | 'always') {
  const random = generator(seed);
  const path = join(folder, `${seed}.db`);
  const market = new FakeMarket();
  const open = (time: VirtualTime) =>
    paperBench({
      time,
      market,
      database: openDatabase(path),
      settings: { cash: '60000', marketHours },
    });
  let bench = await open(new VirtualTime(MONDAY_TEN));
  const acknowledged = new Set<string>();
  moveMarket(random, market);

  for (let step = 0; step < steps; step += 1) {
    const kind = random.below(100);
    if (kind < 60) {
      const burst = Array.from({ length: 1 + random.below(4) }, (_, index) =>
        bench.trading.place(randomAttempt(random, bench, `${step}-${index}`)),
      );
      for (const outcome of await bench.time.settle(Promise.all(burst))) {
        if (outcome.kind === 'acknowledged') acknowledged.add(outcome.brokerOrderId);
      }
    } else if (kind < 80) {
      const working = (await bench.book()).filter((row) => row.status === 'working');
      if (working.length === 0) continue;
      const row = random.one(working);
      if (random.below(2) === 0) await bench.cancel(row.brokerOrderId);
      else {
        await bench.modify(row.brokerOrderId, {
          quantity: 1 + random.below(50),
          price: random.below(2) === 0 ? price(1_850 + random.below(300)) : null,
          orderType: random.below(5) === 0 ? 'MARKET' : null,
        });
      }
    } else if (kind < 95) {
      moveMarket(random, market);
      await bench.time.advance(random.below(4) * 900);
    } else if (kind < 97) {
      // The host sleeps: sessions end, days settle, and orders for the next session trade.
      const hour = 3_600_000;
      bench.time.stepWall((4 + random.below(20)) * hour);
      if (marketHours === 'exchange') {
        while (bench.time.now() % (24 * hour) > 9 * hour) bench.time.stepWall(hour);
      }
      await bench.time.advance(61_000);
    } else {
      const before = await seen(bench);
      if (random.below(2) === 0) await bench.dispose();
      // Otherwise it is abandoned as if killed: its clock stops, and nothing waits for it.
      bench = await open(new VirtualTime(bench.time.now()));
      expect(await seen(bench)).toEqual(before);
    }
    if (step % 25 === 0) expect(auditLedger(bench.database, 2_000n)).toEqual([]);
  }

  expect(auditLedger(bench.database, 2_000n)).toEqual([]);
  const funds = await bench.funds();
  expect(Math.round(funds.available * 100)).toBe(Number(availableOnDisk(bench.database)));
  const onDisk = bench.database.prepare('SELECT id FROM paper_orders').all();
  expect(new Set(onDisk.map((row) => row['id']))).toEqual(acknowledged);
  const count = (sql: string): number => Number(bench.database.prepare(sql).get()!['n']);
  return {
    orders: count('SELECT count(*) AS n FROM paper_orders'),
    fills: count('SELECT count(*) AS n FROM paper_fills'),
    partly: count(`SELECT count(*) AS n FROM paper_orders WHERE status = 'partial'`),
  };
}

describe('cash and positions', () => {
  it('conserve to the paisa through thousands of operations, nights and restarts', async () => {
    const totals = { orders: 0, fills: 0, partly: 0 };
    for (const seed of [1, 2, 3]) {
      const run1 = await run(seed, 700, 'exchange');
      totals.orders += run1.orders;
      totals.fills += run1.fills;
      totals.partly += run1.partly;
    }
    // The run proves something only if it traded a lot.
    expect(totals.orders).toBeGreaterThan(500);
    expect(totals.fills).toBeGreaterThan(300);
    expect(totals.partly).toBeGreaterThan(5);
  });

  it('conserve where the market is always open', async () => {
    const { orders, fills } = await run(4, 700, 'always');
    expect(orders).toBeGreaterThan(300);
    expect(fills).toBeGreaterThan(200);
  });
});
