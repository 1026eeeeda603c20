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

type Shares = Pick<ExitRecord, 'instrument' | 'product'>;

/** The names of the same shares: delivery shares are held and sold on either exchange, and told by their ISIN. */
export function namesOf({ sandbox }: World, { instrument, product }: Shares): readonly string[] {
  if (product !== 'CNC') return [instrument];
  const { isin } = sandbox.exchange.instrument(instrument);
  const same = sandbox.exchange.instruments().filter((each) => isin !== '' && each.isin === isin);
  return same.length === 0 ? [instrument] : same.map(({ key }) => key);
}

/** What an account held of an exit's shares before the first trade, under all of their names. */
export function before(world: World, exit: Shares & { readonly broker: LiveBroker }): number {
  if (exit.product !== 'CNC') return 0;
  const held = world.holdingsBefore[exit.broker];
  return namesOf(world, exit).reduce((sum, name) => sum + (held.get(name) ?? 0), 0);
}

/**
 * What fills leave to a sale under a name: what was bought today under another name is not delivered yet, and
 * only makes up for what was sold under that one.
 */
export function leftBy(fills: readonly BrokerFill[], instrument: string): number {
  const byName = new Map<string, number>();
  for (const fill of fills) {
    byName.set(fill.instrument, (byName.get(fill.instrument) ?? 0) + signed(fill));
  }
  return [...byName].reduce(
    (sum, [name, net]) => sum + (name === instrument ? net : Math.min(0, net)),
    0,
  );
}

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
