import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyChange, type MutableState } from '../../../src/execution/journal/state.ts';
import { othersShares } from '../../../src/execution/reconcile/book-shares.ts';
import {
  AT,
  bookRow,
  DAY,
  observedOrder,
  orderRecord,
  stateOf,
  terms,
  unreadRow,
} from '../support/makers.ts';
import type { UnreadRow } from '../../../src/domain/broker-order.ts';
import { plus } from '../../../src/units/branded.ts';
import type { ExternalChangeRecord } from '../../../src/execution/external/external-change.ts';
import { attemptState, cancelAttempt, modifyAttempt } from '../support/attempts.ts';

const IDS = ['a', 'b', 'c', 'd'] as const;

/** Who has an id from now on: an order of ours, nobody of ours, or an order of ours and others. */
const step = fc.record({
  id: fc.constantFrom(...IDS),
  owner: fc.constantFrom('ord_1', 'ord_2', null),
  shared: fc.boolean(),
  undone: fc.boolean(),
});

describe('what the orders of others in a book do with shares', () => {
  const order = { broker: 'alt', terms: terms(), orderId: 'ord_9' };
  const rows = IDS.map((brokerOrderId, index) =>
    bookRow({ brokerOrderId, quantity: 10 ** index, filledQuantity: 0, tags: [] }),
  );
  const sharesIn = (state: MutableState, of: typeof rows) =>
    othersShares(
      state,
      order,
      { rows: of, unread: [], begunAt: AT },
      { isinOf: () => null, day: DAY },
    );

  it('is the same for rows that were looked through before, whatever has become of their ids', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        // Where others share its id, no row of this side is the second one's.
        const orders = [
          orderRecord(),
          orderRecord({ id: 'ord_2', terms: terms({ side: 'SELL' }) }),
        ];
        const state = stateOf({ orders });
        const read = [...rows];
        for (const { id, owner, shared, undone } of steps) {
          const seen = {
            brokerOrderId: id,
            orderId: owner,
            ...(shared ? { shared } : {}),
          } as const;
          const row = observedOrder({ broker: 'alt', ...seen });
          const undo = applyChange(state, { table: 'observed', key: `alt|${DAY}|${id}`, row });
          expect(sharesIn(state, read)).toEqual(sharesIn(state, [...rows]));
          if (!undone) continue;
          for (const change of undo) applyChange(state, change);
          expect(sharesIn(state, read)).toEqual(sharesIn(state, [...rows]));
        }
      }),
    );
  });

  it('leaves out the rows of orders of ours', () => {
    const state = stateOf();
    expect(sharesIn(state, rows).resting).toBe(1_111);
    const row = observedOrder({ broker: 'alt', brokerOrderId: 'c', orderId: 'ord_1' });
    applyChange(state, { table: 'observed', key: `alt|${DAY}|c`, row });
    expect(sharesIn(state, rows).resting).toBe(1_011);
  });
});

