import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ORDER_STATUSES } from '../../src/domain/order.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { AFTERNOON } from './afternoon.ts';
import { continueFrom, endOf, type Continued } from './continued.ts';
import { openOldDataDirectory } from './open.ts';
import { context, orderRequest } from './running.ts';

/** Statuses when the old gateway was killed, soon after the next start, and after the close. */
const ENDS: readonly (readonly [key: string, before: string, soon: string, after: string])[] = [
  ['filled', 'filled', 'filled 10', 'filled 10'],
  ['paper filled', 'filled', 'filled 10', 'filled 10'],
  ['paper resting', 'working', 'working 0', 'cancelled 0'],
  ['paper resting, too', 'working', 'working 0', 'cancelled 0'],
  ['sliced', 'filled', 'filled 250', 'filled 250'],
  ['sliced#1', 'filled', 'filled 100', 'filled 100'],
  ['sliced#2', 'filled', 'filled 100', 'filled 100'],
  ['sliced#3', 'filled', 'filled 50', 'filled 50'],
  ['refused', 'rejected', 'rejected 0', 'rejected 0'],
  ['thrown out', 'rejected', 'rejected 0', 'rejected 0'],
  ['never left', 'not_sent', 'not_sent 0', 'not_sent 0'],
  ['failed over', 'working', 'working 0', 'cancelled 0'],
  ['cancelled', 'cancelled', 'cancelled 0', 'cancelled 0'],
  ['partial', 'partial', 'partial 12', 'partial 12'],
  ['called absent', 'rejected', 'rejected 0', 'rejected 0'],
  ['modified', 'working', 'working 0', 'cancelled 0'],
  ['cancelled on its way', 'cancelled', 'cancelled 0', 'cancelled 0'],
  ['cancelled at the second try', 'working', 'working 0', 'cancelled 0'],
  ['cancel without an effect', 'working', 'working 0', 'cancelled 0'],
  ['disputed', 'disputed', 'disputed unknown', 'disputed unknown'],
  ['late', 'uncertain', 'working 0 by tag', 'cancelled 0 by tag'],
  ['late, to be cancelled', 'uncertain', 'cancelled 0 by tag', 'cancelled 0 by tag'],
  ['late at the primary', 'uncertain', 'working 0 by fingerprint', 'cancelled 0 by fingerprint'],
  ['never there', 'uncertain', 'uncertain unknown', 'uncertain unknown'],
  ['being cancelled', 'working', 'cancelled 0', 'cancelled 0'],
  ['being modified', 'working', 'working 0', 'cancelled 0'],
  ['sending', 'sending', 'working 0 by tag', 'cancelled 0 by tag'],
  ['sending, never there', 'sending', 'uncertain unknown', 'uncertain unknown'],
  ['slices', 'sending', 'working 0', 'cancelled 0'],
  ['slices#1', 'working', 'working 0', 'cancelled 0'],
  ['slices#2', 'sending', 'working 0 by tag', 'cancelled 0 by tag'],
  ['slices#3', 'accepted', 'not_sent 0', 'not_sent 0'],
  ['between two brokers', 'accepted', 'not_sent 0', 'not_sent 0'],
];

describe('the directory of an afternoon, as the old version left it', () => {
  it('has a write-ahead log that was not copied back, and private files', () => {
    using old = openOldDataDirectory('afternoon');
    expect(statSync(old.directory).mode & 0o777).toBe(0o700);
    for (const file of ['journal.db', 'journal.db-wal', 'paper.db-wal', 'token.json']) {
      const { size, mode } = statSync(join(old.directory, file));
      expect([file, size > 0, mode & 0o777]).toEqual([file, true, 0o600]);
    }
  });

  it('holds every status of an order, and every state of every kind of attempt', () => {
    using old = openOldDataDirectory('afternoon');
    const database = openDatabase(join(old.directory, 'journal.db'));
    const column = (sql: string): unknown[] =>
      database
        .prepare(sql)
        .all()
        .map(({ value }) => value);
    const statuses = column('SELECT DISTINCT status AS value FROM orders');
    const attempts = column(`SELECT DISTINCT kind || ' ' || state AS value FROM attempts`);
    const version = column('SELECT user_version AS value FROM pragma_user_version');
    const before = database
      .prepare(
        `SELECT orders.status, coalesce(parents.idempotency_key, orders.idempotency_key) ||
         CASE WHEN parents.id IS NULL THEN '' ELSE substr(orders.idempotency_key, -2) END AS key
         FROM orders LEFT JOIN orders AS parents ON parents.id = orders.record ->> 'parentId'`,
      )
      .all();
    database.close();
    expect(version).toEqual([1]);
    expect([...statuses].sort()).toEqual([...ORDER_STATUSES].sort());
    const states = ['sending', 'acknowledged', 'refused', 'not_sent', 'uncertain'];
    expect([...attempts].sort()).toEqual(
      ['place', 'cancel', 'modify']
        .flatMap((kind) => states.map((state) => `${kind} ${state}`))
        .concat('place absent')
        .sort(),
    );
    expect(new Map(before.map(({ key, status }) => [key, status]))).toEqual(
      new Map(ENDS.map(([key, status]) => [key, status])),
    );
  });
});

