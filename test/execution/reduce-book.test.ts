import { describe, expect, it } from 'vitest';
import { reduceBook } from '../../src/execution/reduce-book.ts';
import type { OrderRecord } from '../../src/execution/records.ts';
import type { ExecutionState } from '../../src/execution/state.ts';
import {
  accept,
  alertsOf,
  AT,
  attemptRecord,
  bookRow,
  eventsOf,
  fillRecord,
  ist,
  observation,
  orderRecord,
  OTHER_TAG,
  seenOrder,
  stateOf,
  TAG,
  terms,
  trade,
  uncertainOrder,
} from './support/makers.ts';

const working = (): ExecutionState => stateOf({ orders: [orderRecord()], seen: [seenOrder()] });
const open = (): ExecutionState =>
  stateOf({ orders: [uncertainOrder()], attempts: [attemptRecord()] });

describe('a book', () => {
  it('is complete when it holds every id seen that day', () => {
    const rows = [bookRow(), bookRow({ brokerOrderId: 'more' })];
    expect(reduceBook(working(), observation({ rows })).reply.complete).toBe(true);
  });

  it('is not complete when it lacks one that was seen', () => {
    expect(reduceBook(working(), observation()).reply.complete).toBe(false);
  });

  it('is not measured by the ids of another day or another broker', () => {
    const state = stateOf({
      seen: [
        seenOrder({ day: '2026-11-05', orderId: null }),
        seenOrder({ broker: 'alt', orderId: null }),
      ],
    });
    expect(reduceBook(state, observation()).reply.complete).toBe(true);
  });

  it('is complete without the rows of the day before that it still held at first', () => {
    const state = stateOf({ seen: [seenOrder({ day: '2026-11-05', orderId: null })] });
    const left = bookRow({ brokerOrderId: 'left', createdAt: ist('2026-11-06T05:59:59') });
    const stays = bookRow({ brokerOrderId: 'stays' });
    accept(state, reduceBook(state, observation({ rows: [bookRow(), left, stays] })));
    expect(reduceBook(state, observation({ rows: [stays] })).reply.complete).toBe(true);
    expect(reduceBook(state, observation({ rows: [bookRow(), left] })).reply.complete).toBe(false);
  });

  it('that shows what the last one showed changes nothing', () => {
    const state = working();
    accept(state, reduceBook(state, observation({ rows: [bookRow()] })));
    expect(reduceBook(state, observation({ rows: [bookRow()] })).changes).toEqual([]);
  });

  it('notes rows that are not ours, and makes no order of them', () => {
    const state = stateOf();
    accept(state, reduceBook(state, observation({ rows: [bookRow({ brokerOrderId: 'x' })] })));
    expect([...state.seen.values()]).toMatchObject([{ brokerOrderId: 'x', orderId: null }]);
    expect(state.orders.size).toBe(0);
  });

  it('leaves the state alone until its changes are applied', () => {
    const state = open();
    const before = structuredClone(state);
    reduceBook(state, observation({ rows: [bookRow()], fills: [trade()] }));
    expect(state).toEqual(before);
  });
});

