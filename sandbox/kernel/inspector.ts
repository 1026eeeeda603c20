import type { Account, FundsLine } from '../exchange/account.ts';
import type { HoldingLine } from '../exchange/holding-line.ts';
import type { PositionLine } from '../exchange/position-line.ts';
import { netOf } from '../exchange/position-line.ts';
import type { OrderManagement } from '../exchange/order-management.ts';
import type { ManagedFill, ManagedOrder, Receipt } from '../exchange/managed-order.ts';
import { isFinal } from '../exchange/managed-order.ts';
import type { ReceivedRequest, RequestLog } from './request-log.ts';

/** An order in the broker's own books. Prices in paise, times in epoch ms. */
export interface BrokerOrder {
  orderId: string;
  exchangeOrderId: string | null;
  /** `NSE:INFY`. */
  instrument: string;
  exchangeToken: number;
  side: 'BUY' | 'SELL';
  product: ManagedOrder['product'];
  orderType: string;
  quantity: number;
  /** The worst price at which it may fill; for a market order, the price it was converted to. */
  limitPaise: number;
  triggerPaise: number | null;
  phase: ManagedOrder['phase'];
  /** In the broker's words. */
  status: string;
  final: boolean;
  filledQuantity: number;
  /** 0 before the first fill. */
  averagePaise: number;
  placedBy: 'api' | 'hand';
  tag: string | null;
  remarks: string | null;
  /** The request that placed it (`at`: when it arrived); null for an order placed by hand. */
  receipt: Receipt | null;
  /** When the order was created: later than the request under timeout_400. */
  createdAt: number;
  updatedAt: number;
  /** Until when reads do not show it. */
  hiddenUntil: number;
  /** Until when reads do not show its row, although they show its trades. */
  rowHiddenUntil: number;
  isRowGone: boolean;
  modifications: number;
  placedQuantity: number;
}

export interface BrokerFill {
  fillId: number;
  orderId: string;
  exchangeOrderId: string;
  instrument: string;
  side: 'BUY' | 'SELL';
  product: ManagedOrder['product'];
  quantity: number;
  pricePaise: number;
  at: number;
  placedBy: 'api' | 'hand';
}

export interface BrokerPosition extends PositionLine {
  net: number;
}

/** An order by the user in the broker's own app. */
export interface HandOrder {
  /** `NSE:INFY`. */
  instrument: string;
  side: 'BUY' | 'SELL';
  quantity: number;
  product?: ManagedOrder['product'];
  /** Paise; a market order when absent. */
  limitPaise?: number;
}

/** A broker's own books, for a checker: no fault hides anything here. */
export interface BrokerInspector {
  orders(): BrokerOrder[];
  order(orderId: string): BrokerOrder | undefined;
  fills(): BrokerFill[];
  positions(): BrokerPosition[];
  holdings(): HoldingLine[];
  /** Paise. */
  funds(): FundsLine;
  placeByHand(order: HandOrder): BrokerOrder;
  cancelByHand(orderId: string): void;
  /** As in the broker's app. Price in paise. */
  modifyByHand(orderId: string, change: { quantity?: number; limit?: number }): void;
  /** No read shows the order any more, ever. */
  vanish(orderId: string): void;
  /** The order has another id from now on, and its tag only where it keeps it. Returns the new id. */
  changeId(orderId: string, keepsTag: boolean): string;
  /** No read shows its row for so long (ms), or all of it with its trades. */
  hide(orderId: string, forMs: number, what: 'row' | 'all'): void;
  /** A trade of an order that has ended; paise. Its row shows the trade only where `inRow`. */
  fillLate(orderId: string, quantity: number, pricePaise: number, inRow: boolean): void;
  /** A cancelled order works again. */
  workAgain(orderId: string): void;
  /** Fills an order at the exchange as if a counterparty had arrived; paise. */
  fillByHand(orderId: string, quantity: number, pricePaise: number): void;
  /** Every session ends now. */
  killTokens(): void;
  /** Called for each order when it is accepted. Returns a function that removes the listener. */
  onOrder(listener: (order: BrokerOrder) => void): () => void;
  /** Every request that reached the broker, oldest first. */
  requests(): readonly ReceivedRequest[];
  /** Requests by endpoint (`GET /orders`). */
  counts(): Record<string, number>;
  /**
   * Requests refused with 429 because they exceeded a limit; those refused by a fault are left out.
   */
  limitBreaks(): readonly ReceivedRequest[];
}

