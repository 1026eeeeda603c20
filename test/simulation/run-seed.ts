import { brokerOrderIdOf, statusOf } from '../../src/execution/order/order.ts';
import { join } from 'node:path';
import type { BrokerOrder } from '../../sandbox/kernel/inspector.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { drain } from '../support/virtual-time.ts';
import { type CallersParts } from './call.ts';
import { runCallers } from './callers.ts';
import { runClosingCallers } from './closing-callers.ts';
import { runImpatientCallers } from './impatient-callers.ts';
import { runExitCallers } from './exit-callers.ts';
import { runKeyPeople } from './key-people.ts';
import { runSignalCallers } from './signal-callers.ts';
import { runTriggerCallers } from './trigger-callers.ts';
import type { Day, Violation } from './checks/context.ts';
import { violation } from './checks/context.ts';
import { ordersAreTaken, watchRecovery } from './checks/available.ts';
import { watchAfterTheEnd } from './checks/after-the-end.ts';
import { announcedIsTrue } from './checks/announced.ts';
import { exitsGoHome, paperIsKnown } from './checks/accounts.ts';
import { copiesSendNothing } from './checks/copies.ts';
import { cancelAllsAreTrue } from './checks/cancel-alls.ts';
import { ownListsAreTrue } from './checks/own-lists.ts';
import { runOwnLists } from './own-lists.ts';
import { closingsKeepTheirPromises } from './checks/closings.ts';
import { exitsComeToTheirEnd } from './checks/exit-ends.ts';
import { exitPricesAreTrue } from './checks/exit-prices.ts';
import { exitsKeepTheirPromises } from './checks/exits.ts';
import { legsLeaveSoon } from './checks/legs-leave.ts';
import { triggersKeepTheirPromises } from './checks/triggers.ts';
import { watchExits } from './checks/watch-exits.ts';
import { watchKeyBooks } from './checks/key-books.ts';
import { watchTriggers } from './checks/watch-triggers.ts';
import { watchRowsGone } from './checks/rows-gone.ts';
import { restoredIsNoticed } from './checks/restored.ts';
import { unreadBooksAreTold } from './checks/unread-books.ts';
import { watchUnseen } from './checks/unseen.ts';
import { cancelsLeaveSoon, exitsAreKept } from './checks/ways-out.ts';
import { ordersLeaveInTime } from './checks/leaves-in-time.ts';
import { cancelsAreSent } from './checks/cancels.ts';
import { changesKeepTheirOrders } from './checks/changed-orders.ts';
import { keysKeepTheirLimits } from './checks/key-limits.ts';
import { signalsKeepTheirPromises } from './checks/signals.ts';
import { sendsAreAllowed } from './checks/kill-switch.ts';
import { eventsWhole, replayAgrees, secretsKept } from './checks/manners.ts';
import { disputesAreFew } from './checks/disputes.ts';
import {
  isForgottenOther,
  allEnd,
  atMostOnce,
  averagesAgree,
  boundOnce,
  fillsAgree,
  duplicateGuardsFree,
  nothingStaysSending,
} from './checks/orders.ts';
import {
  booksAreGone,
  nothingContradicted,
  nothingUnforeseen,
  notPlacedIsTrue,
  oneKeyOneOrder,
} from './checks/told.ts';
import { nothingHappenedIsTrue, oneKeyOneBroker } from './checks/used-keys.ts';
import { openAnswersStayOpen, refusalsAreTrue } from './checks/refusals.ts';
import {
  changedAsAsked,
  changedByOwnUser,
  changesGoToOrders,
  nothingAfterUnknown,
  receivedAsAsked,
} from './checks/wire.ts';
import { paperConserves } from './checks/paper.ts';
import { createPeople, type People } from './people.ts';
import type { DayKind } from './hours.ts';
import type { SeedPlan } from './plan.ts';
import { planRichDay } from './plan-rich.ts';
import type { Statement } from './statements.ts';
import type { Taken } from './traffic.ts';
import { createWorld, type World } from './world.ts';

