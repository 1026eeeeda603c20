import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decimal } from '../../../src/domain/money.ts';
import { decideLook, decidePlace } from '../../../src/adapters/paper/ledger.ts';
import { openLedger } from '../../../src/adapters/paper/open-ledger.ts';
import type { LedgerRules } from '../../../src/adapters/paper/match-order.ts';
import { openDatabase, type Database } from '../../../src/platform/database.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import { auditLedger } from './audit.ts';
import {
  idOf,
  countingIds,
  FakeMarket,
  INFY,
  levels,
  MONDAY_TEN,
  paperBench,
} from './paper-bench.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paper-'));
});
afterEach(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);

/** A database whose commits fail after the first `after` commits, until it is repaired. */
function failing(database: Database) {
  const control = { after: Infinity, commits: 0 };
  return {
    control,
    database: {
      ...database,
      commit() {
        if (control.commits >= control.after) throw new Error('disk full');
        control.commits += 1;
        database.commit();
      },
    } satisfies Database,
  };
}

describe('a paper order', () => {
  it('is on disk before it is acknowledged', async () => {
    const bench = await paperBench({ database: openDatabase(file('a')) });
    bench.market.set(INFY, 100);
    const id = await bench.placed({});
    const other = openDatabase(file('a'));
    expect(other.prepare('SELECT id, status FROM paper_orders').all()).toEqual([
      { id, status: 'filled' },
    ]);
  });

  it('whose commit fails is known not to be placed, and leaves no trace', async () => {
    const { control, database } = failing(openDatabase(':memory:'));
    const bench = await paperBench({ database });
    bench.market.set(INFY, 100);
    control.after = 0;
    expect(await bench.place({})).toMatchObject({ kind: 'not_sent', cause: 'journal' });
    expect(await bench.place({ price: 99 })).toMatchObject({ kind: 'not_sent' });
    control.after = Infinity;
    expect(await bench.book()).toEqual([]);
    expect((await bench.funds()).available).toBe(100_000);
    expect(bench.time.pending).toBe(0);
    await bench.placed({});
    expect((await bench.funds()).available).toBe(100_000 - 1_020);
    expect(auditLedger(database, 2_000n)).toEqual([]);
  });

  it('is uncertain where it is unknown whether the attempt already placed one', async () => {
    const inner = openDatabase(':memory:');
    const database: Database = {
      ...inner,
      prepare(sql) {
        const statement = inner.prepare(sql);
        if (!sql.includes('attempt_id = ?')) return statement;
        const get = (): never => {
          throw new Error('disk I/O error');
        };
        return { ...statement, get };
      },
    };
    const bench = await paperBench({ database });
    bench.market.set(INFY, 100);
    expect(await bench.place({})).toMatchObject({ kind: 'uncertain' });
  });

  it('is found again by its attempt after a restart', async () => {
    const first = await paperBench({ database: openDatabase(file('b')) });
    first.market.set(INFY, 100);
    const attempt = first.attemptFor({});
    const outcome = await first.time.settle(first.trading.place(attempt));
    const second = await paperBench({ database: openDatabase(file('b')), market: first.market });
    const again = await second.time.settle(second.trading.place(attempt));
    expect(idOf(again)).toBe(idOf(outcome));
    expect(await second.book()).toHaveLength(1);
  });

  it('that rests is watched again after a restart', async () => {
    const first = await paperBench({ database: openDatabase(file('c')) });
    first.market.set(INFY, 100);
    const id = await first.placed({ price: 99 });
    await first.dispose();
    first.market.set(INFY, 98);
    const second = await paperBench({ database: openDatabase(file('c')), market: first.market });
    await second.time.advance(1_000);
    expect(await second.row(id)).toMatchObject({ status: 'filled' });
  });

  it('never has the id of an order of a deleted account', async () => {
    const ids = countingIds();
    const ledgers = ['d', 'e'].map((name) => {
      const time = new VirtualTime(MONDAY_TEN);
      const database = openDatabase(file(name));
      return openLedger({ database, clock: time, scheduler: time, ids, cash: '1' });
    });
    const [first, second] = ledgers.map((ledger) => ledger.state.nextOrder);
    expect(Math.abs(first! - second!)).toBeGreaterThan(1_000_000);
  });
});

describe('reads of the paper account', () => {
  it('fail, and are not empty, when the ledger cannot be brought up to the present', async () => {
    const { control, database } = failing(openDatabase(':memory:'));
    const bench = await paperBench({ database });
    bench.market.set(INFY, 100);
    await bench.placed({ price: 99 });
    control.after = 0;
    bench.time.stepWall(24 * 3_600_000);
    const failure = { name: 'BrokerError', failure: { kind: 'not_sent', reason: 'journal' } };
    await expect(bench.book()).rejects.toMatchObject(failure);
    await expect(bench.trades()).rejects.toMatchObject(failure);
    await expect(bench.positions()).rejects.toMatchObject(failure);
    await expect(bench.holdings()).rejects.toMatchObject(failure);
    await expect(bench.funds()).rejects.toMatchObject(failure);
  });

  it('show nothing of an order whose commit is failing', async () => {
    const { control, database } = failing(openDatabase(':memory:'));
    const bench = await paperBench({ database });
    bench.market.set(INFY, 100);
    control.after = 0;
    const both = Promise.all([
      bench.trading.place(bench.attemptFor({})),
      bench.account.funds(),
      bench.trading.orderBook(),
    ]);
    const [outcome, funds, book] = await bench.time.settle(both);
    expect([outcome.kind, funds.available, book]).toEqual(['not_sent', 100_000, []]);
  });
});