describe('an order in its book', () => {
  it('shows what its row says, with an event', () => {
    const state = working();
    const decision = reduceBook(state, observation({ rows: [bookRow({ filledQuantity: 4 })] }));
    accept(state, decision);
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'working', filledQuantity: 4 });
    expect(eventsOf(decision).map(({ type }) => type)).toEqual(['order.updated']);
  });

  it('gets each fill once, with an event, however often it is listed', () => {
    const state = working();
    const rows = [bookRow({ filledQuantity: 4 })];
    const read = observation({ rows, fills: [trade(), trade()] });
    const first = reduceBook(state, read);
    accept(state, first);
    const second = reduceBook(state, read);
    expect(eventsOf(first).filter(({ type }) => type === 'order.fill')).toHaveLength(1);
    expect(second.changes).toEqual([]);
    expect(state.fills.size).toBe(1);
  });

  it('keeps two fills of one id at two exchanges apart', () => {
    const state = working();
    const fills = [trade(), trade({ exchange: 'BSE' })];
    accept(state, reduceBook(state, observation({ rows: [bookRow()], fills })));
    expect(state.fills.size).toBe(2);
  });

  it('gets fills that name it by the exchange’s id only', () => {
    const state = working();
    const rows = [bookRow({ exchangeOrderId: 'x9' })];
    const fills = [trade({ brokerOrderId: null, exchangeOrderId: 'x9', exchange: null })];
    accept(state, reduceBook(state, observation({ rows, fills })));
    expect([...state.fills.values()]).toMatchObject([
      { orderId: 'ord_1', exchange: 'NSE', joined: true },
    ]);
    expect(state.orders.get('ord_1')).toMatchObject({ fillPriceSource: 'trade_book' });
  });

  it('does not get the fills of others', () => {
    const state = working();
    const fills = [
      trade({ brokerOrderId: 'other' }),
      trade({ brokerOrderId: null, exchangeOrderId: 'unknown' }),
    ];
    accept(state, reduceBook(state, observation({ rows: [bookRow()], fills })));
    expect(state.fills.size).toBe(0);
  });

  it('dates a fill by its reading where the broker does not', () => {
    const state = working();
    const read = observation({ rows: [bookRow()], fills: [trade({ at: null })] });
    accept(state, reduceBook(state, read));
    expect([...state.fills.values()]).toMatchObject([{ at: read.at }]);
  });

  it('gets its fills also from a book that does not show it', () => {
    const state = working();
    accept(state, reduceBook(state, observation({ rows: [], fills: [trade()] })));
    expect(state.fills.size).toBe(1);
  });

  it('raises one alert when nobody knows its status', () => {
    const state = working();
    const rows = [bookRow({ status: 'unrecognised', rawStatus: 'PONDERING' })];
    const first = reduceBook(state, observation({ rows }));
    accept(state, first);
    const later = [{ ...rows[0]!, updatedAt: AT + 9_000 }];
    expect(alertsOf(first)).toEqual(['warning']);
    expect(alertsOf(reduceBook(state, observation({ rows: later })))).toEqual([]);
  });

  it('raises one warning when its fill price is an estimate', () => {
    const state = working();
    const read = observation({ rows: [bookRow({ status: 'filled', filledQuantity: 10 })] });
    const first = reduceBook(state, read);
    accept(state, first);
    expect(alertsOf(first)).toEqual(['warning']);
    expect(state.orders.get('ord_1')).toMatchObject({ fillPriceSource: 'estimate' });
    const later = bookRow({ status: 'filled', filledQuantity: 10, updatedAt: AT + 9_000 });
    expect(alertsOf(reduceBook(state, observation({ rows: [later] })))).toEqual([]);
  });

  it('that is disputed is left to a person', () => {
    const state = stateOf({
      orders: [orderRecord({ status: 'disputed', reason: 'the day is over' })],
      seen: [seenOrder()],
    });
    const rows = [bookRow({ status: 'cancelled' })];
    accept(state, reduceBook(state, observation({ rows })));
    expect(state.orders.get('ord_1')?.status).toBe('disputed');
  });

  it('placed for the next session is known by its id in that day’s book', () => {
    const overnight = orderRecord({
      day: '2026-11-05',
      createdAt: ist('2026-11-05T20:00:00'),
      terms: terms({ amo: true }),
    });
    const state = stateOf({ orders: [overnight], seen: [seenOrder({ day: '2026-11-05' })] });
    accept(state, reduceBook(state, observation({ rows: [bookRow({ filledQuantity: 4 })] })));
    expect(state.orders.get('ord_1')?.filledQuantity).toBe(4);
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  describe('placed for the next session', () => {
    const overnight = (parts: Partial<OrderRecord> = {}): OrderRecord =>
      orderRecord({
        day: '2026-11-05',
        createdAt: ist('2026-11-05T20:00:00'),
        terms: terms({ amo: true }),
        ...parts,
      });

    it('is known though that book was read before it was known to be its', () => {
      const state = stateOf({ orders: [overnight()], seen: [seenOrder({ orderId: null })] });
      accept(state, reduceBook(state, observation({ rows: [bookRow({ filledQuantity: 4 })] })));
      expect(state.orders.get('ord_1')?.filledQuantity).toBe(4);
      expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
    });

    it('has a trade once, in whichever of its books it is read', () => {
      const state = stateOf({
        orders: [overnight()],
        seen: [seenOrder({ day: '2026-11-05' })],
        fills: [fillRecord({ day: '2026-11-05', key: 'the day before' })],
      });
      const rows = [bookRow({ filledQuantity: 8 })];
      accept(state, reduceBook(state, observation({ rows, fills: [trade()] })));
      expect(state.fills.size).toBe(1);
    });

    it('bound to a row of the evening does not make books that lack it incomplete', () => {
      const state = stateOf({
        orders: [overnight({ status: 'uncertain', brokerOrderId: null })],
        attempts: [attemptRecord({ day: '2026-11-05', sentAt: ist('2026-11-05T20:00:00') })],
      });
      const rows = [bookRow({ createdAt: ist('2026-11-05T20:00:01'), status: 'rejected' })];
      accept(state, reduceBook(state, observation({ rows })));
      expect(state.orders.get('ord_1')?.brokerOrderId).toBe('b1');
      expect(reduceBook(state, observation()).reply.complete).toBe(true);
    });
  });

  it('sent while yesterday’s book was being read is no second one of its order', () => {
    const state = stateOf({
      orders: [uncertainOrder({ day: '2026-11-07' })],
      attempts: [attemptRecord({ day: '2026-11-07' })],
    });
    const decision = reduceBook(state, observation({ rows: [bookRow({ tags: [TAG] })] }));
    expect(alertsOf(decision)).toEqual([]);
    accept(state, decision);
    expect(state.orders.get('ord_1')?.status).toBe('uncertain');
  });

  it('disputed on the day before throws no switch from a book that was not cleared', () => {
    const state = stateOf({
      orders: [uncertainOrder({ day: '2026-11-05', status: 'disputed' })],
      attempts: [attemptRecord({ day: '2026-11-05' })],
      seen: [seenOrder({ day: '2026-11-05', orderId: null })],
    });
    const decision = reduceBook(state, observation({ rows: [bookRow({ tags: [TAG] })] }));
    expect(alertsOf(decision)).toEqual([]);
  });

  it('of an earlier day is not the order of the same id today', () => {
    const state = stateOf({
      orders: [orderRecord({ day: '2026-11-05' })],
      seen: [seenOrder({ day: '2026-11-05' })],
    });
    accept(state, reduceBook(state, observation({ rows: [bookRow({ filledQuantity: 4 })] })));
    expect(state.orders.get('ord_1')?.filledQuantity).toBeNull();
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBeNull();
  });

  it('placed for a session that is over is not in a book that was not cleared since', () => {
    const state = stateOf({
      orders: [
        orderRecord({
          day: '2026-11-04',
          createdAt: ist('2026-11-04T20:00:00'),
          terms: terms({ amo: true }),
        }),
      ],
      seen: [seenOrder({ day: '2026-11-05' })],
      fills: [fillRecord({ day: '2026-11-05' })],
    });
    const seen = observation({ rows: [bookRow({ filledQuantity: 4 })], fills: [trade()] });
    accept(state, reduceBook(state, seen));
    expect(state.orders.get('ord_1')?.filledQuantity).toBeNull();
    expect(state.fills.size).toBe(1);
  });

  it('still in a book that was not cleared is no second one of its order', () => {
    const state = stateOf({
      orders: [orderRecord({ day: '2026-11-05', status: 'filled' })],
      attempts: [attemptRecord({ day: '2026-11-05', state: 'acknowledged' })],
      seen: [seenOrder({ day: '2026-11-05' })],
    });
    const decision = reduceBook(state, observation({ rows: [bookRow({ tags: [TAG] })] }));
    expect(alertsOf(decision)).toEqual([]);
    accept(state, decision);
    expect(state.killSwitch.size).toBe(0);
  });
});

