import type { GatewayProblem } from '../../src/domain/problem.ts';
import type { CancelAllRequest } from '../../src/router/gateway.ts';
import { sleep } from '../../src/platform/clock.ts';
import { placeMany } from './burst.ts';
import { call, type CallersParts, type Heard, keepProblem, tellOrder } from './call.ts';
import { violation, wantedOf } from './checks/context.ts';
import { createDice, type Dice } from './dice.ts';
import type { ToldCancelAll } from './http-callers.ts';
import type { PlannedCancelAll } from './planned-closing.ts';
import { nameOf, type World } from './world.ts';

/** Those who cancel many orders, each at its moment. */
export async function runCancelAlls(parts: CallersParts): Promise<void> {
  const { cancelAlls = [], seed } = parts.world.plan;
  await Promise.all(
    cancelAlls.map((planned, index) =>
      cancelMany(parts, planned, createDice(`${seed}/cancel-all/${index}`), index),
    ),
  );
}

const TRIES = 8;

async function cancelMany(
  parts: CallersParts,
  planned: PlannedCancelAll,
  dice: Dice,
  index: number,
): Promise<void> {
  const { world } = parts;
  const { caller, scope, side, triggers } = planned;
  const live = world.plan.tradingRoute.filter((each) => each !== 'paper');
  const broker = planned.isNamed ? dice.pick(live) : null;
  const all = { instrument: null, product: null, ...(triggers ? { triggers } : {}) };
  const request: CancelAllRequest = { scope, broker, side, ...all };
  const key = `cancel-all-${index + 1}`;
  const wanted = nameOf({ caller, key });
  await sleep(world.time, planned.at - world.time.now());
  placeMany(parts, { caller, key, count: planned.burst });
  if (planned.burst > 0) await sleep(world.time, dice.pick([0, 300, 1_500]));
  for (let tries = 0; tries < TRIES; tries += 1) {
    const at = world.time.now();
    const waiting = waitingByHand(world);
    noteTried(world, request, caller);
    world.timeline.note('caller', `${wanted}: cancels all ${JSON.stringify(request)}`);
    const keep = (each: Heard<ToldCancelAll>): void => {
      if (each.kind === 'problem') {
        keepProblem(parts, wanted, each, { of: 'cancel_all', under: wanted });
      }
    };
    const heard = await call(
      world,
      wanted,
      (gateway) => gateway.cancelAll(request, { caller, idempotencyKey: key }),
      { under: wanted, late: keep },
    );
    keep(heard);
    if (heard.kind === 'problem') {
      const { code, detail } = heard.problem.fields;
      world.timeline.note('caller', `${wanted}: told ${code} (${detail})`);
      noticeHeldBack(parts, wanted, heard.problem);
    }
    if (heard.kind === 'answer') {
      const answer = heard.value;
      const { orders, errors } = answer;
      const each = orders.map(({ order: { id }, result }) => `${id} ${result}`).join(', ');
      const unread = errors.map(({ broker: of }) => of).join(', ');
      world.timeline.note('caller', `${wanted}: told ${each}; unread: ${unread}`);
      tellOrders(parts, wanted, answer);
      tellTriggers(world, wanted, answer);
      world.asked.cancelAlls.push({
        ...{ wanted, request, at, answeredAt: world.time.now(), isFirst: tries === 0 },
        answer,
        restingThen: restingByHand(world),
        waitingThen: waitingByHand(world).filter((id) => waiting.includes(id)),
      });
      if (answer.settled) return;
    }
    await sleep(world.time, dice.between(1_000, 9_000));
  }
}

/** What holds back what opens risk, and no way out. */
const BRAKES: ReadonlySet<string> = new Set(['kill_switch', 'limit_reached', 'recovering']);

