import type { Sent } from '../traffic.ts';
import { changedOrderId, isCancel } from '../traffic.ts';
import { sentUnder, violation, type Day, type Violation } from './context.ts';
import { reducesOnly } from './kill-switch.ts';

/** docs/orders.md, "Nothing is sent late". */
const ORDER_LEAVES_MS = 6_000;
const SLICES_LEAVE_MS = 30_000;
const BASKETS_LEAVE_MS = 30_000;
const CHANGE_LEAVES_MS = 15_000;

/**
 * S22: nothing leaves late. An order leaves within six seconds after the gateway has read its request, by
 * either clock of the process, its further slices and the orders of a basket within thirty, a modification
 * within fifteen; and no order leaves after a cancel of it was answered. Orders that only reduce what their account then had may be late, and cancels.
 */
export function ordersLeaveInTime(day: Day): Violation[] {
  return [...leftLate(day), ...leftAfterCancel(day)];
}

function leftLate(day: Day): Violation[] {
  return day.world.sent
    .filter((sent) => sent.age !== null && sent.age > limitOf(day, sent))
    .filter((sent) => !sent.placing || !reducesOnly(day, sent))
    .map(({ wanted, age, request }) =>
      violation('S22', `${request.method} of ${wanted} left ${age} ms after it was asked for`),
    );
}

/** How old the request of a caller may be when something leaves for it, ms. */
function limitOf({ world, state }: Day, sent: Sent): number {
  const { request, wanted, life, placing } = sent;
  if (!placing) {
    const isChange = changedOrderId(request) !== null && !isCancel(request);
    return isChange ? CHANGE_LEAVES_MS : Infinity;
  }
  if (sent.inBasket !== undefined) return BASKETS_LEAVE_MS;
  if (sentUnder(state, wanted ?? '').length < 2) return ORDER_LEAVES_MS;
  const first = world.sent.find(
    (each) => each.placing && each.wanted === wanted && each.life === life,
  );
  return first === sent ? ORDER_LEAVES_MS : SLICES_LEAVE_MS;
}

/** Nobody expects an order at a broker that the gateway has answered as being cancelled. */
function leftAfterCancel({ world }: Day): Violation[] {
  return world.sent.flatMap(({ placing, wanted, at }) => {
    if (!placing || wanted === null) return [];
    const cancel = world.asked.cancels.find((each) => each.wanted === wanted && each.at < at);
    if (cancel === undefined) return [];
    const after = `${at - cancel.at} ms after its cancel was answered`;
    return [violation('S22', `${wanted} was sent ${after} (${cancel.status})`)];
  });
}
