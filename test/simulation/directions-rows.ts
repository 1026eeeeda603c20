import type { FaultKind, FaultRule } from '../../sandbox/kernel/faults.ts';
import {
  type Directions,
  brokerOf,
  clock,
  everySeconds,
  handOrders,
  hidden,
  limit,
  order,
  resting,
} from './directions.ts';
import { at, HOURS } from './hours.ts';

const TWIN = { instrument: 'NSE:INFY', side: 'BUY', quantity: 20 } as const;

/** Days on which answers and books are wrong. */
export const DIRECTIONS_ABOUT_ROWS: Directions<
  | 'twin_ids'
  | 'wrong_ids'
  | 'unknown_ids'
  | 'lost_tags'
  | 'refusals'
  | 'late_after_close'
  | 'late_and_foreign_hidden'
  | 'late_trades_only'
  | 'late_disputed'
  | 'foreign_gone'
  | 'spoiled_rows'
  | 'cancels_kept'
  | 'slices'
  | 'lost_answers'
  | 'no_tags'
> = {
  /** Acknowledgements name rows of the book, old ones and such as no read has shown yet. */
  wrong_ids: (dice) => {
    const { route, rule, placing } = brokerOf('alt');
    const named = (row: string, from: string, until: string): FaultRule =>
      rule('wrong_id_2xx_after', placing, [from, until], { times: 8, params: { row } });
    return {
      tradingRoute: route,
      pollSeconds: 10,
      faults: [
        named('hand', '15:03:00', '15:09:00'),
        rule('tag_lost', placing, ['15:03:00', '15:09:00'], { times: 8, params: { mode: 'lost' } }),
        named('ended', '15:10:00', '15:13:00'),
        named(dice.pick(['ours', 'hand']), '15:14:00', '15:20:00'),
      ],
      // No order of a caller is of this quantity: a row that equals one could be it.
      mishaps: everySeconds('15:02:00', 100, 11).map((time) => ({
        ...{ kind: 'hand_order', at: time, twin: false },
        order: { instrument: 'NSE:INFY', side: 'BUY', quantity: 3, product: 'intraday' },
      })),
      ordersEach: 20,
      favourite: limit(0.99, [20, 30]),
    };
  },
  /**
   * Acknowledgements name an id that nobody has, where no tag comes back. Then requests are lost, and a
   * person places the same by hand, long afterwards.
   */
  unknown_ids: () => {
    const { route, rule, placing } = brokerOf('primary');
    const params = { row: 'nobody' };
    const byHand = [20, 21, 22, 23, 24, 25];
    return {
      tradingRoute: route,
      remarks: false,
      faults: [
        rule('wrong_id_2xx_after', placing, ['15:02:00', '15:12:00'], { times: 4, params }),
        rule('hang_before', placing, ['15:13:00', '15:16:00'], { times: 4 }),
      ],
      mishaps: everySeconds('15:20:00', byHand.length, 10).map((time, index) => ({
        ...{ kind: 'hand_order', at: time, twin: false },
        order: { ...TWIN, quantity: byHand[index] ?? 0, product: 'intraday', limitPaise: 140_000 },
      })),
      favourite: (dice, priceOf, now) =>
        now < clock('15:13:00') || now > clock('15:16:00')
          ? resting(dice, priceOf, now)
          : order({ ...TWIN, quantity: dice.pick(byHand), orderType: 'LIMIT', price: 1_400 }),
    };
  },
  /** Acknowledgements name old orders placed by hand that are like ours, and no tag comes back. */
  twin_ids: () => {
    const { route, rule, placing } = brokerOf('alt');
    const window = ['15:05:00', '15:15:00'] as const;
    return {
      tradingRoute: route,
      faults: [
        rule('wrong_id_2xx_after', placing, window, { times: 4, params: { row: 'hand' } }),
        rule('tag_lost', placing, window, { times: 4, params: { mode: 'lost' } }),
      ],
      mishaps: everySeconds('15:01:00', 4, 20).map((time) => ({
        ...{ kind: 'hand_order', at: time, twin: false },
        order: { ...TWIN, product: 'intraday', limitPaise: 140_000 },
      })),
      favourite: () => order({ ...TWIN, orderType: 'LIMIT', price: 1_400 }),
    };
  },
  lost_tags: (dice) => {
    const { route, rule, placing, book } = brokerOf('alt');
    const lost = dice.pick<FaultKind>(['hang_after', 'reset_after']);
    const window = ['15:03:00', '15:08:00'] as const;
    return {
      tradingRoute: route,
      faults: [
        rule('tag_lost', placing, window, { times: 3, params: { mode: 'lost' } }),
        rule(lost, placing, window, { times: 3 }),
        // Then other orders stand under the ids of ours.
        rule('shared_id', book, ['15:10:00', '15:24:00'], { probability: 0.3 }),
      ],
      favourite: resting,
      watchful: true,
    };
  },
  refusals: (dice) => {
    const { route, rule, placing } = brokerOf('alt');
    const refused = (refusal: number, from: string, until: string): FaultRule =>
      rule('refused_after', placing, [from, until], { times: 3, params: { refusal } });
    return {
      tradingRoute: route,
      faults: [
        refused(0, '15:02:00', '15:05:00'),
        refused(1, '15:05:00', '15:08:00'),
        refused(2, '15:08:00', '15:11:00'),
        refused(3, '15:11:00', '15:14:00'),
        refused(dice.pick([4, 5, 7]), '15:14:00', '15:20:00'),
      ],
      // A person looks late: what is shown with its tag has to be found by itself.
      hours: { ...HOURS.session, evening: at(6, '17:30:00') },
      favourite: resting,
      watchful: true,
    };
  },
  late_after_close: () => {
    const broker = brokerOf('alt');
    return {
      tradingRoute: broker.route,
      faults: hidden(broker, ['15:08:00', '15:16:00'], '17:10:00', 2),
      favourite: resting,
      watchful: true,
    };
  },
  /** Orders placed by hand are missing from the book, and with them one of ours. */
  late_and_foreign_hidden: () => {
    const broker = brokerOf('alt');
    return {
      tradingRoute: broker.route,
      faults: [
        ...hidden(broker, ['15:08:00', '15:16:00'], '20:40:00', 2),
        // Until after the row is shown: a whole book without it would prove that it is not there.
        broker.rule('foreign_hidden', broker.book, ['15:40:00', '20:50:00']),
      ],
      // They rest: a trade without a row would show that the book is not whole.
      mishaps: everySeconds('15:01:00', 3, 60).map((time) => ({
        ...{ kind: 'hand_order', at: time, twin: false },
        order: { instrument: 'NSE:INFY', side: 'BUY', quantity: 7, limitPaise: 140_000 },
      })),
      favourite: resting,
      watchful: true,
    };
  },
  /** Rows of filled orders appear after the trades, and the trades cannot be read meanwhile. */
  late_trades_only: () => {
    const { route, rule, placing, trades } = brokerOf('alt');
    const window = ['15:08:00', '15:16:00'] as const;
    const delayMs = clock('20:40:00') - clock(window[0]);
    return {
      tradingRoute: route,
      faults: [
        rule('hang_after', placing, window, { times: 2 }),
        rule('late_row_only', placing, window, { times: 2, params: { delayMs } }),
        rule('error_before', trades, ['15:40:00', '20:39:00']),
      ],
      // Seldom read: a row that a book has shown before it filled would be missed later.
      pollSeconds: 10,
      favourite: limit(1.01, [5, 10]),
      watchful: true,
    };
  },
  /** An order is disputed when all others have ended, and its row appears in the evening. */
  late_disputed: () => {
    const { route, rule, placing } = brokerOf('alt');
    const window = ['15:15:00', '15:22:00'] as const;
    const delayMs = clock('20:15:00') - clock(window[0]);
    return {
      tradingRoute: route,
      hours: { ...HOURS.session, evening: at(6, '23:50:00') },
      faults: [
        rule('foreign_id_2xx_after', placing, window, { times: 1 }),
        rule('late_rows', placing, window, { times: 1, params: { delayMs } }),
      ],
      favourite: limit(1.01, [5, 10]),
    };
  },
  /** A row of an order placed by hand is gone for good, and the gateway starts again. */
  foreign_gone: () => ({
    tradingRoute: brokerOf('primary').route,
    remarks: false,
    mishaps: [
      ...handOrders(everySeconds('15:01:00', 3, 30)),
      { kind: 'row_vanishes', at: clock('15:04:00') },
    ],
    crashes: [{ at: clock('15:05:00'), point: 'after_commit', power: false, downMs: 2_000 }],
    ordersEach: 20,
    favourite: resting,
  }),
  spoiled_rows: (dice) => {
    const { route, rule, book } = brokerOf(dice.pick(['alt', 'primary'] as const));
    return {
      tradingRoute: route,
      faults: [rule('bad_row', book, ['15:05:00', '15:24:00'], { params: { form: 0 } })],
      crashes: [{ at: clock('15:06:00'), point: 'after_commit', power: false, downMs: 2_000 }],
      ordersEach: 20,
      favourite: limit(1.01, [5, 10]),
    };
  },
  /** Orders of unknown outcome are cancelled, and their rows appear later. */
  cancels_kept: (dice) => {
    const broker = brokerOf(dice.pick(['alt', 'primary'] as const));
    const lost = (from: string, until: string, delayMs: number): FaultRule[] => [
      broker.rule('hang_after', broker.placing, [from, until], { times: 4 }),
      broker.rule('late_rows', broker.placing, [from, until], { times: 4, params: { delayMs } }),
    ];
    return {
      tradingRoute: broker.route,
      faults: [...lost('15:02:00', '15:08:00', 60_000), ...lost('15:09:00', '15:16:00', 90_000)],
      favourite: resting,
    };
  },
  /** Large orders go out in slices, and answers are lost. */
  slices: (dice) => {
    const { route, rule, placing } = brokerOf(dice.pick(['alt', 'primary'] as const));
    return {
      tradingRoute: route,
      freezeQuantity: 150,
      faults: [
        rule('reset_after', placing, ['15:02:00', '15:10:00'], { times: 8, probability: 0.3 }),
        rule('error_before', placing, ['15:10:00', '15:20:00'], { times: 8, probability: 0.3 }),
      ],
      favourite: limit(1.01, [400, 600], 'CNC'),
    };
  },
  /** Answers to placing are lost in every way; rows appear at once. */
  lost_answers: (dice) => {
    const name = dice.pick(['alt', 'primary'] as const);
    const { rule, placing } = brokerOf(name);
    const kinds = ['hang_after', 'error_after', 'reset_after', 'html_2xx_after'] as const;
    return {
      tradingRoute: name === 'alt' ? ['alt', 'primary', 'paper'] : ['primary', 'paper'],
      faults: kinds.map((kind, index) => {
        const from = ['15:02:00', '15:06:00', '15:10:00', '15:14:00'][index] ?? '15:02:00';
        return rule(kind, placing, [from, '15:20:00'], { times: 4, probability: 0.5 });
      }),
      favourite: limit(1.01, [20, 50, 400], 'CNC'),
    };
  },
  /** Answers to placing are lost where no tag comes back, and rows appear within half a minute. */
  no_tags: () => {
    const { route, rule, placing } = brokerOf('primary');
    const window = ['15:02:00', '15:20:00'] as const;
    return {
      tradingRoute: route,
      remarks: false,
      faults: [
        rule('reset_after', placing, window, { times: 12, probability: 0.5 }),
        rule('late_rows', placing, window, { probability: 0.5, params: { delayMs: 20_000 } }),
      ],
      favourite: limit(1.01, [5, 10, 20, 50], 'CNC'),
    };
  },
};
