import type { Dice } from './dice.ts';
import {
  brokerOf,
  type Direction,
  type Directions,
  everySeconds,
  MINUTE_MS,
  order,
} from './directions.ts';
import type { ExitDirectedDay } from './directed-days.ts';
import type { Mishap } from './mishaps.ts';
import type { Favourite } from './plan.ts';
import type { PlannedExit } from './planned-exit.ts';

const SHARES = ['NSE:INFY', 'NSE:SBIN', 'NSE:ITC'] as const;
/** Prices above the market, paise. */
const ABOVE = { 'NSE:INFY': 158_000, 'NSE:SBIN': 92_000, 'NSE:ITC': 43_500 } as const;
/** When the exits of these days are asked for: one after the other. */
const TIMES = everySeconds('15:02:00', 7, 150);

/** What callers place beside: it rests, and is of none of the shares of an exit. */
const far: Favourite = (_dice, priceOf) => {
  const instrument = 'NSE:SBIN';
  const price = Math.round(priceOf(instrument) * 0.97 * 2) / 2;
  return order({ instrument, orderType: 'LIMIT', price, quantity: 5 });
};

const exitOf = (at: number, instrument: string, more: Partial<PlannedExit> = {}): PlannedExit => ({
  ...{ at, of: 'share', instrument, caller: 'caller-1', isPart: false, isNamed: true },
  ...{ beside: null, thinMs: null, cancelledAfterMs: null, burst: 0 },
  ...more,
});

/** Somebody has bought, or sold short, some shares for the day in the broker's own app. */
const traded = (
  at: number,
  broker: 'kite' | 'primary',
  order: { instrument: string; side: 'BUY' | 'SELL'; quantity: number; limitPaise?: number },
): Mishap => ({
  ...{ kind: 'hand_order', at, twin: false, broker },
  order: { ...order, product: 'intraday' },
});

/** Before each exit somebody buys the shares, and leaves an order resting that would sell some of them, until it is filled by hand. */
const restingBeside = (hand: 'kite' | 'primary'): Mishap[] =>
  TIMES.flatMap((at, index) => {
    const instrument = SHARES[index % 2 === 0 ? 0 : 2];
    const limitPaise = ABOVE[instrument];
    return [
      traded(at - MINUTE_MS, hand, { instrument, side: 'BUY', quantity: 30 }),
      traded(at - 40_000, hand, { instrument, side: 'SELL', quantity: 20, limitPaise }),
    ];
  });

function spelledOrders(broker: 'alt' | 'primary'): Direction {
  const { route, rule, book } = brokerOf(broker);
  const forms = ['words', broker === 'alt' ? 'less' : 'words', 'nothing', 'words'];
  return {
    ...{ ordersEach: 4, tradingRoute: route, remarks: true, favourite: far },
    faults: TIMES.map((at, index) =>
      rule('spelled_rows', book, ['15:00:00', '15:00:00'], {
        ...{ from: at - 2 * MINUTE_MS, until: at + 30_000 },
        params: { form: forms[index % forms.length] ?? 'words' },
      }),
    ),
    mishaps: restingBeside(broker === 'alt' ? 'kite' : 'primary'),
    exits: TIMES.map((at, index) => exitOf(at, SHARES[index % 2 === 0 ? 0 : 2])),
  };
}

/**
 * Directed days about exits. `exits_between_reads`: while an exit reads what the account has, an order fills that
 * rested for the position. `exits_after_others`: somebody else has closed the position since the account was read
 * for another exit, by orders that no book shows. `exits_rest_between`: while an exit that may cancel orders placed
 * elsewhere reads what the account has, such an order begins to rest for all of the position. `exits_beside_sales`: a moment after an exit was asked for, another program sells the same shares through
 * the gateway. `rows_spelled`, and the same at the primary brokerage: just before a leg
 * arrives, an order fills that rests for its position, and whose row is spelled otherwise, or has quantities that contradict one another. `exit_answers_lost`: the answer to a leg is lost. `exit_prices`: a LIMIT of an exit is refused for its price, and nobody trades for a while;
 * its program places many orders at the moment of some of them.
 */
export const DIRECTIONS_ABOUT_EXITS: Directions<
  | ExitDirectedDay
  | 'exits_after_others'
  | 'exits_rest_between'
  | 'exits_beside_sales'
  | 'rows_spelled'
  | 'rows_spelled_primary'
