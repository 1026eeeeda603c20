import type { BrokerId } from '../../domain/broker.ts';
import type { BrokerOrder } from '../../domain/broker-order.ts';
import { needsPrice, needsTrigger, type OrderTerms } from '../../domain/order.ts';
import type { OrderRecord } from './order.ts';

/**
 * What an order and a row of a book must have in common to be taken for one another where a broker
 * hands no tag back. A price counts where the order's type has one.
 */
export function fingerprint(broker: BrokerId, terms: OrderTerms): string {
  return [
    broker,
    terms.instrument,
    terms.side,
    terms.product,
    terms.orderType,
    terms.validity,
    terms.quantity,
    needsPrice(terms.orderType) ? terms.price : null,
    needsTrigger(terms.orderType) ? terms.triggerPrice : null,
  ].join('|');
}

export function rowFingerprint(broker: BrokerId, row: BrokerOrder, order: OrderRecord): string {
  return [
    broker,
    isInstrumentOf(order, row) ? order.terms.instrument : row.instrument,
    row.side,
    row.product,
    row.orderType,
    row.validity,
    row.quantity,
    needsPrice(row.orderType) ? row.price : null,
    needsTrigger(row.orderType) ? row.triggerPrice : null,
  ].join('|');
}

/**
 * Whether a row is about an order's instrument. Until the masters are loaded, rows of some brokers
 * name instruments by scrip code.
 */
export function isInstrumentOf(order: OrderRecord, row: BrokerOrder): boolean {
  return row.instrument === order.terms.instrument || row.instrument === order.scripCode;
}
