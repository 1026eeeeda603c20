import { describe, expect, it } from 'vitest';
import { uncertain } from '../../../src/domain/outcome.ts';
import type { MutableState } from '../../../src/execution/journal/state.ts';
import { bindingOf } from '../../../src/execution/order/order.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import { attemptRecord, attemptState } from '../support/attempts.ts';
import { lyingBroker, midday, tradingWith } from '../support/lying-broker.ts';
import {
  accept,
  alertsOf,
  AT,
  bookRow,
  ist,
  observation,
  observedOrder,
  orderIn,
  orderRecord,
  stateOf,
  TAG,
  terms,
  trade,
  uncertainOrder,
} from '../support/makers.ts';
import { epochMs, type EpochMs, plus } from '../../../src/units/branded.ts';

const open = (): MutableState =>
  stateOf({ orders: [uncertainOrder()], attempts: [attemptRecord()] });

it('is found by the broker’s own time, by a gateway whose clock is 20 seconds ahead of it', async () => {
  const time = midday();
  const broker = lyingBroker(time, { tagging: 'never' });
  const now = (): EpochMs => plus(time.now(), -20_000);
  const brokerTime = () => ({ at: now(), localAt: time.now(), receivedAt: time.elapsed() });
  const gateway = await tradingWith(time, [
    { ...broker, trading: { ...broker.trading, brokerTime } },
  ]);
  broker.place = () => {
    broker.rows.push(bookRow({ createdAt: now() }));
    return uncertain({ kind: 'transport', message: 'no answer' });
  };
  const { id } = await gateway.place();
  await time.advance(1_000);
  expect(bindingOf(gateway.order(id))).toMatchObject({ brokerOrderId: 'b1', by: 'fingerprint' });
});

describe('an uncertain order', () => {
  it('is bound to its row, and shows it, in one decision', () => {
    const state = open();
    const rows = [bookRow({ filledQuantity: 4 })];
    accept(state, reconcileBook(state, observation({ rows })));
    expect(orderIn(state)).toMatchObject({
      status: 'working',
      brokerOrderId: 'b1',
      boundBy: 'fingerprint',
      filledQuantity: 4,
      reason: null,
    });
    expect(state.attempts.get('att_1')?.state.kind).toBe('acknowledged');
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
    expect(state.openPlaces.size).toBe(0);
  });

  it('gets its fills in the decision that binds it', () => {
    const state = open();
    accept(state, reconcileBook(state, observation({ rows: [bookRow()], fills: [trade()] })));
    expect([...state.fills.values()]).toMatchObject([{ orderId: 'ord_1', quantity: 4 }]);
  });

  it('is bound to a row that was observed before, and belongs to no order', () => {
    const state = open();
    accept(state, {
      changes: [
        { table: 'observed', key: 'primary|2026-11-06|b1', row: observedOrder({ orderId: null }) },
      ],
      reply: null,
    });
    accept(state, reconcileBook(state, observation({ rows: [bookRow()] })));
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('is not bound to a row that belongs to another order', () => {
    const other = orderRecord({ id: 'ord_2' });
    const state = stateOf({
      orders: [uncertainOrder(), other],
      attempts: [attemptRecord()],
      observed: [observedOrder({ orderId: 'ord_2' })],
    });
    accept(state, reconcileBook(state, observation({ rows: [bookRow({ tags: [TAG] })] })));
    expect(orderIn(state)).toMatchObject({ status: 'disputed', brokerOrderId: null });
  });

  it('that is still on its way waits for its own answer', () => {
    const state = stateOf({
      orders: [uncertainOrder({ kind: 'sending' })],
      attempts: [attemptRecord({ state: attemptState('sending') })],
    });
    accept(state, reconcileBook(state, observation({ rows: [bookRow()] })));
    expect(orderIn(state).status).toBe('sending');
  });

  it('of yesterday is not looked for in today’s book', () => {
    const state = stateOf({
      orders: [uncertainOrder({ day: '2026-11-05' })],
      attempts: [attemptRecord({ day: '2026-11-05' })],
    });
    accept(state, reconcileBook(state, observation({ rows: [bookRow()] })));
    expect(orderIn(state).status).toBe('uncertain');
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
    const rows = [bookRow({ createdAt: ist('2026-11-06T09:15:02') })];
    accept(state, reconcileBook(state, observation({ rows })));
    expect(orderIn(state)).toMatchObject({ status: 'working', brokerOrderId: 'b1' });
    expect(state.observed.get('primary|2026-11-06|b1')?.orderId).toBe('ord_1');
  });

  it('is disputed with one critical alert, however often the book is read', () => {
    const state = open();
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2' })];
    const first = reconcileBook(state, observation({ rows }));
    accept(state, first);
    expect(alertsOf(first)).toEqual(['critical']);
    expect(orderIn(state).status).toBe('disputed');
    expect(reconcileBook(state, observation({ rows })).changes).toEqual([]);
  });

  it('once disputed is not bound by a book that hides the other candidate', () => {
    const state = open();
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2' })];
    accept(state, reconcileBook(state, observation({ rows })));
    accept(state, reconcileBook(state, observation({ rows: [bookRow()] })));
    expect(orderIn(state)).toMatchObject({ status: 'disputed', brokerOrderId: null });
  });

  it('once disputed is bound by its tag', () => {
    const state = open();
    const rows = [bookRow(), bookRow({ brokerOrderId: 'b2' })];
    accept(state, reconcileBook(state, observation({ rows })));
    const tagged = [bookRow({ tags: [TAG] }), rows[1]!];
    accept(state, reconcileBook(state, observation({ rows: tagged })));
    expect(orderIn(state)).toMatchObject({ status: 'working', boundBy: 'tag' });
  });

  it('keeps the cancel that was asked for', () => {
    const state = stateOf({
      orders: [uncertainOrder({ cancelWanted: true })],
      attempts: [attemptRecord()],
    });
    accept(state, reconcileBook(state, observation({ rows: [bookRow()] })));
    expect(orderIn(state)).toMatchObject({ brokerOrderId: 'b1', cancelWanted: true });
  });
});

describe('an order that was called absent and turns up', () => {
  const turnedUp = () => {
    const state = stateOf({
      orders: [
        uncertainOrder({
          kind: 'absent',
          calledAbsent: { by: 'person', at: epochMs(AT + 60_000) },
        }),
      ],
      attempts: [attemptRecord({ state: attemptState('absent') })],
    });
    const begunAt = plus(AT, 120_000);
    const decision = reconcileBook(state, observation({ begunAt, rows: [bookRow()] }));
    accept(state, decision);
    return { state, decision, order: orderIn(state) };
  };

  it('works again, and says nothing of having been absent', () => {
    expect(turnedUp().order).toMatchObject({
      status: 'working',
      brokerOrderId: 'b1',
      filledQuantity: 0,
      calledAbsent: null,
    });
  });

  it('is a critical alert, and engages the kill switch', () => {
    const { state, decision } = turnedUp();
    expect(alertsOf(decision)).toEqual(['critical']);
    expect(state.killSwitch.get('kill-switch')?.engaged).toBe(true);
  });
});
