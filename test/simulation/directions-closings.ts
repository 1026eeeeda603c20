import type { Dice } from './dice.ts';
import { brokerOf, type Direction, type Directions, everySeconds, order } from './directions.ts';
import type { Mishap } from './mishaps.ts';
import type { Favourite } from './plan.ts';
import type { PlannedClosing } from './planned-closing.ts';

/** When all positions are to be closed: what an earlier closing has left is still there. */
const TIMES = everySeconds('15:03:00', 4, 240);
/** In the row of the short option, at both brokers. */
const STRIKE = '24450';
const SHORT = 'NFO:NIFTY26NOV24450CE';
const LONG = 'NFO:NIFTY26NOV24500CE';

/** What callers place beside: it rests, and is of none of the instruments that are closed. */
const far: Favourite = (_dice, priceOf) => {
  const instrument = 'NSE:SBIN';
  const price = Math.round(priceOf(instrument) * 0.97 * 2) / 2;
  return order({ instrument, orderType: 'LIMIT', price, quantity: 5 });
};

const closingAt = (at: number): PlannedClosing => ({
  ...{ at, caller: 'person', scope: 'account', isNamed: false, side: null, isOfOne: false },
  ...{ holdings: [], hedge: null, beside: null, thinMs: null, cancelledAfterMs: null },
});

/**
 * `positions_unread`: all positions are closed while the row of the short option cannot be read, so that what covers it
 * has to stay.
 */
export const DIRECTIONS_ABOUT_CLOSINGS: Directions<'positions_unread'> = {
  positions_unread: (dice: Dice): Direction => {
    const broker = dice.pick(['alt', 'primary'] as const);
    const hand = broker === 'alt' ? 'kite' : 'primary';
    const { route, rule } = brokerOf(broker);
    const match = { method: 'GET', path: '/portfolio/positions' };
    const traded = (
      at: number,
      instrument: string,
      side: 'BUY' | 'SELL',
      quantity: number,
    ): Mishap => ({
      ...{ kind: 'hand_order', at, twin: false, broker: hand },
      order: {
        ...{ instrument, side, quantity },
        product: instrument.startsWith('NFO') ? ('carry' as const) : ('intraday' as const),
      },
    });
    return {
      ...{ ordersEach: 3, tradingRoute: route, favourite: far },
      mishaps: TIMES.flatMap((at) => [
        traded(at - 50_000, LONG, 'BUY', 195),
        traded(at - 45_000, SHORT, 'SELL', 195),
        traded(at - 40_000, 'NSE:INFY', 'BUY', 30),
      ]),
      // Of the last closing every row can be read.
      faults: [0, 1, dice.pick([0, 1, 2])].map((form, index) => {
        const at = TIMES[index] ?? 0;
        return {
          ...rule('bad_position', match, ['15:00:00', '15:00:00'], {
            params: { form, of: STRIKE },
          }),
          ...{ from: at - 15_000, until: at + 150_000 },
        };
      }),
      closings: TIMES.map(closingAt),
    };
  },
};
