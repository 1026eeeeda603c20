import type { BrokerInspector, BrokerOrder } from '../../sandbox/kernel/inspector.ts';
import { bindingOf } from '../../src/execution/order/order.ts';
import type { Dice } from './dice.ts';
import type { Mishap } from './mishaps.ts';
import type { World } from './world.ts';

/** What happens at a broker to orders of the gateway that rest there. */
export interface OwnRows {
  fillPart(mishap: Extract<Mishap, { kind: 'part_fill' }>): void;
  changeIds(mishap: Extract<Mishap, { kind: 'ids_change' }>): void;
  hideRow(mishap: Extract<Mishap, { kind: 'own_row_hidden' }>): void;
}

/** The gateway has read the row of an order by then. */
const SEEN_MS = 15_000;
/** How long after its row has gone an order fills. */
const FILLED_AFTER_MS = 3_000;

interface Resting {
  readonly inspector: BrokerInspector;
  readonly order: BrokerOrder;
}

export function createOwnRows(world: () => World, roll: () => Dice): OwnRows {
  /** Orders of the gateway that rest at their broker and are bound to a row that it has read at the exchange. */
  function resting(): Resting[] {
    const { sandbox, taken, time, current } = world();
    const state = current()?.composed?.execution.state;
    const seen = new Set(
      [...(state?.orders.values() ?? [])].flatMap((order) => {
        const binding = bindingOf(order);
        const isRead = binding?.row && binding.exchangeOrderId !== null;
        return isRead && order.state.kind === 'working' ? [binding.brokerOrderId] : [];
      }),
    );
    return taken.flatMap(({ broker, brokerOrderId }) => {
      const inspector = broker === 'alt' ? sandbox.kite : sandbox.primary;
      const order = inspector.order(brokerOrderId);
      const isOpen = order?.phase === 'open' && order.createdAt < time.now() - SEEN_MS;
      const isShown = Math.max(order?.hiddenUntil ?? 0, order?.rowHiddenUntil ?? 0) < time.now();
      const isSeen = [...seen].some((id) => id === brokerOrderId);
      return order && isOpen && isShown && isSeen ? [{ inspector, order }] : [];
    });
  }

  function fill({ inspector, order }: Resting, quantity: number): void {
    inspector.fillByHand(order.orderId, quantity, order.limitPaise);
    world().timeline.note('world', `${quantity} of ${order.orderId} fill`);
  }

  return {
    fillPart({ of }) {
      const due = resting().filter(({ order }) => {
        const { quantity, placedQuantity, filledQuantity } = order;
        return of === 'placed'
          ? filledQuantity < placedQuantity && placedQuantity < quantity
          : filledQuantity === 0 && quantity >= 2;
      });
      if (due.length === 0) return;
      const each = roll().pick(due);
      const { quantity, placedQuantity, filledQuantity } = each.order;
      fill(each, of === 'placed' ? placedQuantity - filledQuantity : Math.ceil(quantity * 0.6));
    },
    changeIds({ tagged }) {
      const { taken, sandbox, timeline } = world();
      for (const [index, each] of taken.entries()) {
        const inspector = each.broker === 'alt' ? sandbox.kite : sandbox.primary;
        const order = inspector.order(each.brokerOrderId);
        // One whose tag is lost may be anybody's.
        if (order?.phase !== 'after_market') continue;
        const keepsTag = roll().chance(tagged);
        const brokerOrderId = inspector.changeId(order.orderId, keepsTag);
        taken[index] = { ...each, brokerOrderId, formerId: each.brokerOrderId };
        const how = keepsTag ? 'with its tag' : 'without a tag';
        timeline.note('world', `${order.orderId} is now ${brokerOrderId}, ${how}`);
      }
    },
    hideRow({ forMs, what, fills }) {
      const due = resting().filter(({ order }) => order.filledQuantity === 0);
      if (due.length === 0) return;
      const each = roll().pick(due);
      const { inspector, order } = each;
      inspector.hide(order.orderId, forMs, what);
      const which = what === 'row' ? 'the row' : 'row and trades';
      world().timeline.note('world', `${which} of ${order.orderId} are gone for ${forMs} ms`);
      const part = fills === 'whole' ? order.quantity : Math.ceil(order.quantity / 2);
      world().time.after(FILLED_AFTER_MS, () => fill(each, part));
    },
  };
}
