import { createDice, type Dice } from './dice.ts';
import type { DayKind } from './hours.ts';
import { momentIn } from './plan-faults.ts';
import type { Mishap } from './mishaps.ts';
import type { CrashPlan, SeedPlan } from './plan.ts';
import type { PlannedExit } from './planned-exit.ts';

export interface PlannedExits {
  readonly exits: readonly PlannedExit[];
  readonly mishaps: readonly Mishap[];
  readonly crashes: readonly CrashPlan[];
}

const MINUTE_MS = 60_000;
/** No order of a caller is of these quantities, so that none is the twin of one by hand. */
const SHARES = 30;
const UNITS = 195;

/**
 * On one rich day in three, one to three ways out, with troubles of their own around them. All is drawn from
 * a stream of its own: the other days, and the rest of these, stay as they were.
 */
export function planExits(plan: SeedPlan, kind: DayKind): PlannedExits {
  const { seed, hours, tradingRoute } = plan;
  const bursts = createDice(`${seed}/rich/bursts`);
  const dice = createDice(`${seed}/rich/exits`);
  if (!dice.chance(0.34)) return { exits: [], mishaps: [], crashes: [] };
  const opens = kind === 'night' ? [hours.cleared ?? hours.placing.at(-1)!] : hours.placing;
  const exits: PlannedExit[] = [];
  const mishaps: Mishap[] = [];
  const crashes: CrashPlan[] = [];
  for (let left = dice.whole(1, 3); left > 0; left -= 1) {
    const isLate = kind !== 'night' && dice.chance(0.12);
    const at = isLate ? nearTheClose(dice, hours.evening) : momentIn(dice, opens);
    const of = dice.pick(['share', 'option', 'share', 'option', 'order'] as const);
    exits.push({
      ...{ at, of, caller: dice.pick(['caller-1', 'caller-2', 'caller-3']) },
      ...{ isPart: dice.chance(0.3), isNamed: dice.chance(0.5) },
      beside: dice.chance(0.25) ? dice.pick(['same', 'other'] as const) : null,
      thinMs: dice.chance(0.4) ? dice.pick([6_000, 14_000, 25_000, 50_000]) : null,
      cancelledAfterMs: dice.chance(0.1) ? dice.whole(200, 20_000) : null,
      burst: bursts.chance(0.2) ? bursts.whole(50, 70) : 0,
    });
    if (of !== 'order' && dice.chance(0.6)) {
      const live = tradingRoute.filter((each) => each !== 'paper');
      const broker = dice.pick(live) === 'alt' ? 'kite' : 'primary';
      mishaps.push(handOrderBefore(dice, at, of, broker));
    }
    const trouble = troubleAround(dice, at);
    mishaps.push(...trouble.mishaps);
    crashes.push(...trouble.crashes);
  }
  return { exits, mishaps, crashes };
}

/** What goes wrong at a way out. */
export function troubleAround(
  dice: Dice,
  at: number,
): { readonly mishaps: readonly Mishap[]; readonly crashes: readonly CrashPlan[] } {
  switch (dice.pick(['switch', 'disk', 'crash', 'crash', 'hands', null, null] as const)) {
    case 'switch':
      return { crashes: [], mishaps: [{ kind: 'kill_switch', at: at - 3_000, forMs: 90_000 }] };
    case 'disk': {
      const from = at + dice.whole(0, 6_000);
      const full = { kind: 'disk_full', at: from, forMs: dice.whole(500, 20_000) } as const;
      return { crashes: [], mishaps: [full] };
    }
    case 'crash':
      return { crashes: [planCrash(dice, at)], mishaps: [] };
    case 'hands': {
      const cancel = { kind: 'hand_cancel', at: at + dice.whole(500, 15_000) } as const;
      return { crashes: [], mishaps: [cancel] };
    }
    default:
      return { crashes: [], mishaps: [] };
  }
}

/** The market closes at 15:30, 40 minutes before the evening of a day. */
export const nearTheClose = (dice: Dice, evening: number): number =>
  evening - 40 * MINUTE_MS - dice.whole(1_000, 90_000);

/** Somebody has bought, or sold short, what the way out is to be of. */
function handOrderBefore(
  dice: Dice,
  at: number,
  of: 'share' | 'option',
  broker: 'kite' | 'primary',
): Mishap {
  const side = dice.chance(0.7) ? 'BUY' : 'SELL';
  const strike = 23_950 + 50 * dice.whole(8, 12);
  const order =
    of === 'share'
      ? { instrument: dice.pick(['NSE:INFY', 'NSE:SBIN']), quantity: SHARES }
      : { instrument: `NFO:NIFTY26NOV${strike}${dice.pick(['CE', 'PE'])}`, quantity: UNITS };
  const product = of === 'share' ? 'intraday' : dice.pick(['intraday', 'carry'] as const);
  const before = at - dice.whole(20_000, 90_000);
  return {
    kind: 'hand_order',
    at: before,
    twin: false,
    broker,
    order: { ...order, side, product },
  };
}

function planCrash(dice: Dice, at: number): CrashPlan {
  return {
    at: at + dice.whole(100, 8_000),
    point: dice.pick(['before_commit', 'after_commit', 'before_send', 'after_send'] as const),
    power: dice.chance(0.5),
    downMs: dice.pick([300, 2_000, 15_000, 60_000]),
  };
}
