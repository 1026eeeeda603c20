import type { FaultKind } from '../../sandbox/kernel/faults.ts';
import { brokerOf, type Directions, everySeconds, limit, resting } from './directions.ts';

/** What goes wrong at placings, in turn. */
const FAULTS = [
  'hang_after',
  'reset_after',
  'error_before',
  'cut_after',
  'refuse',
] as const satisfies readonly FaultKind[];

/** Directed days about baskets: most orders come in one, answers are lost, and the process ends in the middle. */
export const DIRECTIONS_ABOUT_BASKETS: Directions<'baskets'> = {
  baskets: (dice) => {
    const { route, rule, placing } = brokerOf(dice.pick(['alt', 'primary'] as const));
    const faults = everySeconds('15:01:00', 20, 60).map((from, index) =>
      rule(FAULTS[index % FAULTS.length] ?? 'hang_after', placing, ['15:00:00', '15:25:00'], {
        ...{ from, until: from + 60_000, times: dice.whole(1, 3) },
      }),
    );
    const crashes = everySeconds('15:03:30', 6, 180).map((at, index) => ({
      ...{ at, point: (['after_send', 'before_send'] as const)[index % 2] ?? 'after_send' },
      ...{ power: index % 3 === 0, downMs: 2_000 },
    }));
    return {
      ...{ tradingRoute: route, faults, crashes, ordersEach: 40, baskets: 0.9 },
      favourite: dice.pick([resting, limit(1.01, [5, 10, 50])]),
    };
  },
};
