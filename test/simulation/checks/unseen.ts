import {
  bindingOf,
  brokerOrderIdOf,
  calledAbsentOf,
  type OrderRecord,
} from '../../../src/execution/order/order.ts';
import { lastBookDay } from '../../../src/execution/order/order-day.ts';
import { releasedBy } from '../../../src/execution/reconcile/when-made.ts';
import type { ExecutionState } from '../../../src/execution/journal/state.ts';
import type { LiveBroker } from '../traffic.ts';
import type { World } from '../world.ts';
import { isOfGoneBook, type Violation, violation, wantedOf } from './context.ts';
import { createLasting } from './lasting.ts';
import { lookEvery } from './look-every.ts';

const LOOK_MS = 30_000;
const MINUTE_MS = 60_000;
/** How long an order may be said to work under an id that nobody has. */
const UNKNOWN_ID_MS = 7 * MINUTE_MS;
/** How long a row may be shown before its order has it. */
const UNFOUND_MS = 60 * MINUTE_MS;
/** The same where nothing else could be the order. */
const PLAIN_MS = 5 * MINUTE_MS;
/** Days on which no tag comes back, nobody places by hand, and no row is late. */
const PLAIN_DAYS: ReadonlySet<string | null> = new Set(['market_as_limit', 'spelled_ids']);
/** How long a broker may be recovering while each book has one row that cannot be read. */
const SPOILED_MS = 6 * MINUTE_MS;

const inspectorOf = ({ sandbox }: World, broker: string) =>
  broker === 'alt' ? sandbox.kite : sandbox.primary;

/**
 * Looks at the gateway that is up while the day is played. L9: no order is said to work under an id that
 * its broker does not have, and an order that is uncertain, disputed or was called absent gets its row once that is
 * shown with our tag. L7: one row that cannot be read keeps no broker recovering. Each is told once.
 */
export function watchUnseen(world: World, notice: (violation: Violation) => void): void {
  const unknownId = createLasting(world, notice, UNKNOWN_ID_MS);
  const unfound = createLasting(world, notice, UNFOUND_MS);
  const unfoundPlain = createLasting(world, notice, PLAIN_MS);
  const recovering = createLasting(world, notice, SPOILED_MS);

  function lookAt(order: OrderRecord, state: ExecutionState, isWell: boolean): void {
    const { id } = order;
    unknownId.note(id, isWell && hasUnknownId(world, order), () =>
      violation('L9', `${id} works under an id that nobody has`),
    );
    const found = (): Violation => violation('L9', `the row of ${id} is shown, and not found`);
    unfound.note(id, isWell && hasShownRow(world, state, order), found);
    unfoundPlain.note(id, isWell && hasPlainRow(world, state, order), found);
  }

  function look(): void {
    const execution = world.current()?.composed?.execution;
    if (!execution) {
      for (const each of [unknownId, unfound, unfoundPlain, recovering]) each.clear();
      return;
    }
    const isWell = isUp(world);
    for (const order of execution.state.orders.values()) {
      if (order.mode !== 'paper' && order.parentId === null) {
        lookAt(order, execution.state, isWell);
      }
    }
    if (world.plan.directed !== 'spoiled_rows') return;
    const [broker = ''] = world.plan.tradingRoute;
    const isRecovering = execution.poller(broker)?.recovering() === true;
    recovering.note(broker, isRecovering, () =>
      violation('L7', `${broker} is recovering because of one row`),
    );
  }
  lookEvery(world, LOOK_MS, look);
}

/** Whether nothing but the answers of brokers is in the way of the gateway. */
function isUp({ time, impaired, reads, current, plan }: World): boolean {
  const now = time.now();
  if (impaired.some(({ from, until }) => from <= now && now <= until)) return false;
  const session = current()?.composed?.session;
  if (plan.tradingRoute.includes('alt') && session?.current().state !== 'valid') return false;
  const last = reads.at(-1);
  return last === undefined || last.honest;
}

function hasUnknownId(world: World, order: OrderRecord): boolean {
  const binding = bindingOf(order);
  if (order.state.kind !== 'working' || binding === null || binding.row !== null) return false;
  // The morning gave it another id: its row is missed from when the exchange has taken all orders.
  const hadId = world.taken.some(({ formerId }) => formerId === binding.brokerOrderId);
  if (hadId && world.time.now() < releasedBy(lastBookDay(order))) return false;
  // No book of the first user says anything about an order of the other one.
  const wanted = `${order.caller}/${order.idempotencyKey}`;
  const { otherUser } = world.sandbox;
  const isOfOther = world.taken.some(
    (each) => each.wanted === wanted && otherUser?.order(each.brokerOrderId) !== undefined,
  );
  if (isOfOther) return false;
  return inspectorOf(world, order.broker).order(binding.brokerOrderId) === undefined;
}

/** Whether a row with the order's own tag is shown, and the order has none, or the row of another one. */
function hasShownRow(world: World, state: ExecutionState, order: OrderRecord): boolean {
  const { kind } = order.state;
  if (order.broker !== 'alt') return false;
  if (kind !== 'disputed' && kind !== 'absent' && kind !== 'uncertain') return false;
  if (calledAbsentOf(order)?.by === 'person') return false;
  const wanted = wantedOf(state, order);
  const bound = brokerOrderIdOf(order);
  const { taken } = world;
  const owner = taken.find(({ brokerOrderId }) => brokerOrderId === bound);
  if (bound !== null && (owner === undefined || owner.wanted === wanted)) return false;
  const now = world.time.now();
  const isShown = (broker: LiveBroker, id: string): boolean => {
    const row = inspectorOf(world, broker).order(id);
    if (row === undefined || row.tag === null || isOfGoneBook(row, now)) return false;
    // The second user is logged in for minutes: nobody shows that book for an hour.
    if (world.sandbox.otherUser?.order(id) !== undefined) return false;
    return Math.max(row.hiddenUntil, row.rowHiddenUntil) < now;
  };
  return taken.some(
    (each) =>
      each.wanted === wanted &&
      each.broker === 'alt' &&
      each.order.tag !== 'someoneelse' &&
      isShown(each.broker, each.brokerOrderId),
  );
}

/** Whether an uncertain order has a row that no other order could have. */
function hasPlainRow(world: World, state: ExecutionState, order: OrderRecord): boolean {
  if (!PLAIN_DAYS.has(world.plan.directed) || order.state.kind !== 'uncertain') return false;
  const wanted = wantedOf(state, order);
  return world.taken.some((taken) => taken.wanted === wanted && taken.broker === order.broker);
}
