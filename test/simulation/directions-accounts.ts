import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import type { HandOrder } from '../../sandbox/kernel/inspector.ts';
import type { BrokerId } from '../../src/domain/broker.ts';
import type { Dice } from './dice.ts';
import type { AccountDirectedDay } from './directed-days.ts';
import { brokerOf, type Direction, type Directions, everySeconds, order } from './directions.ts';
import { afterTrades } from './directions-closings.ts';
import type { Mishap } from './mishaps.ts';
import type { Favourite } from './plan.ts';
import type { PlannedClosing } from './planned-closing.ts';
import type { PlannedExit } from './planned-exit.ts';
import type { LiveBroker } from './traffic.ts';

const WINDOW = ['14:59:00', '15:26:00'] as const;
/** When exits of these days are asked for: one after the other. */
const TIMES = everySeconds('15:03:00', 8, 150);
/** How many prices of a row can be a text, at the broker with more of them. */
const PRICES = 9;

type Hand = FaultRule['broker'];

const exitOf = (at: number, instrument: string, more: Partial<PlannedExit> = {}): PlannedExit => ({
  ...{ at, of: 'share', instrument, caller: 'caller-1', isPart: false, isNamed: true },
  ...{ beside: null, thinMs: null, cancelledAfterMs: null, burst: 0 },
  ...more,
});

const closingAt = (at: number, holdings: readonly string[]): PlannedClosing => ({
  ...{ at, caller: 'person', scope: 'account', isNamed: false, side: null, isOfOne: false },
  ...{ holdings, hedge: null, beside: null, thinMs: null, cancelledAfterMs: null },
});

const byHand = (at: number, broker: Hand, order: HandOrder): Mishap => ({
  ...{ kind: 'hand_order', at, twin: false, broker, order },
});

/** What callers place beside: it rests, and is of nothing that is ended. */
const far: Favourite = (_dice, priceOf) => {
  const price = Math.round(priceOf('NSE:SBIN') * 0.97 * 2) / 2;
  return order({ instrument: 'NSE:SBIN', orderType: 'LIMIT', price, quantity: 5 });
};

/** Held as delivery shares, and listed on both exchanges. */
const HELD = { alt: ['INFY', 'SBIN', 'TCS'], primary: ['RELIANCE', 'HDFCBANK'] } as const;
const EXCHANGES = ['NSE', 'BSE'] as const;

function onTwoExchanges(dice: Dice): Direction {
  const route = dice.pick<readonly BrokerId[]>([
    ['alt', 'paper'],
    ['primary', 'paper'],
    ['alt', 'primary', 'paper'],
  ]);
  const live = route.filter((each): each is LiveBroker => each !== 'paper');
  const accounts = live.map((each) => brokerOf(each));
  const nameOf = (own: Dice, share: string): string => `${own.pick(EXCHANGES)}:${share}`;
  const mishaps: Mishap[] = [];
  const exits: PlannedExit[] = [];
  const closings: PlannedClosing[] = [];
  for (const [index, at] of TIMES.entries()) {
    const broker = live[index % live.length] ?? 'alt';
    const share = HELD[broker][index % HELD[broker].length] ?? 'INFY';
    const hand = broker === 'alt' ? 'kite' : 'primary';
    const product = 'delivery' as const;
    const before = dice.pick([60_000, 20_000, 18_000, 17_000]);
    const instrument = nameOf(dice, share);
    const other = `${instrument.startsWith('NSE') ? 'BSE' : 'NSE'}:${share}`;
    if (dice.chance(0.7)) {
      const name = dice.chance(0.7) ? other : instrument;
      const sale = { instrument: name, side: 'SELL', quantity: 15, product } as const;
      mishaps.push(byHand(at - before, hand, sale));
    }
    if (dice.chance(0.4)) {
      const name = nameOf(dice, share);
      const bought = { instrument: name, side: 'BUY', quantity: 20, product } as const;
      mishaps.push(byHand(at - before - 20_000, hand, bought));
    }
    if (index % 4 === 3) closings.push(closingAt(at, [instrument]));
    else exits.push(exitOf(at, instrument, { product: 'CNC', isPart: dice.chance(0.3) }));
  }
  const broker = live[0] ?? 'alt';
  return {
    ...{ ordersEach: 5, tradingRoute: route, mishaps, exits, closings },
    listsIsins: dice.chance(0.7),
    faults: accounts.map(({ rule, portfolio }) =>
      rule('late_positions', portfolio, WINDOW, {
        params: { ageMs: dice.pick([4_000, 22_000, 26_000, 40_000]) },
      }),
    ),
    favourite: (own) =>
      order({
        ...{
          instrument: nameOf(own, own.pick(HELD[broker])),
          side: own.pick(['SELL', 'SELL', 'BUY']),
        },
        ...{ quantity: own.pick([2, 3]), product: 'CNC' },
      }),
  };
}

