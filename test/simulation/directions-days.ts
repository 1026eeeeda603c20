import {
  type Directions,
  brokerOf,
  clock,
  everySeconds,
  hidden,
  limit,
  MINUTE_MS,
  order,
  resting,
  sellHeld,
} from './directions.ts';
import { at, HOURS, stretch } from './hours.ts';
import type { Mishap } from './mishaps.ts';
import { option } from './rich-orders.ts';

/** Days about accounts, ways out, clocks, the machine and people. */
export const DIRECTIONS_ABOUT_DAYS: Directions<
  | 'exits_elsewhere'
  | 'exits_without_session'
  | 'terms_under_switch'
  | 'stale_positions'
  | 'odd_stops'
  | 'clock_hours'
  | 'clock_day'
  | 'fills_after_close'
  | 'paper_overnight'
  | 'placing_fails'
  | 'cancels_limited'
  | 'journal_lost'
  | 'cancels_crash'
  | 'full_disk'
  | 'crashes'
  | 'spellings'
  | 'other_user_overnight'
  | 'slow_connections'
> = {
  /** The account that holds the shares could be read at the start, and no more. */
  exits_elsewhere: () => ({
    tradingRoute: ['alt', 'primary', 'paper'],
    faults: [
      brokerOf('primary').rule('error_before', { path: '/portfolio' }, ['14:59:50', '15:25:00']),
    ],
    favourite: sellHeld('NSE:RELIANCE', 5),
  }),
  /** Paper holds some of what the live account holds, and the session of that one dies. */
  exits_without_session: () => ({
    tradingRoute: ['alt', 'paper'],
    hours: { ...HOURS.session, asleep: stretch(6, '15:07:00', '15:25:00') },
    mishaps: [{ kind: 'token_death', at: clock('15:08:00') }],
    favourite: (_dice, _priceOf, now) =>
      now < clock('15:08:00')
        ? order({ instrument: 'NSE:INFY', product: 'CNC', broker: 'paper', mode: 'paper' })
        : order({ instrument: 'NSE:INFY', side: 'SELL', quantity: 5, product: 'CNC' }),
  }),
  terms_under_switch: (dice) => {
    const { route } = brokerOf(dice.pick(['alt', 'primary'] as const));
    const forMs = 3 * MINUTE_MS;
    return {
      tradingRoute: route,
      http: true,
      mishaps: everySeconds('15:04:00', 4, 270).map((time) => ({
        ...{ kind: 'kill_switch', at: time, forMs },
      })),
      favourite: resting,
    };
  },
  /**
   * What the account held is sold by hand while it cannot be read; then the switch is engaged, once the last
   * good read is more than ACCOUNT_AGE_MS old: a younger one is relied on, as docs/orders.md says.
   */
  stale_positions: () => ({
    tradingRoute: ['alt', 'paper'],
    faults: [
      brokerOf('alt').rule('error_before', { path: '/portfolio' }, ['15:02:50', '15:25:00']),
      // The book does not show the sale either: only the account itself could tell.
      brokerOf('alt').rule('foreign_hidden', { method: 'GET', path: '/orders' }, [
        '15:02:50',
        '15:25:00',
      ]),
      brokerOf('alt').rule('foreign_hidden', { method: 'GET', path: '/trades' }, [
        '15:02:50',
        '15:25:00',
      ]),
    ],
    mishaps: [
      {
        ...{ kind: 'hand_order', at: clock('15:03:00'), twin: false },
        order: { instrument: 'NSE:INFY', side: 'SELL', quantity: 200, product: 'delivery' },
      },
      { kind: 'kill_switch', at: clock('15:04:00'), forMs: 16 * MINUTE_MS },
    ],
    favourite: (dice, priceOf, now) =>
      now < clock('15:03:55')
        ? resting(dice, priceOf, now)
        : sellHeld('NSE:INFY', 5)(dice, priceOf, now),
  }),
  odd_stops: (dice) => {
    const { rule, book } = brokerOf('alt');
    return {
      tradingRoute: ['alt', 'paper'],
      faults: [rule('odd_status', book, ['15:05:00', '15:20:00'])],
      pollSeconds: dice.pick([1, 5]),
      favourite: (_, priceOf) => {
        const triggerPrice = Math.round(priceOf('NSE:INFY') * 0.97);
        const price = triggerPrice - 1;
        const stop = { orderType: 'SL', triggerPrice, price, quantity: 5 } as const;
        return order({ instrument: 'NSE:INFY', side: 'SELL', product: 'CNC', ...stop });
      },
    };
  },
  /** The clock is a day behind while answers are lost, and then hours ahead while other rows are late. */
  clock_hours: () => {
    const broker = brokerOf('alt');
    const jump = (time: string, hours: number, minutes: number): Mishap => ({
      ...{ kind: 'clock_jump', at: clock(time), byMs: hours * 60 * MINUTE_MS },
      forMs: minutes * MINUTE_MS,
    });
    return {
      tradingRoute: broker.route,
      pollSeconds: 5,
      faults: [
        ...hidden(broker, ['15:01:05', '15:02:50'], '15:03:30', 3),
        ...hidden(broker, ['15:04:00', '15:08:00'], '15:16:00', 2),
      ],
      mishaps: [jump('15:01:00', -26, 2), jump('15:08:30', 5.5, 4)],
      favourite: resting,
      watchful: true,
    };
  },
  clock_day: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['alt', 'primary'] as const)).route,
    mishaps: everySeconds('15:06:00', 2, 400).map((time) => ({
      ...{ kind: 'clock_jump', at: time, byMs: 26 * 60 * MINUTE_MS, forMs: 2 * MINUTE_MS },
    })),
    pollSeconds: 1,
    favourite: resting,
    watchful: true,
  }),
  fills_after_close: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['alt', 'primary'] as const)).route,
    faults: [brokerOf('alt').rule('postback_lost', undefined, ['15:30:00', '23:00:00'])],
    mishaps: [{ kind: 'late_fill', at: clock('15:40:00'), inRow: dice.chance(0.5) }],
    favourite: resting,
  }),
  /** Orders rest on paper while the gateway is down, until the books of the day are gone. */
  paper_overnight: () => ({
    tradingRoute: ['paper'],
    crashes: [
      {
        ...{ at: clock('15:22:30'), point: 'before_commit', power: false },
        downMs: at(7, '06:02:00') - clock('15:22:45'),
      },
    ],
    favourite: resting,
  }),
  /** Placing fails for minutes; everything else works. */
  placing_fails: (dice) => {
    const { route, rule, placing } = brokerOf(dice.pick(['alt', 'primary'] as const));
    const params = { status: 502, body: 'json' };
    return {
      tradingRoute: route,
      faults: [rule('error_before', placing, ['15:07:00', '15:20:00'], { params })],
      ordersEach: 60,
      favourite: resting,
    };
  },
  /** Cancels are answered with a long Retry-After. */
  cancels_limited: () => ({
    tradingRoute: brokerOf('alt').route,
    faults: everySeconds('15:05:00', 3, 320).map((from) => ({
      ...{ broker: 'kite', kind: 'rate_limited', match: { method: 'DELETE' }, times: 1 },
      ...{ from, until: from + 3 * MINUTE_MS, params: { retryAfter: 300 } },
    })),
    ordersEach: 20,
    favourite: resting,
  }),
  journal_lost: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['alt', 'primary'] as const)).route,
    mishaps: [
      { kind: 'journal_lost', at: clock('15:12:00'), logOnly: false },
      { kind: 'journal_lost', at: clock('15:18:00'), logOnly: true },
    ],
    favourite: resting,
  }),
  cancels_crash: () => ({
    crashes: (['before_send', 'after_send', 'before_send'] as const).map((point, index) => ({
      ...{ at: clock('15:05:00') + index * 5 * MINUTE_MS, point, power: index === 1 },
      ...{ downMs: 2_000, ofCancel: true },
    })),
    favourite: resting,
  }),
  full_disk: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['alt', 'primary'] as const)).route,
    mishaps: everySeconds('15:04:00', 4, 240).map((time) => ({
      ...{ kind: 'disk_full_at_send', at: time, forMs: 3_000 },
    })),
    favourite: resting,
  }),
  /** The process ends at every point of a placing, the power fails at half of them. */
  crashes: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['alt', 'primary'] as const)).route,
    crashes: everySeconds('15:02:00', 9, 130).map((time, index) => ({
      at: time,
      point: (['after_send', 'after_commit', 'before_send'] as const)[index % 3] ?? 'after_send',
      ...{ power: index % 2 === 0, downMs: 2_000 },
    })),
    favourite: limit(1.01, [5, 10, 50], 'CNC'),
  }),
  /** Derivatives, asked for again under their keys in other spellings. */
  spellings: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['alt', 'primary'] as const)).route,
    favourite: (own) => {
      const { instrument } = option(own);
      return order({ instrument, quantity: 65, product: 'MARGIN' });
    },
  }),
  /** Another user is logged in when the day ends, and the first one's order is still hidden. */
  other_user_overnight: (dice) => {
    const broker = brokerOf('alt');
    const book = dice.pick(['empty', 'orders', 'twins'] as const);
    return {
      tradingRoute: broker.route,
      faults: hidden(broker, ['15:08:00', '15:16:00'], '15:45:00', 2),
      mishaps: [
        {
          ...{ kind: 'other_login', at: clock('15:35:00'), named: true, book },
          forMs: 5 * 60 * MINUTE_MS,
        },
      ],
      favourite: resting,
      watchful: true,
    };
  },
  /**
   * While connections open, somebody engages the kill switch, callers cancel and the machine sleeps. Large
   * orders go out in more slices than half a minute is enough for.
   */
  slow_connections: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['alt', 'primary'] as const)).route,
    slowConnections: true,
    remarks: false,
    freezeQuantity: 50,
    ordersEach: 30,
    mishaps: [
      ...everySeconds('15:02:03', 12, 97).map((time) => ({
        ...{ kind: 'kill_switch' as const, at: time, forMs: 10_000 },
      })),
      ...everySeconds('15:02:50', 12, 97).map((time) => ({
        ...{ kind: 'sleep' as const, at: time, forMs: 20_000 },
      })),
    ],
    favourite: (own, ...rest) => limit(0.97, own.chance(0.1) ? [900] : [5, 10])(own, ...rest),
    habit: 'cancel_unanswered',
  }),
};
