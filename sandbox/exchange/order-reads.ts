import type { BookView } from '../kernel/book-view.ts';
import { brokerDayEnd, brokerDayStart } from '../kernel/ist.ts';
import type { SandboxClock } from '../kernel/ports.ts';
import type { ManagedFill, ManagedOrder, LiveOrder } from './managed-order.ts';
import { isFinal } from './managed-order.ts';

/** What a broker's reads may show of its orders. */
export interface OrderReads {
  visible(view: BookView): ManagedOrder[];
  visibleFills(view: BookView): ManagedFill[];
  history(orderId: string, view: BookView): ManagedOrder[];
}

/** Epoch ms, `until` exclusive. */
interface Day {
  from: number;
  until: number;
}

const isOf = ({ from, until }: Day, at: number): boolean => from <= at && at < until;

export function createOrderReads(
  clock: SandboxClock,
  orders: ReadonlyMap<string, LiveOrder>,
  fills: readonly ManagedFill[],
): OrderReads {
  let day: Day = { from: 0, until: 0 };
  /** The broker's day, whose book is read. */
  const today = (): Day => {
    const now = clock.now();
    if (!isOf(day, now)) day = { from: brokerDayStart(now), until: brokerDayEnd(now) };
    return day;
  };

  const seen = (live: LiveOrder, view: BookView): ManagedOrder | null => {
    const now = clock.now();
    const { order } = live;
    if (order.hiddenUntil > now || order.createdAt > now - view.hideYoungerThanMs) return null;
    if (view.hideForeign && order.placedBy === 'hand') return null;
    const asOf = view.asOf ?? now;
    const version = live.versions.findLast(({ at }) => at <= asOf)?.order ?? null;
    // A working order of yesterday (an after-market order) is also in today's book.
    if (isFinal(order.phase) && !isOf(today(), order.updatedAt)) return null;
    return version;
  };

  return {
    visible: (view) =>
      [...orders.values()].flatMap((live) => {
        const order = seen(live, view);
        const { rowHiddenUntil, isRowGone, filled, placedQuantity } = live.order;
        if (!order || (rowHiddenUntil > clock.now() && (isRowGone || filled > 0))) return [];
        const isLagging = view.quantitiesLag && !isFinal(order.phase);
        return [isLagging ? { ...order, quantity: placedQuantity } : order];
      }),
    visibleFills: (view) => {
      const ofToday = today();
      const asOf = view.asOf ?? clock.now();
      return fills.filter((fill) => {
        const live = orders.get(fill.orderId);
        return live && fill.at <= asOf && isOf(ofToday, fill.at) && seen(live, view);
      });
    },
    history: (orderId, view) => {
      const live = orders.get(orderId);
      if (!live || !seen(live, view)) return [];
      const asOf = view.asOf ?? clock.now();
      return live.versions.filter(({ at }) => at <= asOf).map(({ order }) => order);
    },
  };
}
