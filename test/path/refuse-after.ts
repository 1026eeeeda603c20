import { expect } from 'vitest';
import type { Refusal } from '../../sandbox/kernel/broker.ts';
import { kiteRefusals } from '../../sandbox/kite/refusal.ts';
import { primaryRefusals } from '../../sandbox/primary/refusal.ts';
import type { Rig } from '../support/rig.ts';

export type LiveBroker = 'alt' | 'primary';

const REFUSALS: Readonly<Record<LiveBroker, readonly Refusal[]>> = {
  alt: kiteRefusals,
  primary: primaryRefusals,
};

/** The broker does the next change, and answers with the refusal that has these words. */
export function refuseAfter(rig: Rig, broker: LiveBroker, words: string): void {
  const refusal = REFUSALS[broker].findIndex(({ reply }) => String(reply.body).includes(words));
  expect(refusal, words).toBeGreaterThan(-1);
  rig.sandbox.faults.add({
    ...{ broker: broker === 'alt' ? 'kite' : 'primary', kind: 'refused_after', times: 1 },
    match: {
      path: broker === 'alt' ? /^\/orders\/[a-z]+\/\d+$/ : /^\/(smart\/)?order\/(cancel|modify)$/,
    },
    params: { refusal },
  });
}
