import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import { average } from '../../domain/money.ts';
import { needsTrigger } from '../../domain/order.ts';
import type { LedgerState, PaperFill, PaperOrder } from './state.ts';
import type { EpochMs } from '../../units/branded.ts';

/** The rows of a ledger's order book and trade book. */
export interface LedgerRows {
  /** The order book, in the order of placement. */
  book(state: LedgerState, now: EpochMs): readonly BrokerOrder[];
  /** Fills of the orders in the book, oldest first. */
  trades(state: LedgerState): readonly BrokerFill[];
}

/**
 * Keeps what it built last: the row of an order that has not changed is the same object again, and so is the list
 * while nothing has. Orders and fills are compared one after the other, and looked into only where they are others.
 */
export function createLedgerRows(): LedgerRows {
  let orders: readonly PaperOrder[] = [];
  let rows: BrokerOrder[] = [];
  /** Places of the orders that work: what their rows say depends on the time. */
  let working = new Set<number>();
  let fills: readonly PaperFill[] = [];
  let trades: BrokerFill[] = [];

  function isStale(place: number, now: EpochMs): boolean {
    const order = orders[place];
    return order !== undefined && rows[place]?.rawStatus !== rawStatus(order, now);
  }

  return {
    book(state, now) {
      const next = followed(orders, state.orders.values());
      if (next === orders && ![...working].some((place) => isStale(place, now))) return rows;
      const isKept = (order: PaperOrder, place: number): boolean =>
        order === orders[place] && !(working.has(place) && isStale(place, now));
      rows = next.map((order, place) => {
        const row = isKept(order, place) ? rows[place] : undefined;
        return row ?? newRow(order, now);
      });
      working = new Set(working);
      for (let place = 0; place < next.length; place += 1) {
        const order = next[place];
        if (order === orders[place]) continue;
        if (order?.status === 'working') working.add(place);
        else working.delete(place);
      }
      orders = next;
      return rows;
    },
    trades(state) {
      const next = followed(fills, [...state.fills.values()].flat());
      if (next === fills) return trades;
      trades = next.map((fill, place) => {
        const trade = fills[place] === fill ? trades[place] : undefined;
        return trade ?? newTrade(fill, state.orders.get(fill.orderId));
      });
      fills = next;
      return trades;
    },
  };
}

/** The items by number: `before` itself where they are the same. */
function followed<Item extends { readonly number: number }>(
  before: readonly Item[],
  items: Iterable<Item>,
): readonly Item[] {
  let same = 0;
  let others: Item[] | null = null;
  for (const item of items) {
    if (others) others.push(item);
    else if (item === before[same]) same += 1;
    else others = [...before.slice(0, same), item];
  }
  if (others) return inOrder(others, same);
  return same === before.length ? before : before.slice(0, same);
}

/**
 * Sorts by number items of which the first `sorted` are sorted. Nearly always all are: a check is cheaper than
 * sorting thousands again.
 */
function inOrder<Item extends { readonly number: number }>(items: Item[], sorted: number): Item[] {
  let last = items[sorted - 1]?.number ?? -Infinity;
  for (const { number } of items.slice(sorted)) {
    if (number < last) return items.sort((a, b) => a.number - b.number);
    last = number;
  }
  return items;
}

export function newRow(order: PaperOrder, now: EpochMs): BrokerOrder {
  return {
    brokerOrderId: order.id,
    // The order never went to an exchange.
    exchangeOrderId: null,
    instrument: order.instrument,
    side: order.side,
    quantity: order.quantity,
    filledQuantity: order.filledQuantity,
    averagePrice: average(order.filledValue, order.filledQuantity),
    orderType: order.orderType,
    product: order.product,
    validity: order.validity,
    price: order.price,
    triggerPrice: order.triggerPrice,
    status: order.status,
    rawStatus: rawStatus(order, now),
    reason: order.reason,
    tags: order.tag === '' ? [] : [order.tag],
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
  };
}

function rawStatus(order: PaperOrder, now: EpochMs): string {
  if (order.status !== 'working') return order.status.toUpperCase();
  if (order.activeFrom > now) return 'WAITING FOR SESSION';
  return needsTrigger(order.orderType) && !order.triggered ? 'WAITING FOR TRIGGER' : 'OPEN';
}

export function newTrade(fill: PaperFill, order: PaperOrder | undefined): BrokerFill {
  return {
    fillId: fill.id,
    brokerOrderId: fill.orderId,
    exchangeOrderId: null,
    exchange: order?.instrument.split(':')[0] ?? null,
    quantity: fill.quantity,
    price: fill.price,
    at: fill.at,
  };
}