> = {
  exits_rest_between: (dice: Dice): Direction => {
    const broker = dice.pick(['alt', 'primary'] as const);
    const hand = broker === 'alt' ? 'kite' : 'primary';
    const mishaps = TIMES.map((at, index) => {
      const instrument = SHARES[index % 2 === 0 ? 0 : 2];
      return traded(at - MINUTE_MS, hand, { instrument, side: 'BUY', quantity: 30 });
    });
    const exits = TIMES.map((at, index) =>
      exitOf(at, SHARES[index % 2 === 0 ? 0 : 2], { cancelExternal: true }),
    );
    const { route } = brokerOf(broker);
    return { ordersEach: 2, tradingRoute: route, mishaps, exits, favourite: far };
  },
  exits_beside_sales: (dice: Dice): Direction => {
    const broker = dice.pick(['alt', 'primary'] as const);
    const hand = broker === 'alt' ? 'kite' : 'primary';
    const mishaps = TIMES.map((at, index) => {
      const instrument = SHARES[index % 2 === 0 ? 0 : 2];
      return traded(at - MINUTE_MS, hand, { instrument, side: 'BUY', quantity: 30 });
    });
    const exits = TIMES.map((at, index) =>
      exitOf(at, SHARES[index % 2 === 0 ? 0 : 2], {
        sale: { afterMs: dice.between(10, 1_500), quantity: dice.pick([30, 30, 20]) },
      }),
    );
    const { route } = brokerOf(broker);
    return { ordersEach: 2, tradingRoute: route, mishaps, exits, favourite: far };
  },
  rows_spelled: () => spelledOrders('alt'),
  rows_spelled_primary: () => spelledOrders('primary'),
  exits_between_reads: (dice: Dice): Direction => {
    const broker = dice.pick(['alt', 'primary'] as const);
    const hand = broker === 'alt' ? 'kite' : 'primary';
    const mishaps = TIMES.flatMap((at, index) => {
      const instrument = SHARES[index % SHARES.length] ?? 'NSE:INFY';
      // Above the market: it rests until it is filled by hand.
      const limitPaise = ABOVE[instrument];
      return [
        traded(at - MINUTE_MS, hand, { instrument, side: 'BUY', quantity: 30 }),
        traded(at - 40_000, hand, { instrument, side: 'SELL', quantity: 20, limitPaise }),
      ];
    });
    const exits = TIMES.map((at, index) => exitOf(at, SHARES[index % SHARES.length] ?? ''));
    return { ordersEach: 4, tradingRoute: brokerOf(broker).route, mishaps, exits };
  },
  exits_after_others: (dice: Dice): Direction => {
    const broker = dice.pick(['alt', 'primary'] as const);
    const hand = broker === 'alt' ? 'kite' : 'primary';
    const { route, rule, book } = brokerOf(broker);
    const first = 'NSE:ITC';
    const then = 'NSE:INFY';
    const mishaps = TIMES.flatMap((at) => [
      traded(at - 70_000, hand, { instrument: first, side: 'BUY', quantity: 30 }),
      traded(at - 65_000, hand, { instrument: then, side: 'BUY', quantity: 30 }),
      traded(at - 20_000, hand, { instrument: then, side: 'SELL', quantity: 30 }),
    ]);
    return {
      ...{ ordersEach: 2, tradingRoute: route, mishaps, favourite: far },
      faults: [rule('foreign_hidden', book, ['14:59:00', '15:25:00'])],
      exits: TIMES.flatMap((at) => [exitOf(at - 45_000, first), exitOf(at, then)]),
    };
  },
  exit_answers_lost: (dice: Dice): Direction => {
    const { route, rule, placing } = brokerOf('alt');
    const faults = TIMES.map((at) =>
      rule(dice.pick(['reset_after', 'cut_after']), placing, ['15:00:00', '15:00:00'], {
        ...{ from: at, until: at + 8_000, times: 1 },
      }),
    );
    const mishaps = TIMES.map((at, index) => {
      const instrument = SHARES[index % SHARES.length] ?? '';
      return traded(at - MINUTE_MS, 'kite', { instrument, side: 'BUY', quantity: 30 });
    });
    const exits = TIMES.map((at, index) => exitOf(at, SHARES[index % SHARES.length] ?? ''));
    return { ordersEach: 4, tradingRoute: route, faults, mishaps, exits };
  },
  exit_prices: (dice: Dice): Direction => {
    const { route, rule, placing } = brokerOf('alt');
    const body = JSON.stringify({
      status: 'error',
      message: 'The limit price is outside the circuit limits',
      ...{ data: null, error_type: 'OrderException' },
    });
    const faults = TIMES.map((at) =>
      rule('error_before', placing, ['15:00:00', '15:00:00'], {
        ...{ from: at, until: at + 8_000, times: 1, params: { status: 400, body } },
      }),
    );
    const side = dice.pick(['BUY', 'SELL'] as const);
    const mishaps = TIMES.map((at, index) => {
      const instrument = SHARES[index % SHARES.length] ?? '';
      return traded(at - MINUTE_MS, 'kite', { instrument, side, quantity: 30 });
    });
    const exits = TIMES.map((at, index) =>
      exitOf(at, SHARES[index % SHARES.length] ?? '', {
        ...{ thinMs: 60_000, burst: index % 3 === 2 ? 60 : 0 },
      }),
    );
    return { ordersEach: 4, tradingRoute: route, faults, mishaps, exits };
  },
};
