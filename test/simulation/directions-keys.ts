import { type Direction, type Directions, limit, brokerOf, everySeconds } from './directions.ts';
import type { KeyDirectedDay } from './directed-days.ts';
import { HOURS } from './hours.ts';
import { planKeys } from './plan-keys.ts';

/**
 * Three programs trade the same shares with their own keys, over HTTP, large orders in slices. Keys are stopped and
 * released, one has limits and one may use one account alone; the process ends now and then, and a person trades by hand.
 */
export const DIRECTIONS_ABOUT_KEYS: Directions<KeyDirectedDay> = {
  keys: (dice): Direction => {
    const { route, rule, placing } = brokerOf(dice.pick(['alt', 'primary'] as const));
    const keys = planKeys(dice, { hours: HOURS.session, tradingRoute: route, http: true });
    const confined = { caller: 'caller-3', broker: 'paper', mode: null } as const;
    const stops = everySeconds('15:02:00', 6, 190).map((at, index) => ({
      ...{ at, forMs: 60_000, byItself: index % 2 === 0 },
      caller: `caller-${1 + (index % 3)}`,
    }));
    const hands = everySeconds('15:02:30', 6, 190).map(
      (at) => ({ kind: 'hand_order', at, twin: false }) as const,
    );
    const crashes = everySeconds('15:06:00', 3, 300).map((at, index) => ({
      ...{ at, point: 'after_commit' as const, power: index === 1, downMs: 2_000 },
    }));
    const faults = [
      rule('hang_after', placing, ['15:03:00', '15:20:00'], { times: 3, probability: 0.2 }),
    ];
    return {
      ...{ tradingRoute: route, faults, crashes, mishaps: hands, http: true, ordersEach: 30 },
      ...{ freezeQuantity: 40, keys: { ...keys, confined, compareMs: 15_000, stops } },
      favourite: limit(dice.pick([1.01, 1.02]), [5, 10, 50]),
    };
  },
};
