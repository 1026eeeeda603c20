import type { Refusal } from '../../../sandbox/kernel/broker.ts';
import { kiteRefusals } from '../../../sandbox/kite/refusal.ts';
import { primaryRefusals } from '../../../sandbox/primary/refusal.ts';
import type { LiveBroker, Sent } from '../traffic.ts';

const REFUSALS: Readonly<Record<LiveBroker, readonly Refusal[]>> = {
  alt: kiteRefusals,
  primary: primaryRefusals,
};

/** What the answer to a placing means, where it is one of the broker's refusals; null for any other. */
export const meaningOf = (sent: Sent): Refusal['means'] | null =>
  sent.placing ? refusalIn(sent) : null;

/**
 * Whether a change was answered with a refusal that may be passed on, though the broker has made it and no row
 * shows that yet: in words that leave nothing open, which nobody has listed only at the primary brokerage.
 */
export function mayBeBelieved(sent: Sent): boolean {
  const means = refusalIn(sent);
  return means === 'known' || (means === 'unlisted' && sent.broker === 'primary');
}

function refusalIn({ broker, answer }: Sent): Refusal['means'] | null {
  if (answer?.reaction.kind !== 'answer') return null;
  const { status, body } = answer.reaction;
  const one = REFUSALS[broker].find(({ reply }) => reply.status === status && reply.body === body);
  return one?.means ?? null;
}
