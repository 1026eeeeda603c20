import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import { changedOrderId, isCancel, type Sent, type Taken } from '../traffic.ts';
import type { World } from '../world.ts';
import { type Day, sentUnder, type Violation, violation } from './context.ts';

/**
 * S19: a cancel that nobody asked for never ends an order that only reduces a position. Looked at for
 * sales of holdings that were there before the day and are untouched.
 */
export function exitsAreKept({ world, state }: Day): Violation[] {
  return world.sent.flatMap((sent) => {
    const taken = isCancel(sent.request) ? takenOf(world, sent) : undefined;
    if (!taken || world.asked.tried.some(({ wanted }) => wanted === taken.wanted)) return [];
    if (!isSaleOfHoldings(world, taken, sent.at) || isForExit(state, taken)) return [];
    if (isAskedForUnderItsId(world, sent)) return [];
    return [violation('S19', `${taken.wanted} reduces a position, and was cancelled unasked`)];
  });
}

/**
 * Whether somebody asked for the cancel of an order that the broker had acknowledged with the id of this one:
 * while the book does not show either, nothing says otherwise, and a cancel does not wait for it.
 */
function isAskedForUnderItsId(world: World, { wanted, broker, request, at }: Sent): boolean {
  if (!world.asked.tried.some((each) => each.wanted === wanted)) return false;
  const named = `"${changedOrderId(request)}"`;
  return world.sent.some(({ placing, answer, ...earlier }) => {
    if (!placing || earlier.broker !== broker || earlier.wanted !== wanted) return false;
    if (answer === null || answer.at > at || answer.reaction.kind !== 'answer') return false;
    return answer.reaction.body.includes(named);
  });
}

/** Whether somebody asked for a way out of what an order sells: what rests for it is cancelled first. */
const isForExit = ({ exits }: Day['state'], { broker, order }: Taken): boolean =>
  [...exits.values()].some(
    (exit) =>
      exit.broker === broker && exit.instrument === order.instrument && exit.product === 'CNC',
  );

/** The order that a cancel ended or could have; a wrong id may be given to another order later. */
const takenOf = (world: World, { broker, request, at }: Sent): Taken | undefined =>
  world.taken.find(
    (each) =>
      each.broker === broker &&
      each.brokerOrderId === changedOrderId(request) &&
      each.order.createdAt <= at,
  );

function isSaleOfHoldings(world: World, { broker, order }: Taken, at: number): boolean {
  const { instrument, side, product, quantity } = order;
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const held = world.holdingsBefore[broker].get(instrument) ?? 0;
  const isMoved = inspector.fills().some((fill) => fill.instrument === instrument && fill.at <= at);
  return side === 'SELL' && product === 'delivery' && held >= quantity && !isMoved;
}

const SOON_MS = 60_000;
/** After a broker has asked for a pause, a way out may wait this long. */
const PAUSE_MS = 15_000;

/**
 * L8: where only placing fails, or one cancel was answered with a long Retry-After, a cancel of an order
 * that rests goes out within a minute. One for which no connection opens does not leave; whoever asked
 * for it is told so at once, and asks again.
 */
export function cancelsLeaveSoon({ world, state }: Day): Violation[] {
  const { directed } = world.plan;
  if (directed !== 'placing_fails' && directed !== 'cancels_limited') return [];
  return world.asked.tried.flatMap(({ wanted, at }) => {
    if (wasPaused(world, at)) return [];
    if (sentUnder(state, wanted).some(({ state: { kind } }) => kind === 'disputed')) return [];
    return world.taken
      .filter((taken) => taken.wanted === wanted && rests(world, taken, at))
      .filter((taken) => !wasCancelled(world, taken, at))
      .map(({ brokerOrderId }) =>
        violation('L8', `${wanted}: no cancel of ${brokerOrderId} left within a minute`),
      );
  });
}

const wasPaused = ({ sent }: World, at: number): boolean =>
  sent.some(
    ({ answer }) =>
      answer?.reaction.kind === 'answer' &&
      answer.reaction.status === 429 &&
      Math.abs(at - answer.at) < PAUSE_MS,
  );

function rests(world: World, { broker, brokerOrderId }: Taken, at: number): boolean {
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const order: BrokerOrder | undefined = inspector.order(brokerOrderId);
  if (!order || order.createdAt + SOON_MS > at) return false;
  return !order.final || order.updatedAt > at + SOON_MS;
}

const wasCancelled = (
  { sent, unconnected }: World,
  { broker, brokerOrderId }: Taken,
  at: number,
): boolean =>
  [...sent, ...unconnected].some(
    (each) =>
      each.broker === broker &&
      isCancel(each.request) &&
      changedOrderId(each.request) === brokerOrderId &&
      Math.abs(each.at - at) <= SOON_MS,
  );
