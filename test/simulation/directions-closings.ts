import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import type { HandOrder } from '../../sandbox/kernel/inspector.ts';
import type { Dice } from './dice.ts';
import { brokerOf, type Direction, type Directions, everySeconds, order } from './directions.ts';
import type { Mishap } from './mishaps.ts';
import type { Favourite } from './plan.ts';
import type { PlannedClosing } from './planned-closing.ts';
import type { PlannedExit } from './planned-exit.ts';

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

/** Shares that are traded for the day just before their exit, and a while before. */
const TRADED = ['NSE:INFY', 'NSE:ITC'] as const;

/** What they cost, roughly. */
const AROUND_PAISE: Readonly<Record<string, number>> = { 'NSE:INFY': 150_000, 'NSE:ITC': 41_200 };

const exitAt = (at: number, instrument: string): PlannedExit => ({
  ...{ at, of: 'share', instrument, caller: 'caller-1', isPart: false, isNamed: true },
  ...{ beside: null, thinMs: null, cancelledAfterMs: null, burst: 0 },
});

const WINDOW = ['14:59:00', '15:26:00'] as const;

/**
 * `positions_unread`: all positions are closed while the row of the short option cannot be read, so that what covers it
 * has to stay. `positions_gone`: the same while reads now and then lack the row of the short option, or of shares. `positions_late`: exits and closings of what was traded a moment ago, and a while ago, while positions and
 * holdings are seconds behind the order book, or a minute. `positions_split`: the same while the quantities of the
 * positions are behind what they say was traded, or the other way round. `rows_twice`: the same while each row of the order book, the
 * positions and the holdings comes twice, in the book also as it was seconds ago; what others have left resting counts once.
 */
export const DIRECTIONS_ABOUT_CLOSINGS: Directions<
  'positions_unread' | 'positions_gone' | 'positions_late' | 'positions_split' | 'rows_twice'
> = {
  rows_twice: (dice: Dice): Direction => {
    const broker = dice.pick(['alt', 'primary'] as const);
    const hand = broker === 'alt' ? 'kite' : 'primary';
    const { route, rule, book, portfolio } = brokerOf(broker);
    const times = everySeconds('15:03:00', 8, 150);
    const window = ['14:59:00', '15:26:00'] as const;
    const placed = (at: number, order: Omit<HandOrder, 'product'>): Mishap => ({
      ...{ kind: 'hand_order', at, twin: false, broker: hand },
      order: { ...order, product: 'intraday' },
    });
    const instrumentAt = (index: number): string => TRADED[index % 2] ?? TRADED[0];
    return {
      ...{ ordersEach: 6, tradingRoute: route },
      faults: [
        rule('rows_twice', book, window, { params: { ageMs: dice.pick([3_000, 20_000]) } }),
        rule('rows_twice', portfolio, window),
      ],
      mishaps: times.flatMap((at, index) => {
        const instrument = instrumentAt(index);
        const side = dice.pick(['BUY', 'SELL'] as const);
        const away = side === 'BUY' ? 1.03 : 0.97;
        const limitPaise = Math.round(((AROUND_PAISE[instrument] ?? 0) * away) / 100) * 100;
        return [
          placed(at - dice.pick([50_000, 12_000]), { instrument, side, quantity: 30 }),
          // It would close a part of what was traded, and rests beside the exit.
          ...(dice.chance(0.5)
            ? [
                placed(at - 8_000, {
                  ...{ instrument, side: side === 'BUY' ? 'SELL' : 'BUY', quantity: 10 },
                  limitPaise,
                } as const),
              ]
            : []),
        ];
      }),
      exits: times.flatMap((at, index) =>
        index % 4 === 3 ? [] : [exitAt(at, instrumentAt(index))],
      ),
      closings: times.filter((_, index) => index % 4 === 3).map(closingAt),
    };
  },

  positions_late: (dice) =>
    afterTrades(dice, (of, { rule, portfolio }) =>
      rule('late_positions', portfolio, WINDOW, {
        params: { ageMs: of.pick([4_000, 20_000, 60_000]) },
      }),
    ),

  positions_split: (dice) =>
    afterTrades(dice, (of, { rule }) =>
      rule('split_positions', { method: 'GET', path: '/portfolio/positions' }, WINDOW, {
        params: { ageMs: of.pick([2_500, 6_000, 30_000]), of: of.pick(['quantity', 'traded']) },
      }),
    ),

  positions_unread: (dice) =>
    closingsOfSpread(dice, (at, { rule, read }, index) =>
      // Of the last closing every row can be read.
      index === 3
        ? []
        : [
            {
              ...rule('bad_position', read, ['15:00:00', '15:00:00'], {
                params: { form: index < 2 ? index : dice.pick([0, 1, 2]), of: STRIKE },
              }),
              ...{ from: at - 15_000, until: at + 150_000 },
            },
          ],
    ),

  positions_gone: (dice) =>
    closingsOfSpread(dice, (at, { rule, read }) =>
      [STRIKE, 'INFY'].map((of) => ({
        ...rule('bad_position', read, ['15:00:00', '15:00:00'], {
          probability: dice.pick([0.1, 0.2, 0.3]),
          params: { form: 4, of },
        }),
        ...{ from: at - 15_000, until: at + 150_000 },
      })),
    ),
};

