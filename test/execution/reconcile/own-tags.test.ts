import { describe, expect, it } from 'vitest';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import type { AttemptStateKind } from '../../../src/execution/order/attempt.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import {
  accept,
  alertsOf,
  bookRow,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  OTHER_TAG,
  stateOf,
  TAG,
  uncertainOrder,
} from '../support/makers.ts';

describe('a new row that belongs to no order, with a tag of ours', () => {
  const withTag = (
    attemptKind: AttemptStateKind,
    order: Parameters<typeof orderRecord>[0] = {},
    rows = [bookRow({ brokerOrderId: 'ghost', tags: [TAG] })],
  ) => {
    const attempts = [attemptRecord({ state: attemptState(attemptKind) })];
    const state = stateOf({ orders: [orderRecord(order)], attempts });
    const decision = reconcileBook(state, observation({ rows }));
    accept(state, decision);
    return { state, decision, order: orderIn(state) };
  };

  /** Its own row, with its tag, was seen. */
  const bound = { row: bookRow({ tags: [TAG] }) };

  it.each(['refused', 'not_sent'] as const)(
    'proves wrong that its request was %s: it is the order, with an alert and the kill switch',
    (kind) => {
      const { state, decision, order } = withTag(kind, { kind });
      expect(order).toMatchObject({ status: 'working', brokerOrderId: 'ghost', boundBy: 'tag' });
      expect(alertsOf(decision)).toEqual(['critical']);
      expect(state.killSwitch.get('kill-switch')?.engaged).toBe(true);
    },
  );

  const ghost = bookRow({ brokerOrderId: 'ghost', tags: [TAG] });

  it('is a second one of an order that is bound: an alert, and the order stays bound', () => {
    const { state, order } = withTag('acknowledged', bound, [bound.row, ghost]);
    expect(order).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    expect(state.killSwitch.get('kill-switch')?.engaged).toBe(true);
  });

  it('is the order once its own row has been missed for five seconds, and none of two orders', () => {
    const { state, decision } = withTag('acknowledged', bound);
    expect([alertsOf(decision), state.killSwitch.size]).toEqual([[], 0]);
    const again = reconcileBook(state, observation({ rows: [ghost] }));
    expect(alertsOf(again)).toEqual([]);
    accept(state, again);
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    const lostFor = new Map([['ord_1', 5_000]]);
    const { elsewhere } = again.reply;
    accept(state, reconcileBook(state, observation({ rows: [ghost], lostFor, elsewhere })));
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'ghost' });
    expect(state.killSwitch.size).toBe(0);
  });

  it('keeps no later book from being complete where no other read shows it', () => {
    const { state } = withTag('acknowledged', bound);
    const next = reconcileBook(state, observation({ rows: [bound.row] }));
    expect(next.reply.complete).toBe(true);
    expect(alertsOf(next)).toEqual([]);
  });

  describe('whose id the acknowledgement had named, before a row with a wrong id was taken for it,', () => {
    const lied = (fields: Parameters<typeof orderRecord>[0] = {}, shown = true) => {
      const wrong = bookRow({ brokerOrderId: 'wrong', tags: [TAG] });
      const state = stateOf({
        orders: [orderRecord({ brokerOrderId: 'wrong', boundBy: 'tag', row: wrong, ...fields })],
        attempts: [attemptRecord({ state: attemptState('acknowledged') })],
        observed: [
          observedOrder({ brokerOrderId: 'wrong' }),
          observedOrder({ orderId: null, movedFrom: 'ord_1', leaving: true }),
        ],
      });
      const named = bookRow({ tags: [TAG], filledQuantity: 4 });
      accept(state, reconcileBook(state, observation({ rows: shown ? [named] : [wrong, named] })));
      return orderIn(state);
    };

    it('is the order', () => {
      expect(lied()).toMatchObject({ brokerOrderId: 'b1', status: 'working', filledQuantity: 4 });
    });

    it('is the order, disputed where fills were told of the wrong row', () => {
      const filled = { kind: 'filled', filledQuantity: 10 } as const;
      expect(lied(filled)).toMatchObject({ brokerOrderId: 'b1', status: 'disputed' });
    });

    it('is a second one where the book shows both: it is disputed', () => {
      expect(lied({}, false)).toMatchObject({ brokerOrderId: 'wrong', status: 'disputed' });
    });
  });

  it('is that of a request that is still on its way: nothing is wrong', () => {
    const { state, decision } = withTag('sending', { kind: 'sending' });
    expect([alertsOf(decision), state.killSwitch.size]).toEqual([[], 0]);
  });

  it('is told of once', () => {
    const rows = [bound.row, ghost];
    const { state } = withTag('acknowledged', bound, rows);
    expect(reconcileBook(state, observation({ rows })).changes).toEqual([]);
  });
});

describe('tags that may or may not come back', () => {
  /** An order whose row is known, and an uncertain one beside it. */
  const twoOrders = (): MutableState =>
    stateOf({
      orders: [orderRecord(), uncertainOrder({ id: 'ord_2' })],
      attempts: [
        attemptRecord({ state: attemptState('acknowledged') }),
        attemptRecord({ id: 'att_2', orderId: 'ord_2', tag: OTHER_TAG }),
      ],
      observed: [observedOrder()],
    });
  const like = bookRow({ brokerOrderId: 'b2' });

  it('are trusted for the day once one of ours has come back', () => {
    const state = twoOrders();
    accept(state, reconcileBook(state, observation({ rows: [bookRow({ tags: [TAG] }), like] })));
    expect(state.echoes.get('primary')?.day).toBe('2026-11-06');
    expect(orderIn(state, 'ord_2').status).toBe('uncertain');
    accept(state, reconcileBook(state, observation({ rows: [bookRow(), like] })));
    expect(orderIn(state, 'ord_2').status).toBe('uncertain');
  });

  it('are not trusted while none has', () => {
    const state = twoOrders();
    accept(state, reconcileBook(state, observation({ rows: [bookRow(), like] })));
    expect(orderIn(state, 'ord_2')).toMatchObject({ status: 'working', boundBy: 'fingerprint' });
  });

  it('are not trusted for the tag of somebody else', () => {
    const state = twoOrders();
    accept(
      state,
      reconcileBook(state, observation({ rows: [bookRow({ tags: ['theirs'] }), like] })),
    );
    expect(state.echoes.size).toBe(0);
  });

  it('are not trusted for one that came back on another day', () => {
    const state = twoOrders();
    accept(state, {
      changes: [{ table: 'echoes', key: 'primary', row: { broker: 'primary', day: '2026-11-05' } }],
      reply: null,
    });
    accept(state, reconcileBook(state, observation({ rows: [bookRow(), like] })));
    expect(orderIn(state, 'ord_2').status).toBe('working');
  });
});
