import { brokerOrderIdOf } from '../../../src/execution/order/order.ts';
import type { ToldStop, ToldStops } from '../asked-triggers.ts';
import type { World } from '../world.ts';
import { type Day, violation, type Violation, wantedOf } from './context.ts';
import { wasImpaired } from './trigger-books.ts';

/** So long after it has changed at the broker, a program may be told what a stop was before. */
const TOLD_WITHIN_MS = 45_000;
/** A row can be in no read for so long after its order was taken. */
const SHOWN_WITHIN_MS = 10_000;

/**
 * S45: what is told of a trigger of the primary brokerage, which is a stop order there, is so in the broker's own
 * books: that it waits, has triggered or will not, and that a deletion has ended it; and a list of them has each that
 * waits, under the gateway's own id. Days on which a row is another order's, or an ended order works again, are
 * left out: what an order is on those, the checks of orders look at.
 */
export function stopsAreTold(day: Day): Violation[] {
  const { world } = day;
  if (isMuddled(world)) return [];
  const { stops, stopLists } = world.asked.triggers;
  return [
    ...stops.flatMap((told) => (isOwn(world, told) ? stopIsTold(world, told) : [])),
    ...stopLists.flatMap((list) => listIsWhole(day, list)),
  ];
}

const MUDDLES: ReadonlySet<string> = new Set([
  ...['works_again', 'cancel_undone', 'status_back', 'bad_id', 'shared_id', 'ids_change'],
  ...['wrong_id_2xx_after', 'frozen_book', 'stale_book', 'bad_field'],
]);

/** Whether something of the day gives an order the row of another, or of another time. */
const isMuddled = ({ plan }: World): boolean =>
  [...plan.faults, ...plan.mishaps].some(({ kind }) => MUDDLES.has(kind)) ||
  plan.directed === 'restored';

/** Whether it was told of the order that the broker made of its request. */
const isOwn = ({ taken }: World, { wanted, triggerId }: ToldStop): boolean =>
  taken.some((each) => each.wanted === wanted && each.brokerOrderId === triggerId);

/** The trigger has not been reached: nothing of it is at the exchange. */
const NOT_REACHED: ReadonlySet<string> = new Set(['received', 'validating', 'trigger_pending']);

function stopIsTold(world: World, { at, wanted, status, deleted, truth }: ToldStop): Violation[] {
  if (truth === null) return [];
  const { phase, final, filledQuantity, updatedAt } = truth;
  const is = `${phase}, ${filledQuantity} filled`;
  const wrong = (told: string): Violation[] => [
    violation('S45', `${wanted} was told ${told} at the primary brokerage, where it is ${is}`),
  ];
  if (status === 'triggered' && NOT_REACHED.has(phase)) return wrong(status);
  if (status === 'ended' && (!final || filledQuantity > 0)) return wrong(status);
  if (deleted === 'done' && !final) return wrong('deleted');
  const isLate = final && updatedAt < at - TOLD_WITHIN_MS;
  if (status === 'waiting' && isLate && isQuiet(world, updatedAt, at)) return wrong(status);
  return [];
}

/** Whether nothing kept the gateway from reading the book: all was answered in full, and it was up. */
function isQuiet(world: World, from: number, until: number): boolean {
  const before = from - TOLD_WITHIN_MS;
  const isIn = (at: number): boolean => at >= before && at <= until;
  if (wasImpaired(world, before, until)) return false;
  if ([...world.births, ...world.crashes.map(({ at }) => at)].some(isIn)) return false;
  return !world.sent.some(
    ({ broker, at, answer }) => broker === 'primary' && isIn(at) && answer?.honest !== true,
  );
}

/** A list has every stop of the gateway that waited all the while, under its own id. */
function listIsWhole({ world, state }: Day, list: ToldStops): Violation[] {
  const { askedAt, at, listed, waiting } = list;
  if (!isQuiet(world, askedAt, at)) return [];
  const orders = [...state.orders.values()];
  return waiting.flatMap((id) => {
    const truth = world.sandbox.primary.order(id);
    if (truth === undefined || truth.createdAt > askedAt - SHOWN_WITHIN_MS) return [];
    if (truth.isRowGone || Math.max(truth.hiddenUntil, truth.rowHiddenUntil) > askedAt) return [];
    const [own] = world.taken.filter((each) => each.brokerOrderId === id);
    const order = orders.find((each) => brokerOrderIdOf(each) === id);
    if (own === undefined || order === undefined) return [];
    if (wantedOf(state, order) !== own.wanted || listed.get(id) === order.id) return [];
    const as = listed.has(id) ? `as ${String(listed.get(id))}` : 'not at all';
    return [violation('S45', `a list has ${own.wanted}, which waits as ${order.id}, ${as}`)];
  });
}
