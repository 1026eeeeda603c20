import type { BrokerId } from '../../src/domain/broker.ts';
import type { TriggerLegChange } from '../../src/domain/trigger.ts';
import { sleep } from '../../src/platform/clock.ts';
import type { TriggerPlacing } from '../../src/router/triggers.ts';
import {
  call,
  type CallOptions,
  type CallersParts,
  type Heard,
  keepProblem,
  type Question,
  tellOrder,
  tellProblem,
} from './call.ts';
import { violation } from './checks/violation.ts';
import { createDice, type Dice } from './dice.ts';
import { isUnsupported, type ToldTriggerResult } from './http-triggers.ts';
import { readTriggerList } from './trigger-lists.ts';
import type { PlannedTriggers } from './planned-triggers.ts';
import { randomTrigger, stopOrderOf } from './trigger-terms.ts';
import { tellPlacing, tellTrigger } from './trigger-told.ts';
import { runTriggerPeople } from './trigger-people.ts';
import { nameOf } from './world.ts';

/** A trigger that a program knows the id of. */
interface Placed {
  readonly wanted: string;
  readonly key: string;
  readonly id: string;
  readonly request: TriggerPlacing;
}

const NOT_OVER: ReadonlySet<string> = new Set(['sending', 'uncertain', 'waiting']);
/** How long a program takes from an answer to its next request, at least. */
const ANSWER_READ_MS = 5;
/** When programs end what still waits: after the last trouble of an afternoon, before its close. */
const CLEARED_AFTER_MS = 4 * 60_000;

/** The programs that place, change and delete triggers, and the people who do so in the broker's app. */
export async function runTriggerCallers(parts: CallersParts): Promise<void> {
  const { triggers } = parts.world.plan;
  if (!triggers) return;
  await Promise.all([
    ...['caller-1', 'caller-2'].map((name) => runOne(parts, triggers, name)),
    runTriggerPeople(parts, triggers),
  ]);
}

async function runOne(
  parts: CallersParts,
  planned: PlannedTriggers,
  caller: string,
): Promise<void> {
  const { time, plan } = parts.world;
  const dice = createDice(`${plan.seed}/${caller}/triggers`);
  const mine: Placed[] = [];
  const absent: TriggerPlacing[] = [];
  let made = 0;
  for (const stretch of plan.hours.placing) {
    await sleep(time, stretch.from - time.now());
    const since = mine.length;
    for (let left = planned.each; left > 0; left -= 1) {
      const until = Math.max(0, stretch.until - time.now());
      await sleep(time, dice.between(0, (until / left) * 1.6));
      const one = await place(parts, dice, {
        caller,
        key: `trigger-${(made += 1)}`,
        planned,
        ...{ mine, absent },
      });
      if (one !== null) mine.push(one);
      if (mine.length > 0) await act(parts, dice, caller, dice.pick(mine));
    }
    await sleep(time, stretch.until + CLEARED_AFTER_MS - time.now());
    // What is left waits over the night.
    for (const each of mine.slice(since)) {
      if (dice.chance(planned.cleared)) await end(parts, each, caller);
    }
  }
}

