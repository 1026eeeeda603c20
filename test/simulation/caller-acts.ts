import type { GatewayProblem } from '../../src/domain/problem.ts';
import type { OrderModification, OrderRequest } from '../../src/domain/order.ts';
import { callerKey } from '../../src/execution/journal/records.ts';
import { sleep } from '../../src/platform/clock.ts';
import { call, keepProblem, tellOrder, type CallersParts, type Heard } from './call.ts';
import { noticeHeldBack } from './cancel-all-callers.ts';
import { violation } from './checks/context.ts';
import type { Dice } from './dice.ts';
import type { ToldResult } from './told-orders.ts';
import { nameOf, type Wanted, type World } from './world.ts';
import { NOTHING, randomChange, respelled } from './rich-orders.ts';

/** An order that a caller knows the id of. */
export interface Placed {
  readonly wanted: string;
  readonly key: string;
  readonly id: string;
  readonly request: OrderRequest;
}

/** One thing that a caller does between two orders: cancel, modify, repeat or read. */
export async function actOn(
  parts: CallersParts,
  dice: Dice,
  caller: string,
  order: Placed,
): Promise<void> {
  const { world } = parts;
  const act = dice.between(0, 1);
  if (act < 0.25) {
    await cancel(parts, order, caller);
  } else if (act < 0.33 && order.request.price !== null) {
    const changes = {
      quantity: null,
      price: order.request.price + 0.5,
      triggerPrice: null,
      orderType: null,
      validity: null,
    };
    await modify(parts, order, caller, changes);
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

/** What else callers do: modify any field, spell an instrument anew under a known key, cancel at once. */
export async function actMore(
  parts: CallersParts,
  dice: Dice,
  caller: string,
  order: Placed,
): Promise<void> {
  const { world } = parts;
  const asked = world.asked.orders.get(order.wanted);
  const act = world.plan.directed === 'spellings' ? 0.5 : dice.between(0, 1);
  if (act < 0.3 && asked) {
    const last = parts.priceOf(asked.instrument);
    await modify(parts, order, caller, randomChange(dice, order.request, last));
  } else if (act < 0.42) {
    await cancel(parts, order, caller);
  } else if (act < 0.52 && asked) {
    const again = respelled(dice, { ...asked, request: order.request });
    if (again === null) return;
    const heard = await call(world, order.wanted, (gateway) =>
      gateway.placeOrder(again, { caller, idempotencyKey: order.key }),
    );
    if (heard.kind === 'answer') tellOrder(parts, order.wanted, heard.value.order);
    if (heard.kind === 'problem' && isConflict(heard.problem)) {
      parts.notice(violation('S6', `${order.wanted} is in conflict with itself, spelled anew`));
    }
  }
}

/** What callers of some directed days do over and over (plan.ts). */
export async function actByHabit(
  parts: CallersParts,
  dice: Dice,
  caller: string,
  mine: readonly Placed[],
): Promise<void> {
  const { habit } = parts.world.plan;
  const last = mine.at(-1);
  // One alone: two who cancel each other's order would get what they asked for.
  if (habit === 'together_and_cancel' && last && caller === 'caller-1') {
    await sleep(parts.world.time, 1_000);
    await cancel(parts, last, caller);
  }
  if (habit === 'cancel_soon' && last) {
    await sleep(parts.world.time, dice.pick([0, 9_000]));
    await cancel(parts, last, caller);
  }
  if (habit === 'raise' && last) {
    const quantity = last.request.quantity * 2;
    await modify(parts, last, caller, { ...NOTHING, quantity });
  }
  if (habit === 'reprice') {
    for (const order of mine.slice(-4)) {
      const { price, side } = order.request;
      if (price === null) continue;
      const nearer = Math.round(price * (side === 'BUY' ? 1.002 : 0.998) * 10) / 10;
      await modify(parts, order, caller, { ...NOTHING, price: nearer });
    }
  }
  if (habit === 'change_by_turns') await changeByTurns(parts, dice, caller, mine.slice(-3));
  if (habit !== 'lower_and_raise') return;
  for (const order of mine.slice(-4)) {
    const { quantity } = order.request;
    if (quantity < 10) continue;
    for (const less of [5, 2]) {
      await modify(parts, order, caller, { ...NOTHING, quantity: quantity - less });
      await sleep(parts.world.time, 1_500);
    }
  }
}

/** One field of each order after another, with pauses in which a book catches up, and shorter ones. */
async function changeByTurns(
  parts: CallersParts,
  dice: Dice,
  caller: string,
  orders: readonly Placed[],
): Promise<void> {
  for (const order of orders) {
    const { price, quantity, side } = order.request;
    if (price === null) continue;
    const nearby = (): number =>
      Math.round(price * dice.pick(side === 'BUY' ? [0.9, 0.99, 1.002] : [1.1, 1.01, 0.998]) * 10) /
      10;
    const isBackAndForth = dice.chance(0.3);
    const turns: readonly Partial<OrderModification>[] = isBackAndForth
      ? [{ quantity: quantity - 5 }, { quantity }, { price: nearby() }]
      : Array.from({ length: 3 }, () =>
          dice.pick([
            { quantity: quantity + 5 },
            { quantity: quantity - 5 },
            { quantity },
            { price },
            { price: nearby() },
          ]),
        );
    for (const changes of turns) {
      await modify(parts, order, caller, { ...NOTHING, ...changes });
      await sleep(
        parts.world.time,
        dice.pick(isBackAndForth ? [500, 1_500] : [500, 3_000, 14_000]),
      );
    }
  }
}

const isConflict = ({ fields }: GatewayProblem): boolean => fields.code === 'idempotency_conflict';

export async function cancel(parts: CallersParts, order: Placed, caller: string): Promise<void> {
  const { world } = parts;
  const { wanted } = order;
  let request = keyOfChange(world, 'cancel', wanted);
  const ask = () => {
    world.asked.tried.push({ at: world.time.now(), wanted });
    if (request.idempotencyKey === null) request = keyOfChange(world, 'cancel', wanted);
    const { idempotencyKey, under } = request;
    return call(
      world,
      wanted,
      (gateway) => gateway.cancelOrder(order.id, { caller, idempotencyKey }),
      { under, late: hear },
    );
  };
  const hear = (each: Heard<ToldResult>): void => {
    const { under } = request;
    if (each.kind === 'problem') keepProblem(parts, wanted, each, { of: 'cancel', under });
    if (each.kind === 'answer') tellOrder(parts, wanted, each.value.order);
  };
  let heard = await ask();
  world.timeline.note('caller', `${wanted}: cancels`);
  // Who hears nothing asks again, until the gateway is up.
  for (let tries = 0; world.plan.rich && heard.kind === 'lost' && tries < 10; tries += 1) {
    await sleep(world.time, 7_000);
    heard = await ask();
  }
  hear(heard);
  if (heard.kind === 'problem') noticeHeldBack(parts, wanted, heard.problem);
  if (heard.kind !== 'answer') return;
  const { order: told, onDisk } = heard.value;
  const isOnDisk = onDisk !== false;
  world.asked.cancels.push({ at: world.time.now(), wanted, status: told.status, isOnDisk });
}

/** Cancels an order of which the list of orders has told before its placing was answered. */
export async function cancelUnanswered(
  parts: CallersParts,
  dice: Dice,
  { caller, key, request }: Wanted & Pick<Placed, 'request'>,
): Promise<void> {
  const { world } = parts;
  await sleep(world.time, dice.between(500, 4_000));
  const state = world.current()?.composed?.execution.state;
  const id = state?.orderByKey.get(callerKey(caller, key));
  if (id === undefined) return;
  await cancel(parts, { wanted: nameOf({ caller, key }), key, id, request }, caller);
}

export async function modify(
  parts: CallersParts,
  order: Placed,
  caller: string,
  changes: OrderModification,
): Promise<void> {
  const { world } = parts;
  const { wanted } = order;
  world.asked.changes.push({ at: world.time.now(), wanted, changes });
  const { idempotencyKey, under } = keyOfChange(world, 'change', wanted);
  const hear = (each: Heard<ToldResult>): void => {
    if (each.kind === 'answer') tellOrder(parts, wanted, each.value.order);
    if (each.kind === 'problem') keepProblem(parts, wanted, each, { of: 'change', under });
  };
  const heard = await call(
    world,
    wanted,
    (gateway) => gateway.modifyOrder(order.id, changes, { caller, idempotencyKey }),
    { under, late: hear },
  );
  world.timeline.note('caller', `${wanted}: modifies`);
  if (heard.kind === 'problem' && heard.problem.fields.code === 'internal') {
    const { detail } = heard.problem.fields;
    world.timeline.note('caller', `${wanted}: told internal (${detail})`);
  }
  hear(heard);
}

/**
 * Programs that repeat a request while it is under way give it a key. Without one, each cancel counts for itself, and
 * one that was not answered may have been sent.
 */
function keyOfChange({ plan, time, asked }: World, kind: 'cancel' | 'change', wanted: string) {
  const key = `${kind}-${time.now()}-${asked.calls.length}`;
  return { idempotencyKey: plan.impatient ? key : null, under: `${wanted} ${key}` };
}