type Trouble = 'once' | 'twice' | 'fails' | 'both' | 'ignored' | 'alone';

/** Of days on which lists fail, and of those on which questions are ignored as well. */
const FAILING: readonly Trouble[] = ['once', 'twice', 'fails', 'fails', 'fails'];
const IGNORED: readonly Trouble[] = ['both', 'both', 'both', 'both', 'ignored', 'alone'];

/** What of the lists of positions is wrong around the moment of an exit; `list` is the one that fails. */
function listFaults(dice: Dice, at: number, trouble: Trouble, list: string): FaultRule[] {
  const [from, until] = [at - 5_000, at + dice.pick([12_000, 60_000, 60_000])];
  const { rule } = brokerOf('primary');
  const of = (query?: string): FaultRule['match'] => ({
    ...{ method: 'GET', path: '/portfolio/positions' },
    ...(query === undefined ? {} : { query }),
  });
  const failing = (times: number): FaultRule => {
    const rest = { from, until, times };
    return dice.chance(0.3)
      ? rule('rate_limited', of(list), WINDOW, { ...rest, params: { retryAfter: 1 } })
      : rule('error_before', of(list), WINDOW, {
          ...{ ...rest, params: { status: dice.pick([500, 502, 503]) } },
        });
  };
  const older = (form: string): FaultRule =>
    rule('older_positions', of(), WINDOW, { from, until, params: { form } });
  switch (trouble) {
    case 'once':
      return [failing(1)];
    case 'twice':
      return [failing(2)];
    case 'fails':
      return [failing(100_000)];
    case 'both':
      return [failing(100_000), older('ignored')];
    default:
      return [older(trouble)];
  }
}

const TRADED = ['NSE:ITC', 'NSE:INFY'] as const;
const PRODUCTS = { INTRADAY: 'intraday', CNC: 'delivery' } as const;
const LISTS = {
  INTRADAY: 'segment=equity&product=intraday',
  CNC: 'segment=equity&product=cnc',
} as const;

function failedLists(dice: Dice, troubles: readonly Trouble[]): Direction {
  const { route, rule, book, trades } = brokerOf('primary');
  const mishaps: Mishap[] = [];
  const exits: PlannedExit[] = [];
  const closings: PlannedClosing[] = [];
  const faults: FaultRule[] = [];
  const option = 'NFO:NIFTY26NOV24450CE';
  for (const [index, at] of TIMES.entries()) {
    const instrument = TRADED[index % 2] ?? TRADED[0];
    const products = ['INTRADAY', 'CNC'] as const;
    const product = dice.pick(products);
    const before = dice.pick([50_000, 20_000]);
    const bought = { instrument, side: 'BUY', quantity: 30, product: PRODUCTS[product] } as const;
    mishaps.push(byHand(at - before, 'primary', bought));
    if (index % 4 === 0) {
      const own = { instrument: option, side: 'BUY', quantity: 65, product: 'carry' } as const;
      mishaps.push(byHand(at - before, 'primary', own));
    }
    const trouble = dice.pick(troubles);
    // Of what was bought, or of the same share under the other product, whose list has it where the question is ignored.
    const isOther = trouble === 'both' ? dice.chance(0.8) : dice.chance(0.2);
    const of = isOther ? (products.find((each) => each !== product) ?? product) : product;
    if (index % 4 === 3) closings.push(closingAt(at, []));
    else exits.push(exitOf(at, instrument, { product: of }));
    const list = dice.chance(0.15) ? 'segment=derivative' : LISTS[product];
    faults.push(...listFaults(dice, at, trouble, list));
  }
  // On most of the days nothing but the positions tells what was traded in the app.
  const hidden = dice.chance(0.7) ? [book, trades] : [];
  return {
    ...{ ordersEach: 5, tradingRoute: route, mishaps, exits, closings, favourite: far },
    faults: [...faults, ...hidden.map((match) => rule('foreign_hidden', match, WINDOW))],
  };
}