describe('a crash', () => {
  /** A day with fills in parts, a stop, a short, a cancel, and a night. */
  async function day(database: Database, market: FakeMarket): Promise<string[]> {
    const bench = await paperBench({ database, market });
    const ids: string[] = [];
    const place = async (terms: Parameters<typeof bench.place>[0]): Promise<void> => {
      const outcome = await bench.place(terms);
      if (outcome.kind === 'acknowledged') ids.push(outcome.brokerOrderId);
    };
    market.set(INFY, 100, { depth: { buy: levels([99, 3]), sell: levels([100, 4]) } });
    await place({ quantity: 5 });
    await place({ price: 100, quantity: 9 });
    await place({ product: 'INTRADAY', side: 'SELL', quantity: 7 });
    await place({ product: 'INTRADAY', orderType: 'SL-M', triggerPrice: 101, quantity: 7 });
    await bench.time.advance(1_000);
    market.set(INFY, 102);
    await bench.time.advance(1_000);
    await place({ price: 90, amo: true });
    await bench.cancel(ids.at(-1)!);
    await place({ side: 'SELL', quantity: 6, price: 103 });
    bench.time.stepWall(24 * 3_600_000);
    await bench.book().catch(() => []);
    await place({ side: 'SELL', quantity: 3 });
    return ids;
  }

  it('between any two commits leaves a ledger that conserves and has what was acknowledged', async () => {
    const whole = failing(openDatabase(file('whole')));
    await day(whole.database, new FakeMarket());
    expect(whole.control.commits).toBeGreaterThan(10);
    for (let after = 0; after <= whole.control.commits; after += 1) {
      const crashing = failing(openDatabase(file(`crash-${after}`)));
      crashing.control.after = after;
      const acknowledged = await day(crashing.database, new FakeMarket());
      const reopened = await paperBench({ database: openDatabase(file(`crash-${after}`)) });
      expect(auditLedger(reopened.database, 2_000n)).toEqual([]);
      const rows = reopened.database.prepare('SELECT id FROM paper_orders').all();
      expect(rows.map((row) => row['id'])).toEqual(acknowledged);
    }
  });

  it('and a load give the state that was live, sums included', async () => {
    const time = new VirtualTime(MONDAY_TEN);
    const open = () =>
      openLedger({
        database: openDatabase(file('state')),
        clock: time,
        scheduler: time,
        ids: countingIds(),
        cash: '100000',
      });
    const rules: LedgerRules = { brokerage: decimal(20), fills: 'book', marketHours: 'exchange' };
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([100, 4]) } });
    const quote = bench.market.known.get(INFY.name)!;
    const ledger = open();
    const terms = [
      { price: 100, quantity: 9 },
      { side: 'SELL', quantity: 3, price: 104.35 },
      { side: 'SELL', product: 'INTRADAY', quantity: 3 },
      { product: 'INTRADAY', orderType: 'SL', price: 120, triggerPrice: 110, quantity: 5 },
      { price: 99, validity: 'IOC' },
      { amo: true, price: 95.05 },
    ] as const;
    for (const each of terms) {
      const command = { attempt: bench.attemptFor(each), earlier: null, quote, now: time.now() };
      await time.settle(ledger.submit((state) => decidePlace(state, command, rules)));
    }
    expect(open().state).toEqual(ledger.state);
    const [resting] = ledger.state.resting.keys();
    const moment = { quote, now: time.now() };
    await time.settle(ledger.submit((state) => decideLook(state, resting!, moment, rules)));
    expect(open().state).toEqual(ledger.state);
    await time.advance(24 * 3_600_000);
    await time.settle(ledger.read(() => null));
    expect(ledger.state.holdings.size).toBe(1);
    expect(open().state).toEqual(ledger.state);
  });

  it('or a commit that fails, leave the state as the disk has it', async () => {
    const time = new VirtualTime(MONDAY_TEN);
    const { control, database } = failing(openDatabase(file('undone')));
    const ids = countingIds();
    const open = (which: Database) =>
      openLedger({ database: which, clock: time, scheduler: time, ids, cash: '100000' });
    const rules: LedgerRules = { brokerage: decimal(20), fills: 'book', marketHours: 'exchange' };
    const bench = await paperBench();
    bench.market.set(INFY, 100, { depth: { buy: [], sell: levels([100, 4]) } });
    const quote = bench.market.known.get(INFY.name)!;
    const ledger = open(database);
    const place = (terms: Parameters<typeof bench.attemptFor>[0]) => {
      const command = { attempt: bench.attemptFor(terms), earlier: null, quote, now: time.now() };
      return ledger.submit((state) => decidePlace(state, command, rules));
    };
    await time.settle(place({ price: 100, quantity: 9 }));
    await time.settle(place({ product: 'INTRADAY', side: 'SELL' }));
    control.after = control.commits;
    const refused = Promise.allSettled([
      place({ price: 100 }),
      place({ product: 'INTRADAY', side: 'SELL' }),
      place({ product: 'INTRADAY', price: 95 }),
    ]);
    const outcomes = await time.settle(refused);
    expect(outcomes.map((each) => each.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(ledger.state).toEqual(open(openDatabase(file('undone'))).state);
  });
});
