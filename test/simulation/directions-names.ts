import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import {
  type Directions,
  brokerOf,
  everySeconds,
  hidden,
  limit,
  order,
  resting,
} from './directions.ts';
import { at } from './hours.ts';

/** Days on which ids, types and instruments are written otherwise than they were asked for. */
export const DIRECTIONS_ABOUT_NAMES: Directions<
  | 'market_as_limit'
  | 'odd_rows'
  | 'odd_rows_named'
  | 'zero_ids'
  | 'spelled_ids'
  | 'cancels_astray'
  | 'misread_ids'
  | 'ids_change'
> = {
  /** MARKET orders come back as LIMIT ones without a tag, and answers are lost. */
  market_as_limit: () => {
    const { route, rule, placing } = brokerOf('primary');
    return {
      ...{ tradingRoute: route, remarks: false, marketAsLimit: true },
      faults: [
        rule('reset_after', placing, ['15:02:00', '15:20:00'], { times: 12, probability: 0.5 }),
      ],
      favourite: (dice) =>
        order({
          instrument: dice.pick(['NSE:INFY', 'NSE:SBIN', 'NSE:ITC']),
          quantity: dice.pick([5, 10, 20, 50]),
        }),
    };
  },
  /** Answers are lost, and the rows have an unreadable price and an instrument that no list has. */
  odd_rows: () => {
    const { route, rule, placing } = brokerOf('alt');
    const window = ['15:11:00', '15:20:00'] as const;
    return {
      tradingRoute: route,
      faults: [
        rule('odd_row', placing, window, { times: 3, params: { suffix: '-BE' } }),
        rule('hang_after', placing, window, { times: 3 }),
      ],
      favourite: resting,
      watchful: true,
    };
  },
  /** The same, without a tag: at 15:10 a person says which rows they are. */
  odd_rows_named: () => {
    const { route, rule, placing } = brokerOf('alt');
    const window = ['15:02:00', '15:09:00'] as const;
    return {
      tradingRoute: route,
      faults: [
        rule('odd_row', placing, window, { times: 3 }),
        rule('tag_lost', placing, window, { times: 3, params: { mode: 'lost' } }),
        rule('hang_after', placing, window, { times: 3 }),
      ],
      hasty: true,
      favourite: resting,
    };
  },
  /** Orders that never reached the exchange have zeros as its id. One that was placed by hand is gone from the book. */
  zero_ids: () => {
    const broker = brokerOf('alt');
    return {
      ...{ tradingRoute: broker.route, noExchangeId: '0' },
      faults: hidden(broker, ['15:08:00', '15:16:00'], '20:40:00', 2),
      // They are rejected for want of funds.
      mishaps: [
        ...everySeconds('15:01:00', 3, 30).map((time) => ({
          ...{ kind: 'hand_order' as const, at: time, twin: false },
          order: { instrument: 'NSE:RELIANCE', side: 'BUY' as const, quantity: 50_000 },
        })),
        { kind: 'row_vanishes', at: at(6, '15:20:00') },
      ],
      favourite: resting,
      watchful: true,
    };
  },
  /** Acknowledgements spell ids otherwise than the book, and no tag comes back. */
  spelled_ids: () => {
    const { route, rule, placing } = brokerOf('primary');
    const params = { row: 'spelled' };
    return {
      ...{ tradingRoute: route, remarks: false },
      faults: [rule('wrong_id_2xx_after', placing, ['15:02:00', '15:18:00'], { times: 8, params })],
      favourite: limit(0.97, [5, 10, 20, 50]),
    };
  },
  /** Answers are lost where no tag comes back, and every other read has the newest row under a wrong id. */
  misread_ids: () => {
    const { route, rule, placing, book } = brokerOf('primary');
    return {
      ...{ tradingRoute: route, remarks: false },
      faults: [
        rule('hang_after', placing, ['15:02:00', '15:20:00'], { times: 12, probability: 0.5 }),
        rule('bad_id', book, ['15:02:00', '15:21:00'], {
          ...{ probability: 0.5, params: { row: 'last' } },
        }),
      ],
      favourite: (dice) =>
        order({
          instrument: dice.pick(['NSE:INFY', 'NSE:SBIN', 'NSE:ITC']),
          quantity: dice.pick([5, 10, 20, 50]),
        }),
    };
  },
  /** Acknowledgements are swapped and books are late: cancels go to the rows of other orders. */
  cancels_astray: () => {
    const { route, rule, placing, book } = brokerOf('alt');
    const window = ['15:03:00', '15:18:00'] as const;
    const swapped: FaultRule = rule('wrong_id_2xx_after', placing, window, {
      ...{ times: 40, params: { row: 'pair' } },
    });
    return {
      tradingRoute: route,
      faults: [swapped, rule('stale_book', book, window, { params: { ageMs: 8_000 } })],
      habit: 'together_and_cancel',
      ordersEach: 24,
      favourite: resting,
    };
  },
  /** A night: after-market orders have other ids in the morning, half of them without their tag. */
  ids_change: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['alt', 'alt', 'primary'] as const)).route,
    mishaps: [{ kind: 'ids_change', at: at(6, '06:20:00'), tagged: dice.pick([0.5, 1]) }],
  }),
};
