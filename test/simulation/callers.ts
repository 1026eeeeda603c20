import { isFinal, type OrderRequest } from '../../src/domain/order.ts';
import {
  bindingOf,
  brokerOrderIdOf,
  isOver,
  type OrderRecord,
} from '../../src/execution/order/order.ts';
import { sleep } from '../../src/platform/clock.ts';
import { placeRandomBasket } from './basket-callers.ts';
import { call, tellOrder, tellProblem, type CallersParts, type Heard } from './call.ts';
import {
  actByHabit,
  actMore,
  actOn,
  cancel,
  cancelUnanswered,
  type Placed,
} from './caller-acts.ts';
import { violation } from './checks/context.ts';
import { createDice, type Dice } from './dice.ts';
import type { Stretch } from './hours.ts';
import type { ToldOrder, ToldResult } from './told-orders.ts';
import type { Habit } from './plan.ts';
import { randomOrder } from './random-order.ts';
import { richOrder } from './rich-orders.ts';
import { nameOf, type World } from './world.ts';

/** The programs that trade all day: they place, ask again, cancel, modify and look. */
export async function runCallers(parts: CallersParts): Promise<void> {
  const { world } = parts;
  const names = Array.from({ length: world.plan.callers }, (_, index) => `caller-${index + 1}`);
  await Promise.all(names.map((name) => runCaller(name, parts)));
}

async function runCaller(name: string, parts: CallersParts): Promise<void> {
  const { world } = parts;
  const { hours, ordersEach, seed } = world.plan;
  const dice = createDice(`${seed}/${name}`);
  // A stream of its own: what is drawn from it leaves the other choices of a seed as they were.
  const more = world.plan.rich ? createDice(`${seed}/${name}/more`) : null;
  const baskets = createDice(`${seed}/${name}/baskets`);
  const mine: Placed[] = [];
  if (world.plan.watchful) void watch(parts, mine);
  let number = 0;
  for (const [index, stretch] of hours.placing.entries()) {
    await sleep(world.time, stretch.from - world.time.now());
    const count = Math.ceil((ordersEach * (index + 1)) / hours.placing.length);
    // Until there are as many orders as planned, or the stretch is over: some keys never make one.
    while (mine.length < count) {
      const left = stretch.until - world.time.now();
      if (left <= 0) break;
      await sleep(world.time, dice.between(0, left / (count - mine.length)));
      const { habit } = world.plan;
      const pace = habit && PACE_MS[habit];
      if (pace !== undefined) await sleep(world.time, pace - (world.time.now() % pace));
      const key = `key-${(number += 1)}`;
      // In the morning some of last night's orders are asked for once more: twins across the books.
      const again = index > 0 && mine.length > 0 && dice.chance(0.3);
      const model = again ? dice.pick(mine) : null;
      const plain = model?.request ?? randomOrder(dice, world.plan, parts.priceOf);
      const wanted = nameOf({ caller: name, key });
      const liked = more && !model && more.chance(0.8) ? favouriteOf(parts, more) : null;
      const asked =
        more && !model && liked === null
          ? richOrder(more, plain, parts.priceOf)
          : {
              request: liked ?? plain,
              instrument: instrumentOf(parts, model, liked ?? plain),
            };
      world.asked.orders.set(wanted, asked);
      const { request } = asked;
      const id = await place(parts, dice, { caller: name, key, request });
      if (id !== null) mine.push({ wanted, key, id, request });
      if (baskets.chance(world.plan.baskets ?? 0)) {
        mine.push(...(await placeRandomBasket(parts, baskets, name)));
      }
      const other = mine.length > 0 ? dice.pick(mine) : null;
      if (other) await actOn(parts, dice, name, other);
      const last = mine.at(-1);
      if (more && last && isUncertain(world, last) && more.chance(0.6)) {
        await cancel(parts, last, name);
      }
      if (more) await actByHabit(parts, more, name, mine);
      if (more && mine.length > 0) await actMore(parts, more, name, more.pick(mine));
    }
  }
  if (hours.cleared) await clear(parts, dice, mine, hours.cleared);
}

/** What the callers of a directed day place most of the time; null for any other order. */
function favouriteOf({ world, priceOf }: CallersParts, dice: Dice): OrderRequest | null {
  return world.plan.favourite?.(dice, priceOf, world.time.now()) ?? null;
}

/** Callers who place together do so at whole quarters of a minute, or whole minutes. */
const PACE_MS: Partial<Record<Habit, number>> = { together: 15_000, together_and_cancel: 60_000 };

/** When a caller looks at its orders after the close, minutes after it. */
const LOOKS = [20, 50, 150, 272, 282, 300, 360];

/** Looks at all orders, every minute while orders are placed, and in the evening. */
async function watch(parts: CallersParts, mine: readonly Placed[]): Promise<void> {
  const { world } = parts;
  const { placing } = world.plan.hours;
  const opens = placing[0]?.from ?? 0;
  const close = opens + 30 * 60_000;
  const each = Array.from({ length: 29 }, (_, index) => opens + (index + 1) * 60_000);
  for (const at of [...each, ...LOOKS.map((minutes) => close + minutes * 60_000)]) {
    await sleep(world.time, at - world.time.now());
    for (const order of mine) {
      const heard = await call(world, order.wanted, (gateway) => gateway.getOrder(order.id));
      if (heard.kind === 'answer') tellOrder(parts, order.wanted, heard.value);
    }
  }
}

/** Who is told that an order is uncertain may want it gone. */
function isUncertain(world: World, { id }: Placed): boolean {
  const order = world.current()?.composed?.execution.state.orders.get(id);
  return order?.state.kind === 'uncertain';
}

