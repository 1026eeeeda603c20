import { isFinal, type OrderRequest, type OrderResponse } from '../../src/domain/order.ts';
import { GatewayProblem } from '../../src/domain/problem.ts';
import { brokerOrderIdOf, isOver, type OrderRecord } from '../../src/execution/order/order.ts';
import type { ExecutionResult, Gateway } from '../../src/router/gateway.ts';
import { sleep } from '../../src/platform/clock.ts';
import { violation, type Violation } from './checks/context.ts';
import { createDice, type Dice } from './dice.ts';
import type { Stretch } from './hours.ts';
import { randomOrder, type PriceOf } from './random-order.ts';
import type { Statement } from './statements.ts';
import { nameOf, type World } from './world.ts';

/** What came of a call, as the program that made it sees it. */
type Heard<T> =
  | { readonly kind: 'answer'; readonly value: T }
  | { readonly kind: 'problem'; readonly problem: GatewayProblem }
  /** The gateway was down, or went down before it answered. */
  | { readonly kind: 'lost' };

export interface CallersParts {
  readonly world: World;
  readonly told: (statement: Statement) => void;
  readonly notice: (violation: Violation) => void;
  readonly priceOf: PriceOf;
}

/** Makes one call of the gateway that is up now, and waits no longer than that one lives. */
export async function call<T>(
  world: World,
  wanted: string,
  make: (gateway: Gateway) => Promise<T>,
): Promise<Heard<T>> {
  const incarnation = world.current();
  const gateway = incarnation?.composed?.gateway;
  if (!incarnation || !gateway) return { kind: 'lost' };
  const answer = world.onBehalf.run(wanted, async (): Promise<Heard<T>> => {
    try {
      return { kind: 'answer', value: await make(gateway) };
    } catch (error) {
      if (error instanceof GatewayProblem) return { kind: 'problem', problem: error };
      // What is not a problem is the face's 500: nothing is known.
      const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const problem = new GatewayProblem({ code: 'internal', detail, mayHaveExecuted: true });
      return { kind: 'problem', problem };
    }
  });
  const lost = incarnation.died.then((): Heard<T> => ({ kind: 'lost' }));
  const heard = await Promise.race([answer, lost]);
  return incarnation.alive ? heard : { kind: 'lost' };
}

/** The programs that trade all day: they place, ask again, cancel, modify and look. */
export async function runCallers(parts: CallersParts): Promise<void> {
  const { world } = parts;
  const names = Array.from({ length: world.plan.callers }, (_, index) => `caller-${index + 1}`);
  await Promise.all(names.map((name) => runCaller(name, parts)));
}

interface Placed {
  readonly wanted: string;
  readonly key: string;
  readonly id: string;
  readonly request: OrderRequest;
}

async function runCaller(name: string, parts: CallersParts): Promise<void> {
  const { world } = parts;
  const { hours, ordersEach, seed } = world.plan;
  const dice = createDice(`${seed}/${name}`);
  const mine: Placed[] = [];
  let number = 0;
  for (const [index, stretch] of hours.placing.entries()) {
    await sleep(world.time, stretch.from - world.time.now());
    const count = Math.ceil((ordersEach * (index + 1)) / hours.placing.length);
    // Until there are as many orders as planned, or the stretch is over: some keys never make one.
    while (mine.length < count) {
      const left = stretch.until - world.time.now();
      if (left <= 0) break;
      await sleep(world.time, dice.between(0, left / (count - mine.length)));
      const key = `key-${(number += 1)}`;
      // In the morning some of last night's orders are asked for once more: twins across the books.
      const again = index > 0 && mine.length > 0 && dice.chance(0.3);
      const request = again
        ? dice.pick(mine).request
        : randomOrder(dice, world.plan, parts.priceOf);
      const wanted = nameOf({ caller: name, key });
      const id = await place(parts, dice, { caller: name, key, request });
      if (id !== null) mine.push({ wanted, key, id, request });
      const other = mine.length > 0 ? dice.pick(mine) : null;
      if (other) await actOn(parts, dice, name, other);
    }
  }
  if (hours.cleared) await clear(parts, dice, mine, hours.cleared);
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
  const open = new Map<Placed, OrderResponse | null>(mine.map((order) => [order, null]));
  while (open.size > 0 && world.time.now() < until) {
    for (const order of open.keys()) {
      const seen = await call(world, order.wanted, (gateway) => gateway.getOrder(order.id));
      if (seen.kind !== 'answer') continue;
      tellOrder(parts, order.wanted, seen.value);
      open.set(order, seen.value);
      if (isFinal(seen.value.status)) open.delete(order);
      else await call(world, order.wanted, (gateway) => gateway.cancelOrder(order.id, context));
    }
    await sleep(world.time, dice.between(20_000, 90_000));
  }
  // L5: nothing goes wrong any more, so a cancel that is asked for again and again gets through.
  for (const [{ wanted }, seen] of open) {
    if (seen?.status !== 'working' || isOverAtBroker(world, seen)) continue;
    parts.notice(violation('L5', `${wanted} cannot be cancelled`));
  }
}

