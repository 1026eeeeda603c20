import type { BrokerOrder } from '../../../sandbox/kernel/inspector.ts';
import type { SandboxTrigger } from '../../../sandbox/kite/gtt-inspector.ts';
import type { AskedCancelAll } from '../asked.ts';
import type { AskedOwnList } from '../asked-own-lists.ts';
import type { World } from '../world.ts';
import { type Day, violation, type Violation } from './context.ts';
import { READ_WITHIN_MS } from './exit-books.ts';
import { callerOf, dayAt } from './key-truth.ts';
import { keyOf, takenForTwins } from './trigger-books.ts';

/** An order that a trigger of the gateway has placed at the alternative broker, by the broker's own books. */
interface Placed {
  /** The trigger's, `caller/key`. */
  readonly wanted: string;
  /** The gateway's id of the trigger; null where the journal has none. */
  readonly id: string | null;
  readonly caller: string | null;
  readonly trigger: SandboxTrigger;
  readonly order: BrokerOrder;
}

/**
 * S46: the order that a trigger of a key has placed is the key's (docs/triggers.md, "The order that it places"). The lists
 * of the key's orders and trades have it, or name its trigger as one of which that is not known; a cancel of all orders of
 * the key has it where it rests, or an error of its broker; and none of them has an order of another key's trigger, or one
 * that was placed elsewhere.
 */
export function ownListsAreTrue(day: Day): Violation[] {
  const { world, state } = day;
  const { ownLists, cancelAlls, triggers } = world.asked;
  const twins = takenForTwins(day);
  // Of one that was called absent, or of which a person has said what it is, another order may be taken for its own.
  const doubtful = new Set(
    [...state.triggers.values()]
      .filter(({ id }) => triggers.worded.has(id))
      .map(keyOf)
      .concat([...twins])
      .concat(world.seenTriggers.flatMap((e) => (e.status === 'absent' ? [e.wanted] : []))),
  );
  const placed = placedBy(day);
  const known = placed.filter(({ wanted }) => !doubtful.has(wanted));
  const isDoubtful = doubtful.size > 0;
  return [
    ...ownLists.flatMap((asked) => [
      ...lacksNone(world, asked, known),
      ...(isDoubtful ? [] : hasNoOthers(asked, placed)),
    ]),
    ...cancelAlls.flatMap((asked) => [
      ...cancelsEach(world, asked, known),
      ...(isDoubtful ? [] : cancelsNoOthers(asked, placed)),
    ]),
  ];
}

function placedBy({ world, state }: Day): readonly Placed[] {
  const ids = new Map([...state.triggers.values()].map((each) => [keyOf(each), each.id]));
  return world.takenTriggers.flatMap(({ triggerId, wanted }) => {
    const trigger = world.sandbox.kite.trigger(triggerId);
    if (!trigger || wanted === null) return [];
    const orders = trigger.orderIds.flatMap((id) => world.sandbox.kite.order(id) ?? []);
    const of = { wanted, id: ids.get(wanted) ?? null, caller: callerOf(wanted), trigger };
    return orders.map((order) => ({ ...of, order }));
  });
}

const idOf = ({ orderId }: BrokerOrder): string => `alt:${orderId}`;

/** Whether reads at a moment show an order, which was placed some time before. */
const isShown = (order: BrokerOrder, at: number): boolean =>
  order.createdAt <= at - READ_WITHIN_MS &&
  dayAt(order.createdAt) === dayAt(at) &&
  !order.isRowGone &&
  Math.max(order.hiddenUntil, order.rowHiddenUntil) <= at - READ_WITHIN_MS;

/** How long what was read before may tell: a book and a list are read again within it. */
const READ_BEFORE_MS = 60_000;

/** Whether all that the broker has answered was true: requests that failed tell nothing wrong. */
const wasTrue = ({ sent }: World, from: number, until: number): boolean =>
  sent
    .filter((each) => each.broker === 'alt' && each.at <= until && each.at >= from - READ_BEFORE_MS)
    .every(({ answer }) => {
      if (answer === null || answer.honest) return true;
      return answer.reaction.kind !== 'answer' || answer.reaction.status !== 200;
    });

function lacksNone(
  world: World,
  { at, answeredAt, caller, what, told }: AskedOwnList,
  placed: readonly Placed[],
): Violation[] {
  if (!told.isWhole || !wasTrue(world, at, answeredAt) || world.sandbox.otherUser) return [];
  return placed.flatMap(({ caller: owner, id, wanted, order }) => {
    if (owner !== caller || !isShown(order, at)) return [];
    if (id !== null && told.uncertainTriggers.includes(id)) return [];
    const rows = told.rows.filter(({ orderId }) => orderId === idOf(order));
    const name = `${idOf(order)} of trigger ${wanted}`;
    if (what === 'orders') {
      const isListed = rows.some(({ triggeredBy }) => triggeredBy === id);
      return isListed ? [] : [violation('S46', `${caller} was not told of order ${name}`)];
    }
    const fills = world.sandbox.kite.fills().filter(({ orderId }) => orderId === order.orderId);
    const filled = fills
      .filter((fill) => fill.at <= at - READ_WITHIN_MS)
      .reduce((total, { quantity }) => total + quantity, 0);
    const shown = rows.reduce((total, { quantity }) => total + (quantity ?? 0), 0);
    if (shown >= filled) return [];
    return [
      violation('S46', `${caller} was told of ${shown} traded by ${name}, which has ${filled}`),
    ];
  });
}

function hasNoOthers({ caller, what, told }: AskedOwnList, placed: readonly Placed[]): Violation[] {
  const own = new Set(
    placed.filter((each) => each.caller === caller).map(({ order }) => idOf(order)),
  );
  return told.rows.flatMap(({ orderId }) =>
    orderId === null || !orderId.startsWith('alt:') || own.has(orderId)
      ? []
      : [
          violation(
            'S46',
            `${caller} was told of ${orderId} among its ${what}, and has not placed it`,
          ),
        ],
  );
}

function cancelsEach(world: World, asked: AskedCancelAll, placed: readonly Placed[]): Violation[] {
  const { wanted, request, answer, at, answeredAt, isFirst } = asked;
  if (request.scope !== 'mine' || !isFirst || (request.broker ?? 'alt') !== 'alt') return [];
  if (request.instrument !== null || request.product !== null || world.sandbox.otherUser) return [];
  if (!world.plan.tradingRoute.includes('alt') || !wasTrue(world, at, answeredAt)) return [];
  if (answer.errors.some(({ broker }) => broker === 'alt')) return [];
  return placed.flatMap(({ caller, order }) => {
    const isOpen = !order.final || order.updatedAt > answeredAt;
    if (caller !== callerOf(wanted) || !isOpen || !isShown(order, at)) return [];
    if (request.side !== null && request.side !== order.side) return [];
    if (answer.orders.some((each) => each.order.id === idOf(order))) return [];
    return [violation('S46', `${wanted} was not told of ${idOf(order)}, which rested`)];
  });
}

function cancelsNoOthers(
  { wanted, request, answer }: AskedCancelAll,
  placed: readonly Placed[],
): Violation[] {
  if (request.scope !== 'mine') return [];
  const caller = callerOf(wanted);
  const own = new Set(
    placed.filter((each) => each.caller === caller).map(({ order }) => idOf(order)),
  );
  return answer.orders.flatMap(({ order: { id } }) =>
    !id.startsWith('alt:') || own.has(id)
      ? []
      : [violation('S46', `${wanted} was told of ${id}, which is not of its key`)],
  );
}