/** The name of the instrument of an order, however it was spelled. */
function instrumentOf({ world }: CallersParts, model: Placed | null, plain: OrderRequest): string {
  return world.asked.orders.get(model?.wanted ?? '')?.instrument ?? plain.instrument;
}

/** Looks at the orders one by one when the market has opened, and takes back what still rests. */
async function clear(
  parts: CallersParts,
  dice: Dice,
  mine: readonly Placed[],
  { from, until }: Stretch,
): Promise<void> {
  const { world } = parts;
  const context = { caller: 'clearing', idempotencyKey: null };
  await sleep(world.time, from - world.time.now());
  const open = new Map<Placed, ToldOrder | null>(mine.map((order) => [order, null]));
  while (open.size > 0 && world.time.now() < until) {
    for (const order of open.keys()) {
      const seen = await call(world, order.wanted, (gateway) => gateway.getOrder(order.id));
      if (seen.kind !== 'answer') continue;
      tellOrder(parts, order.wanted, seen.value);
      open.set(order, seen.value);
      if (isFinal(seen.value.status)) {
        open.delete(order);
        continue;
      }
      world.asked.tried.push({ at: world.time.now(), wanted: order.wanted });
      await call(world, order.wanted, (gateway) => gateway.cancelOrder(order.id, context));
    }
    await sleep(world.time, dice.between(20_000, 90_000));
  }
  // L5: nothing goes wrong any more, so a cancel that is asked for again and again gets through.
  for (const [{ wanted }, seen] of open) {
    if (seen?.status !== 'working' || isOutOfReach(world, seen)) continue;
    parts.notice(violation('L5', `${wanted} cannot be cancelled`));
  }
}

/**
 * Over, and never shown: hidden until after the book in which it ended was gone. Or of another user, in
 * whose session alone it is cancelled (S17). So may a slice be.
 */
function isOutOfReach(world: World, { id, broker }: ToldOrder): boolean {
  const state = world.current()?.composed?.execution.state;
  if (!state || broker === 'paper') return false;
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const open = [...(state.slicesOf.get(id) ?? [id])]
    .map((each) => state.orders.get(each)!)
    .filter((order) => !isOver(order));
  const isOutThere = (order: OrderRecord): boolean => {
    const known = brokerOrderIdOf(order) ?? '';
    // In the morning an order can have another id, and another user's is not followed.
    const moved = world.taken.find(({ formerId }) => formerId === known);
    // What a person has named in the evening stays the order, and its row is missed (lost-rows.ts).
    if (moved !== undefined && bindingOf(order)?.by === 'person') return true;
    const brokerOrderId = moved?.brokerOrderId ?? known;
    if (broker === 'alt' && world.sandbox.otherUser?.order(brokerOrderId)) return true;
    return inspector.order(brokerOrderId)?.final === true;
  };
  return open.length > 0 && open.every(isOutThere);
}

/** Places, and asks again under the same key while nothing definite has been heard. */
async function place(
  parts: CallersParts,
  dice: Dice,
  order: { caller: string; key: string; request: OrderRequest },
): Promise<string | null> {
  const { world } = parts;
  const wanted = nameOf(order);
  const { instrument, side, quantity, orderType, price } = order.request;
  world.timeline.note(
    'caller',
    `${wanted}: ${side} ${quantity} ${instrument} ${orderType} ${price ?? ''}`,
  );
  if (world.plan.habit === 'cancel_unanswered' && dice.chance(0.3)) {
    void cancelUnanswered(parts, dice, order);
  }
  for (let tries = 0; tries < 6; tries += 1) {
    const before = hasLiveSession(world);
    const heard = await call(
      world,
      wanted,
      (gateway) =>
        gateway.placeOrder(order.request, { caller: order.caller, idempotencyKey: order.key }),
      { late: (each) => hear(parts, wanted, each) },
    );
    const isMeant = isForPaper(world, order.caller, order.request);
    if (before && !isMeant && hasLiveSession(world)) noticePaper(parts, wanted, heard);
    const id = hear(parts, wanted, heard);
    // Asked again at times although the answer was clear: a key has to bear that.
    if (id !== null && !dice.chance(0.15)) return id;
    if (heard.kind === 'problem' && !dice.chance(0.5)) return null;
    await sleep(world.time, dice.between(200, 9_000));
  }
  return null;
}

/** Whether the order is for paper because it, or its key, says so. */
function isForPaper({ plan }: World, caller: string, { broker, mode }: OrderRequest): boolean {
  const confined = plan.keys?.confined;
  const isOwn = confined?.caller === caller;
  const says = [broker, mode, ...(isOwn ? [confined.broker, confined.mode] : [])];
  return says.includes('paper');
}

/** Whether a live broker of the route has a session, as the gateway itself knows it. */
function hasLiveSession(world: World): boolean {
  const { tradingRoute } = world.plan;
  // The primary's token is set for the day.
  if (tradingRoute.includes('primary')) return true;
  const session = world.current()?.composed?.session;
  return session?.current().state === 'valid';
}

/** S12: an outage does not turn a live order into a paper one. */
function noticePaper(parts: CallersParts, wanted: string, heard: Heard<ToldResult>): void {
  if (heard.kind !== 'answer' || heard.value.repeated || heard.value.order.mode === 'live') return;
  parts.notice(violation('S12', `${wanted} went to paper while a live broker had a session`));
}

function hear(parts: CallersParts, wanted: string, heard: Heard<ToldResult>): string | null {
  if (heard.kind === 'answer') {
    tellOrder(parts, wanted, heard.value.order);
    return heard.value.order.id;
  }
  if (heard.kind === 'problem') tellProblem(parts, wanted, heard, { of: 'placing' });
  else parts.world.timeline.note('caller', `${wanted}: connection lost`);
  return null;
}