/** Near the money: what they cost is far above the price up to which the protection is a sum. */
const OPTIONS = ['24400PE', '24450CE', '24450PE', '24500CE'] as const;

function outsideProtection(dice: Dice): Direction {
  // The time of the last trade, without which there is no price protection, is in the quotes of one broker alone.
  const tradingRoute = dice.pick([
    ['alt', 'paper'],
    ['alt', 'primary', 'paper'],
  ] as const);
  const mishaps: Mishap[] = [];
  const exits: PlannedExit[] = [];
  for (const [index, at] of TIMES.entries()) {
    const hand = tradingRoute.length === 3 && dice.chance(0.6) ? 'primary' : 'kite';
    const instrument = `NFO:NIFTY26NOV${OPTIONS[index % OPTIONS.length] ?? '24450CE'}`;
    const side = dice.pick(['BUY', 'BUY', 'SELL'] as const);
    mishaps.push(byHand(at - 40_000, hand, { instrument, side, quantity: 130, product: 'carry' }));
    const parted = { share: dice.pick([0.45, 0.55]), forMs: dice.pick([15_000, 33_000, 60_000]) };
    exits.push(exitOf(at, instrument, { of: 'option', product: 'MARGIN', parted }));
  }
  return {
    ...{ ordersEach: 5, tradingRoute, mishaps, exits, favourite: far },
  };
}

/**
 * Days about what an account tells, and the market. `prices_unread`: exits and closings of what was traded a moment ago, while a price
 * or a profit of each row of the positions is a text and the positions are behind the order book. `two_exchanges`: delivery shares are
 * held under one name and traded under both, by hand and by the gateway, while positions are late. `lists_fail`: a list of the
 * primary brokerage's positions fails once, twice or for a while. `lists_ignored`: all come in the older form, also while one fails. `outside_protection`: nobody bids for an option
 * within the price protection for a while, so that a MARKET is the last attempt of its exit.
 */
export const DIRECTIONS_ABOUT_ACCOUNTS: Directions<AccountDirectedDay> = {
  prices_unread(dice) {
    const late = afterTrades(
      dice,
      (of, { rule, portfolio }) =>
        rule('late_positions', portfolio, WINDOW, {
          params: { ageMs: of.pick([2_500, 30_000, 45_000]) },
        }),
      [100_000, 50_000, 34_000],
    );
    const { rule } = brokerOf(late.tradingRoute?.[0] === 'alt' ? 'alt' : 'primary');
    const match = { method: 'GET', path: '/portfolio/positions' };
    const unread = TIMES.map((at) => ({
      ...rule('bad_position', match, WINDOW, {
        params: { form: 3, price: dice.whole(0, PRICES - 1) },
      }),
      ...{ from: at - 20_000, until: at + 130_000 },
    }));
    return { ...late, faults: [...(late.faults ?? []), ...unread] };
  },
  two_exchanges: onTwoExchanges,
  lists_fail: (dice) => failedLists(dice, FAILING),
  lists_ignored: (dice) => failedLists(dice, IGNORED),
  outside_protection: outsideProtection,
};
