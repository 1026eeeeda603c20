import type { ExitRecord } from '../../../src/execution/exits/exit.ts';
import type { Stretch } from '../hours.ts';
import { changedOrderId, type LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';
import { type Day, violation, type Violation } from './context.ts';
import { timeIn, timeLost, wantedOf } from './exit-books.ts';

/** How long a leg takes from the journal to its leaving: a connection may take seconds to open. */
const LEAVES_WITHIN_MS = 5_000;
/** Waiting for a place and for a connection takes no longer, ms. */
const CONNECTED_WITHIN_MS = 6_000;
/** So much of the pause that a broker asks for is the longest for which a way out waits. */
const LONGEST_PAUSE_MS = 10_000;
/** The pause after a 429 that names none. */
const PAUSE_MS = 1_000;

/**
 * L18: a leg leaves soon after it was written down, however many entries wait for the limits on orders. The pause
 * that its broker has asked for with a 429 to a request about orders comes on top.
 */
export function legsLeaveSoon({ world, state }: Day): Violation[] {
  return [...state.exits.values()].flatMap((exit) => legsOf(world, exit));
}

function legsOf(world: World, exit: ExitRecord): Violation[] {
  const seen = world.exits.get(exit.id);
  return exit.legs.flatMap(({ number }) => {
    const begunAt = seen?.legs.get(number)?.at;
    const wanted = wantedOf(exit, number);
    const sent = world.sent.find((each) => each.placing && each.wanted === wanted);
    if (begunAt === undefined) return [];
    if (sent === undefined) {
      // On other days it may be kept back for another reason.
      return world.plan.directed === 'exit_prices' && !hadNoConnection(world, exit, begunAt)
        ? [violation('L18', `${wanted} did not leave`)]
        : [];
    }
    const { at, broker } = sent;
    if (world.births.some((birth) => birth > begunAt && birth <= at)) return [];
    const waiting = { from: begunAt, until: at };
    const lost = timeLost(world, { begunAt, runningAt: begunAt, overAt: at });
    const took = at - begunAt - lost - timeIn(pausesOf(world, broker), waiting);
    if (took <= LEAVES_WITHIN_MS) return [];
    return [violation('L18', `${wanted} left ${took} ms after it was written down`)];
  });
}

/** Whether no connection could be had for an order about then: that is not for want of a place. */
function hadNoConnection({ unconnected }: World, { broker }: ExitRecord, begunAt: number): boolean {
  return unconnected.some(
    ({ request, at, ...each }) =>
      each.broker === broker &&
      request.method === 'POST' &&
      at >= begunAt &&
      at <= begunAt + CONNECTED_WITHIN_MS,
  );
}

/** When the queue of a broker's orders pauses, each part once. */
function pausesOf({ sent }: World, broker: LiveBroker): Stretch[] {
  const pauses: Stretch[] = [];
  for (const { request, placing, answer, ...each } of sent) {
    if (each.broker !== broker || (!placing && changedOrderId(request) === null)) continue;
    if (answer?.reaction.kind !== 'answer' || answer.reaction.status !== 429) continue;
    const asked = Number(answer.reaction.headers['retry-after'] ?? NaN) * 1_000;
    const ms = Math.min(Number.isNaN(asked) ? PAUSE_MS : asked, LONGEST_PAUSE_MS);
    pauses.push({ from: answer.at, until: answer.at + ms });
  }
  return withoutOverlaps(pauses);
}

function withoutOverlaps(stretches: readonly Stretch[]): Stretch[] {
  const apart: Stretch[] = [];
  for (const { from, until } of [...stretches].sort((one, other) => one.from - other.from)) {
    const last = apart.at(-1)?.until ?? -Infinity;
    if (until > last) apart.push({ from: Math.max(from, last), until });
  }
  return apart;
}