/** L16, of an answer to a request for a way out. A cancel needs no disk; a closing is on disk before it begins. */
export function noticeHeldBack(
  { notice }: CallersParts,
  wanted: string,
  { fields }: GatewayProblem,
  needsDisk = false,
): void {
  const { code, detail } = fields;
  const isUnwritten = code === 'journal_unavailable' && !needsDisk;
  if (BRAKES.has(code) || isUnwritten) notice(violation('L16', `${wanted} was refused: ${detail}`));
}

/** Every order that is asked for, whatever comes of it. */
export function noteTried(
  { current, time, asked }: World,
  { scope, triggers }: CancelAllRequest,
  caller: string,
): void {
  const state = current()?.composed?.execution.state;
  for (const order of state?.orders.values() ?? []) {
    if (!state || (scope === 'mine' && order.caller !== caller)) continue;
    asked.tried.push({ at: time.now(), wanted: wantedOf(state, order) });
  }
  for (const trigger of triggers ? (state?.triggers.values() ?? []) : []) {
    if (scope === 'mine' && trigger.caller !== caller) continue;
    asked.tried.push({
      at: time.now(),
      wanted: `${trigger.caller}/${trigger.idempotencyKey}`,
    });
  }
}

/** L20 goes by what is told of the deletion of each trigger. */
function tellTriggers({ asked, current, time }: World, ofRun: string, answer: ToldCancelAll): void {
  const at = time.now();
  const { deletes } = asked.triggers;
  for (const { id, result, onDisk } of answer.triggers ?? []) {
    const own = current()?.composed?.execution.state.triggers.get(id ?? '');
    if (own === undefined) continue;
    const wanted = `${own.caller}/${own.idempotencyKey}`;
    const told = deletes.findIndex((each) => each.wanted === wanted && each.ofRun === ofRun);
    if (result === 'not_sent' && told !== -1) deletes.splice(told, 1);
    if (!WANTED.has(result)) continue;
    const says = result === 'cancelled' ? ('done' as const) : ('open' as const);
    deletes.push({ at, wanted, id: own.id, says, isUnwritten: onDisk === false, ofRun });
  }
}

const WANTED: ReadonlySet<string> = new Set(['cancelled', 'cancelling']);

/** The broker's ids of triggers that wait and were placed in its own app. */
const waitingByHand = ({ sandbox, time }: World): readonly string[] =>
  sandbox.kite
    .triggers()
    .filter(({ status, placedBy }) => status === 'active' && placedBy === 'hand')
    .filter(({ hiddenUntil, createdAt }) => hiddenUntil <= time.now() && createdAt < time.now())
    .map(({ id }) => id);

/**
 * S5 goes by what is told of each order, and L6 by what is told to be under way: what a repeat tells in the end
 * counts, and one that could not be sent is not under way any more.
 */
function tellOrders(parts: CallersParts, ofRun: string, { orders }: ToldCancelAll): void {
  const { world } = parts;
  const state = world.current()?.composed?.execution.state;
  for (const { order, result, onDisk } of orders) {
    const own = state?.orders.get(order.id);
    if (!state || !own) continue;
    const wanted = wantedOf(state, own);
    tellOrder(parts, wanted, order);
    const { cancels } = world.asked;
    const told = cancels.findIndex((each) => each.wanted === wanted && each.ofRun === ofRun);
    if (result === 'not_sent' && told !== -1) cancels.splice(told, 1);
    if (result !== 'cancelling') continue;
    const of = { at: world.time.now(), wanted, ofRun, status: order.status };
    cancels.push({ ...of, isOnDisk: onDisk !== false });
  }
}

/** The orders that rest in the broker's own app now, by `broker:id`. */
function restingByHand({ sandbox, time }: World): readonly string[] {
  return (['alt', 'primary'] as const).flatMap((broker) => {
    const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
    return inspector
      .orders()
      .filter((each) => each.placedBy === 'hand' && !each.final && each.phase === 'open')
      .filter((each) => each.hiddenUntil <= time.now() && each.rowHiddenUntil <= time.now())
      .map(({ orderId }) => `${broker}:${orderId}`);
  });
}
