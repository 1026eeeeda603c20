import type { Refusal } from '../../../sandbox/kernel/broker.ts';
import { kiteRefusals } from '../../../sandbox/kite/refusal.ts';
import { primaryRefusals } from '../../../sandbox/primary/refusal.ts';
import type { LiveBroker, Sent } from '../traffic.ts';

const REFUSALS: Readonly<Record<LiveBroker, readonly Refusal[]>> = {
  alt: kiteRefusals,
  primary: primaryRefusals,
};

/** What the answer to a placing means, where it is one of the broker's refusals; null for any other. */
export function meaningOf({ broker, placing, answer }: Sent): Refusal['means'] | null {
  if (!placing || answer?.reaction.kind !== 'answer') return null;
  const { status, body } = answer.reaction;
  const one = REFUSALS[broker].find(({ reply }) => reply.status === status && reply.body === body);
  return one?.means ?? null;
}
