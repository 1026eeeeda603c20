import type { OrderId, TradingDay } from '../units/branded.ts';
import type { Journal } from './journal/journal.ts';
import { mustNotBeQuarantined } from './journal/quarantined.ts';
import { type ExecutionState, fillsOfOrder, required } from './journal/state.ts';
import type { FillRecord } from './order/fills.ts';
import type { OrderRecord } from './order/order.ts';
import { lastBookDay } from './order/order-day.ts';

export interface HistoryReads {
  /** The order, also one of a day that is no longer in memory; null when there is none. */
  order(id: OrderId): Promise<OrderRecord | null>;
  ordersOn(day: TradingDay): Promise<readonly OrderRecord[]>;
  fillsOf(orderId: OrderId): Promise<readonly FillRecord[]>;
}

/** Orders and fills of any day: those of the last days from memory, older ones from the journal. */
export function historyReads({
  state,
  journal,
  loadedSince,
}: {
  readonly state: ExecutionState;
  readonly journal: Journal;
  readonly loadedSince: TradingDay;
}): HistoryReads {
  async function orderOnDisk(id: OrderId): Promise<OrderRecord | null> {
    mustNotBeQuarantined(state.quarantine, id);
    return journal.order(id);
  }
  return {
    order: async (id) => state.orders.get(id) ?? orderOnDisk(id),
    ordersOn: async (day) =>
      day < loadedSince ? journal.ordersOn(day) : ordersInMemory(state, day),
    async fillsOf(orderId) {
      if (state.orders.has(orderId)) return fillsOfOrder(state, orderId);
      mustNotBeQuarantined(state.quarantine, orderId);
      return oldFills(journal, orderId);
    },
  };
}

/** Orders of a day, and those for after the market of the days before that live on to it. */
function ordersInMemory(state: ExecutionState, day: TradingDay): OrderRecord[] {
  const earlier = [...state.afterMarket]
    .map((id) => required(state.orders, id, 'order'))
    .filter((order) => order.day < day && lastBookDay(order) >= day);
  return [...earlier, ...(state.ordersOfDay.get(day)?.values() ?? [])];
}

/** Fills of an order that is no longer in memory, those of its slices included. */
async function oldFills(journal: Journal, orderId: OrderId): Promise<readonly FillRecord[]> {
  const order = await journal.order(orderId);
  const sameDay = order === null ? [] : await journal.ordersOn(order.day);
  const slices = sameDay.filter((each) => each.parentId === orderId);
  const fills = await Promise.all([orderId, ...slices.map(({ id }) => id)].map(journal.fillsOf));
  return fills.flat();
}
