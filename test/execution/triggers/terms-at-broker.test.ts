import { describe, expect, it } from 'vitest';
import { orderOfLeg, type TriggerLeg, type TriggerTerms } from '../../../src/domain/trigger.ts';
import { applyChange, createState } from '../../../src/execution/journal/state.ts';
import { UNREAD } from '../../../src/execution/submit/brakes.ts';
import { besideTriggers } from '../../../src/execution/triggers/decide-trigger.ts';
import { decideChangeTrigger } from '../../../src/execution/triggers/decide-trigger-change.ts';
import { termsAtBroker } from '../../../src/execution/triggers/terms-at-broker.ts';
import type { TriggerRecord } from '../../../src/execution/triggers/trigger.ts';
import { moveOf } from '../../../src/execution/triggers/trigger-transitions.ts';
import { AT, brokerTrigger, triggerRecord, triggerState } from './makers.ts';

const rowWith = (changes: Partial<TriggerLeg>) =>
  brokerTrigger({ legs: brokerTrigger().legs.map((leg) => ({ ...leg, ...changes })) });

const termsWith = (quantity: number): TriggerTerms => {
  const { terms } = triggerRecord();
  return { ...terms, legs: [{ ...terms.legs[0], quantity }] };
};

const waiting = (): TriggerRecord => triggerRecord({ state: triggerState('waiting') });
const shown = (trigger: TriggerRecord, changes: Partial<TriggerLeg>): TriggerRecord =>
  moveOf(trigger, { type: 'observe', row: rowWith(changes) }, AT);
const changed = (trigger: TriggerRecord, quantity: number): TriggerRecord =>
  moveOf(trigger, { type: 'take_terms', terms: termsWith(quantity) }, AT);

const quantityOf = (trigger: TriggerRecord): number => termsAtBroker(trigger).legs[0].quantity;

describe('the terms of a trigger at its broker', () => {
  it('are those of its row', () => {
    const [leg] = termsAtBroker(shown(waiting(), { quantity: 5, price: 1_440 })).legs;
    expect(leg).toEqual({ ...triggerRecord().terms.legs[0], quantity: 5, price: 1_440 });
  });

  it.each([
    ['has no price', { price: null, triggerPrice: null }],
    ['has no quantity', { quantity: 0 }],
    ['is of the other side', { side: 'BUY', quantity: 5 }],
  ] as const)('are those of the gateway where the row %s', (_what, row) => {
    expect(termsAtBroker(shown(waiting(), row))).toEqual(triggerRecord().terms);
  });

  it('are those of the last change while lists show what it has replaced', () => {
    const twice = changed(changed(waiting(), 8), 6);
    expect(quantityOf(twice)).toBe(6);
    expect(quantityOf(shown(twice, { quantity: 10 }))).toBe(6);
    expect(quantityOf(shown(twice, { quantity: 8 }))).toBe(6);
    expect(quantityOf(shown(twice, { quantity: 3 }))).toBe(3);
  });

  it('are those of its row again once a list has shown the last change', () => {
    const settled = shown(changed(waiting(), 6), { quantity: 6 });
    expect(settled).not.toHaveProperty('replacedTerms');
    expect(quantityOf(shown(settled, { quantity: 10 }))).toBe(10);
  });
});

describe('a trigger that a person has changed', () => {
  const beside = (trigger: TriggerRecord): number => {
    const state = createState();
    applyChange(state, { table: 'triggers', key: trigger.id, row: trigger });
    const terms = orderOfLeg('NSE:INFY', trigger.terms.legs[0]);
    const known = besideTriggers(state, { broker: 'alt', terms }, UNREAD, null);
    return known.beside.resting - UNREAD.beside.resting;
  };

  it('counts beside other ways out with the larger of what the gateway gave it and what its row shows', () => {
    expect(beside(shown(waiting(), { quantity: 20 }))).toBe(20);
    expect(beside(shown(waiting(), { quantity: 5 }))).toBe(10);
  });

  it('counts with the last change while lists show what that has replaced', () => {
    expect(beside(changed(waiting(), 5))).toBe(5);
  });

  it('gets no change that was made from what it was before', () => {
    const trigger = shown(waiting(), { quantity: 5 });
    const state = createState();
    applyChange(state, { table: 'triggers', key: trigger.id, row: trigger });
    const { changes, reply } = decideChangeTrigger(state, {
      key: {
        ...{ triggerId: trigger.id, kind: 'modify', caller: 'admin' },
        ...{ idempotencyKey: 'k', requestHash: 'hash' },
      },
      ...{ terms: termsWith(9), before: trigger.terms, legs: [], at: AT },
    });
    expect([changes, reply.kind]).toEqual([[], 'outdated']);
  });
});
