import { describe, expect, it } from 'vitest';
import {
  applyChange,
  createState,
  type OnImpossible,
} from '../../../src/execution/journal/state.ts';
import { UnitOfWork } from '../../../src/execution/journal/unit-of-work.ts';
import type { OrderRecord } from '../../../src/execution/order/order.ts';
import { ImpossibleTransition } from '../../../src/execution/order/transitions.ts';
import { reconcileBook } from '../../../src/execution/reconcile/reconcile.ts';
import {
  AT,
  alertsOf,
  bookRow,
  observation,
  observedOrder,
  orderRecord,
} from '../support/makers.ts';
import { fieldsOf } from '../support/order-fields.ts';

const first = orderRecord({ id: 'ord_1', brokerOrderId: 'b1' });
const second = orderRecord({ id: 'ord_2', brokerOrderId: 'b2' });

function stateWith(onImpossible: OnImpossible, orders: readonly OrderRecord[]) {
  const state = createState(onImpossible);
  for (const row of orders) applyChange(state, { table: 'orders', key: row.id, row });
  for (const [orderId, brokerOrderId] of [
    ['ord_1', 'b1'],
    ['ord_2', 'b2'],
  ] as const) {
    const row = observedOrder({ orderId, brokerOrderId });
    applyChange(state, { table: 'observed', key: brokerOrderId, row });
  }
  return state;
}

describe('a move that the table does not have', () => {
  it('throws in tests and in the simulation', () => {
    const unit = new UnitOfWork(stateWith('throw', [first]), AT);
    expect(() => unit.move('ord_1', { type: 'confirm_absence' })).toThrow(ImpossibleTransition);
  });

  it('makes the one order disputed in production, with a critical alert', () => {
    const unit = new UnitOfWork(stateWith('dispute', [first]), AT);
    const moved = unit.move('ord_1', { type: 'confirm_absence' });
    expect(fieldsOf(moved)).toMatchObject({ status: 'disputed', brokerOrderId: 'b1' });
    expect(alertsOf({ changes: unit.changes, reply: null })).toEqual(['critical']);
  });

  it('raises the alert again and changes nothing where the order is disputed already', () => {
    const disputed = orderRecord({ kind: 'disputed', reason: 'two rows' });
    const unit = new UnitOfWork(stateWith('dispute', [disputed]), AT);
    expect(unit.move('ord_1', { type: 'confirm_absence' })).toBe(disputed);
    expect(alertsOf({ changes: unit.changes, reply: null })).toEqual(['critical']);
  });

  it('keeps nothing else of the read from being taken in', () => {
    // Bound by its row, and uncertain all the same: no decision makes such an order.
    const odd = orderRecord({ id: 'ord_1', kind: 'uncertain', brokerOrderId: null, boundBy: null });
    const rows = [
      bookRow({ brokerOrderId: 'b1', filledQuantity: 10, status: 'filled' }),
      bookRow({ brokerOrderId: 'b2', filledQuantity: 10, status: 'filled' }),
    ];
    expect(() => reconcileBook(stateWith('throw', [odd, second]), observation({ rows }))).toThrow(
      ImpossibleTransition,
    );
    const { changes } = reconcileBook(stateWith('dispute', [odd, second]), observation({ rows }));
    const states = changes.flatMap(({ table, row }) =>
      table === 'orders' && row ? [`${row.id} ${row.state.kind}`] : [],
    );
    expect(states).toEqual(['ord_1 disputed', 'ord_2 filled']);
  });
});

describe('an event about an order', () => {
  const rows = [bookRow({ brokerOrderId: 'b1', filledQuantity: 10, status: 'filled' })];
  const eventsOf = () =>
    reconcileBook(stateWith('throw', [first]), observation({ rows })).changes.flatMap((change) =>
      change.table === 'events' && change.row ? [change.row] : [],
    );

  it('has the whole order, and whose and which it is', () => {
    const updated = eventsOf().find(({ type }) => type === 'order.updated');
    expect(updated?.data.order).toEqual(expect.objectContaining({ status: 'filled', amo: false }));
    const { caller, broker, terms } = first;
    expect(updated?.about).toEqual({ caller, broker, instrument: terms.instrument });
  });

  it('that comes before the change of the order has it as the whole decision leaves it', () => {
    const unit = new UnitOfWork(stateWith('throw', [first]), AT);
    unit.event('order.attempt', 'ord_1', { kind: 'cancel', outcome: 'acknowledged', detail: null });
    unit.dispute('ord_1', 'two rows');
    const [attempt] = unit.changes.flatMap((change) =>
      change.table === 'events' && change.row ? [change.row] : [],
    );
    expect(attempt).toMatchObject({
      type: 'order.attempt',
      data: { kind: 'cancel', order: { id: 'ord_1', status: 'disputed' } },
    });
  });
});