/** All positions are closed, four times: a short option, a long one that covers it, and shares. */
function closingsOfSpread(
  dice: Dice,
  faultsAt: (
    at: number,
    of: { readonly rule: ReturnType<typeof brokerOf>['rule']; readonly read: FaultRule['match'] },
    index: number,
  ) => readonly FaultRule[],
): Direction {
  const broker = dice.pick(['alt', 'primary'] as const);
  const hand = broker === 'alt' ? 'kite' : 'primary';
  const { route, rule } = brokerOf(broker);
  const read = { method: 'GET', path: '/portfolio/positions' };
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
    faults: TIMES.flatMap((at, index) => faultsAt(at, { rule, read }, index)),
    closings: TIMES.map(closingAt),
  };
}

/**
 * Exits and closings of what was traded just before, and a while before, while a fault spoils the positions. `agos`: how long
 * before, ms.
 */
export function afterTrades(
  dice: Dice,
  fault: (dice: Dice, at: ReturnType<typeof brokerOf>) => FaultRule,
  agos: readonly number[] = [100_000, 50_000, 12_000],
): Direction {
  const broker = dice.pick(['alt', 'primary'] as const);
  const hand = broker === 'alt' ? 'kite' : 'primary';
  const { route } = brokerOf(broker);
  const times = everySeconds('15:03:00', 8, 150);
  const traded = (at: number, instrument: string, side: 'BUY' | 'SELL'): Mishap => ({
    ...{ kind: 'hand_order', at, twin: false, broker: hand },
    order: { instrument, side, quantity: 30, product: 'intraday' },
  });
  const instrumentAt = (index: number): string => TRADED[index % 2] ?? TRADED[0];
  return {
    ...{ ordersEach: 6, tradingRoute: route },
    faults: [fault(dice, brokerOf(broker))],
    mishaps: times.flatMap((at, index) => {
      const instrument = instrumentAt(index);
      const [first, then] = dice.chance(0.5)
        ? (['BUY', 'SELL'] as const)
        : (['SELL', 'BUY'] as const);
      const ago = dice.pick(agos);
      return [
        traded(at - ago, instrument, first),
        // It closes half of the time what the other one has opened.
        ...(dice.chance(0.5) ? [traded(at - ago + 8_000, instrument, then)] : []),
      ];
    }),
    exits: times.flatMap((at, index) => (index % 4 === 3 ? [] : [exitAt(at, instrumentAt(index))])),
    closings: times.filter((_, index) => index % 4 === 3).map(closingAt),
  };
}
