import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../sandbox/kernel/broker.ts';
import { kiteRefusals } from '../../sandbox/kite/refusal.ts';
import { primaryRefusals } from '../../sandbox/primary/refusal.ts';
import { readReply } from '../../src/adapters/alt/calls.ts';
import * as alt from '../../src/adapters/alt/errors.ts';
import { failureOf } from '../../src/adapters/primary/envelope.ts';
import * as primary from '../../src/adapters/primary/refusals.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { HttpReply } from '../../src/platform/http.ts';
import { epochMs } from '../../src/units/branded.ts';

const NOW = epochMs(Date.parse('2026-11-20T04:30:00Z'));

const replyOf = ({ reply }: Refusal): HttpReply => ({ kind: 'answered', statusText: '', ...reply });

function atKite(refusal: Refusal): Outcome {
  const answer = readReply(replyOf(refusal), NOW);
  if (answer.kind === 'success') throw new Error('a success');
  return alt.outcomeOf('place', answer.failure);
}

function atThePrimary(refusal: Refusal): Outcome {
  const failure = failureOf(replyOf(refusal), NOW);
  if (failure === null) throw new Error('a success');
  return primary.outcomeOf('place', failure);
}

const named = (refusals: readonly Refusal[], means: Refusal['means']) =>
  refusals
    .filter((each) => each.means === means)
    .map((each) => [`${each.reply.status} ${each.reply.body}`, each] as const);

describe('a refusal by Kite', () => {
  it.each(named(kiteRefusals, 'known'))('in known words is one: %s', (_, refusal) => {
    expect(atKite(refusal)).toMatchObject({ kind: 'refused' });
  });

  it.each([...named(kiteRefusals, 'unlisted'), ...named(kiteRefusals, 'open')])(
    'in words that nobody has listed, or that leave it open, is uncertain: %s',
    (_, refusal) => {
      expect(atKite(refusal)).toMatchObject({ kind: 'uncertain' });
    },
  );
});

describe('a refusal by the primary brokerage', () => {
  it.each(named(primaryRefusals, 'known'))('in known words is one: %s', (_, refusal) => {
    const outcome = atThePrimary(refusal);
    expect(outcome).toMatchObject({ kind: 'refused' });
    expect(outcome).not.toHaveProperty('isUnlisted');
  });

  it.each(named(primaryRefusals, 'unlisted'))(
    'in words that nobody has listed waits for a book: %s',
    (_, refusal) => {
      expect(atThePrimary(refusal)).toMatchObject({ kind: 'refused', isUnlisted: true });
    },
  );

  it.each(named(primaryRefusals, 'open'))('that leaves it open is uncertain: %s', (_, refusal) => {
    expect(atThePrimary(refusal)).toMatchObject({ kind: 'uncertain' });
  });
});
