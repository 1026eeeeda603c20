import type { BrokerId } from '../../../src/domain/broker.ts';
import { type OrderRecord, statusOf } from '../../../src/execution/order/order.ts';
import type { AskedOrder } from '../asked.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';
import { type Day, type Violation, violation, wantedOf } from './context.ts';

/** Until then nothing goes wrong, and every account can be read. */
const READ_BY_MS = 75_000;

/**
 * S20: a sale that the route sends somewhere goes to the account that holds the shares. Looked at for
 * deliveries of what one live account of the route has held since before the day, and no other has: it
 * was read in the first minute at the latest, and an order does not go elsewhere since.
 */
export function exitsGoHome({ world, state }: Day): Violation[] {
  return [...state.orders.values()].flatMap((order) => {
    if (order.parentId !== null || !hasGone(world, wantedOf(state, order), order)) return [];
    const asked = world.asked.orders.get(wantedOf(state, order));
    if (!asked || asked.request.broker !== null || asked.request.mode === 'paper') return [];
    // An order of a key that is for one broker alone names that broker.
    const confined = world.plan.keys?.confined;
    if (confined?.caller === order.caller && confined.broker !== null) return [];
    const holder = holderOf(world, asked, { at: leftAt(world, wantedOf(state, order), order) });
    if (holder === null || holder === order.broker) return [];
    const text = `${wantedOf(state, order)} went to ${order.broker}, and ${holder} holds it`;
    return [violation('S20', text)];
  });
}

/** Whether a broker took it, though it may have been rejected there. */
function hasGone(world: World, wanted: string, order: OrderRecord): boolean {
  if (order.mode === 'paper') return !['rejected', 'not_sent'].includes(statusOf(order));
  return world.taken.some((taken) => taken.wanted === wanted && taken.broker === order.broker);
}

/** When it left, epoch ms: the gateway's own clock may have been set back before. */
const leftAt = ({ sent }: World, wanted: string, { createdAt }: OrderRecord): number =>
  Math.max(createdAt, ...sent.filter((each) => each.wanted === wanted).map(({ at }) => at));

/** The one live account of the route that has what is sold; null where it is not that clear. */
function holderOf(
  world: World,
  asked: AskedOrder,
  { at }: { readonly at: number },
): BrokerId | null {
  const { tradingRoute, hours } = world.plan;
  const { side, product } = asked.request;
  if (side !== 'SELL' || product !== 'CNC' || tradingRoute[0] === 'paper') return null;
  if (at < hours.boot + READ_BY_MS || !wasReadInTime(world)) return null;
  const live = tradingRoute.filter((each): each is LiveBroker => each !== 'paper');
  const holders = live.filter((each) => world.holdingsBefore[each].has(asked.instrument));
  const [holder] = holders;
  if (holder === undefined || holders.length > 1) return null;
  const isMoved = live.some((each) => wasTraded(world, each, asked.instrument, at));
  return isMoved ? null : holder;
}

/** Whether there was a session of the alternative broker early enough, where the route has it. */
function wasReadInTime({ plan, sessions }: World): boolean {
  if (!plan.tradingRoute.includes('alt')) return true;
  return sessions.some((at) => at <= plan.hours.boot + READ_BY_MS - 15_000);
}

function wasTraded(world: World, broker: LiveBroker, instrument: string, by: number): boolean {
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  return inspector.fills().some((fill) => fill.instrument === instrument && fill.at <= by);
}

/** L10: an order on paper is never disputed: its account is here and keeps the books of all days. */
export function paperIsKnown({ state }: Day): Violation[] {
  return [...state.orders.values()]
    .filter((order) => order.mode === 'paper' && order.state.kind === 'disputed')
    .map((order) => violation('L10', `${order.id} on paper is disputed`));
}
