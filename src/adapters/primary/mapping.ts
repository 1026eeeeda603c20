import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { RejectionClass } from '../../domain/rejection.ts';
import {
  type Instrument,
  type InstrumentLookup,
  type InstrumentName,
  parentExchange,
  type Segment,
} from '../../domain/instrument.ts';
import { isBelievableTick, isMultipleOf } from '../../domain/money.ts';
import { badPayload, isObject } from './envelope.ts';
import { type NumberReading, orderId, type OrderRow } from './schemas.ts';
import type { BrokerOrderId } from '../../units/branded.ts';

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

/** A request body with the broker's names, or the reason why the gateway does not send one. */
export type BuiltRequest =
  | {
      readonly kind: 'built';
      readonly path: string;
      readonly body: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'unsendable'; readonly rejection: RejectionClass; readonly reason: string };

export function unsendable(reason: string, rejection: RejectionClass = 'other'): BuiltRequest {
  return { kind: 'unsendable', rejection, reason };
}

/**
 * The algo id that the exchange requires for orders sent by API (docs/spec/primary-brokerage.md).
 */
const ALGO_IDS: Readonly<Record<string, string>> = { NSE: '99999', BSE: '9999999999999999' };

/** The exchange and segment as order calls name them; null where this broker takes no orders. */
export interface OrderPlace {
  readonly exchange: string;
  readonly segment: OrderSegment;
  readonly securityId: string;
  readonly algoId: string;
}

export type OrderSegment = 'EQUITY' | 'DERIVATIVE';

export function orderPlace(instrument: Instrument): OrderPlace | null {
  const segment = orderSegment(instrument);
  const exchange = parentExchange(instrument.exchange);
  const algoId = ALGO_IDS[exchange];
  const { securityId } = instrument;
  if (securityId === null || segment === null || algoId === undefined) return null;
  return { exchange, segment, securityId, algoId };
}

export function orderSegment(instrument: Instrument): OrderSegment | null {
  return instrument.segment === 'INDEX' ? null : instrument.segment;
}

export function isQuantity(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}

/** JSON would turn a price that is not finite into null. */
export function isPrice(value: number | null): value is number {
  return value !== null && Number.isFinite(value) && value > 0;
}

/**
 * The reason why a price cannot be sent; null when it can. Prices are never rounded: one that is
 * not a multiple of a believed tick is refused, and where no tick is believed, the broker decides.
 */
export function offTick(price: number, { name, tickSize }: Instrument): BuiltRequest | null {
  if (tickSize === null || !isBelievableTick(tickSize, price)) return null;
  if (isMultipleOf(price, tickSize)) return null;
  return unsendable(`${price} is not a multiple of the tick of ${name}, ${tickSize}`, 'price');
}

/**
 * Row types of smart orders, which have their own calls to change and cancel. Ids do not tell them
 * apart.
 */
const SMART = /^(OCO|TRIGGER|GTT)/i;
const WAITING = /^(TRIGGER|GTT[ _-]?LIMIT)$/i;

export function isSmartType(type: string | null): boolean {
  return type !== null && SMART.test(type.trim());
}

export type OrderKind = Pick<BrokerOrder, 'orderType' | 'price' | 'triggerPrice'>;

/**
 * A smart order that waits for one trigger is an SL order to callers. The broker returns it as
 * GTT_LIMIT, with its prices in the target's fields (docs/spec/primary-brokerage.md, "Stop
 * orders"). Null for every other row, which keeps its own type.
 */
export function stopKind(row: OrderRow): OrderKind | null {
  if (row.orderType === null || !WAITING.test(row.orderType.trim())) return null;
  const pairs = [row.target, row.stopLoss].filter(
    ({ trigger, limit }) => trigger !== null || limit !== null,
  );
  const [pair] = pairs;
  // With both pairs it is a bracket order, which no caller can have placed here.
  if (pairs.length !== 1 || !pair || pair.trigger === null || pair.limit === null) return null;
  return { orderType: 'SL', price: pair.limit, triggerPrice: pair.trigger };
}

export interface Acknowledgement {
  readonly brokerOrderId: BrokerOrderId;
  /** The id of the order that a smart order will send later, where the reply names it. */
  readonly childOrderId: BrokerOrderId | null;
}

/**
 * The order that an acknowledgement names: in `data`, or in the one entry of `data.order_data` for
 * a smart order. Null when it names no order or several: then we cannot tell whether an order
 * exists.
 */
export function readAcknowledgement(data: unknown): Acknowledgement | null {
  if (!isObject(data)) return null;
  const entries: unknown = data.order_data;
  if (entries === undefined) return acknowledged(data);
  if (!Array.isArray(entries) || entries.length !== 1) return null;
  const [entry]: readonly unknown[] = entries;
  return isObject(entry) ? acknowledged(entry) : null;
}

function acknowledged(fields: Record<string, unknown>): Acknowledgement | null {
  const brokerOrderId = orderId(fields, 'order_id');
  if (brokerOrderId === null) return null;
  const child = fields.child_order_details;
  return { brokerOrderId, childOrderId: isObject(child) ? orderId(child, 'order_id') : null };
}

/** Null where a row does not say it readably. */
export function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}

export const EXCHANGES = ['NSE', 'BSE'] as const;

/** What has a number on either exchange: one number names different instruments on two. */
export function candidates(
  lookup: InstrumentLookup,
  securityId: string,
  segment: Instrument['segment'] | undefined,
): readonly Instrument[] {
  return EXCHANGES.map((exchange) => lookup.bySecurityId(exchange, securityId, segment)).filter(
    (found) => found !== null,
  );
}

/** Null counts as 0; a value that is not a number throws. */
export function figure(value: NumberReading): number {
  if (value === 'unreadable') throw badPayload('the portfolio has a figure that is not a number');
  return value ?? 0;
}
