import { describe, expect, it } from 'vitest';
import type { ExternalChangeRecord } from '../../../src/execution/external/external-change.ts';
import type { AttemptRecord } from '../../../src/execution/order/attempt.ts';
import { earlierRequests } from '../../../src/execution/submit/earlier-requests.ts';
import { plus } from '../../../src/units/branded.ts';
import { attemptRecord, attemptState, cancelAttempt, modifyAttempt } from '../support/attempts.ts';
import { AT } from '../support/makers.ts';

const NOW = plus(AT, 1_000);
const DAY_MS = 86_400_000;

const ago = (attempts: readonly AttemptRecord[], external: readonly ExternalChangeRecord[] = []) =>
  earlierRequests(
    {
      attempts: new Map(attempts.map((each, index) => [`att_${index}`, each])),
      externalChanges: new Map(external.map((each) => [each.id, each])),
    },
    'primary',
    NOW,
  );

describe('the order requests of earlier processes', () => {
  it('are placings, changes and cancels, also of orders placed elsewhere, the oldest first', () => {
    const elsewhere = {
      ...cancelAttempt({ id: 'ext_1', sentAt: plus(NOW, -700) }),
      ...{ brokerOrderId: '77', by: 'strategy', idempotencyKey: 'one', requestHash: 'hash' },
    };
    const own = [
      attemptRecord(),
      modifyAttempt({ sentAt: plus(NOW, -2_000) }),
      cancelAttempt({ sentAt: plus(NOW, -300) }),
    ];
    expect(ago(own, [elsewhere])).toEqual([2_000, 1_000, 700, 300]);
  });

  it('are those of the broker alone, and of the last day alone', () => {
    const others = [
      attemptRecord({ broker: 'alt' }),
      attemptRecord({ sentAt: plus(NOW, -DAY_MS) }),
      attemptRecord({ sentAt: plus(NOW, 1 - DAY_MS) }),
    ];
    expect(ago(others)).toEqual([DAY_MS - 1]);
  });

  it('count where the broker refused them or nobody knows of them, and not where they did not leave', () => {
    const states = [
      'sending',
      'acknowledged',
      'refused',
      'uncertain',
      'absent',
      'not_sent',
    ] as const;
    const attempts = states.map((kind) => attemptRecord({ state: attemptState(kind) }));
    expect(ago(attempts)).toHaveLength(states.length - 1);
  });

  it('count for the day, and not for the minute, where the clock was set back since', () => {
    const [since] = ago([attemptRecord({ sentAt: plus(NOW, 5_000) })]);
    expect(since).toBeGreaterThan(60_000);
    expect(since).toBeLessThan(DAY_MS);
  });
});
