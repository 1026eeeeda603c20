import { describe, expect, it } from 'vitest';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { attemptRecord } from '../support/attempts.ts';
import {
  accept,
  alertsOf,
  AT,
  bookRow,
  DAY,
  eventsOf,
  fillRecord,
  ist,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  stateOf,
  trade,
  uncertainOrder,
} from '../support/makers.ts';
import { epochMs } from '../../../src/units/branded.ts';

const working = (): MutableState =>
  stateOf({ orders: [orderRecord()], observed: [observedOrder()] });
const open = (): MutableState =>
  stateOf({ orders: [uncertainOrder()], attempts: [attemptRecord()] });

describe('a book', () => {
  it('is complete when it holds every id observed that day', () => {
    const rows = [bookRow(), bookRow({ brokerOrderId: 'more' })];
    expect(reconcileBook(working(), observation({ rows })).reply.complete).toBe(true);
  });

  it('is not complete when it lacks one that was observed', () => {
    expect(reconcileBook(working(), observation()).reply.complete).toBe(false);
  });

  it('is not measured by the ids of another day or another broker', () => {
    const state = stateOf({
      observed: [
        observedOrder({ day: '2026-11-05', orderId: null }),
        observedOrder({ broker: 'alt', orderId: null }),
      ],
    });
    expect(reconcileBook(state, observation()).reply.complete).toBe(true);
  });

  it('is complete without the rows of the day before that it still held at first', () => {
    const state = stateOf({ observed: [observedOrder({ day: '2026-11-05', orderId: null })] });
    const left = bookRow({ brokerOrderId: 'left', createdAt: ist('2026-11-06T05:59:59') });
    const stays = bookRow({ brokerOrderId: 'stays' });
    accept(state, reconcileBook(state, observation({ rows: [bookRow(), left, stays] })));
    expect(reconcileBook(state, observation({ rows: [stays] })).reply.complete).toBe(true);
    expect(reconcileBook(state, observation({ rows: [bookRow(), left] })).reply.complete).toBe(
      false,
    );
  });

  it('that shows what the last one showed changes nothing', () => {
    const state = working();
    accept(state, reconcileBook(state, observation({ rows: [bookRow()] })));
    expect(reconcileBook(state, observation({ rows: [bookRow()] })).changes).toEqual([]);
  });

  it('notes rows that are not ours, and makes no order of them', () => {
    const state = stateOf();
    accept(state, reconcileBook(state, observation({ rows: [bookRow({ brokerOrderId: 'x' })] })));
    expect([...state.observed.values()]).toMatchObject([{ brokerOrderId: 'x', orderId: null }]);
    expect(state.orders.size).toBe(0);
  });

  it('leaves the state alone until its changes are applied', () => {
    const state = open();
    const before = structuredClone(state);
    reconcileBook(state, observation({ rows: [bookRow()], fills: [trade()] }));
    expect(state).toEqual(before);
  });
});

