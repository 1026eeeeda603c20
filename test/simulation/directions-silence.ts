import {
  type Directions,
  brokerOf,
  clock,
  everySeconds,
  limit,
  MINUTE_MS,
  resting,
} from './directions.ts';
import { HOURS, stretch } from './hours.ts';
import type { Mishap } from './mishaps.ts';

const partFills = (of: 'some' | 'placed'): Mishap[] =>
  everySeconds('15:02:00', 60, 22).map((at) => ({ kind: 'part_fill', at, of }));

/** Days on which one of a broker's sources is silent, or tells less than another one. */
export const DIRECTIONS_ABOUT_SILENCE: Directions<
  | 'rows_gone'
  | 'ended_rows_gone'
  | 'quantities_shrink'
  | 'quantities_late'
  | 'unread_book'
  | 'cancels_undone'
  | 'restored'
> = {
  /**
   * Rows of orders that rest are gone for minutes, and the orders fill meanwhile: at first several at a time,
   * then one by one, when no other order has ended for a while.
   */
  rows_gone: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['primary', 'alt'] as const)).route,
    hours: { ...HOURS.session, placing: [stretch(6, '15:00:00', '15:09:00')] },
    mishaps: [
      ...everySeconds('15:02:00', 14, 30).map((at) => ({
        ...{ kind: 'own_row_hidden' as const, at, forMs: dice.pick([45_000, 90_000]) },
        what: dice.pick(['row', 'all'] as const),
        fills: 'whole' as const,
      })),
      ...everySeconds('15:15:00', 8, 100).map((at) => ({
        ...{ kind: 'own_row_hidden' as const, at, forMs: 80_000, what: 'row' as const },
        fills: 'part' as const,
      })),
    ],
    favourite: resting,
    watchful: true,
  }),
  /** Orders that were cancelled fill after their end, while their rows are gone: their trades alone tell it. */
  ended_rows_gone: (dice) => ({
    tradingRoute: brokerOf(dice.pick(['primary', 'primary', 'alt'] as const)).route,
    mishaps: everySeconds('15:04:00', 8, 150).map((at) => ({
      ...{ kind: 'late_fill' as const, at, inRow: true, rowGoneForMs: 80_000 },
    })),
    favourite: resting,
    watchful: true,
  }),
  /** Rows show as their quantity what remains to be filled, none of it once they have ended. */
  quantities_shrink: (dice) => {
    const { route, rule, book } = brokerOf(dice.pick(['alt', 'primary'] as const));
    const params = { mode: 'ended' };
    return {
      tradingRoute: route,
      faults: [rule('remaining_quantity', book, ['15:03:00', '15:24:00'], { params })],
      mishaps: partFills('some'),
      favourite: limit(0.97, [10, 20, 50]),
      watchful: true,
    };
  },
  /** Quantities are raised, and rows go on showing the old ones while the orders fill. */
  quantities_late: (dice) => {
    const { route, rule, book } = brokerOf(dice.pick(['alt', 'primary'] as const));
    return {
      tradingRoute: route,
      faults: [rule('quantity_lags', book, ['15:02:00', '15:24:00'])],
      mishaps: partFills('placed'),
      habit: 'raise',
      favourite: limit(0.97, [10, 20, 50]),
      watchful: true,
    };
  },
  /** The book cannot be read for twenty minutes, while orders in it rest and fill. */
  unread_book: (dice) => {
    const { route, rule, book, trades } = brokerOf(dice.pick(['alt', 'primary'] as const));
    const window = ['15:05:00', '15:25:00'] as const;
    return {
      tradingRoute: route,
      faults: [rule('error_before', book, window), rule('error_before', trades, window)],
      mishaps: partFills('some'),
      favourite: resting,
      watchful: true,
    };
  },
  /** Cancels are taken, and the orders work on; others never reach the broker, and are answered by nobody. */
  cancels_undone: (dice) => {
    const { route, rule, cancelling } = brokerOf(dice.pick(['primary', 'alt'] as const));
    const window = ['15:02:00', '15:22:00'] as const;
    return {
      tradingRoute: route,
      faults: [
        rule('cancel_undone', undefined, window, { probability: 0.6 }),
        rule('hang_before', cancelling, window, { probability: 0.3 }),
      ],
      habit: 'cancel_soon',
      favourite: resting,
    };
  },
  /** The data directory is restored from a backup of some minutes before. */
  restored: () => ({
    tradingRoute: brokerOf('alt').route,
    mishaps: [{ kind: 'restored', at: clock('15:12:00'), ofMs: 5 * MINUTE_MS }],
    favourite: resting,
  }),
};
