import type { FaultRule } from '../../sandbox/kernel/faults.ts';
import { at, HOURS, stretch, type Hours } from './hours.ts';
import type { Mishap } from './mishaps.ts';
import { planDay, type SeedPlan } from './plan.ts';
import type { PlannedExit } from './planned-exit.ts';

/** A day that has happened, moved to Friday 6 November 2026. */
export type RealDay = 'exchange_halt' | 'stale_books' | 'lid_shut';

interface Script {
  readonly hours: Hours;
  readonly faults: (broker: FaultRule['broker']) => readonly FaultRule[];
  readonly mishaps: readonly Mishap[];
  /** When exits are asked for, epoch ms. */
  readonly exits?: readonly number[];
}

const MINUTE_MS = 60_000;
const base = HOURS.session;

/** Orders whose answers are lost, and whose rows appear late. */
function hidden(broker: FaultRule['broker'], from: number, shown: number): readonly FaultRule[] {
  const match = { method: 'POST', path: broker === 'kite' ? '/orders/regular' : '/order' };
  const window = { broker, match, from, until: from + 5 * MINUTE_MS, times: 2 };
  return [
    { ...window, kind: 'hang_after' },
    { ...window, kind: 'late_rows', params: { delayMs: shown - from } },
  ];
}

const SCRIPTS: Readonly<Record<RealDay, Script>> = {
  /**
   * 24 February 2021: the exchange halted at 11:40 and, at short notice, traded from 15:45 to 17:00. What
   * a book says at 15:45 proves nothing then.
   */
  exchange_halt: {
    hours: {
      ...base,
      boot: at(6, '11:18:00'),
      placing: [stretch(6, '11:20:00', '11:42:00')],
      trouble: [stretch(6, '11:19:40', '11:45:00'), stretch(6, '15:44:00', '16:20:00')],
      halt: stretch(6, '11:40:00', '15:45:00'),
      closes: { '2026-11-06': at(6, '17:00:00') },
      evening: at(6, '17:40:00'),
    },
    faults: (broker) => hidden(broker, at(6, '11:30:00'), at(6, '16:40:00')),
    mishaps: [],
  },
  /**
   * 6 November 2023: a broker's book stood still for an hour while orders were taken; then it took only
   * exits: here, what sells. Programs ask for exits of what is held meanwhile.
   */
  stale_books: {
    hours: {
      ...base,
      boot: at(6, '09:48:00'),
      placing: [stretch(6, '09:50:00', '10:50:00'), stretch(6, '11:00:00', '11:20:00')],
      trouble: [stretch(6, '09:55:00', '11:25:00')],
      evening: at(6, '16:10:00'),
    },
    faults(broker) {
      const book = { method: 'GET', path: /^\/(orders|trades|order-book|trade-book)$/ };
      const opening = {
        ...{ method: 'POST', path: /^\/(orders\/regular|order|smart\/order)$/ },
        body: broker === 'kite' ? 'transaction_type=BUY' : '"txn_type":"BUY"',
      };
      const [from, until] = [at(6, '10:00:00'), at(6, '11:00:00')];
      const blocked = JSON.stringify({
        status: 'error',
        message: 'RMS: Blocked for this product, only square off is allowed.',
        error_type: 'OrderException',
      });
      return [
        { broker, kind: 'frozen_book', match: book, from, until },
        {
          ...{ broker, kind: 'error_before', match: opening, from: until },
          ...{ until: until + 10 * MINUTE_MS, params: { status: 400, body: blocked } },
        },
      ];
    },
    mishaps: [],
    exits: [at(6, '11:02:00'), at(6, '11:05:00'), at(6, '11:08:00')],
  },
  /** A laptop closed from 10:00 to 15:05, with orders open; its running clock stands still meanwhile. */
  lid_shut: {
    hours: {
      ...base,
      boot: at(6, '09:48:00'),
      placing: [stretch(6, '09:50:00', '10:00:00'), stretch(6, '15:06:00', '15:20:00')],
      trouble: [stretch(6, '09:50:00', '09:59:00'), stretch(6, '15:05:00', '15:24:00')],
      evening: at(6, '16:10:00'),
    },
    faults: (broker) => hidden(broker, at(6, '09:57:00'), at(6, '11:00:00')),
    mishaps: [{ kind: 'sleep', at: at(6, '10:00:00'), forMs: 305 * MINUTE_MS }],
  },
};

/** An exit of any share that is held. */
const exitAt = (at: number): PlannedExit => ({
  ...{ at, of: 'share', caller: 'caller-1', isPart: false, isNamed: true },
  ...{ beside: null, thinMs: null, cancelledAfterMs: null, burst: 0 },
});

export const REAL_DAYS: readonly RealDay[] = ['exchange_halt', 'stale_books', 'lid_shut'];

/** The plan of a real day: callers, crashes and hand trades are those of the seed. */
export function planRealDay(day: RealDay, seed: string): SeedPlan {
  const { hours, faults, mishaps, exits = [] } = SCRIPTS[day];
  const plan = planDay(seed, null, 'session', hours);
  const broker = plan.tradingRoute.includes('alt') ? 'kite' : 'primary';
  return {
    ...plan,
    rich: true,
    faults: faults(broker),
    exits: exits.map(exitAt),
    mishaps: [...plan.mishaps.filter(({ kind }) => kind !== 'sleep'), ...mishaps],
  };
}
