import { describe, expect, it } from 'vitest';
import type { BrokerFill, BrokerOrder } from '../../../src/domain/broker-order.ts';
import type { Trading } from '../../../src/domain/ports.ts';
import { applyChange } from '../../../src/execution/journal/state.ts';
import { nextTime } from '../../../src/execution/reconcile/day-comparison.ts';
import { plus } from '../../../src/units/branded.ts';
import { VirtualTime } from '../../support/virtual-time.ts';
import {
  AT,
  bookRow,
  ist,
  observedOrder,
  orderIn,
  orderRecord,
  stateOf,
  trade,
} from '../support/makers.ts';
import { watchedBook } from '../support/watched-book.ts';

/** A broker whose book and trades a test writes, and a gateway that watches it. */
function gatewayAndBook(state: ReturnType<typeof stateOf>, at = AT) {
  const time = new VirtualTime(at);
  const book = { rows: [] as BrokerOrder[], fills: [] as BrokerFill[] };
  let tradesFail = false;
  const count = { books: 0 };
  const trading = {
    broker: 'primary',
    tagging: 'never',
    blocked: () => null,
    permit: () => Promise.resolve(null),
    orderBook() {
      count.books += 1;
      return Promise.resolve([...book.rows]);
    },
    trades: () =>
      tradesFail ? Promise.reject(new Error('no trades')) : Promise.resolve([...book.fills]),
  } as unknown as Trading;
  const { alerts, poll } = watchedBook(time, state, trading);
  const poller = poll();
  poller.schedule();
  return {
    ...{ time, book, alerts, state, count },
    failTrades(fail: boolean) {
      tradesFail = fail;
    },
  };
}

const CANCELLED = bookRow({ status: 'cancelled', rawStatus: 'CANCELLED', updatedAt: AT });

/** An order that ended an hour ago: its last row said that nothing had filled. */
const ended = () =>
  stateOf({
    orders: [
      orderRecord({
        ...{ kind: 'cancelled', filledQuantity: 0, row: CANCELLED },
        updatedAt: plus(AT, -3_600_000),
      }),
    ],
    observed: [observedOrder()],
  });

/** The same, asked for and ended while this process ran. */
function endedHere(parts: Partial<BrokerOrder> = {}) {
  const day = gatewayAndBook(stateOf());
  for (const change of changesOf(parts)) applyChange(day.state, change);
  day.book.rows = [{ ...CANCELLED, ...parts }];
  return day;
}

const changesOf = (parts: Partial<BrokerOrder>) => [
  {
    table: 'orders' as const,
    key: 'ord_1',
    row: orderRecord({
      kind: 'cancelled',
      filledQuantity: 0,
      row: { ...CANCELLED, ...parts },
    }),
  },
  { table: 'observed' as const, key: 'primary|2026-11-06|b1', row: observedOrder() },
];

describe('the comparison of a day with the whole book', () => {
  it('finds fills of an order that was cancelled with none, where nothing is open', async () => {
    const { time, book, state, alerts } = endedHere();
    await time.advance(600_000);
    book.rows = [{ ...CANCELLED, filledQuantity: 4 }];
    book.fills = [trade()];
    await time.advanceTo(ist('2026-11-06T15:49:00'));
    expect(orderIn(state).status).toBe('cancelled');
    await time.advanceTo(ist('2026-11-06T15:51:00'));
    expect(orderIn(state)).toMatchObject({ status: 'partial', filledQuantity: 4 });
    expect(state.fills.size).toBe(1);
    expect(alerts).toEqual([
      'order ord_1 was cancelled with 0 filled; its broker now shows partial with 4 filled',
    ]);
  });

  it('finds fills that stand in the trades alone', async () => {
    const { time, book, state } = endedHere();
    book.fills = [trade()];
    await time.advanceTo(ist('2026-11-06T15:51:00'));
    expect(orderIn(state)).toMatchObject({ status: 'partial', filledQuantity: 4 });
  });

  it('is made at the start as well, for what ended before', async () => {
    const { time, book, state } = gatewayAndBook(ended());
    book.rows = [CANCELLED];
    book.fills = [trade()];
    await time.advance(5_000);
    expect(orderIn(state)).toMatchObject({ status: 'partial', filledQuantity: 4 });
  });

  it('is made again a minute later where the trades could not be read', async () => {
    const { time, book, state, failTrades, count } = gatewayAndBook(ended());
    book.rows = [CANCELLED];
    book.fills = [trade()];
    failTrades(true);
    await time.advance(150_000);
    expect([orderIn(state).status, count.books]).toEqual(['cancelled', 3]);
    failTrades(false);
    await time.advance(60_000);
    expect(orderIn(state).status).toBe('partial');
  });

  it('is made again where the clock was a day ahead when it was made last', async () => {
    const { time, book, state } = endedHere();
    time.stepWall(26 * 3_600_000);
    await time.advance(4 * 3_600_000);
    time.stepWall(-26 * 3_600_000);
    book.rows = [{ ...CANCELLED, filledQuantity: 4 }];
    book.fills = [trade()];
    await time.advanceTo(ist('2026-11-06T20:11:00'));
    expect(orderIn(state)).toMatchObject({ status: 'partial', filledQuantity: 4 });
  });

  it('is made three times a day, and not where there was no order', async () => {
    const { time, book, count } = endedHere();
    await time.advanceTo(ist('2026-11-07T07:00:00'));
    expect(count.books).toBe(3);
    const quiet = gatewayAndBook(stateOf());
    await quiet.time.advanceTo(ist('2026-11-07T07:00:00'));
    expect([quiet.count.books, book.rows.length]).toEqual([0, 1]);
  });

  it.each([
    ['2026-11-06T11:00:00', '2026-11-06T15:50:00'],
    ['2026-11-06T15:50:00', '2026-11-06T20:10:00'],
    ['2026-11-06T23:00:00', '2026-11-07T05:40:00'],
    ['2026-11-07T02:00:00', '2026-11-07T05:40:00'],
  ])('comes after %s at %s', (after, at) => {
    expect(nextTime(ist(after))).toBe(ist(at));
  });
});
