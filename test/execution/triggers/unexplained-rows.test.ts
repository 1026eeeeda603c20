import { describe, expect, it } from 'vitest';
import { Quarantine } from '../../../src/execution/journal/quarantined.ts';
import { applyChange, createState } from '../../../src/execution/journal/state.ts';
import type { TriggerWatch } from '../../../src/execution/triggers/trigger-watch.ts';
import { createUnexplainedRows } from '../../../src/execution/triggers/unexplained-rows.ts';
import { bookRow, observedOrder } from '../support/makers.ts';
import { midday } from '../support/lying-broker.ts';
import { AT, triggerRecord, triggerState } from './makers.ts';

/** A book with one row that an uncertain trigger could have placed, and whose row the journal says it is. */
function foundFor(orderId: string | null, quarantined: readonly string[]) {
  const state = createState('throw', new Quarantine([], { orders: new Set(quarantined) }));
  const trigger = triggerRecord({ state: triggerState('uncertain') });
  applyChange(state, { table: 'triggers', key: trigger.id, row: trigger });
  if (orderId !== null) {
    const row = observedOrder({ broker: 'alt', day: '2026-11-06', orderId });
    applyChange(state, { table: 'observed', key: 'b1', row });
  }
  const time = midday();
  const watch: Pick<TriggerWatch, 'isUnlisted'> = { isUnlisted: () => true };
  const watches = new Map([['alt', watch as TriggerWatch]]);
  const rows = createUnexplainedRows({ state, watches, clock: time, scheduler: time });
  const book = { broker: 'alt', rows: [bookRow({ side: 'SELL' })], begunAt: AT, account: null };
  return rows.find(book).map(({ trigger: { id }, row }) => [id, row.brokerOrderId]);
}

describe('rows that a trigger may have placed', () => {
  it('are those that the journal knows as the order of nobody', () => {
    expect(foundFor(null, [])).toEqual([['trg_1', 'b1']]);
    expect(foundFor('ord_1', [])).toEqual([]);
  });

  it('are not those of a quarantined order: the gateway has placed it, so no trigger did', () => {
    expect(foundFor('ord_1', ['ord_1'])).toEqual([]);
  });
});
