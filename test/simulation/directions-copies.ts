import type { COPY_DIRECTED_DAYS } from './directed-days.ts';
import {
  brokerOf,
  type Direction,
  type Directions,
  clock,
  everySeconds,
  MINUTE_MS,
  resting,
} from './directions.ts';
import type { Mishap } from './mishaps.ts';
import type { PlannedExit } from './planned-exit.ts';

const SHARES = ['NSE:INFY', 'NSE:SBIN', 'NSE:ITC'] as const;
/** The gateway is killed then, and started on a copy. */
const COPIED = everySeconds('15:06:00', 2, 480);
const DISARMED_MS = 3 * MINUTE_MS;

/**
 * `copied`: twice the gateway is killed and started on a copy of its data directory, which is armed three minutes later.
 * By then orders rest, some have lost their answers, cancels are kept for these, exits have legs that nobody trades, and
 * triggers are to be deleted. The copy of the second time is killed and started again before it is armed.
 */
export const DIRECTIONS_ABOUT_COPIES: Directions<(typeof COPY_DIRECTED_DAYS)[number]> = {
  copied: (dice): Direction => {
    const broker = dice.pick(['alt', 'alt', 'primary'] as const);
    const { route, rule, placing } = brokerOf(broker);
    const hand = broker === 'alt' ? 'kite' : 'primary';
    const copied = COPIED.map((at): Mishap => ({ kind: 'copied', at, forMs: DISARMED_MS }));
    const bought = COPIED.flatMap((at) =>
      SHARES.map((instrument): Mishap => ({
        ...{ kind: 'hand_order', at: at - 2 * MINUTE_MS, twin: false, broker: hand },
        order: { instrument, side: 'BUY', quantity: 30, product: 'intraday' },
      })),
    );
    const exits = COPIED.flatMap((copy) =>
      SHARES.map((instrument, index): PlannedExit => ({
        ...{ at: copy - 25_000 + index * 10_000, of: 'share', instrument, caller: 'caller-1' },
        ...{ isPart: false, isNamed: true, beside: null, thinMs: 2 * MINUTE_MS },
        ...{ cancelledAfterMs: null, burst: 0 },
      })),
    );
    const lost = COPIED.map((at) =>
      rule(dice.pick(['hang_after', 'hang_before']), placing, ['15:00:00', '15:00:00'], {
        ...{ from: at - 40_000, until: at, times: 3 },
      }),
    );
    const deleting = { method: 'DELETE', path: '/gtt/triggers' };
    const undeleted = COPIED.map((at) =>
      rule('reset_before', deleting, ['15:00:00', '15:00:00'], {
        ...{ from: at - MINUTE_MS, until: at, times: 9 },
      }),
    );
    const again = {
      at: clock('15:15:00'),
      point: 'before_commit',
      power: false,
      downMs: 2_000,
    } as const;
    return {
      ...{ tradingRoute: route, mishaps: [...copied, ...bought], faults: [...lost, ...undeleted] },
      ...{ crashes: [again], exits, favourite: resting, habit: 'cancel_soon' },
      ...(broker === 'alt'
        ? {
            triggers: {
              ...{ each: 6, races: 0, near: 0, cleared: 0.8, forgets: false, acts: [] },
            },
          }
        : {}),
    };
  },
};
