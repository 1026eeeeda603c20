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
 * Keeps what it built last: the row of an order that has not changed is the same object again, so
 * that on a day of thousands of orders neither building a book nor reading it costs more.
 */
export function createLedgerRows(): LedgerRows {
  let orders: PaperOrder[] = [];
  let rows: BrokerOrder[] = [];
  let fills: PaperFill[] = [];
  let trades: BrokerFill[] = [];

  function rowAgain(place: number, order: PaperOrder, now: EpochMs): BrokerOrder {
    const row = orders[place] === order ? rows[place] : undefined;
    return row?.rawStatus === rawStatus(order, now) ? row : newRow(order, now);
  }

  return {
    book(state, now) {
      const next = inOrder([...state.orders.values()]);
      rows = next.map((order, place) => rowAgain(place, order, now));
      orders = next;
      return rows;
    },
    trades(state) {
      const next: PaperFill[] = [];
      for (const each of state.fills.values()) next.push(...each);
      inOrder(next);
      trades = next.map((fill, place) => {
        const trade = fills[place] === fill ? trades[place] : undefined;
        return trade ?? newTrade(fill, state.orders.get(fill.orderId));
      });
      fills = next;
      return trades;
    },
  };
}

/**
 * Sorts by number. Nearly always they are sorted: a check is cheaper than sorting thousands again.
 */
function inOrder<Item extends { readonly number: number }>(items: Item[]): Item[] {
  let last = -Infinity;
  for (const { number } of items) {
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
