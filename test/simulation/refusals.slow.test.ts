import { describe, expect, it } from 'vitest';
import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import { kiteRefusals } from '../../sandbox/kite/refusal.ts';
import { primaryRefusals } from '../../sandbox/primary/refusal.ts';
import { resting } from './directions.ts';
import { HOURS, type DayKind } from './hours.ts';
import { planDay, type SeedPlan } from './plan.ts';
import { runPlan } from './run-seed.ts';

/** A day takes seconds; on a machine that does much else at once, longer. */
const A_DAY_MS = 120_000;

type Requests = 'orders' | 'changes';

const PATHS: Readonly<Record<FaultRule['broker'], Readonly<Record<Requests, RegExp>>>> = {
  kite: { orders: /^\/orders\/[a-z]+$/, changes: /^\/orders\/[a-z]+\/\d+$/ },
  primary: { orders: /^\/(smart\/)?order$/, changes: /^\/(smart\/)?order\/(cancel|modify)$/ },
};

/**
 * A day on which a broker does what it is asked to, and answers with its refusals, one after the other:
 * orders, or cancels and modifications.
 */
function planRefusals(
  broker: FaultRule['broker'],
  requests: Requests,
  kind: DayKind,
  remarks: boolean,
): SeedPlan {
  const { boot: from, end: until } = HOURS[kind];
  const refusals = broker === 'kite' ? kiteRefusals : primaryRefusals;
  const path = PATHS[broker][requests];
  const method = requests === 'orders' ? { method: 'POST' } : {};
  return {
    ...planDay('refusals', null, kind),
    ...{ rich: true, directed: 'refusals', watchful: true, remarks, remarksChange: false },
    ...{ crashes: [], mishaps: [], freezeQuantity: null, pollSeconds: 5, ordersEach: 26 },
    tradingRoute: [broker === 'kite' ? 'alt' : 'primary', 'paper'],
    favourite: resting,
    faults: refusals.map((_, refusal) => ({
      ...{ broker, kind: 'refused_after', match: { ...method, path }, from, until },
      ...{ times: 1, params: { refusal } },
    })),
  };
}

describe('a day on which every refusal of a broker is given after it has done what it was asked', () => {
  it.each([
    ['kite', 'orders', 'session', true],
    ['kite', 'orders', 'night', true],
    ['kite', 'changes', 'session', true],
    ['primary', 'orders', 'session', true],
    ['primary', 'orders', 'session', false],
    ['primary', 'orders', 'night', false],
    ['primary', 'changes', 'session', false],
  ] as const)(
    'keeps every promise: %s, %s, %s, remarks come back: %s',
    async (broker, requests, kind, remarks) => {
      const plan = planRefusals(broker, requests, kind, remarks);
      const { violations, strikes, timeline } = await runPlan(plan);
      expect(violations, timeline.slice(-60).join('\n')).toEqual([]);
      expect(strikes.get('refused_after')).toBe(plan.faults.length);
    },
    A_DAY_MS,
  );
});
