import type { Mishap } from './mishaps.ts';
import { brokerOf, type Direction, type Directions, everySeconds, order } from './directions.ts';
import type { FURTHER_WAY_OUT_DIRECTED_DAYS } from './directed-days.ts';
import type { PlannedCancelAll, PlannedClosing } from './planned-closing.ts';

const SHARES = 'NSE:INFY';
/** Far below the market, so that it rests. */
const FAR_PAISE = 139_500;

/**
 * `closings_mine`: three keys buy the shares that somebody else holds as well, with targets that rest; each closes what is its
 * own, at times twice at once, and every other target fills just before its cancel arrives. `cancels_elsewhere`: all
 * orders are cancelled while the disk takes nothing of the book, which shows what somebody has left resting in the broker's
 * own app; no order of the gateway is open.
 */
export const DIRECTIONS_ABOUT_WAYS_OUT: Directions<(typeof FURTHER_WAY_OUT_DIRECTED_DAYS)[number]> =
  {
    closings_mine: (dice): Direction => {
      const broker = dice.pick(['alt', 'primary'] as const);
      const { route } = brokerOf(broker);
      const others: Mishap = {
        ...{ kind: 'hand_order', at: everySeconds('15:00:20', 1, 0)[0] ?? 0, twin: false },
        broker: broker === 'alt' ? 'kite' : 'primary',
        order: { instrument: SHARES, side: 'BUY', quantity: 400, product: 'intraday' },
      };
      const closings = everySeconds('15:03:00', 12, 100).map((at, index): PlannedClosing => ({
        ...{ at, caller: `caller-${1 + (index % 3)}`, scope: 'mine', isNamed: true, side: null },
        ...{ isOfOne: false, holdings: [], hedge: null, thinMs: null, cancelledAfterMs: null },
        beside: index % 2 === 0 ? 'closing' : null,
      }));
      return {
        ...{ tradingRoute: route, mishaps: [others], closings, ordersEach: 24 },
        favourite: (of, priceOf) => {
          if (of.chance(0.6)) return order({ instrument: SHARES, quantity: 20 });
          const price = Math.round(priceOf(SHARES) * of.pick([1.002, 1.01]) * 2) / 2;
          return order({
            instrument: SHARES,
            side: 'SELL',
            quantity: 10,
            orderType: 'LIMIT',
            price,
          });
        },
      };
    },

    cancels_elsewhere: (dice): Direction => {
      const broker = dice.pick(['alt', 'primary'] as const);
      const { route } = brokerOf(broker);
      const times = everySeconds('15:03:00', 8, 150);
      const mishaps = times.flatMap((at, index): Mishap[] => [
        { kind: 'disk_full', at: at - 12_000, forMs: 60_000 },
        {
          ...{ kind: 'hand_order', at: at - 8_000, twin: false },
          broker: broker === 'alt' ? 'kite' : 'primary',
          order: {
            ...{ instrument: SHARES, side: 'BUY', quantity: 31 + index, product: 'intraday' },
            limitPaise: FAR_PAISE,
          },
        },
      ]);
      const cancelAlls = times.map((at): PlannedCancelAll => ({
        ...{ at, scope: 'account', caller: 'person', isNamed: dice.chance(0.5), side: null },
        ...{ byHand: 1, burst: 0 },
      }));
      return {
        ...{ tradingRoute: route, mishaps, cancelAlls, ordersEach: 2 },
        favourite: () => order({ instrument: SHARES, quantity: 10 }),
      };
    },
  };
