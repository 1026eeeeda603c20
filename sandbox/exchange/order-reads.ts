import type { BookView } from '../kernel/book-view.ts';
import { brokerDay } from '../kernel/ist.ts';
import type { SandboxClock } from '../kernel/ports.ts';
import type { ManagedFill, ManagedOrder, LiveOrder } from './managed-order.ts';
import { isFinal } from './managed-order.ts';

/** What a broker's reads may show of its orders. */
export interface OrderReads {
  visible(view: BookView): ManagedOrder[];
  visibleFills(view: BookView): ManagedFill[];
  history(orderId: string, view: BookView): ManagedOrder[];
}

/** The day whose book a final order belongs to. */
const dayOf = (order: ManagedOrder): string => brokerDay(order.updatedAt);

export function createOrderReads(
  clock: SandboxClock,
  orders: ReadonlyMap<string, LiveOrder>,
  fills: readonly ManagedFill[],
): OrderReads {
  const seen = (live: LiveOrder, view: BookView): ManagedOrder | null => {
    const now = clock.now();
    const { order } = live;
    if (order.hiddenUntil > now || order.createdAt > now - view.hideYoungerThanMs) return null;
    if (view.hideForeign && order.placedBy === 'hand') return null;
    const asOf = view.asOf ?? now;
    const version = live.versions.findLast(({ at }) => at <= asOf)?.order ?? null;
    // A working order of yesterday (an after-market order) is also in today's book.
    if (isFinal(order.phase) && dayOf(order) !== brokerDay(now)) return null;
    return version;
  };

  return {
    visible: (view) =>
      [...orders.values()].flatMap((live) => {
        const order = seen(live, view);
        const isLate = live.order.rowHiddenUntil > clock.now() && live.order.filled > 0;
        return order && !isLate ? [order] : [];
      }),
    visibleFills: (view) =>
      fills.filter((fill) => {
        const live = orders.get(fill.orderId);
        const asOf = view.asOf ?? clock.now();
        return (
          live &&
          seen(live, view) &&
          fill.at <= asOf &&
          brokerDay(fill.at) === brokerDay(clock.now())
        );
      }),
    history: (orderId, view) => {
      const live = orders.get(orderId);
      if (!live || !seen(live, view)) return [];
      const asOf = view.asOf ?? clock.now();
      return live.versions.filter(({ at }) => at <= asOf).map(({ order }) => order);
    },
  };
}