/** Over, and never shown: hidden until after the book in which it ended was gone. So may a slice be. */
function isOverAtBroker(world: World, { id, broker }: OrderResponse): boolean {
  const state = world.current()?.composed?.execution.state;
  if (!state || broker === 'paper') return false;
  const inspector = broker === 'alt' ? world.sandbox.kite : world.sandbox.primary;
  const open = [...(state.slicesOf.get(id) ?? [id])]
    .map((each) => state.orders.get(each)!)
    .filter((order) => !isOver(order));
  const isOverThere = (order: OrderRecord): boolean =>
    inspector.order(brokerOrderIdOf(order) ?? '')?.final === true;
  return open.length > 0 && open.every(isOverThere);
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
  for (let tries = 0; tries < 6; tries += 1) {
    const before = hasLiveSession(world);
    const heard = await call(world, wanted, (gateway) =>
      gateway.placeOrder(order.request, { caller: order.caller, idempotencyKey: order.key }),
    );
    if (before && hasLiveSession(world)) noticePaper(parts, wanted, heard);
    const id = hear(parts, wanted, heard);
    // Asked again at times although the answer was clear: a key has to bear that.
    if (id !== null && !dice.chance(0.15)) return id;
    if (heard.kind === 'problem' && !dice.chance(0.5)) return null;
    await sleep(world.time, dice.between(200, 9_000));
  }
  return null;
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
function noticePaper(parts: CallersParts, wanted: string, heard: Heard<ExecutionResult>): void {
  if (heard.kind !== 'answer' || heard.value.repeated || heard.value.order.mode === 'live') return;
  parts.notice(violation('S12', `${wanted} went to paper while a live broker had a session`));
}

function hear(parts: CallersParts, wanted: string, heard: Heard<ExecutionResult>): string | null {
  if (heard.kind === 'answer') {
    tellOrder(parts, wanted, heard.value.order);
    return heard.value.order.id;
  }
  if (heard.kind === 'problem') tellProblem(parts, wanted, heard.problem);
  else parts.world.timeline.note('caller', `${wanted}: connection lost`);
  return null;
}

function tellOrder(parts: CallersParts, wanted: string, order: OrderResponse): void {
  const { world, told } = parts;
  const { id, status, filledQuantity, broker, reason } = order;
  world.timeline.note(
    'caller',
    `${wanted}: told ${status}, filled ${filledQuantity}, ${id} at ${broker}${reason ? ` (${reason})` : ''}`,
  );
  told({
    kind: 'order',
    at: world.time.now(),
    wanted,
    orderId: id,
    status,
    filledQuantity,
    broker,
    reason,
  });
}

function tellProblem(parts: CallersParts, wanted: string, problem: GatewayProblem): void {
  const { code, detail, mayHaveExecuted = false } = problem.fields;
  parts.world.timeline.note('caller', `${wanted}: told ${code} (${detail})`);
  const at = parts.world.time.now();
  parts.told({ kind: 'problem', at, wanted, code, detail, mayHaveExecuted });
}

async function actOn(
  parts: CallersParts,
  dice: Dice,
  caller: string,
  order: Placed,
): Promise<void> {
  const { world } = parts;
  const context = { caller, idempotencyKey: null };
  const act = dice.between(0, 1);
  if (act < 0.25) {
    const heard = await call(world, order.wanted, (gateway) =>
      gateway.cancelOrder(order.id, context),
    );
    world.timeline.note('caller', `${order.wanted}: cancels`);
    if (heard.kind === 'answer') tellOrder(parts, order.wanted, heard.value.order);
  } else if (act < 0.33 && order.request.price !== null) {
    const changes = {
      quantity: null,
      price: order.request.price + 0.5,
      triggerPrice: null,
      orderType: null,
      validity: null,
    };
    const heard = await call(world, order.wanted, (gateway) =>
      gateway.modifyOrder(order.id, changes, context),
    );
    world.timeline.note('caller', `${order.wanted}: modifies`);
    if (heard.kind === 'answer') tellOrder(parts, order.wanted, heard.value.order);
  } else if (act < 0.43) {
    // The same key with the same request, and with another.
    const twice = {
      ...order.request,
      quantity: order.request.quantity + (dice.chance(0.5) ? 1 : 0),
    };
    const heard = await call(world, order.wanted, (gateway) =>
      gateway.placeOrder(twice, { caller, idempotencyKey: order.key }),
    );
    if (heard.kind === 'answer') tellOrder(parts, order.wanted, heard.value.order);
  } else if (act < 0.75) {
    const heard = await call(world, order.wanted, (gateway) => gateway.getOrder(order.id));
    if (heard.kind === 'answer') tellOrder(parts, order.wanted, heard.value);
  } else if (act < 0.85) {
    await call(world, order.wanted, (gateway) => gateway.getPositions());
  }
}
