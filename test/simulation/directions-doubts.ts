import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import {
  type Directions,
  brokerOf,
  clock,
  everySeconds,
  hidden,
  limit,
  MINUTE_MS,
  resting,
  sellHeld,
} from './directions.ts';

/** The primary brokerage's error body with these words. */
const words = (message: string): string =>
  JSON.stringify({ status: 'error', message, error_type: 'OrderException' });

/** Changes fail by turns, and from then on the book lags behind. */
function changesFail(lagsFrom: string) {
  // It takes all terms with each change, so that the gateway repeats those that it was not asked to change.
  const { route, rule, modifying, book } = brokerOf('primary');
  const failing = (kind: 'error_before' | 'error_after', probability: number): FaultRule =>
    rule(kind, modifying, ['15:01:00', '15:26:00'], {
      probability,
      params: { status: 502, body: 'json' },
    });
  return {
    tradingRoute: route,
    brakes: { APP_MAX_ORDER_VALUE: '20000' },
    faults: [
      failing('error_before', 0.4),
      failing('error_after', 0.2),
      rule('stale_book', book, [lagsFrom, '15:26:00'], { params: { ageMs: 6_000 } }),
    ],
    habit: 'change_by_turns',
    favourite: limit(0.97, [10, 20]),
  } as const;
}

/** Days on which a broker's words, a person or a clock says something else than the book. */
export const DIRECTIONS_ABOUT_DOUBTS: Directions<
  | 'primary_refusals'
  | 'refused_rows'
  | 'called_absent'
  | 'astray_ids'
  | 'swapped_ids'
  | 'quantities_lag'
  | 'prices_open'
  | 'changes_lost'
  | 'changes_ahead'
  | 'cancels_unwritten'
  | 'exits_beside'
  | 'works_again'
  | 'undated'
  | 'called_absent_back'