describe('an order in its book', () => {
  it('shows what its row says, with an event', () => {
    const state = working();
    const decision = reconcileBook(state, observation({ rows: [bookRow({ filledQuantity: 4 })] }));
    accept(state, decision);
    expect(orderIn(state)).toMatchObject({ status: 'working', filledQuantity: 4 });
    expect(eventsOf(decision).map(({ type }) => type)).toEqual(['order.updated']);
  });

  it('gets each fill once, with an event, however often it is listed', () => {
    const state = working();
    const rows = [bookRow({ filledQuantity: 4 })];
    const read = observation({ rows, fills: [trade(), trade()] });
    const first = reconcileBook(state, read);
    accept(state, first);
    const second = reconcileBook(state, read);
    expect(eventsOf(first).filter(({ type }) => type === 'order.fill')).toHaveLength(1);
    expect(second.changes).toEqual([]);
    expect(state.fills.size).toBe(1);
  });

  it('keeps two fills of one id at two exchanges apart', () => {
    const state = working();
    const fills = [trade(), trade({ exchange: 'BSE' })];
    accept(state, reconcileBook(state, observation({ rows: [bookRow()], fills })));
    expect(state.fills.size).toBe(2);
  });

  it.each([
    ['without its exchange, then with it', { exchange: null }, { exchange: 'NSE' }],
    ['with the exchange, then with the segment', { exchange: 'NSE' }, { exchange: 'NSE_EQ' }],
    ['with another spelling of its segment', { exchange: 'NSE' }, { exchange: 'NFO' }],
    ['with and without leading zeros', { fillId: '7000' }, { fillId: '07000' }],
  ])('counts a trade once that is written %s', (_how, first, then) => {
    const state = working();
    for (const parts of [first, then]) {
      const fills = [trade(parts)];
      accept(state, reconcileBook(state, observation({ rows: [bookRow()], fills })));
    }
    expect(state.fills.size).toBe(1);
  });

  it('knows a trade whose key an older version wrote', () => {
    const written = { exchange: 'NSE_EQ', fillId: '007' };
    const key = `primary|${DAY}|NSE_EQ|b1|007`;
    const held = fillRecord({ ...written, key, brokerOrderId: 'b1' });
    const state = stateOf({
      ...{ orders: [orderRecord()], observed: [observedOrder()], fills: [held] },
    });
    const read = observation({ rows: [bookRow()], fills: [trade(written)] });
    accept(state, reconcileBook(state, read));
    expect(state.fills.size).toBe(1);
  });

  it('gets only fills of its own exchange where another exchange has the same id', () => {
    const state = working();
    const rows = [
      bookRow({ exchangeOrderId: 'x9' }),
      bookRow({ brokerOrderId: 'b2', exchangeOrderId: 'x9', instrument: 'BSE:INFY' }),
    ];
    const joined = { brokerOrderId: null, exchangeOrderId: 'x9' };
    const fills = [
      trade({ ...joined, exchange: 'BSE' }),
      trade({ ...joined, exchange: null, fillId: 'no exchange' }),
      trade({ ...joined, exchange: 'NSE', fillId: 'own' }),
    ];
    accept(state, reconcileBook(state, observation({ rows, fills })));
    expect([...state.fills.values()].map(({ fillId }) => fillId)).toEqual(['own']);
  });

  it('gets fills by the exchange’s id where a book shows its row twice', () => {
    const state = working();
    const row = bookRow({ exchangeOrderId: 'x9' });
    const fills = [trade({ brokerOrderId: null, exchangeOrderId: 'x9' })];
    accept(state, reconcileBook(state, observation({ rows: [row, row], fills })));
    expect(state.fills.size).toBe(1);
  });

  it('gets a fill whose exchange is written in a way that nobody knows', () => {
    const state = working();
    const rows = [bookRow({ exchangeOrderId: 'x9' })];
    const fills = [trade({ brokerOrderId: null, exchangeOrderId: 'x9', exchange: 'N' })];
    accept(state, reconcileBook(state, observation({ rows, fills })));
    expect(state.fills.size).toBe(1);
  });

  it('gets fills that name it by the exchange’s id only', () => {
    const state = working();
    const rows = [bookRow({ exchangeOrderId: 'x9' })];
    const fills = [trade({ brokerOrderId: null, exchangeOrderId: 'x9', exchange: null })];
    accept(state, reconcileBook(state, observation({ rows, fills })));
    expect([...state.fills.values()]).toMatchObject([
      { orderId: 'ord_1', exchange: 'NSE', joined: true },
    ]);
    expect(orderIn(state)).toMatchObject({ fillPriceSource: 'trade_book' });
  });

  it('does not get the fills of others', () => {
    const state = working();
    const fills = [
      trade({ brokerOrderId: 'other' }),
      trade({ brokerOrderId: null, exchangeOrderId: 'unknown' }),
    ];
    accept(state, reconcileBook(state, observation({ rows: [bookRow()], fills })));
    expect(state.fills.size).toBe(0);
  });

  it('dates a fill by its reading where the broker does not', () => {
    const state = working();
    const read = observation({ rows: [bookRow()], fills: [trade({ at: null })] });
    accept(state, reconcileBook(state, read));
    expect([...state.fills.values()]).toMatchObject([{ at: read.at }]);
  });

  it('gets its fills also from a book that does not show it', () => {
    const state = working();
    accept(state, reconcileBook(state, observation({ rows: [], fills: [trade()] })));
    expect(state.fills.size).toBe(1);
  });

  it('raises one alert when nobody knows its status', () => {
    const state = working();
    const rows = [bookRow({ status: 'unrecognised', rawStatus: 'PONDERING' })];
    const first = reconcileBook(state, observation({ rows }));
    accept(state, first);
    const later = [{ ...rows[0]!, updatedAt: epochMs(AT + 9_000) }];
    expect(alertsOf(first)).toEqual(['warning']);
    expect(alertsOf(reconcileBook(state, observation({ rows: later })))).toEqual([]);
  });

  it('raises one warning when its fill price is an estimate', () => {
    const state = working();
    const read = observation({ rows: [bookRow({ status: 'filled', filledQuantity: 10 })] });
    const first = reconcileBook(state, read);
    accept(state, first);
    expect(alertsOf(first)).toEqual(['warning']);
    expect(orderIn(state)).toMatchObject({ fillPriceSource: 'estimate' });
    const later = bookRow({ status: 'filled', filledQuantity: 10, updatedAt: epochMs(AT + 9_000) });
    expect(alertsOf(reconcileBook(state, observation({ rows: [later] })))).toEqual([]);
  });

  it('that is disputed is left to a person', () => {
    const state = stateOf({
      orders: [orderRecord({ kind: 'disputed', reason: 'the day is over' })],
      observed: [observedOrder()],
    });
    const rows = [bookRow({ status: 'cancelled' })];
    accept(state, reconcileBook(state, observation({ rows })));
    expect(orderIn(state).status).toBe('disputed');
  });
});

describe('fills that were known', () => {
  it('count towards what a later row leaves open', () => {
    const state = stateOf({
      orders: [orderRecord()],
      observed: [observedOrder()],
      fills: [fillRecord({ quantity: 6 })],
    });
    const rows = [bookRow({ filledQuantity: 2 })];
    const fills = [trade({ fillId: 'f2', quantity: 1 })];
    accept(state, reconcileBook(state, observation({ rows, fills })));
    expect(orderIn(state)).toMatchObject({
      filledQuantity: 7,
      fillPriceSource: 'trades',
    });
  });
});