/** Places one; asks again under its key until something definite is heard, and at times afterwards. */
async function place(
  parts: CallersParts,
  dice: Dice,
  of: {
    readonly caller: string;
    readonly key: string;
    readonly planned: PlannedTriggers;
    readonly mine: readonly Placed[];
    /** What was called absent, oldest first. */
    readonly absent: TriggerPlacing[];
  },
): Promise<Placed | null> {
  const { world } = parts;
  const { caller, key, planned, mine } = of;
  const { hours, tradingRoute } = world.plan;
  // The primary brokerage takes no stops while the market is shut.
  const live = tradingRoute.filter(
    (each): each is 'alt' | 'primary' =>
      each === 'alt' || (each === 'primary' && !hours.afterMarket),
  );
  const goesTo = dice.pick(live);
  const isNamed = live.length > 1 || dice.chance(0.5);
  // At times one like an earlier one: what a list shows of the two is equal.
  const alike = mine.length > 0 && dice.chance(0.3) ? dice.pick(mine).request : null;
  const model = planned.misnames === true ? (of.absent.at(-1) ?? alike) : alike;
  const drawn = randomTrigger(dice, parts.priceOf, {
    ...{ near: planned.near, broker: goesTo, pairs: goesTo === 'alt' ? 0.35 : 0.1 },
  });
  const request = { ...(model ?? drawn), broker: isNamed ? goesTo : null };
  const wanted = nameOf({ caller, key });
  keep(parts, wanted, request, goesTo);
  let made: Placed | null = null;
  for (let tries = 0; tries < 6; tries += 1) {
    const heard = await ask(
      parts,
      wanted,
      (gateway) => gateway.placeTrigger(request, { caller, idempotencyKey: key }),
      { late: (each) => tellPlacing(parts, wanted, each) },
    );
    tellPlacing(parts, wanted, heard);
    if (heard.kind === 'answer') {
      made = { wanted, key, id: heard.value.trigger.id, request };
      if (heard.value.trigger.status === 'absent') of.absent.push(request);
      await alsoAsOrder(parts, wanted, made.id);
    }
    if (heard.kind === 'problem' && isUnsupported(heard.problem)) break;
    const isClear = heard.kind !== 'lost' && !isOpen(heard);
    if (isClear && !dice.chance(0.2)) break;
    await sleep(world.time, dice.between(300, 9_000));
  }
  return made;
}

function keep(
  { world }: CallersParts,
  wanted: string,
  request: TriggerPlacing,
  goesTo: BrokerId,
): void {
  const { asked, timeline } = world;
  timeline.note(
    'caller',
    `${wanted}: places a trigger at ${goesTo} ${JSON.stringify(request.legs)}`,
  );
  if (goesTo === 'alt') asked.triggers.placed.set(wanted, request);
  else if (request.legs.length === 1) {
    asked.orders.set(wanted, { request: stopOrderOf(request), instrument: request.instrument });
  }
}

const isOpen = (heard: Heard<ToldTriggerResult>): boolean =>
  heard.kind === 'answer'
    ? ['sending', 'uncertain'].includes(heard.value.trigger.status)
    : heard.kind === 'problem' && heard.problem.fields.mayHaveExecuted === true;

/** One call about a trigger; what is asked for next is asked for later. */
async function ask(
  { world }: CallersParts,
  wanted: string,
  make: Parameters<typeof call<ToldTriggerResult>>[2],
  options: CallOptions<ToldTriggerResult> = {},
): Promise<Heard<ToldTriggerResult>> {
  const heard = await call(world, wanted, make, options);
  await sleep(world.time, ANSWER_READ_MS);
  return heard;
}

/** A trigger of the primary brokerage is an order: what is told of that has to hold as well. */
async function alsoAsOrder(parts: CallersParts, wanted: string, id: string): Promise<void> {
  if (!id.startsWith('ord_')) return;
  const heard = await call(parts.world, wanted, (gateway) => gateway.getOrder(id));
  if (heard.kind === 'answer') tellOrder(parts, wanted, heard.value);
}

/** One thing that a program does between two triggers: change, delete, repeat, contradict or read. */
async function act(parts: CallersParts, dice: Dice, caller: string, one: Placed): Promise<void> {
  const { wanted, key, id, request } = one;
  const choice = dice.between(0, 1);
  if (choice < 0.3) return change(parts, dice, caller, one);
  if (choice < 0.5) return remove(parts, one, caller).then(() => undefined);
  if (choice < 0.6) {
    const context = { caller, idempotencyKey: key };
    const heard = await ask(parts, wanted, (gateway) => gateway.placeTrigger(request, context));
    tellPlacing(parts, wanted, heard);
  } else if (choice < 0.7) {
    const [first, second] = request.legs;
    const more = { ...first, quantity: first.quantity + 1 };
    const other = { ...request, legs: second ? ([more, second] as const) : ([more] as const) };
    const context = { caller, idempotencyKey: key };
    const heard = await ask(parts, wanted, (gateway) => gateway.placeTrigger(other, context));
    if (heard.kind === 'answer') {
      parts.notice(violation('S32', `${wanted} made a trigger of another request under its key`));
    }
  } else if (choice < 0.8) {
    await readTriggerList(parts, wanted);
  } else {
    const heard = await call(parts.world, wanted, (gateway) => gateway.getTrigger(id));
    if (heard.kind === 'answer') tellTrigger(parts, wanted, { trigger: heard.value, says: null });
  }
}

