import type { BrokerFill, BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import { type ExitRecord, legKey } from '../../../src/execution/exits/exit.ts';
import { tradingDay } from '../../../src/domain/ist.ts';
import { epochMs } from '../../../src/units/branded.ts';
import type { Stretch } from '../hours.ts';
import type { Seen } from '../seen-exit.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';

export const PRODUCTS = { CNC: 'delivery', INTRADAY: 'intraday', MARGIN: 'carry' } as const;

/** How long before a leg leaves book and account were read at the earliest, ms. */
export const READ_WITHIN_MS = 15_000;

export type Over = Seen & { readonly overAt: number };

export const isOver = (seen: Seen | undefined): seen is Over =>
  seen !== undefined && seen.overAt !== null;

export const inspectorOf = ({ sandbox }: World, broker: LiveBroker): BrokerInspector =>
  broker === 'alt' ? sandbox.kite : sandbox.primary;

/** As `caller/key`: the order of a leg. */
export const wantedOf = ({ caller, id }: ExitRecord, number: number): string =>
  `${caller}/${legKey(id, number)}`;

export const signed = ({ side, quantity }: BrokerFill): number =>
  side === 'BUY' ? quantity : -quantity;

export const isSameDay = (one: number, other: number): boolean =>
  tradingDay(epochMs(one)) === tradingDay(epochMs(other));

/** A trade after the end of its order, or of one that works again: nobody can know of it before. */
export const isBeyond = ({ lateTrades, worksAgain }: World, { orderId, at }: BrokerFill): boolean =>
  worksAgain.has(orderId) ||
  lateTrades.some((each) => each.brokerOrderId === orderId && each.at === at);

/** How long the gateway could not work between the beginning and the end of an exit, ms. */
export function timeLost(world: World, { begunAt, overAt: until }: Over): number {
  const down = world.crashes.map(({ at, plan }): Stretch => ({
    from: at,
    until: at + plan.downMs,
  }));
  return timeIn([...down, ...world.impaired], { from: begunAt, until });
}

/** How long several stretches last within another one, ms. */
export const timeIn = (stretches: readonly Stretch[], { from, until }: Stretch): number =>
  stretches.reduce(
    (sum, each) => sum + Math.max(0, Math.min(each.until, until) - Math.max(each.from, from)),
    0,
  );
