import { describe, expect, it } from 'vitest';
import { type Answer, type Now, sinceThen, stillHolds } from '../../dashboard/src/pure/answers.ts';
import { ordersOf } from '../../dashboard/src/pure/orders.ts';
import { aboutOrder, orderOutcome } from '../../dashboard/src/pure/outcomes.ts';
import { orderOf } from './support/samples.ts';

const now = (changes: Partial<Now> = {}): Now => ({ orders: null, overview: null, ...changes });
const answerOf = (outcome: Answer['outcome']): Answer => ({
  ...{ key: 'k', words: 'BUY 10 NSE:INFY', at: 0, outcome },
});

describe('an answer that nobody has seen', () => {
  it('says what the order is now, where that has changed since', () => {
    const order = orderOf({ status: 'uncertain' });
    const answer = answerOf(aboutOrder(orderOutcome(order), order));
    const with_ = (changes: object) => now({ orders: ordersOf([{ ...order, ...changes }]) });
    expect(sinceThen(answer, now())).toBeNull();
    expect(sinceThen(answer, with_({}))).toBeNull();
    const later = { status: 'filled', updatedAt: '2026-11-23T10:00:05+05:30' };
    expect(sinceThen(answer, with_(later))).toBe('BUY 10 NSE:INFY CNC LIMIT: filled');
    // A list that was read before the answer tells nothing.
    const before = { status: 'sending', updatedAt: '2026-11-23T09:59:59+05:30' };
    expect(sinceThen(answer, with_(before))).toBeNull();
    expect(stillHolds(answer, with_(later))).toBe(true);
  });

  it('of the kill switch holds until it is changed again', () => {
    const killSwitchAt = '2026-11-23T10:00:00+05:30';
    const answer = answerOf({ kind: 'done', words: 'engaged', about: { killSwitchAt } });
    const changed = (changedAt: string | null) =>
      now({ overview: { killSwitch: { engaged: false, reason: null, changedAt } } as never });
    for (const held of [null, killSwitchAt, '2026-11-23T09:00:00+05:30'])
      expect(stillHolds(answer, changed(held))).toBe(true);
    expect(stillHolds(answer, changed('2026-11-23T10:00:01+05:30'))).toBe(false);
    expect(stillHolds(answer, now())).toBe(true);
  });
});