async function change(
  parts: CallersParts,
  dice: Dice,
  caller: string,
  { wanted, id, request }: Placed,
): Promise<void> {
  const { asked, time } = parts.world;
  const what = dice.pick(['price', 'trigger', 'quantity'] as const);
  const legs = request.legs.map(({ triggerPrice, price, quantity }, place): TriggerLegChange => {
    const further = place === 1 ? 1 : -1;
    return {
      triggerPrice: what === 'trigger' ? triggerPrice + further * dice.pick([1, 2]) : null,
      price: what === 'price' ? price + dice.pick([-1, 1]) : null,
      quantity: what === 'quantity' ? quantity + dice.pick([-1, 1, 3]) : null,
    };
  });
  const isOrder = id.startsWith('ord_');
  const at = time.now();
  if (!isOrder) asked.triggers.changes.push({ at, wanted, legs });
  else if (legs[0]) {
    const changes = { ...legs[0], orderType: null, validity: null };
    asked.changes.push({ at, wanted, changes });
  }
  parts.world.timeline.note('caller', `${wanted}: changes ${JSON.stringify(legs)}`);
  const isKeyed = dice.chance(0.5);
  const context = { caller, idempotencyKey: isKeyed ? `change-${at}` : null };
  const of = { of: 'change', under: `${wanted} change-${at}` } as const;
  const { under } = of;
  const heard = await ask(
    parts,
    wanted,
    (gateway) => gateway.modifyTrigger(id, { legs, lastPrice: null }, context),
    isKeyed ? { under, late: (each) => void afterChange(parts, wanted, id, each, of) } : { under },
  );
  await afterChange(parts, wanted, id, heard, of);
}

async function afterChange(
  parts: CallersParts,
  wanted: string,
  id: string,
  heard: Heard<ToldTriggerResult>,
  of: Question,
): Promise<void> {
  if (heard.kind === 'answer') tellTrigger(parts, wanted, heard.value, of.of === 'cancel');
  if (heard.kind === 'problem') {
    const { code, detail } = heard.problem.fields;
    parts.world.timeline.note('caller', `${wanted}: told ${code} (${detail})`);
    if (code === 'internal') tellProblem(parts, wanted, heard, of);
    else keepProblem(parts, wanted, heard, of);
  }
  if (heard.kind === 'answer') await alsoAsOrder(parts, wanted, id);
}

/** Asks for a deletion; whoever hears nothing asks again. Returns whether it has been answered. */
async function remove(parts: CallersParts, one: Placed, caller: string): Promise<boolean> {
  const { world } = parts;
  const { asked, time, timeline } = world;
  const { wanted, id } = one;
  for (let tries = 0; tries < 10; tries += 1) {
    timeline.note('caller', `${wanted}: deletes`);
    asked.tried.push({ at: time.now(), wanted });
    const isKeyed = world.plan.impatient === true;
    const context = { caller, idempotencyKey: isKeyed ? `delete-${time.now()}` : null };
    const of = { of: 'cancel', under: `${wanted} delete-${time.now()}` } as const;
    const heard = await ask(parts, wanted, (gateway) => gateway.deleteTrigger(id, context), {
      under: of.under,
      late: (each) => void afterChange(parts, wanted, id, each, of),
    });
    await afterChange(parts, wanted, id, heard, of);
    if (heard.kind === 'answer') {
      const { says, isUnwritten = false } = heard.value;
      const told = { at: time.now(), wanted, id, says, isUnwritten };
      if (!id.startsWith('ord_')) asked.triggers.deletes.push(told);
      return true;
    }
    if (heard.kind === 'problem') return false;
    await sleep(time, 7_000);
  }
  return false;
}

/** Deletes what still waits, until the gateway says that it does not. */
async function end(parts: CallersParts, one: Placed, caller: string): Promise<void> {
  const { world } = parts;
  for (let tries = 0; tries < 8; tries += 1) {
    const heard = await call(world, one.wanted, (gateway) => gateway.getTrigger(one.id));
    if (heard.kind === 'answer') {
      tellTrigger(parts, one.wanted, { trigger: heard.value, says: null });
      if (!NOT_OVER.has(heard.value.status)) return;
      await remove(parts, one, caller);
    }
    await sleep(world.time, 11_000);
  }
}