> = {
  /** Half of the orders sell what is not held: they are refused, and listed as rejected. */
  refused_rows: (dice) => ({
    tradingRoute: brokerOf('alt').route,
    rmsRejects: 'both',
    remarks: dice.chance(0.5),
    favourite: (...asked) =>
      asked[0].chance(0.5) ? sellHeld('NSE:ITC', 5_000)(...asked) : resting(...asked),
  }),
  /** The primary brokerage takes orders and answers an error, whose words or status leave it open. */
  primary_refusals: () => {
    const { route, rule, placing } = brokerOf('primary');
    const answered = (status: number, message: string, from: string, until: string): FaultRule =>
      rule('error_after', placing, [from, until], {
        times: 4,
        params: { status, body: words(message) },
      });
    return {
      tradingRoute: route,
      remarks: true,
      faults: [
        answered(400, 'The order was declined by node 7.', '15:02:00', '15:08:00'),
        answered(400, 'RMS: timed out, the order status is unknown.', '15:08:00', '15:14:00'),
        answered(408, 'RMS: no margin.', '15:14:00', '15:17:00'),
        answered(499, 'RMS: no margin.', '15:17:00', '15:20:00'),
      ],
      favourite: resting,
      watchful: true,
    };
  },
  /** A person calls uncertain orders absent at 15:10, and their rows appear: with their tag, and without. */
  called_absent: () => {
    const broker = brokerOf('alt');
    const untagged = ['15:06:00', '15:09:00'] as const;
    return {
      tradingRoute: broker.route,
      faults: [
        ...hidden(broker, ['15:02:00', '15:05:30'], '15:14:00', 4),
        ...hidden(broker, untagged, '15:15:00', 2),
        broker.rule('tag_lost', broker.placing, untagged, { times: 2, params: { mode: 'lost' } }),
      ],
      hasty: true,
      favourite: resting,
    };
  },
  /** The clock is a day behind when a person calls orders absent whose rows carry no tag, and appear later. */
  called_absent_back: () => {
    const broker = brokerOf('primary');
    const back = { byMs: -26 * 60 * MINUTE_MS, forMs: 20_000 };
    return {
      ...{ tradingRoute: broker.route, remarks: false },
      faults: hidden(broker, ['15:02:00', '15:09:00'], '15:14:00', 4),
      mishaps: [{ kind: 'clock_jump', at: clock('15:09:55'), ...back }],
      hasty: true,
      favourite: resting,
    };
  },
  /** Rows have wrong ids; then acknowledgements name ids that nobody has, and cancels to those are lost. */
  astray_ids: () => {
    const { route, rule, placing, book } = brokerOf('alt');
    const window = ['15:12:00', '15:20:00'] as const;
    const unknown = { method: 'DELETE', path: /[5-9]\d\d$/ };
    return {
      tradingRoute: route,
      pollSeconds: 10,
      faults: [
        rule('bad_id', book, ['15:00:00', '15:11:00'], {
          probability: 0.6,
          params: { row: 'last' },
        }),
        rule('wrong_id_2xx_after', placing, window, { times: 20, params: { row: 'nobody' } }),
        rule('error_before', unknown, window, { params: { status: 502, body: 'json' } }),
      ],
      habit: 'cancel_soon',
      ordersEach: 24,
      favourite: resting,
    };
  },
  /** Orders that are placed at the same moment are acknowledged with each other's id. */
  swapped_ids: () => {
    const { route, rule, placing } = brokerOf('alt');
    const params = { row: 'swapped' };
    return {
      tradingRoute: route,
      pollSeconds: 10,
      faults: [rule('wrong_id_2xx_after', placing, ['15:03:00', '15:18:00'], { times: 8, params })],
      habit: 'together',
      ordersEach: 24,
      favourite: resting,
    };
  },
  /** Under the kill switch, orders are made smaller and larger again while the book lags behind. */
  quantities_lag: () => {
    const { route, rule, book } = brokerOf('alt');
    return {
      tradingRoute: route,
      pollSeconds: 5,
      faults: [rule('stale_book', book, ['15:05:00', '15:24:00'], { params: { ageMs: 20_000 } })],
      mishaps: everySeconds('15:06:00', 3, 300).map((time) => ({
        ...{ kind: 'kill_switch', at: time, forMs: 3 * MINUTE_MS },
      })),
      habit: 'lower_and_raise',
      favourite: limit(0.97, [20, 50]),
    };
  },
  /** Changes fail unmade, and are asked for again: before the kill switch, and under it. */
  prices_open: (dice) => {
    const { route, rule, modifying } = brokerOf(dice.pick(['alt', 'primary'] as const));
    return {
      tradingRoute: route,
      faults: [
        rule('error_before', modifying, ['15:01:00', '15:24:00'], {
          probability: 0.6,
          params: { status: 502, body: 'json' },
        }),
      ],
      mishaps: everySeconds('15:06:00', 3, 300).map((time) => ({
        ...{ kind: 'kill_switch', at: time, forMs: 3 * MINUTE_MS },
      })),
      habit: 'reprice',
      favourite: limit(0.97, [20, 50]),
    };
  },
  /** Changes fail, made or not, and others follow, of the same field or another one; one limit is near. */
  changes_lost: () => changesFail('15:14:00'),
  /** The same at a broker whose clock is ahead, and whose book lags behind for longer. */
  changes_ahead: () => ({
    ...changesFail('15:02:00'),
    mishaps: [{ kind: 'clock_step', at: clock('15:00:05'), byMs: -40_000 }],
  }),
  /** The disk takes nothing for some seconds, and brokers refuse cancels for a moment, or do not answer. The switch holds all the same. */
  cancels_unwritten: (dice) => {
    const { route, rule, cancelling } = brokerOf(dice.pick(['alt', 'primary'] as const));
    const window = ['15:02:00', '15:16:00'] as const;
    return {
      tradingRoute: route,
      faults: [
        rule('rate_limited', cancelling, window, { probability: 0.5 }),
        rule('refuse', cancelling, window, { probability: 0.2 }),
      ],
      mishaps: [
        ...everySeconds('15:02:00', 56, 15).map((at) => ({
          ...({ kind: 'disk_full', at, forMs: dice.pick([4_000, 10_000]) } as const),
        })),
        // Somebody engages the kill switch meanwhile.
        { kind: 'disk_full', at: clock('15:24:00'), forMs: 10_000 },
        { kind: 'kill_switch', at: clock('15:24:03'), forMs: 60_000 },
      ],
      habit: 'cancel_soon',
      ordersEach: 24,
      favourite: resting,
    };
  },
  /** Under the kill switch, others sell what the account holds, and positions lag behind sales. */
  exits_beside: () => {
    const { rule } = brokerOf('alt');
    return {
      tradingRoute: ['alt', 'paper'],
      faults: [rule('old_answer', { path: '/portfolio' }, ['15:03:30', '15:25:00'])],
      mishaps: [
        {
          ...{ kind: 'hand_order', at: clock('15:03:00'), twin: false },
          order: {
            ...{ instrument: 'NSE:INFY', side: 'SELL', quantity: 198, product: 'delivery' },
            limitPaise: 160_000,
          },
        },
        { kind: 'kill_switch', at: clock('15:04:00'), forMs: 18 * MINUTE_MS },
      ],
      favourite: (dice, priceOf, now) =>
        now < clock('15:04:00')
          ? resting(dice, priceOf, now)
          : dice.chance(0.5)
            ? sellHeld('NSE:INFY', 5)(dice, priceOf, now)
            : sellHeld('NSE:ITC', 300)(dice, priceOf, now),
    };
  },
  /** Orders that were cancelled work again at their broker; lapsed ones fill a little after their end. */
  works_again: (dice) => {
    const { route, rule } = brokerOf(dice.pick(['alt', 'primary'] as const));
    return {
      tradingRoute: route,
      faults: [rule('postback_lost', undefined, ['15:00:00', '23:00:00'])],
      mishaps: [
        ...everySeconds('15:06:00', 4, 240).map((time) => ({
          ...{ kind: 'works_again' as const, at: time },
        })),
        { kind: 'late_fill', at: clock('15:32:00'), inRow: true, ofLapsed: true },
      ],
      favourite: resting,
    };
  },
  /** No reply tells the time: one row is dated wrongly, and the clock is a day ahead after the close. */
  undated: (dice) => {
    const { route, rule, book } = brokerOf(dice.pick(['alt', 'primary'] as const));
    return {
      tradingRoute: route,
      undated: true,
      faults: [
        rule('bad_date', book, ['15:05:00', '15:14:00']),
        rule('postback_lost', undefined, ['15:00:00', '23:00:00']),
      ],
      mishaps: [
        {
          ...{ kind: 'clock_jump', at: clock('15:36:00'), byMs: 26 * 60 * MINUTE_MS },
          forMs: 22 * MINUTE_MS,
        },
        { kind: 'late_fill', at: clock('16:20:00'), inRow: true },
      ],
      favourite: resting,
    };
  },
};
