import type { BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import { bindingOf, fillOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import type { World } from '../world.ts';
import { type Violation, violation } from './context.ts';
import { lookEvery } from './look-every.ts';

const LOOK_MS = 5_000;
/** How long the row may be gone before what was said of its fills is taken back, or found in the trades. */
const KNOWN_MS = 30_000;

/**
 * L12: while the row of an order that works is gone, its filled quantity is not told as zero, and what its
 * trades show is known. Looked at while the day is played, where for half a minute no fault was met, the
 * gateway was up and its session alive.
 */
export function watchRowsGone(world: World, notice: (violation: Violation) => void): void {
  const since = new Map<string, number>();
  const told = new Set<string>();
  let quiet = '';

  function tell(id: string, text: string): void {
    if (told.has(id)) return;
    told.add(id);
    notice(violation('L12', `${id}: ${text}`));
  }

  function look(): void {
    const execution = world.current()?.composed?.execution;
    const now = world.time.now();
    const { sandbox, births } = world;
    const met = `${sandbox.faults.strikes()}/${births.length}`;
    if (!execution || !isUp(world) || met !== quiet) since.clear();
    quiet = met;
    for (const order of execution?.state.orders.values() ?? []) {
      const gone = goneRow(world, order);
      if (gone === null) {
        since.delete(order.id);
        continue;
      }
      const from = since.get(order.id) ?? now;
      since.set(order.id, from);
      if (now - from < KNOWN_MS) continue;
      const { filledQuantity } = fillOf(order);
      if (filledQuantity === 0) tell(order.id, 'its row is gone, and it is told as not filled');
      else if ((filledQuantity ?? 0) < gone.traded(now - KNOWN_MS)) {
        tell(order.id, `${filledQuantity} told as filled, and the trades show more`);
      }
    }
  }
  lookEvery(world, LOOK_MS, look);
}

/** Where no read shows the row of an order that works: how much of it the trades show since a time. */
function goneRow(
  { sandbox, time }: World,
  order: OrderRecord,
): { readonly traded: (by: number) => number } | null {
  const binding = bindingOf(order);
  if (order.mode === 'paper' || order.state.kind !== 'working' || !binding?.row) return null;
  const inspector: BrokerInspector = order.broker === 'alt' ? sandbox.kite : sandbox.primary;
  const row = inspector.order(binding.brokerOrderId);
  // The first user's session shows nothing of the other one's orders: neither their rows nor their trades.
  if (sandbox.otherUser?.order(binding.brokerOrderId) !== undefined) return null;
  const now = time.now();
  const isGone = row?.isRowGone === true && row.rowHiddenUntil > now;
  const isHidden = row !== undefined && row.hiddenUntil > now;
  if (!isGone && !isHidden) return null;
  const ofOrder = inspector.fills().filter(({ orderId }) => orderId === binding.brokerOrderId);
  return {
    traded: (by) =>
      isHidden
        ? 0
        : ofOrder.filter(({ at }) => at <= by).reduce((sum, { quantity }) => sum + quantity, 0),
  };
}

function isUp({ time, impaired, current, plan, users }: World): boolean {
  const now = time.now();
  if (impaired.some(({ from, until }) => from <= now && now <= until)) return false;
  const session = current()?.composed?.session;
  if (plan.tradingRoute.includes('alt') && session?.current().state !== 'valid') return false;
  return users.present === 'first';
}
