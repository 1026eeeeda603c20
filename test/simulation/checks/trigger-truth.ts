import { ordersOfTrigger, triggerRowOf } from '../../../src/execution/triggers/trigger.ts';
import { openChangesOf } from '../../../src/execution/triggers/decide-trigger-change.ts';
import type { SandboxTrigger } from '../../../sandbox/kite/gtt-inspector.ts';
import { LIST_ASKED } from '../trigger-traffic.ts';
import type { AskedTriggerDelete } from '../asked-triggers.ts';
import type { World } from '../world.ts';
import { OTHER_KITE_USER } from '../world-settings.ts';
import { type Day, violation, type Violation } from './context.ts';
import { isOfBefore, saysNothingHappened } from './told.ts';
import {
  activeOf,
  brokersOf,
  keyOf,
  takenForTwins,
  triggerRequests,
  wasImpaired,
} from './trigger-books.ts';
import type { SeenTrigger } from '../seen-trigger.ts';

/** S35, S37 and L20: what is told of triggers is true, and all of them come to an end. */
export function triggersAreKnown(day: Day): Violation[] {
  const twins = takenForTwins(day);
  const { seenTriggers } = day.world;
  return [
    ...notPlacedIsTrue(day),
    ...doneIsTrue(day, twins),
    ...seenTriggers
      .filter(({ wanted }) => !twins.has(wanted))
      .flatMap((seen) => [...waitingIsTrue(day, seen), ...overIsTrue(day, seen)]),
    ...allEnd(day, twins),
  ];
}

const NOT_PLACED: ReadonlySet<string> = new Set(['refused', 'not_sent', 'absent']);

/**
 * S35: what was called not placed, to a caller or in the journal, was not placed by a request that had left, or that leaves
 * for a call that was made by then.
 */
function notPlacedIsTrue({ world, state }: Day): Violation[] {
  const { told, worded } = world.asked.triggers;
  const byPerson = new Set(
    [...state.triggers.values()].filter(({ id }) => worded.has(id)).map(keyOf),
  );
  const claims = [
    ...told.flatMap((each) => {
      const isClaim =
        each.kind === 'trigger' ? NOT_PLACED.has(each.status) : saysNothingHappened(each);
      const what = each.kind === 'trigger' ? each.status : each.code;
      const call = each.kind === 'problem' ? { call: each.call } : {};
      return isClaim ? [{ wanted: each.wanted, what, at: each.at, ...call }] : [];
    }),
    ...world.seenTriggers
      .filter(({ status }) => NOT_PLACED.has(status))
      .map(({ wanted, status, until }) => ({
        wanted,
        what: status,
        at: until,
      })),
  ];
  const placings = triggerRequests(world).filter(({ call }) => call.kind === 'place');
  return claims.flatMap(({ wanted, what, ...told }) => {
    const hasLeft = placings.some(({ sent }) => sent.wanted === wanted && isOfBefore(sent, told));
    const [taken] = brokersOf(world, wanted);
    if (!hasLeft || taken === undefined || byPerson.has(wanted)) return [];
    if (what === 'absent' && isForgotten(world, taken)) return [];
    return [violation('S35', `trigger ${wanted} was told ${what}, and the broker has ${taken.id}`)];
  });
}

/** Whether it was over before any list had shown it, at a broker that lists what was deleted no more. */
function isForgotten(world: World, { id, status }: SandboxTrigger): boolean {
  if (world.plan.triggers?.forgets !== true || status !== 'deleted') return false;
  return !triggerRequests(world).some(
    ({ sent, call }) => call.kind === 'list' && showsIn(sent.answer, id),
  );
}

/** S35: a deletion that was called done has ended the trigger. */
function doneIsTrue({ world }: Day, twins: ReadonlySet<string>): Violation[] {
  return world.asked.triggers.deletes.flatMap(({ wanted, says, at }) => {
    const left = brokersOf(world, wanted).filter(
      (each) => activeOf(each).until > at && !wasHidden(world, each, at),
    );
    if (says !== 'done' || twins.has(wanted) || left.length === 0) return [];
    return [violation('S35', `the deletion of trigger ${wanted} was told done, and it is active`)];
  });
}

/** How long the gateway takes from the answer to a list until the journal has it. */
const WRITTEN_MS = 2_000;
/** The list is read every 30 seconds while a trigger waits (docs/triggers.md), and answered in 15. */
const READ_WITHIN_MS = 45_000;
/** How long whole lists lack a trigger that was there until it is called ended, ms (docs/triggers.md). */
const MISSING_MS = 60_000;

