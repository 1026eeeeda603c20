import type { BrokerFill, BrokerOrder } from '../../domain/broker-order.ts';
import type { InstrumentLookup, InstrumentName, Segment } from '../../domain/instrument.ts';
import { ORDER_TYPES, PRODUCTS, VALIDITIES, type Side } from '../../domain/order.ts';
import { badPayload, clip } from './errors.ts';
import { fillRow, orderRow, type OrderRow } from './schemas.ts';
import { isSmartType, stopKind } from './smart-order-rows.ts';
import { readStatus } from './status.ts';

export interface MappedBook {
  readonly orders: readonly BrokerOrder[];
  /** Whether any row belongs to another segment than equity; a row without a segment may. */
  readonly derivatives: boolean;
  /** Ids of the orders whose row type is that of a smart order. */
  readonly smart: ReadonlySet<string>;
}

/**
 * Maps the order book of the day. Only rows without an id are left out. A row with an id that lacks
 * what makes it an order fails the whole read, so that no order of ours can vanish.
 */
export function mapOrderBook(
  rows: readonly unknown[],
  lookup: InstrumentLookup,
  extraTerminal: readonly string[],
): MappedBook {
  const read = rows.map((each) => {
    const parsed = orderRow.safeParse(each);
    if (!parsed.success) throw badPayload('a row of the order book is not an object');
    return parsed.data;
  });
  const named = read.filter((row) => row.hasId);
  const smart = named.filter((row) => isSmartType(row.orderType)).flatMap(({ id }) => id ?? []);
  return {
    orders: named.map((row) => mapOrder(row, lookup, extraTerminal)),
    derivatives: read.some((row) => segmentOf(row.segment) !== 'EQUITY'),
    smart: new Set(smart),
  };
}

export function mapOrder(
  row: OrderRow,
  lookup: InstrumentLookup,
  extraTerminal: readonly string[],
): BrokerOrder {
  const { id, securityId, exchange, requested } = row;
  if (id === null) throw badPayload('a row of the order book has an unreadable id');
  const side = sideOf(row.side);
  if (side === null) throw badPayload(`order ${id} has no readable side`);
  if (typeof requested !== 'number') throw badPayload(`order ${id} has no readable quantity`);
  if (securityId === null || exchange === null) {
    throw badPayload(`order ${id} does not name its instrument`);
  }
  const rawStatus = row.status ?? '';
  return {
    brokerOrderId: id,
    exchangeOrderId: row.exchangeOrderId,
    instrument: instrumentOf(lookup, exchange, securityId, segmentOf(row.segment)),
    side,
    quantity: requested,
    ...readStatus(rawStatus, requested, row.traded, extraTerminal, isSmartType(row.orderType)),
    averagePrice: row.averagePrice,
    orderType: known(row.orderType, ORDER_TYPES),
    product: known(row.product, PRODUCTS),
    validity: known(row.validity, VALIDITIES),
    price: row.price,
    triggerPrice: row.triggerPrice,
    ...stopKind(row),
    rawStatus,
    reason: row.reason === null ? null : clip(row.reason),
    tags: row.remarks === null ? [] : [row.remarks],
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

/** Maps the trade book. Every row is an execution, so none may be left out. */
export function mapFills(rows: readonly unknown[]): readonly BrokerFill[] {
  return rows.map((each) => {
    const parsed = fillRow.safeParse(each);
    if (!parsed.success) throw badPayload('a row of the trade book is not an object');
    const { fillId, exchangeOrderId, brokerOrderId, quantity, price } = parsed.data;
    if (fillId === null) throw badPayload('a row of the trade book has no readable fill id');
    if (exchangeOrderId === null && brokerOrderId === null) {
      throw badPayload(`fill ${fillId} does not name its order`);
    }
    if (typeof quantity !== 'number' || quantity === 0 || price === null) {
      throw badPayload(`fill ${fillId} has no readable quantity and price`);
    }
    const { exchange, at } = parsed.data;
    return { fillId, brokerOrderId, exchangeOrderId, exchange, quantity, price, at };
  });
}

/** The canonical name, or the scrip code where no master list has the instrument. */
export function instrumentOf(
  lookup: InstrumentLookup,
  exchange: string,
  securityId: string,
  segment: Segment | undefined,
): InstrumentName {
  const found = lookup.bySecurityId(exchange, securityId, segment);
  return found?.name ?? `${exchange}_${securityId}`;
}

export function segmentOf(text: string | null): Segment | undefined {
  const segment = text?.toUpperCase();
  return segment === 'EQUITY' || segment === 'DERIVATIVE' ? segment : undefined;
}

function sideOf(text: string | null): Side | null {
  const side = text?.toUpperCase();
  if (side === 'BUY' || side === 'B') return 'BUY';
  return side === 'SELL' || side === 'S' ? 'SELL' : null;
}

/** A known word in the gateway's case; any other word as the broker wrote it. */
function known(text: string | null, words: readonly string[]): string {
  const upper = text?.toUpperCase() ?? '';
  return words.includes(upper) ? upper : (text ?? '');
}
