import { describe, expect, it } from 'vitest';
import type { UnreadRow } from '../../../src/domain/broker-order.ts';
import { plus } from '../../../src/units/branded.ts';
import { rowAt } from '../support/lying-broker.ts';
import { unreadRow } from '../support/makers.ts';
import { exitBench } from './support/exit-bench.ts';

/** A sale of somebody else of the shares that are held, of which the quantity cannot be read. */
const SALE: Partial<UnreadRow> = {
  ...{ brokerOrderId: 'x1', instrument: 'NSE:INFY', side: 'SELL', product: 'INTRADAY' },
  reason: 'quantity: not a number',
};

async function benchWith(row: Partial<UnreadRow>) {
  const bench = await exitBench();
  bench.broker.unreadRows = [unreadRow({ ...SALE, ...row })];
  return bench;
}

describe('an exit beside an order placed elsewhere whose row cannot be read', () => {
  it('sells nothing that this order may sell, and names the row', async () => {
    const { begin, after, legs } = await benchWith({ status: 'working' });
    const exit = await after((await begin()).id, 60_000);
    expect(legs()).toEqual([]);
    expect(exit.over).toMatchObject({ end: 'partly_flat', why: 'reserved_elsewhere', held: 100 });
    expect(exit.over?.detail).toMatch(
      /^row x1 in the order book of alt .* cannot be read: quantity: not a number.*cancelExternal/,
    );
  });

  it('keeps its quantity free where that can be read', async () => {
    const { begin, after, legs } = await benchWith({ quantity: 30 });
    await after((await begin()).id, 60_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([70]);
  });

  it.each([
    ['is of another instrument', { instrument: 'NSE:TCS' }],
    ['names no instrument that can be read', { instrument: null }],
    ['is of the other side', { side: 'BUY' as const }],
    ['has ended', { status: 'cancelled' as const }],
  ])('sells all where the row %s', async (_what, parts) => {
    const { begin, after, legs } = await benchWith(parts);
    const exit = await after((await begin()).id, 60_000);
    expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
    expect(exit.over?.end).toBe('flat');
  });

  it.each([
    ['says so', 'working'],
    ['cannot be read either: the broker has taken the cancel', null],
  ] as const)(
    'cancels it where it may, and sells all once its status %s',
    async (_what, status) => {
      const { begin, after, broker, legs } = await benchWith(status === null ? {} : { status });
      const { cancel } = broker;
      broker.cancel = (id) => {
        if (status !== null) broker.unreadRows = [unreadRow({ ...SALE, status: 'cancelled' })];
        return cancel(id);
      };
      const exit = await after((await begin({ cancelExternal: true })).id, 60_000);
      expect(new Set(broker.cancels)).toEqual(new Set(['x1']));
      expect(legs().map(([, quantity]) => quantity)).toEqual([100]);
      expect(exit.over?.end).toBe('flat');
    },
  );

  it.each([
    ['was for the day', {}, 100],
    ['waits for a trigger', { triggerPrice: 1_400 }, 0],
    ['has changed today', { updatedAt: 'now' as const }, 0],
    ['has no time of its placing', { createdAt: null }, 0],
  ])('goes by the session of a row that %s', async (_what, parts, sold) => {
    const { begin, after, legs, broker, time } = await benchWith({});
    const yesterday = plus(time.now(), -86_400_000);
    const own = { createdAt: yesterday, updatedAt: yesterday, validity: 'DAY', triggerPrice: null };
    const updatedAt = 'updatedAt' in parts ? time.now() : yesterday;
    const timing = { ...own, ...parts, updatedAt };
    broker.unreadRows = [unreadRow({ ...SALE, status: 'working', timing })];
    await after((await begin()).id, 60_000);
    expect(legs().reduce((sum, [, quantity]) => sum + Number(quantity), 0)).toBe(sold);
  });

  it('cancels no row whose side cannot be read', async () => {
    const { begin, after, broker, legs } = await benchWith({ side: null });
    const exit = await after((await begin({ cancelExternal: true })).id, 60_000);
    expect([broker.cancels, legs(), exit.over?.why]).toEqual([[], [], 'reserved_elsewhere']);
    expect(exit.over?.detail).toMatch(/: quantity: not a number\. Cancel it in the broker's app: /);
  });

  it('counts the row once beside a whole one of the same order', async () => {
    const bench = await benchWith({});
    const whole = { brokerOrderId: 'x1', side: 'SELL', product: 'INTRADAY', quantity: 20 } as const;
    bench.broker.rows = [rowAt(bench.time, whole)];
    await bench.after((await bench.begin()).id, 60_000);
    expect(bench.legs().map(([, quantity]) => quantity)).toEqual([80]);
  });
});
