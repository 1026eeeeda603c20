import { type Direction, type Directions, brokerOf, everySeconds } from './directions.ts';
import type { SignalDirectedDay } from './directed-days.ts';

const KINDS = ['hang_after', 'reset_after', 'error_before', 'cut_after', 'refuse'] as const;

/**
 * Other programs post alerts all day long, and most of them again. The process ends at every commit and send of an
 * order of a signal now and then, at times for minutes, answers to placings are lost, and the disk is full for some seconds.
 */
export const DIRECTIONS_ABOUT_SIGNALS: Directions<SignalDirectedDay> = {
  signals: (dice): Direction => {
    const { route, rule, placing } = brokerOf(dice.pick(['alt', 'primary'] as const));
    const points = ['after_commit', 'after_send', 'before_send', 'before_commit'] as const;
    const crashes = everySeconds('15:01:30', 16, 75).map((at, index) => ({
      ...{ at, point: points[index % 4] ?? 'after_commit', power: index % 3 === 0 },
      later: dice.whole(0, 5),
      // Now and then it is away for longer than an alert waits for it.
      downMs: Math.max(dice.pick([300, 1_000, 2_500, 15_000]), index % 3 === 1 ? 110_000 : 0),
    }));
    const faults = everySeconds('15:01:00', 10, 120).map((from, index) =>
      rule(KINDS[index % KINDS.length] ?? 'hang_after', placing, ['15:00:00', '15:25:00'], {
        ...{ from, until: from + 60_000, times: dice.whole(1, 2) },
      }),
    );
    // Orders that nobody takes: what has become of one is written down, and the process ends.
    const refused = everySeconds('15:02:05', 8, 150).flatMap((from) => [
      rule('refuse', placing, ['15:00:00', '15:25:00'], { from, until: from + 40_000, times: 6 }),
    ]);
    const mishaps = everySeconds('15:02:00', 7, 170).map(
      (at) => ({ kind: 'disk_full', at, forMs: dice.pick([800, 6_000, 20_000]) }) as const,
    );
    return {
      ...{
        tradingRoute: route,
        faults: [...faults, ...refused],
        crashes,
        mishaps,
        ordersEach: 2,
        freezeQuantity: 20,
      },
      signals: { each: 90, repeats: 0.5, maxAgeSeconds: null },
    };
  },
};
