import { describe, expect, it } from 'vitest';
import {
  lacksSession,
  notSent,
  type NotSentReason,
  refused,
  uncertain,
} from '../../src/domain/outcome.ts';
import { isFinal, isFinalRow, ORDER_STATUSES } from '../../src/domain/order.ts';

describe('a broker lacks a session', () => {
  it.each(['token', 'not_open'] as const)('when it is blocked because of %s', (cause) => {
    expect(lacksSession(notSent(cause, 'why'))).toBe(true);
  });

  it.each<NotSentReason>([
    'connect',
    'breaker',
    'no_permit',
    'kill_switch',
    'duplicate',
    'baseline',
    'recovering',
    'closing',
    'journal',
  ])('not when it is blocked because of %s: that is an outage, or our own limit', (cause) => {
    expect(lacksSession(notSent(cause, 'why'))).toBe(false);
  });

  it('not when nothing blocks it', () => {
    expect(lacksSession(null)).toBe(false);
  });
});

describe('an outcome', () => {
  it('contains what is known, and no more', () => {
    expect(refused('price', 'off the tick')).toEqual({
      kind: 'refused',
      rejection: 'price',
      reason: 'off the tick',
    });
    const failure = { kind: 'transport', message: 'reset' } as const;
    expect(uncertain(failure)).toEqual({ kind: 'uncertain', failure, reason: 'reset' });
  });
});

describe('a status', () => {
  it('is final in five cases; a disputed order waits for a person', () => {
    expect(ORDER_STATUSES.filter(isFinal)).toEqual([
      'filled',
      'partial',
      'cancelled',
      'rejected',
      'not_sent',
    ]);
  });

  it('of a row is final unless it is working or unrecognised', () => {
    const rows = ['working', 'filled', 'partial', 'cancelled', 'rejected', 'unrecognised'] as const;
    expect(rows.filter(isFinalRow)).toEqual(['filled', 'partial', 'cancelled', 'rejected']);
  });
});