describe('the present version on it', () => {
  let continued: Continued;
  let soon: ReadonlyMap<string, string>;
  let modifiedPrice: number | null | undefined;
  let after: ReadonlyMap<string, string>;
  let placedBefore: number;

  const ends = async (): Promise<ReadonlyMap<string, string>> =>
    new Map([...(await continued.byKey(AFTERNOON.day))].map(([key, order]) => [key, endOf(order)]));
  const placed = (): number =>
    [continued.brokers.sandbox.kite, continued.brokers.sandbox.primary]
      .flatMap((broker) => broker.orders())
      .filter(({ placedBy }) => placedBy === 'api').length;

  beforeAll(async () => {
    continued = await continueFrom('afternoon');
    const { time } = continued.brokers;
    placedBefore = placed();
    await time.advance(120_000);
    soon = await ends();
    modifiedPrice = (await continued.byKey(AFTERNOON.day)).get('being modified')?.price;
    await continued.restartAt('2026-11-06T15:29:00+05:30');
    await time.advanceTo('2026-11-06T15:56:00+05:30');
    after = await ends();
  });
  afterAll(() => continued[Symbol.asyncDispose]());

  it.each(ENDS)('continues "%s" (%s) to its right end', (key, _, expectedSoon, expectedAfter) => {
    expect([soon.get(key), after.get(key)]).toEqual([expectedSoon, expectedAfter]);
  });

  it('knows no other order, and sends none', () => {
    expect([...after.keys()].sort()).toEqual(ENDS.map(([key]) => key).sort());
    expect(placed()).toBe(placedBefore);
  });

  it('finds that a modification on its way was taken', () => {
    expect(modifiedPrice).toBe(1_471);
  });

  it('knows every fill', async () => {
    const { gateway } = continued.running.composed;
    const orders = await continued.byKey(AFTERNOON.day);
    const filled = async (key: string): Promise<number> => {
      const fills = await gateway.getFills(orders.get(key)?.id ?? '');
      return fills.reduce((sum, { quantity }) => sum + quantity, 0);
    };
    expect([await filled('filled'), await filled('sliced'), await filled('partial')]).toEqual([
      10, 250, 12,
    ]);
  });

  it('keeps the kill switch engaged', async () => {
    const { running } = continued;
    const { gateway } = running.composed;
    expect(gateway.getKillSwitch()).toMatchObject({ reason: 'rehearsal' });
    const placing = gateway.placeOrder(orderRequest({ amo: true }), context('new'));
    await expect(running.settle(placing)).rejects.toMatchObject({
      fields: { code: 'kill_switch' },
    });
  });

  it('answers a used key with its order, and refuses it for another request', async () => {
    const { running } = continued;
    const again = (quantity: number) =>
      running.composed.gateway.placeOrder(orderRequest({ quantity }), context('sending'));
    const { repeated, order } = await running.settle(again(17));
    expect([repeated, order.brokerOrderId]).toEqual([true, '2611060000000000016']);
    await expect(running.settle(again(18))).rejects.toMatchObject({
      fields: { code: 'idempotency_conflict' },
    });
    expect(placed()).toBe(placedBefore);
  });

  it('keeps the paper account', async () => {
    const { running } = continued;
    const { gateway } = running.composed;
    const { data } = await running.settle(gateway.getHoldings({ broker: 'paper', maxAgeMs: 0 }));
    const positions = await running.settle(gateway.getPositions({ broker: 'paper', maxAgeMs: 0 }));
    const held = [...data, ...positions.data].filter(({ instrument }) => instrument === 'NSE:INFY');
    expect(held.map(({ quantity }) => quantity)).toContain(10);
  });

  it('keeps the session, and lets in who had a key', () => {
    const { composed } = continued.running;
    const key = readFileSync(join(composed.dataDirectory, 'admin-key'), 'utf8').trim();
    expect(composed.callers.authenticate(`Bearer ${key}`)).toMatchObject({ id: 'admin' });
    expect(composed.callers.list().map(({ name }) => name)).toContain('screen');
    expect(composed.session?.current().state).toBe('valid');
  });
});

describe('the present version, started when the books of that day are gone', () => {
  it('disputes what was open, and calls nothing not placed', async () => {
    await using continued = await continueFrom('afternoon', '2026-11-09T09:20:00+05:30');
    const { brokers, byKey } = continued;
    await continued.running.logIn();
    await brokers.time.advance(120_000);
    const after = await byKey(AFTERNOON.day);
    const expected = ENDS.map(([key, before]) => [key, endLater(key, before)]);
    expect([...after].map(([key, { status }]) => [key, status]).sort()).toEqual(expected.sort());
  });
});

/**
 * What had not left is known not to have left; what was open, and is in no book any more, is not known. The
 * paper account knows what became of its orders when their day ended.
 */
function endLater(key: string, before: string): string {
  if (before === 'working' && key.startsWith('paper ')) return 'cancelled';
  if (before === 'accepted') return 'not_sent';
  return ['working', 'sending', 'uncertain'].includes(before) ? 'disputed' : before;
}