describe('an uncertain order', () => {
  it('is bound to its row, and shows it, in one decision', () => {
    const state = open();
    const rows = [bookRow({ filledQuantity: 4 })];
    accept(state, reduceBook(state, observation({ rows })));
    expect(state.orders.get('ord_1')).toMatchObject({
      status: 'working',
      brokerOrderId: 'b1',
      boundBy: 'fingerprint',
      filledQuantity: 4,
      reason: null,
    });
    expect(state.attempts.get('att_1')?.state).toBe('acknowledged');
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
    expect(state.openPlaces.size).toBe(0);
  });

  it('gets its fills in the decision that binds it', () => {
    const state = open();
    accept(state, reduceBook(state, observation({ rows: [bookRow()], fills: [trade()] })));
    expect([...state.fills.values()]).toMatchObject([{ orderId: 'ord_1', quantity: 4 }]);
  });

  it('is bound to a row that was seen before as nobody’s', () => {
    const state = open();
    accept(state, {
      changes: [{ table: 'seen', key: 'primary|2026-11-06|b1', row: seenOrder({ orderId: null }) }],
      reply: null,
    });
    accept(state, reduceBook(state, observation({ rows: [bookRow()] })));
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('is not bound to a row that another order owns', () => {
    const other = orderRecord({ id: 'ord_2' });
    const state = stateOf({
      orders: [uncertainOrder(), other],
      attempts: [attemptRecord()],
      seen: [seenOrder({ orderId: 'ord_2' })],
    });
    accept(state, reduceBook(state, observation({ rows: [bookRow({ tags: [TAG] })] })));
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'disputed', brokerOrderId: null });
  });

  it('that is still on its way waits for its own answer', () => {
    const state = stateOf({
      orders: [uncertainOrder({ status: 'sending' })],
      attempts: [attemptRecord({ state: 'sending' })],
    });
    accept(state, reduceBook(state, observation({ rows: [bookRow()] })));
    expect(state.orders.get('ord_1')?.status).toBe('sending');
  });

  it('of yesterday is not looked for in today’s book', () => {
    const state = stateOf({
      orders: [uncertainOrder({ day: '2026-11-05' })],
      attempts: [attemptRecord({ day: '2026-11-05' })],
    });
    accept(state, reduceBook(state, observation({ rows: [bookRow()] })));
    expect(state.orders.get('ord_1')?.status).toBe('uncertain');
  });

  it('of last night, for this session, is found in today’s book', () => {
    const state = stateOf({
      orders: [
        uncertainOrder({
          day: '2026-11-05',
          createdAt: ist('2026-11-05T20:00:00'),
          terms: terms({ amo: true }),
        }),
      ],
      attempts: [attemptRecord({ day: '2026-11-05', sentAt: ist('2026-11-05T20:00:00') })],
    });
    accept(state, reduceBook(state, observation({ rows: [bookRow()] })));
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    expect(state.seen.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('is disputed with one critical alert, however often the book is read', () => {
    const state = open();
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2' })];
    const first = reduceBook(state, observation({ rows }));
    accept(state, first);
    expect(alertsOf(first)).toEqual(['critical']);
    expect(state.orders.get('ord_1')?.status).toBe('disputed');
    expect(reduceBook(state, observation({ rows })).changes).toEqual([]);
  });

  it('once disputed is not settled by a book that hides the other candidate', () => {
    const state = open();
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2' })];
    accept(state, reduceBook(state, observation({ rows })));
    accept(state, reduceBook(state, observation({ rows: [bookRow()] })));
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'disputed', brokerOrderId: null });
  });

  it('once disputed is settled by its tag', () => {
    const state = open();
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2' })];
    accept(state, reduceBook(state, observation({ rows })));
    const tagged = [bookRow({ tags: [TAG] }), rows[1]!];
    accept(state, reduceBook(state, observation({ rows: tagged })));
    expect(state.orders.get('ord_1')).toMatchObject({ status: 'working', boundBy: 'tag' });
  });

  it('keeps the cancel that was asked for', () => {
    const state = stateOf({
      orders: [uncertainOrder({ cancelWanted: true })],
      attempts: [attemptRecord()],
    });
    accept(state, reduceBook(state, observation({ rows: [bookRow()] })));
    expect(state.orders.get('ord_1')).toMatchObject({ brokerOrderId: 'b1', cancelWanted: true });
  });
});

describe('an order that was called absent and turns up', () => {
  const turnedUp = () => {
    const state = stateOf({
      orders: [
        uncertainOrder({
          status: 'rejected',
          filledQuantity: 0,
          calledAbsent: { by: 'person', at: AT + 60_000 },
        }),
      ],
      attempts: [attemptRecord({ state: 'absent' })],
    });
    const begunAt = AT + 120_000;
    const decision = reduceBook(state, observation({ begunAt, rows: [bookRow()] }));
    accept(state, decision);
    return { state, decision };
  };

  it('works again, and says nothing of having been absent', () => {
    expect(turnedUp().state.orders.get('ord_1')).toMatchObject({
      status: 'working',
      brokerOrderId: 'b1',
      filledQuantity: 0,
      calledAbsent: null,
    });
  });

  it('is a critical alert, and throws the kill switch', () => {
    const { state, decision } = turnedUp();
    expect(alertsOf(decision)).toEqual(['critical']);
    expect(state.killSwitch.get('kill-switch')?.thrown).toBe(true);
  });
});

describe('a new row of nobody’s with a tag of ours', () => {
  const withTag = (
    order: Parameters<typeof orderRecord>[0],
    attempt: Parameters<typeof attemptRecord>[0],
  ) => {
    const state = stateOf({ orders: [orderRecord(order)], attempts: [attemptRecord(attempt)] });
    const rows = [bookRow({ brokerOrderId: 'ghost', tags: [TAG] })];
    const decision = reduceBook(state, observation({ rows }));
    accept(state, decision);
    return { state, decision, order: state.orders.get('ord_1')! };
  };

  it.each(['refused', 'not_sent'] as const)(
    'proves wrong that its request was %s: an alert, a dispute, the kill switch',
    (kind) => {
      const over = { status: 'rejected', brokerOrderId: null } as const;
      const { state, decision, order } = withTag(over, { state: kind });
      expect(order.status).toBe('disputed');
      expect(alertsOf(decision)).toEqual(['critical']);
      expect(state.killSwitch.get('kill-switch')?.thrown).toBe(true);
    },
  );

  it('is a second one of an order that is bound: an alert, and the order stays bound', () => {
    const { state, order } = withTag({}, { state: 'acknowledged' });
    expect(order).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    expect(state.killSwitch.get('kill-switch')?.thrown).toBe(true);
  });

  it('is that of a request that is still on its way: nothing is wrong', () => {
    const sending = { status: 'sending', brokerOrderId: null } as const;
    const { state, decision } = withTag(sending, { state: 'sending' });
    expect([alertsOf(decision), state.killSwitch.size]).toEqual([[], 0]);
  });

  it('is told of once', () => {
    const { state } = withTag({}, { state: 'acknowledged' });
    const rows = [bookRow({ brokerOrderId: 'ghost', tags: [TAG] })];
    expect(reduceBook(state, observation({ rows })).changes).toEqual([]);
  });
});

describe('tags that may or may not come back', () => {
  /** An order whose row is known, and an uncertain one beside it. */
  const twoOrders = (): ExecutionState =>
    stateOf({
      orders: [orderRecord(), uncertainOrder({ id: 'ord_2' })],
      attempts: [
        attemptRecord({ state: 'acknowledged' }),
        attemptRecord({ id: 'att_2', orderId: 'ord_2', tag: OTHER_TAG }),
      ],
      seen: [seenOrder()],
    });
  const like = bookRow({ brokerOrderId: 'b2' });

  it('are trusted for the day once one of ours has come back', () => {
    const state = twoOrders();
    accept(state, reduceBook(state, observation({ rows: [bookRow({ tags: [TAG] }), like] })));
    expect(state.echoes.get('primary')?.day).toBe('2026-11-06');
    expect(state.orders.get('ord_2')?.status).toBe('uncertain');
    accept(state, reduceBook(state, observation({ rows: [bookRow(), like] })));
    expect(state.orders.get('ord_2')?.status).toBe('uncertain');
  });

  it('are not trusted while none has', () => {
    const state = twoOrders();
    accept(state, reduceBook(state, observation({ rows: [bookRow(), like] })));
    expect(state.orders.get('ord_2')).toMatchObject({ status: 'working', boundBy: 'fingerprint' });
  });

  it('are not trusted for the tag of somebody else', () => {
    const state = twoOrders();
    accept(state, reduceBook(state, observation({ rows: [bookRow({ tags: ['theirs'] }), like] })));
    expect(state.echoes.size).toBe(0);
  });

  it('are not trusted for one that came back on another day', () => {
    const state = twoOrders();
    accept(state, {
      changes: [{ table: 'echoes', key: 'primary', row: { broker: 'primary', day: '2026-11-05' } }],
      reply: null,
    });
    accept(state, reduceBook(state, observation({ rows: [bookRow(), like] })));
    expect(state.orders.get('ord_2')?.status).toBe('working');
  });
});

describe('fills that were known', () => {
  it('count towards what a later row leaves open', () => {
    const state = stateOf({
      orders: [orderRecord()],
      seen: [seenOrder()],
      fills: [fillRecord({ quantity: 6 })],
    });
    const rows = [bookRow({ filledQuantity: 2 })];
    const fills = [trade({ fillId: 'f2', quantity: 1 })];
    accept(state, reduceBook(state, observation({ rows, fills })));
    expect(state.orders.get('ord_1')).toMatchObject({
      filledQuantity: 7,
      fillPriceSource: 'trades',
    });
  });
});
