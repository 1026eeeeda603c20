import { createDice, type Dice } from './dice.ts';
import type { DayKind } from './hours.ts';
import type { Mishap } from './mishaps.ts';
import { momentIn } from './plan-faults.ts';
import { nearTheClose, troubleAround } from './plan-exits.ts';
import type { CrashPlan, SeedPlan } from './plan.ts';
import type { PlannedCancelAll, PlannedClosing } from './planned-closing.ts';

export interface PlannedClosings {
  readonly closings: readonly PlannedClosing[];
  readonly cancelAlls: readonly PlannedCancelAll[];
  readonly mishaps: readonly Mishap[];
  readonly crashes: readonly CrashPlan[];
}

const NOTHING: PlannedClosings = { closings: [], cancelAlls: [], mishaps: [], crashes: [] };
/** No order of a caller is of these quantities, so that none is the twin of one by hand. */
const SHARES = 30;
const UNITS = 195;
const PROGRAMS = ['caller-1', 'caller-2', 'caller-3'] as const;

/**
 * On one rich day in three, one or two closings of all positions, and on one in three cancels of many orders,
 * with troubles of their own around them. All is drawn from streams of their own.
 */
export function planClosings(plan: SeedPlan, kind: DayKind): PlannedClosings {
  const closings = planSome(`${plan.seed}/rich/closings`, (dice) => planClosing(plan, kind, dice));
  const cancels = planSome(`${plan.seed}/rich/cancel_all`, (dice) =>
    planCancelAll(plan, kind, dice),
  );
  return [...closings, ...cancels].reduce(
    (sum, each) => ({
      closings: [...sum.closings, ...each.closings],
      cancelAlls: [...sum.cancelAlls, ...each.cancelAlls],
      mishaps: [...sum.mishaps, ...each.mishaps],
      crashes: [...sum.crashes, ...each.crashes],
    }),
    NOTHING,
  );
}

function planSome(stream: string, plan: (dice: Dice) => PlannedClosings): PlannedClosings[] {
  const dice = createDice(stream);
  if (!dice.chance(0.34)) return [];
  return Array.from({ length: dice.whole(1, 2) }, () => plan(dice));
}

function momentOf({ hours }: SeedPlan, kind: DayKind, dice: Dice): number {
  if (kind !== 'night' && dice.chance(0.12)) return nearTheClose(dice, hours.evening);
  const opens = kind === 'night' ? [hours.cleared ?? hours.placing.at(-1)!] : hours.placing;
  return momentIn(dice, opens);
}

function planClosing(plan: SeedPlan, kind: DayKind, dice: Dice): PlannedClosings {
  const at = momentOf(plan, kind, dice);
  const scope = dice.chance(0.5) ? 'mine' : 'account';
  const hedge = dice.pick(['by_hand', 'by_hand', 'by_caller', 'by_caller', null] as const);
  const closing: PlannedClosing = {
    ...{ at, scope, hedge, caller: scope === 'mine' ? dice.pick(PROGRAMS) : 'person' },
    isNamed: dice.chance(0.6),
    side: dice.chance(0.15) ? dice.pick(['BUY', 'SELL'] as const) : null,
    isOfOne: dice.chance(0.1),
    holdings: dice.chance(0.4) ? [dice.pick(['NSE:INFY', 'NSE:SBIN'])] : [],
    beside: dice.chance(0.4) ? dice.pick(['closing', 'exit', 'cancel_all'] as const) : null,
    thinMs: dice.chance(0.4) ? dice.pick([6_000, 14_000, 25_000, 50_000]) : null,
    cancelledAfterMs: dice.chance(0.1) ? dice.whole(200, 20_000) : null,
  };
  const { crashes, mishaps } = troubleAround(dice, at);
  const hands = hedge === 'by_hand' ? handHedge(plan, dice, at) : [];
  return { ...NOTHING, closings: [closing], crashes, mishaps: [...hands, ...mishaps] };
}

/** Somebody has sold an option short in the broker's own app, and bought another one that covers it. */
function handHedge({ tradingRoute }: SeedPlan, dice: Dice, at: number): Mishap[] {
  const live = tradingRoute.filter((each) => each !== 'paper');
  const broker = dice.pick(live) === 'alt' ? 'kite' : 'primary';
  const product = dice.pick(['intraday', 'carry'] as const);
  const right = dice.pick(['CE', 'PE'] as const);
  const strike = 23_950 + 50 * dice.whole(8, 12);
  const orders = [
    { instrument: `NFO:NIFTY26NOV${strike}${right}`, side: 'SELL', quantity: UNITS } as const,
    { instrument: `NFO:NIFTY26NOV${strike + 50}${right}`, side: 'BUY', quantity: UNITS } as const,
    ...(dice.chance(0.4)
      ? [
          {
            instrument: dice.pick(['NSE:INFY', 'NSE:SBIN']),
            side: dice.pick(['BUY', 'SELL'] as const),
            quantity: SHARES,
          },
        ]
      : []),
  ];
  return orders.map((order, index) => ({
    ...{ kind: 'hand_order', twin: false, broker },
    at: at - dice.whole(20_000, 60_000) - index * 1_000,
    order: { ...order, product: order.instrument.startsWith('NFO') ? product : 'intraday' },
  }));
}

function planCancelAll(plan: SeedPlan, kind: DayKind, dice: Dice): PlannedClosings {
  const at = momentOf(plan, kind, dice);
  const scope = dice.chance(0.4) ? 'mine' : 'account';
  const cancel: PlannedCancelAll = {
    ...{ at, scope, caller: scope === 'mine' ? dice.pick(PROGRAMS) : 'person' },
    isNamed: dice.chance(0.4),
    side: dice.chance(0.15) ? dice.pick(['BUY', 'SELL'] as const) : null,
    byHand: scope === 'account' ? dice.whole(0, 3) : 0,
    burst: dice.chance(0.3) ? dice.whole(5, 25) : 0,
  };
  const live = plan.tradingRoute.filter((each) => each !== 'paper');
  const hands = Array.from({ length: cancel.byHand }, (_, index): Mishap => {
    const broker = dice.pick(live) === 'alt' ? 'kite' : 'primary';
    const product = 'intraday';
    // Far from the market, so that it rests; no order of a caller is of these quantities.
    const order = { instrument: 'NSE:INFY', side: 'BUY', product, quantity: 31 + index } as const;
    return {
      ...{ kind: 'hand_order', at: at - dice.whole(20_000, 90_000), twin: false, broker },
      order: { ...order, limitPaise: 139_500 },
    };
  });
  const { crashes, mishaps } = troubleAround(dice, at);
  return { ...NOTHING, cancelAlls: [cancel], crashes, mishaps: [...hands, ...mishaps] };
}