export interface InspectorParts {
  orders: OrderManagement;
  account: Account;
  log: RequestLog;
  /** Epoch ms. */
  now(): number;
  statusOf(order: ManagedOrder): string;
  placeByHand(order: HandOrder): ManagedOrder;
  killTokens(): void;
}

const fillOf = (fill: ManagedFill): BrokerFill => ({
  fillId: fill.fillId,
  orderId: fill.orderId,
  exchangeOrderId: fill.exchangeOrderId,
  instrument: fill.instrument.key,
  side: fill.side,
  product: fill.product,
  quantity: fill.quantity,
  pricePaise: fill.price,
  at: fill.at,
  placedBy: fill.placedBy,
});

export function inspectBroker(parts: InspectorParts): BrokerInspector {
  const { orders, account, log } = parts;
  const orderOf = (order: ManagedOrder): BrokerOrder => ({
    orderId: order.orderId,
    exchangeOrderId: order.exchangeOrderId,
    instrument: order.instrument.key,
    exchangeToken: order.instrument.exchangeToken,
    side: order.side,
    product: order.product,
    orderType: order.orderType,
    quantity: order.quantity,
    limitPaise: order.limit,
    triggerPaise: order.trigger?.price ?? null,
    phase: order.phase,
    status: parts.statusOf(order),
    final: isFinal(order.phase),
    filledQuantity: order.filled,
    averagePaise: order.filled > 0 ? order.filledValue / order.filled : 0,
    placedBy: order.placedBy,
    tag: order.tag,
    remarks: order.remarks,
    receipt: order.receipt,
    createdAt: order.createdAt,
    updatedAt: order.updatedAt,
    hiddenUntil: order.hiddenUntil,
    rowHiddenUntil: order.rowHiddenUntil,
    isRowGone: order.isRowGone,
    modifications: order.modifications,
    placedQuantity: order.placedQuantity,
  });
  return {
    orders: () => orders.all().map(orderOf),
    order: (orderId) => {
      const order = orders.find(orderId);
      return order ? orderOf(order) : undefined;
    },
    fills: () => orders.allFills().map(fillOf),
    positions: () => account.positions().map((line) => ({ ...line, net: netOf(line) })),
    holdings: () => account.holdings(),
    funds: () => account.funds(orders.working()),
    placeByHand: (order) => orderOf(parts.placeByHand(order)),
    cancelByHand: (orderId) => orders.cancel(orderId),
    modifyByHand: (orderId, change) => orders.modify(orderId, change),
    fillByHand: (orderId, quantity, pricePaise) => orders.fill(orderId, quantity, pricePaise),
    vanish: (orderId) => orders.vanish(orderId),
    changeId: (orderId, keepsTag) => orders.changeId(orderId, keepsTag),
    hide: (orderId, forMs, what) => orders.hide(orderId, parts.now() + forMs, what),
    fillLate: (orderId, quantity, pricePaise, inRow) =>
      orders.fillLate(orderId, quantity, pricePaise, inRow),
    workAgain: (orderId) => orders.workAgain(orderId),
    killTokens: () => parts.killTokens(),
    onOrder: (listener) =>
      orders.onChange((order, cause) => {
        if (cause === 'placed') listener(orderOf(order));
      }),
    requests: () => log.all(),
    counts: () => log.counts(),
    limitBreaks: () => log.limitBreaks(),
  };
}
