import { bindingOf, fillOf, type OrderRecord } from '../../../src/execution/order/order.ts';
import { type ExecutionState, filledByTrades } from '../../../src/execution/journal/state.ts';
import type { BrokerInspector } from '../../../sandbox/kernel/inspector.ts';
import type { World } from '../world.ts';
import { type Violation, violation } from './context.ts';
import { createLasting } from './lasting.ts';
import { lookEvery } from './look-every.ts';

const LOOK_MS = 15_000;
const MINUTE_MS = 60_000;
/** How long an order that works may be called ended while its row is shown. */
const WORKING_MS = 3 * MINUTE_MS;
/** How long a fill may be unknown that came so soon after the end of its order. */
const FILL_MS = 2 * MINUTE_MS;
const SOON_MS = 4 * MINUTE_MS;

const ENDED: ReadonlySet<string> = new Set(['filled', 'partial', 'cancelled', 'rejected']);

/**
 * L11: what comes after an order's end is seen. Looked at while the day is played, where the gateway is up,
 * its session alive, and every book whole: an order that works at its broker is called ended for three
 * minutes at most, and a fill that comes within four minutes of the end is known within two.
 */
export function watchAfterTheEnd(world: World, notice: (violation: Violation) => void): void {
  const works = createLasting(world, notice, WORKING_MS);
  const unknownFill = createLasting(world, notice, FILL_MS);
  const endedAt = new Map<string, number>();

  function lookAt(state: ExecutionState, order: OrderRecord, now: number): void {
    const { id } = order;
    const isEnded = ENDED.has(order.state.kind);
    if (!isEnded) endedAt.delete(id);
    else if (!endedAt.has(id)) endedAt.set(id, now);
    const row = isEnded ? rowOf(world, state, order) : null;
    const isOpen = row !== null && !row.order.final && row.order.phase === 'open';
    works.note(id, isOpen, () =>
      violation('L11', `${id} works, and is called ${order.state.kind}`),
    );
    const end = endedAt.get(id) ?? now;
    const isUnknown =
      row !== null &&
      knownFills(state, order) < row.order.filledQuantity &&
      row.fills.some(({ at }) => at > end && at < end + SOON_MS);
    unknownFill.note(id, isUnknown, () =>
      violation('L11', `a fill of ${id} after its end is not known`),
    );
  }

  function look(): void {
    const execution = world.current()?.composed?.execution;
    if (!execution || !isWell(world)) {
      works.clear();
      unknownFill.clear();
      return;
    }
    const now = world.time.now();
    const { state } = execution;
    for (const order of state.orders.values()) lookAt(state, order, now);
  }
  lookEvery(world, LOOK_MS, look);
}

/** What is known to have filled: the fills alone, where the row says nothing that can be true. */
const knownFills = (state: ExecutionState, order: OrderRecord): number =>
  fillOf(order).filledQuantity ?? filledByTrades(state, order.id);

/** The order at its broker, with its fills, where reads show it. */
function rowOf({ sandbox, time }: World, state: ExecutionState, order: OrderRecord) {
  const binding = bindingOf(order);
  if (order.mode === 'paper' || binding === null) return null;
  const inspector: BrokerInspector = order.broker === 'alt' ? sandbox.kite : sandbox.primary;
  const row = inspector.order(binding.brokerOrderId);
  if (!row || Math.max(row.hiddenUntil, row.rowHiddenUntil) > time.now()) return null;
  const isOpenOrLate = !row.final || row.filledQuantity > knownFills(state, order);
  const fills = isOpenOrLate
    ? inspector.fills().filter(({ orderId }) => orderId === row.orderId)
    : [];
  return { order: row, fills };
}

function isWell({ time, impaired, reads, current, plan }: World): boolean {
  const now = time.now();
  if (impaired.some(({ from, until }) => from <= now && now <= until)) return false;
  const session = current()?.composed?.session;
  if (plan.tradingRoute.includes('alt') && session?.current().state !== 'valid') return false;
  return reads.at(-1)?.honest !== false;
}