describe('a row of a book that cannot be read whole', () => {
  const order = { broker: 'alt', terms: terms(), orderId: 'ord_9' };
  const row = (parts: Partial<UnreadRow> = {}): UnreadRow =>
    unreadRow({ brokerOrderId: 'x1', instrument: 'NSE:INFY', side: 'BUY', ...parts });
  const sharesOf = (unread: UnreadRow, { state = stateOf(), rows = [bookRow()] } = {}) => {
    const known = applyOwn(state);
    const of = { isinOf: () => null, day: DAY };
    return othersShares(known, order, { rows, unread: [unread], begunAt: plus(AT, 9_000) }, of);
  };
  /** The whole row of these tests is of an order of ours. */
  function applyOwn(state: MutableState): MutableState {
    const own = observedOrder({ broker: 'alt', brokerOrderId: 'b1', orderId: 'ord_1' });
    applyChange(state, { table: 'observed', key: `alt|${DAY}|b1`, row: own });
    return state;
  }

  it.each([
    ['in an unknown quantity', row(), Infinity],
    ['whatever its side, where that cannot be read', row({ side: null }), Infinity],
    ['with its quantity, where that can be read', row({ quantity: 7 }), 7],
    ['also with the tag of another program', row({ tags: ['somebody'] }), Infinity],
    ['while its status says that it works', row({ status: 'working' }), Infinity],
  ])('counts as an open order of others, %s', (_what, unread, resting) => {
    expect(sharesOf(unread)).toMatchObject({
      resting: resting === Infinity ? 0 : resting,
      unread: resting === Infinity ? [unread] : [],
    });
  });

  it.each([
    ['of another instrument', row({ instrument: 'NSE:TCS' })],
    ['of the other side', row({ side: 'SELL' })],
    ['of another product', row({ product: 'INTRADAY' })],
    ['of no readable instrument: it could be of any', row({ instrument: null })],
    ['that has ended', row({ status: 'cancelled' })],
    ['of an order of ours, by its id', row({ brokerOrderId: 'b1' })],
    ['of the order that is asked about', row({ brokerOrderId: null, tags: ['ours'] })],
  ])('does not count: one %s', (_what, unread) => {
    const state = stateOf();
    state.attemptByTag.set('ours', 'att_1');
    expect(sharesOf(unread, { state })).toMatchObject({ resting: 0, unread: [] });
  });

  it('does not count beside a whole row of the same order', () => {
    const whole = bookRow({ brokerOrderId: 'x1', quantity: 4 });
    expect(sharesOf(row(), { rows: [whole] })).toMatchObject({ resting: 4, unread: [] });
    const other = bookRow({ brokerOrderId: 'x1', quantity: 4, side: 'SELL' });
    expect(sharesOf(row(), { rows: [other] }).unread).toHaveLength(1);
  });

  it.each([
    ['a while ago, where its status cannot be read either', 1_000, undefined, 0],
    ['a moment ago', 8_000, undefined, 1],
    ['but works by its status', 1_000, 'working' as const, 1],
  ])('counts so until the broker has taken a cancel of it: %s', (_what, after, status, counted) => {
    const state = stateOf();
    const cancelled = {
      ...cancelAttempt({ orderId: 'alt:x1', broker: 'alt' }),
      ...{ by: 'someone', brokerOrderId: 'x1', idempotencyKey: 'k', requestHash: '' },
      state: { kind: 'acknowledged', settledAt: plus(AT, after), brokerOrderId: 'x1' },
    } as const;
    applyChange(state, { table: 'externalChanges', key: cancelled.id, row: cancelled });
    const unread = row(status === undefined ? {} : { status });
    expect(sharesOf(unread, { state }).unread).toHaveLength(counted);
  });
});

describe('an order placed elsewhere that the gateway has made larger', () => {
  const order = { broker: 'alt', terms: terms(), orderId: 'ord_9' };
  const { changes } = modifyAttempt();
  const raised = (parts: Partial<ExternalChangeRecord> = {}) => {
    const change = {
      ...modifyAttempt({ orderId: 'alt:b1', broker: 'alt', changes: { ...changes, quantity: 30 } }),
      ...{ brokerOrderId: 'b1', by: 'someone', idempotencyKey: 'k', requestHash: 'h' },
      ...parts,
    } as ExternalChangeRecord;
    const state = stateOf();
    applyChange(state, { table: 'externalChanges', key: change.id, row: change });
    return (quantity: number, updatedAt = AT, after = 1_000): number =>
      othersShares(
        state,
        order,
        { rows: [bookRow({ quantity, updatedAt })], unread: [], begunAt: plus(AT, after) },
        { isinOf: () => null, day: DAY },
      ).resting;
  };

  it.each(['sending', 'uncertain', 'acknowledged'] as const)(
    'counts with the larger quantity until its row can show it: %s',
    (kind) => {
      const resting = raised({ state: attemptState(kind) });
      expect([resting(10), resting(30)]).toEqual([30, 30]);
    },
  );

  it('counts as its row says where that was changed later, and where the change was not taken', () => {
    expect(raised()(10, plus(AT, 120_000), 130_000)).toBe(10);
    expect(raised({ state: attemptState('refused') })(10)).toBe(10);
    expect(raised({ state: attemptState('acknowledged') })(10, AT, 60_000)).toBe(10);
  });
});