export interface SeedResult {
  readonly seed: string;
  readonly hash: string;
  readonly violations: readonly Violation[];
  readonly orders: number;
  readonly crashes: number;
  /** How often each fault struck, and each met each state of an order in the journal. */
  readonly strikes: ReadonlyMap<string, number>;
  readonly pairs: ReadonlyMap<string, number>;
  /** The stated limit, counted: orders bound to a twin made by hand. */
  readonly twinsBound: number;
  /** Orders that a person has to settle, after all. */
  readonly disputed: number;
  /** Orders of which a caller was told, at some time, that they are uncertain. */
  readonly uncertain: number;
  readonly timeline: readonly string[];
}

/** A day that is over, before its files are removed. */
export interface PlayedDay {
  readonly world: World;
  readonly statements: readonly Statement[];
  /** What was noticed while it happened. */
  readonly noticed: Violation[];
  readonly people: People;
}

/** Plays one day and checks it. The same seed gives the same day. */
export function runSeed(
  seed: string,
  only: string | null = null,
  kind: DayKind = 'session',
): Promise<SeedResult> {
  return runPlan(planRichDay(seed, only, kind));
}

/** The same of a day that is planned by hand. */
export function runPlan(plan: SeedPlan): Promise<SeedResult> {
  return playSeed(plan, checkSeed);
}

/** Plays one day, and returns what `look` makes of it. */
export async function playSeed<T>(
  plan: SeedPlan,
  look: (day: PlayedDay) => Promise<T>,
): Promise<T> {
  const statements: Statement[] = [];
  const noticed: Violation[] = [];
  const people = createPeople(() => world);
  const world: World = createWorld(plan, {
    onTaken: (taken, order) => noticed.push(...sendingWasDurable(world, taken, order)),
    onMishap: (mishap) => people.befall(mishap),
    notice: (each) => void noticed.push(each),
  });
  const callers: CallersParts = {
    world,
    told: (statement) => void statements.push(statement),
    notice: (each) => void noticed.push(each),
    priceOf: (instrument) => world.sandbox.exchange.price(instrument) / 100,
  };
  watchRecovery(world, (each) => void noticed.push(each));
  watchUnseen(world, (each) => void noticed.push(each));
  watchAfterTheEnd(world, (each) => void noticed.push(each));
  watchRowsGone(world, (each) => void noticed.push(each));
  watchExits(world);
  watchTriggers(world);
  watchKeyBooks(world, (each) => void noticed.push(each));
  try {
    const day = Promise.all([
      ...[runCallers(callers), runExitCallers(callers), runClosingCallers(callers)],
      runTriggerCallers(callers),
      runImpatientCallers(callers),
      runKeyPeople(callers),
      runOwnLists(callers),
      runSignalCallers(callers),
      people.run(),
    ]);
    day.catch((error: unknown) => noticed.push(violation('S0', `the day broke: ${String(error)}`)));
    await world.runUntil(plan.hours.end);
    await drain(3);
    return await look({ world, statements, noticed, people });
  } finally {
    world.dispose();
  }
}

/** What the checker looks at; null where the gateway is not up when the day is over. */
export function dayOf({ world, statements, noticed, people }: PlayedDay): Day | null {
  const state = world.current()?.composed?.execution.state;
  if (!state) return null;
  const { worded, undisputed, killSwitch } = people;
  return { world, state, statements, noticed, worded, undisputed, killSwitch };
}

async function checkSeed(played: PlayedDay): Promise<SeedResult> {
  const { world, noticed, people } = played;
  const day = dayOf(played);
  if (!day) noticed.push(violation('L1', 'the gateway is not up when the day is over'));
  const violations = day ? await check(day) : noticed;
  const composed = world.current()?.composed;
  const orders = [...(composed?.execution.state.orders.values() ?? [])];
  return {
    seed: world.plan.seed,
    hash: world.timeline.hash(),
    violations,
    orders: orders.length,
    crashes: world.crashes.length,
    strikes: world.strikes,
    pairs: world.pairs,
    twinsBound: orders.filter((order) => people.byHand.has(brokerOrderIdOf(order) ?? '')).length,
    disputed: orders.filter((order) => statusOf(order) === 'disputed').length,
    uncertain: toldUncertain(played.statements),
    timeline: world.timeline.lines(),
  };
}