/**
 * S37: a trigger is not called waiting once a whole list has shown that it is not; and such a list is read
 * in time where nothing keeps the gateway from it.
 */
function waitingIsTrue({ world }: Day, seen: SeenTrigger): Violation[] {
  const { wanted, status, from, until } = seen;
  if (status !== 'waiting') return [];
  return brokersOf(world, wanted).flatMap((each) => {
    const ended = activeOf(each).until;
    if (ended >= until || each.hiddenUntil > ended) return [];
    // Once the first user is back, no list shows what becomes of another's.
    const { backAt } = world.users;
    const isOthers = world.sandbox.otherUser?.trigger(each.id) !== undefined;
    if (isOthers && backAt !== null && ended > backAt - READ_WITHIN_MS) return [];
    const shown = ownLists(world, seen).find(
      ({ sent }) =>
        sent.at > ended &&
        sent.answer?.honest === true &&
        sent.answer.at > from &&
        sent.answer.at < until - WRITTEN_MS &&
        !hasLostSession(world, sent.at, sent.answer.at) &&
        showsIn(sent.answer, each.id),
    );
    if (shown && !wasImpaired(world, shown.sent.at, until)) {
      const late = until - (shown.sent.answer?.at ?? until);
      const text = `trigger ${wanted} is called waiting ${late} ms after a list had shown that it is ${each.status}`;
      return [violation('S37', text)];
    }
    const since = Math.max(ended, from);
    const longest = READ_WITHIN_MS + (world.plan.triggers?.forgets === true ? MISSING_MS : 0);
    if (until - since < longest || !isQuiet(world, since, until)) return [];
    const text = `trigger ${wanted} is called waiting ${until - since} ms after it was ${each.status}`;
    return [violation('S37', text)];
  });
}

/** Whether the session that a list was asked for in was over when its answer was to be written down: then it tells nothing. */
const hasLostSession = ({ sessions }: World, from: number, answered: number): boolean =>
  sessions.some((at) => at >= from && at <= answered + WRITTEN_MS);

/** Whether a caller has asked for the list: what it shows goes to that caller alone. */
const isOfCaller = ({ wanted }: World['sent'][number]): boolean =>
  wanted?.endsWith(LIST_ASKED) === true;

/** Whether nothing kept the gateway from reading lists: all were answered, its session lived, and it was up. */
function isQuiet(world: World, from: number, until: number): boolean {
  const before = from - 60_000;
  const isIn = (at: number): boolean => at >= before && at <= until;
  if (wasImpaired(world, before, until)) return false;
  if ([...world.births, ...world.sessions, ...world.crashes.map(({ at }) => at)].some(isIn))
    return false;
  return !world.sent.some(
    ({ broker, at, answer }) => broker === 'alt' && isIn(at) && answer?.honest !== true,
  );
}

/**
 * S37: a trigger is not called triggered or ended while the broker has it active, and its lists show it. One that they
 * lacked for a minute was called ended rightly, and is so over restarts, until a list shows it again.
 */
function overIsTrue({ world }: Day, seen: SeenTrigger): Violation[] {
  const { wanted, status, from, until } = seen;
  if (status !== 'triggered' && status !== 'ended') return [];
  return brokersOf(world, wanted).flatMap((each) => {
    const { until: active } = activeOf(each);
    // It was told by the look before this one at the latest.
    if (active <= from) return [];
    if (!wasHidden(world, each, saidSince(world, seen))) {
      const text = `trigger ${wanted} is called ${status}, and the broker has it active`;
      return [violation('S37', text)];
    }
    const shown = ownLists(world, seen).find(
      ({ sent: { at, answer } }) =>
        at > from &&
        answer?.honest === true &&
        answer.at < Math.min(until, active) - WRITTEN_MS &&
        showsIn(answer, each.id),
    );
    if (!shown || wasImpaired(world, shown.sent.at, until)) return [];
    const text = `trigger ${wanted} is called ${status} after a list had shown that it is active`;
    return [violation('S37', text)];
  });
}

/** Since when the same was said of a trigger, in earlier lives too; epoch ms. */
function saidSince({ seenTriggers }: World, seen: SeenTrigger): number {
  const before = seenTriggers.slice(0, seenTriggers.indexOf(seen));
  const others = before.filter(({ wanted }) => wanted === seen.wanted);
  const changed = others.findLastIndex(({ status }) => status !== seen.status);
  return others[changed + 1]?.from ?? seen.from;
}

