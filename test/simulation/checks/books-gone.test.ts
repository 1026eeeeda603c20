import { describe, expect, it } from 'vitest';
import { at } from '../hours.ts';
import type { Mishap } from '../mishaps.ts';
import type { Statement } from '../statements.ts';
import type { Sent } from '../traffic.ts';
import { booksAreGone } from './told.ts';

const BORN = at(6, '15:03:00');

const told = (when: number): Statement => ({
  ...{ kind: 'order', at: when, wanted: 'caller-1/key-1', orderId: 'ord_1', status: 'disputed' },
  ...{ filledQuantity: null, broker: 'alt', events: 1 },
  reason: 'still uncertain when the book of 2026-11-06 was gone',
});

/** A request of a broker's that was answered, or not at all. */
const sent = (broker: Sent['broker'], when: number, kind: 'answer' | 'reset'): Sent => ({
  ...{ at: when, broker, placing: false, wanted: null, life: 2, age: null, ofOtherUser: false },
  ...{ asking: null, hasChanged: false },
  request: {
    method: 'GET',
    url: 'http://kite.test/orders',
    headers: {},
    deadlineMs: 8_000,
    fresh: false,
  },
  answer: {
    ...{ at: when + 10, honest: kind === 'answer' },
    reaction:
      kind === 'answer'
        ? { kind, status: 200, headers: {}, body: '', delayMs: 10 }
        : { kind, delayMs: 10 },
  },
  before: null,
});

const look = (when: number, requests: readonly Sent[], mishaps: readonly Mishap[] = []) =>
  booksAreGone({
    statements: [told(when)],
    world: { births: [BORN - 60_000, BORN], sent: [...requests], plan: { mishaps } },
  }).length;

describe('an order that is told as disputed because its book is gone', () => {
  const soon = BORN + 5_000;

  it('is a violation before the book is gone, once its broker has answered this process', () => {
    expect(look(soon, [sent('alt', BORN + 1_000, 'answer')])).toBe(1);
  });

  it('is none where the broker has answered nothing, or an earlier process, or another broker has', () => {
    const none = [
      sent('alt', BORN + 1_000, 'reset'),
      sent('alt', BORN - 1_000, 'answer'),
      sent('primary', BORN + 1_000, 'answer'),
      sent('alt', soon, 'answer'),
    ];
    expect(look(soon, none)).toBe(0);
  });

  it('is none where the clock was set ahead since, until the broker has answered by that clock', () => {
    const jump = (byMs: number) =>
      ({ kind: 'clock_jump', at: BORN + 2_000, byMs, forMs: 60_000 }) as const;
    const before = sent('alt', BORN + 1_000, 'answer');
    const after = sent('alt', BORN + 3_000, 'answer');
    expect(look(soon, [before], [jump(93_600_000)])).toBe(0);
    expect(look(soon, [before], [jump(-93_600_000)])).toBe(1);
    expect(look(soon, [before, after], [jump(93_600_000)])).toBe(1);
  });

  it('is none once the book is gone', () => {
    expect(look(at(7, '06:01:00'), [sent('alt', BORN + 1_000, 'answer')])).toBe(0);
  });
});
