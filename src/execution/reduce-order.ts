import type { BrokerOrder } from '../domain/broker-order.ts';
import type { FillPriceSource } from '../domain/order.ts';
import { isFinal, type OrderStatus } from '../domain/order-status.ts';
import type { FillRecord, OrderRecord } from './records.ts';

/**
 * What an order is, given what its broker last said and the fills known of it. Pure, and the same
 * whatever the order in which observations come, however late and however often
 * (docs/spec/derived-fills.md, docs/spec/statuses.md).
 */
export function reduceOrder(
  order: OrderRecord,
  row: BrokerOrder | null,
  fills: readonly FillRecord[],
  at: number,
): OrderRecord {
  const newest = newestRow(order.row, row);
  const traded = quantityOf(fills);
  const total = newest?.quantity ?? order.terms.quantity;
  // What an old row said to be filled is no less filled for that.
  const told = Math.max(order.filledQuantity ?? 0, row?.filledQuantity ?? 0);
  const filled = filledQuantity(newest, traded, told, total);
  const some = traded > 0 || told > 0 || order.status === 'partial';
  const status = newest ? statusOf(newest, filled, some, total) : order.status;
  // Nothing is estimated while the order works: its next row may tell.
  const reference = isFinal(status) ? (newest?.price ?? order.terms.price) : null;
  const price = averagePrice(newest, fills, filled, reference);
  return {
    ...order,
    row: newest,
    terms: newest ? termsAtBroker(order, newest) : order.terms,
    status,
    reason: reasonOf(order, newest, status),
    filledQuantity: filled,
    averagePrice: price.price,
    fillPriceSource: price.source,
    exchangeOrderId: newest?.exchangeOrderId ?? order.exchangeOrderId,
    cancelWanted: order.cancelWanted && !isFinal(status),
    unrecognisedSince:
      newest?.status === 'unrecognised' && !isFinal(status)
        ? (order.unrecognisedSince ?? at)
        : null,
  };
}

/**
 * A read can be of the past: a row never takes back a final status, a fill, or a later time of
 * change.
 */
function newestRow(known: BrokerOrder | null, seen: BrokerOrder | null): BrokerOrder | null {
  if (!known || !seen) return seen ?? known;
  if (isFinalStatus(known) && !isFinalStatus(seen)) return known;
  const bothKnown = seen.filledQuantity !== null && known.filledQuantity !== null;
  if (bothKnown && seen.filledQuantity! < known.filledQuantity!) return known;
  if (
    known.updatedAt !== null &&
    seen.updatedAt !== null &&
    seen.updatedAt < known.updatedAt &&
    !isFinalStatus(seen)
  ) {
    return known;
  }
  return seen;
}

const isFinalStatus = (row: BrokerOrder): boolean =>
  row.status !== 'working' && row.status !== 'unrecognised';

/**
 * Null while unknown. A known quantity never falls; nothing above the total is believed. Without a
 * figure in the row, what is known is a lower bound: it stands while the order works, and says nothing
 * of how much an order that has ended filled in all.
 */
function filledQuantity(
  row: BrokerOrder | null,
  traded: number,
  told: number,
  total: number,
): number | null {
  const most = Math.min(Math.max(row?.filledQuantity ?? 0, traded, told), total);
  const unknown = row === null || row.filledQuantity === null;
  if (!unknown || most >= total) return most;
  const ended = row !== null && isFinalStatus(row) && row.status !== 'filled';
  return told > 0 && !ended ? most : null;
}

/**
 * Quantities overrule the status. What was filled by its trades works again when a row shows that it
 * had been made larger: the rest may still fill. `some`: something is known to have filled.
 */
function statusOf(
  row: BrokerOrder,
  filled: number | null,
  some: boolean,
  total: number,
): OrderStatus {
  if (filled !== null && filled >= total && total > 0) return 'filled';
  switch (row.status) {
    case 'working':
    case 'unrecognised':
      return 'working';
    case 'filled':
      // The row says whole, the quantities do not (yet): still to be read, never guessed.
      return 'working';
    case 'partial':
      return 'partial';
    case 'cancelled':
    case 'rejected':
      return some || (filled !== null && filled > 0) ? 'partial' : row.status;
  }
}

/** Quantity and price follow the broker's row: a modification, ours or by hand, shows there. */
function termsAtBroker(order: OrderRecord, row: BrokerOrder): OrderRecord['terms'] {
  const { terms } = order;
  const priced = terms.orderType === 'LIMIT' || terms.orderType === 'SL';
  const triggered = terms.orderType === 'SL' || terms.orderType === 'SL-M';
  return {
    ...terms,
    quantity: row.quantity,
    price: priced && row.price ? row.price : terms.price,
    triggerPrice: triggered && row.triggerPrice ? row.triggerPrice : terms.triggerPrice,
  };
}

function reasonOf(order: OrderRecord, row: BrokerOrder | null, status: OrderStatus): string | null {
  if (status === 'rejected' || status === 'cancelled' || status === 'partial') {
    return row?.reason ?? (order.status === status ? order.reason : null);
  }
  return status === order.status ? order.reason : null;
}

/**
 * The first of the five steps that applies (docs/spec/derived-fills.md). Trades that name their order
 * come before the row, those that were joined to it by the exchange's id alone after it. `reference`
 * is the price that the order was sent at or asked for, where an estimate may be given.
 */
function averagePrice(
  row: BrokerOrder | null,
  fills: readonly FillRecord[],
  filled: number | null,
  reference: number | null,
): { price: number | null; source: FillPriceSource | null } {
  const own = fills.filter((fill) => fill.joined !== true);
  const joined = fills.filter((fill) => fill.joined === true);
  if (own.length > 0 && quantityOf(own) === filled) {
    return { price: weighted(own), source: 'trades' };
  }
  if (row?.averagePrice && (filled === null || filled > 0)) {
    return { price: row.averagePrice, source: 'order_row' };
  }
  if (joined.length > 0) return { price: weighted(joined), source: 'trade_book' };
  if (own.length > 0) return { price: plain(own), source: 'average' };
  if (reference !== null && filled !== null && filled > 0) {
    return { price: reference, source: 'estimate' };
  }
  return { price: null, source: null };
}

function quantityOf(fills: readonly FillRecord[]): number {
  return fills.reduce((sum, fill) => sum + fill.quantity, 0);
}

function weighted(fills: readonly FillRecord[]): number {
  const value = fills.reduce((sum, fill) => sum + fill.quantity * fill.price, 0);
  return round(value / quantityOf(fills));
}

function plain(fills: readonly FillRecord[]): number {
  return round(fills.reduce((sum, fill) => sum + fill.price, 0) / fills.length);
}

/** A quotient of floats is not a price: four decimals are finer than any tick. */
const round = (price: number): number => Math.round(price * 10_000) / 10_000;