/** The lists that the gateway has asked for itself in the same life, of the first user. */
const ownLists = (world: World, { life }: SeenTrigger) =>
  triggerRequests(world).filter(
    ({ sent, call }) =>
      call.kind === 'list' && sent.life === life && !sent.ofOtherUser && !isOfCaller(sent),
  );

/** Whether lists have lacked it for a minute by then: hidden, or short. A list that could not be read lacks nothing. */
export function wasHidden(world: World, { id, hiddenUntil }: SandboxTrigger, by: number): boolean {
  if (hiddenUntil > by - MISSING_MS) return true;
  const spoilt = triggerRequests(world).filter(
    ({ sent, call }) =>
      call.kind === 'list' && sent.at > by - 2 * MISSING_MS && sent.at <= by && lacks(sent, id),
  );
  return spoilt.length >= 3;
}

function showsIn(answer: World['sent'][number]['answer'], id: string): boolean {
  const { reaction } = answer ?? {};
  return reaction?.kind === 'answer' && reaction.body.includes(`"id":${id},`);
}

function lacks({ answer }: World['sent'][number], id: string): boolean {
  const { reaction } = answer ?? {};
  return (
    reaction?.kind === 'answer' && reaction.status === 200 && !reaction.body.includes(`"id":${id},`)
  );
}

/** For so long a disk of a day is full, with the time that a start takes. */
const FULL_AT_MOST_MS = 10 * 60_000;

/** What the disk did not take is forgotten by a process that ends before the disk has space: the answer says so. */
const isForgot = ({ births }: World, { at, isUnwritten }: AskedTriggerDelete): boolean =>
  isUnwritten && births.some((birth) => birth > at && birth < at + FULL_AT_MOST_MS);

/**
 * L20: when the day is over nothing is on its way; what is uncertain waits for a person; what was found at the
 * broker is known as it is there, with the order that it has placed; and what was to be deleted is.
 */
function allEnd({ world, state }: Day, twins: ReadonlySet<string>): Violation[] {
  const violations: Violation[] = [];
  const note = (text: string): void => void violations.push(violation('L20', text));
  for (const trigger of state.triggers.values()) {
    const wanted = keyOf(trigger);
    const { kind } = trigger.state;
    if (kind === 'sending') note(`trigger ${wanted} is on its way when the day is over`);
    const isPersons =
      trigger.state.kind === 'uncertain' &&
      (trigger.state.candidates.length > 0 || trigger.baseline === null);
    // The list of one user's session shows nothing of another's account, not even to a person who says which it is.
    const isOutOfSight = trigger.account === OTHER_KITE_USER && world.users.present === 'first';
    if (kind === 'uncertain' && !isPersons && !isOutOfSight)
      note(`trigger ${wanted} is uncertain when the day is over`);
    for (const change of openChangesOf(state, trigger.id)) {
      if (kind === 'uncertain' || isOutOfSight) continue;
      note(`a ${change.kind} of trigger ${wanted} is ${change.state} when the day is over`);
    }
    const [taken] = brokersOf(world, wanted);
    // The other user may never log in again, and no other session's list shows it.
    if (taken && world.sandbox.otherUser?.trigger(taken.id)) continue;
    if (taken === undefined || twins.has(wanted) || world.asked.triggers.worded.has(trigger.id))
      continue;
    if (taken.status === 'triggered' && kind !== 'ended') {
      const told = triggerRowOf(trigger)?.legs.flatMap(({ brokerOrderId }) => brokerOrderId ?? []);
      if (String(told ?? '') !== String(taken.orderIds)) {
        note(`trigger ${wanted} is ${kind}, and has placed ${taken.orderIds.join(', ')}`);
      }
      for (const { brokerOrderId, filledQuantity } of ordersOfTrigger(trigger)) {
        const filled = world.sandbox.kite.order(brokerOrderId)?.filledQuantity;
        if (filledQuantity === filled) continue;
        note(
          `order ${brokerOrderId} of trigger ${wanted} has filled ${filled}, told ${filledQuantity}`,
        );
      }
    }
    const asked = world.asked.triggers.deletes.filter(
      (each) => each.wanted === wanted && each.says !== 'not_done' && !isForgot(world, each),
    );
    const isLost = asked.some(({ at }) => wasHidden(world, taken, at));
    if (taken.status === 'active' && !isLost && (trigger.isDeleteWanted || asked.length > 0)) {
      note(`trigger ${wanted} is to be deleted, and waits when the day is over`);
    }
  }
  return violations;
}