function toldUncertain(statements: readonly Statement[]): number {
  const told = statements.flatMap((each) =>
    each.kind === 'order' && each.status === 'uncertain' ? [each.orderId] : [],
  );
  return new Set(told).size;
}

async function check(day: Day): Promise<Violation[]> {
  if (day.world.plan.directed === 'restored') return restoredIsNoticed(day);
  return [
    ...day.noticed,
    ...nothingUnforeseen(day),
    ...atMostOnce(day),
    ...receivedAsAsked(day),
    ...changedAsAsked(day),
    ...changedByOwnUser(day),
    ...changesGoToOrders(day),
    ...nothingAfterUnknown(day),
    ...boundOnce(day),
    ...fillsAgree(day),
    ...averagesAgree(day),
    ...nothingContradicted(day),
    ...notPlacedIsTrue(day),
    ...announcedIsTrue(day),
    ...refusalsAreTrue(day),
    ...openAnswersStayOpen(day),
    ...booksAreGone(day),
    ...exitsAreKept(day),
    ...exitsKeepTheirPromises(day),
    ...legsLeaveSoon(day),
    ...exitPricesAreTrue(day),
    ...exitsComeToTheirEnd(day),
    ...closingsKeepTheirPromises(day),
    ...cancelAllsAreTrue(day),
    ...ownListsAreTrue(day),
    ...triggersKeepTheirPromises(day),
    ...cancelsLeaveSoon(day),
    ...exitsGoHome(day),
    ...paperIsKnown(day),
    ...nothingStaysSending(day),
    ...oneKeyOneOrder(day),
    ...oneKeyOneBroker(day),
    ...nothingHappenedIsTrue(day),
    ...eventsWhole(day),
    ...(await replayAgrees(day)),
    ...paperConserves(day),
    ...copiesSendNothing(day),
    ...sendsAreAllowed(day),
    ...keysKeepTheirLimits(day),
    ...changesKeepTheirOrders(day),
    ...(await signalsKeepTheirPromises(day)),
    ...ordersLeaveInTime(day),
    ...secretsKept(day),
    ...allEnd(day),
    ...duplicateGuardsFree(day),
    ...disputesAreFew(day),
    ...cancelsAreSent(day),
    ...unreadBooksAreTold(day),
    ...ordersAreTaken(day),
  ];
}

/** S2: when a broker receives an order, its `sending` row is already on disk. */
function sendingWasDurable(world: World, taken: Taken, order: BrokerOrder): Violation[] {
  const [caller, key] = taken.wanted.split('/');
  const database = openDatabase(join(world.directory, 'data', 'journal.db'));
  try {
    const row = database
      .prepare(
        `SELECT count(*) AS found FROM attempts JOIN orders ON orders.id = attempts.order_id
         LEFT JOIN orders AS asked ON asked.id = orders.record ->> 'parentId'
         WHERE kind = 'place' AND coalesce(asked.caller, orders.caller) = ?
         AND coalesce(asked.idempotency_key, orders.idempotency_key) = ?
         AND attempts.broker = ? AND attempts.state <> 'not_sent'`,
      )
      .get(caller ?? '', key ?? '', taken.broker);
    const ofThis = ({ wanted, broker }: Taken): boolean =>
      wanted === taken.wanted && broker === taken.broker;
    const all = world.taken.filter(ofThis).filter((each) => !isForgottenOther(world, each));
    if (Number(row?.found) >= all.length) return [];
    return [
      violation('S2', `${taken.broker} has ${order.orderId}, and the journal no ${taken.wanted}`),
    ];
  } finally {
    database.close();
  }
}
