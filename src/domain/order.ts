import type { BrokerOrderDetails } from './broker-order-details.ts';
import type { BrokerId, Mode } from './broker.ts';
import type { Instrument, InstrumentName } from './instrument.ts';
import type { AttemptId, BrokerOrderId, EpochMs, OrderId, TriggerId } from '../units/branded.ts';

export const SIDES = ['BUY', 'SELL'] as const;
export type Side = (typeof SIDES)[number];

export const ORDER_TYPES = ['MARKET', 'LIMIT', 'SL', 'SL-M'] as const;
export type OrderType = (typeof ORDER_TYPES)[number];

/** Whether an order of this type has a price. A broker's own type that is none of ours has none. */
export function needsPrice(orderType: string): boolean {
  return orderType === 'LIMIT' || orderType === 'SL';
}

/** Whether it is a stop, which has a trigger price. A type that is none of ours is no stop. */
export function needsTrigger(orderType: string): boolean {
  return orderType === 'SL' || orderType === 'SL-M';
}

/** CNC is delivery; INTRADAY is squared off the same day; MARGIN is carried forward (F&O). */
export const PRODUCTS = ['CNC', 'INTRADAY', 'MARGIN'] as const;
/** Products of which rows can be: those of orders of the gateway, and those that only others can place. */
const PRODUCTS_OF_ROWS: ReadonlySet<string> = new Set([...PRODUCTS, 'MTF', 'CO', 'BO']);

/** Whether a row says of which product it is. One without a product, or with a word that nobody knows, may be of any. */
export const isKnownProduct = (product: string): boolean => PRODUCTS_OF_ROWS.has(product);

/** Whether an order with the product of a row may take shares that are held under another. */
export const mayBeOfProduct = (ofRow: string, product: string): boolean =>
  ofRow === product || !isKnownProduct(ofRow);
export type Product = (typeof PRODUCTS)[number];

export const VALIDITIES = ['DAY', 'IOC'] as const;
export type Validity = (typeof VALIDITIES)[number];

/** Fields for Kite Connect, which other brokers ignore. An absent one is taken from the key, or else from the settings. */
export interface OrderMarks {
  /** The id of a registered algorithm. */
  readonly algoId?: string;
  /** Percent from the last price at which an order at the market stops to fill; -1 leaves it to the broker. */
  readonly marketProtection?: number;
}

/** What to trade and how: exactly what a broker needs to know about an order. */
export interface OrderTerms extends OrderMarks {
  readonly instrument: InstrumentName;
  readonly side: Side;
  /** Shares or units, not lots. */
  readonly quantity: number;
  readonly orderType: OrderType;
  readonly product: Product;
  readonly validity: Validity;
  /** Rupees; null for MARKET and SL-M. */
  readonly price: number | null;
  /** Rupees; null except for SL and SL-M. */
  readonly triggerPrice: number | null;
  /** After-market order: accepted now, sent to the exchange at the next opening. */
  readonly amo: boolean;
}

/** A caller's order: terms, with the instrument as the caller wrote it, and where to send it. */
export interface OrderRequest extends OrderTerms {
  readonly tag: string | null;
  /** Names the broker; null lets the trading route choose. */
  readonly broker: BrokerId | null;
  /** `live` excludes the paper account. */
  readonly mode: Mode | null;
}

/**
 * Asked in the turn in which a request is written, after all that it waits for, such as a price or a
 * connection: whether it may still leave. Where it may not, nothing was sent.
 */
export type MayLeave = () => boolean;

/** One request to place, as a broker adapter receives it. The instrument is resolved. */
export interface PlaceAttempt {
  readonly attemptId: AttemptId;
  readonly terms: OrderTerms;
  readonly instrument: Instrument;
  /** Our tag, 20 random letters and digits; sent where the broker has a field for it. */
  readonly tag: string;
  /** Whether it is known to do nothing but reduce a position. */
  readonly wayOut?: boolean;
  readonly mayLeave?: MayLeave;
}

/**
 * What a request to a broker is for. A way out is a cancel, or an order that only reduces a position:
 * failures of other requests never hold it back (docs/spec/outcomes.md, "The breaker").
 */
export type Purpose = 'place' | 'modify' | 'way_out';

export interface CancelAttempt {
  readonly attemptId: AttemptId;
  readonly brokerOrderId: BrokerOrderId;
  readonly instrument: Instrument;
  /** As in the broker's row, where known: it can decide how the order is cancelled. */
  readonly brokerOrderType: string | null;
  /** Whether the broker still holds it for the next market session; absent where unknown. */
  readonly amo?: boolean;
}

/** Set only what changes; null leaves a field as it is. */
export interface OrderModification {
  readonly quantity: number | null;
  readonly price: number | null;
  readonly triggerPrice: number | null;
  readonly orderType: OrderType | null;
  readonly validity: Validity | null;
}

export interface ModifyAttempt {
  readonly attemptId: AttemptId;
  readonly brokerOrderId: BrokerOrderId;
  readonly instrument: Instrument;
  /** The present terms, for brokers that require all of them again; `amo` as in a cancel. */
  readonly terms: OrderTerms;
  readonly changes: OrderModification;
  readonly mayLeave?: MayLeave;
}

/** The marks of an order, where those of its key stand in for what it does not say itself. */
export const withMarks = <T extends OrderMarks>(terms: T, ofKey: OrderMarks | undefined): T => ({
  ...ofKey,
  ...terms,
});

/** Where an average fill price came from (docs/spec/derived-fills.md), best first. */
export type FillPriceSource = 'trades' | 'order_row' | 'trade_book' | 'average' | 'estimate';

/** How an order was found to be the one at the broker. */
export type BoundBy = 'id' | 'tag' | 'fingerprint' | 'person';

/**
 * An order as callers see it (the spec's OrderResponse). Times are epoch ms. Type, product and
 * validity of an order that the gateway did not place can be the broker's own words.
 */
export interface OrderResponse extends Omit<OrderTerms, 'orderType' | 'product' | 'validity'> {
  readonly orderType: string;
  readonly product: string;
  readonly validity: string;
  readonly id: string;
  readonly clientOrderId: string | null;
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly brokerOrderId: BrokerOrderId | null;
  readonly exchangeOrderId: string | null;
  /** Null while unknown, never 0 by default. */
  readonly filledQuantity: number | null;
  /** What may still fill: 0 once the order is over, null while unknown. */
  readonly remainingQuantity: number | null;
  readonly averagePrice: number | null;
  readonly fillPriceSource: FillPriceSource | null;
  readonly status: OrderStatus;
  /** Why it is rejected, cancelled, not sent, uncertain or disputed; null otherwise. */
  readonly reason: string | null;
  readonly tag: string | null;
  readonly boundBy: BoundBy | null;
  /** Set while uncertain: since when whole reads of the book have not contained the order. */
  readonly absentSince: EpochMs | null;
  /** The order that this one is a slice of; null for an order that is not a slice. */
  readonly parentId: OrderId | null;
  /** True for orders that the gateway did not place. */
  readonly external: boolean;
  /** The trigger of the gateway that has placed it; absent of any other order (docs/triggers.md). */
  readonly triggeredBy?: TriggerId;
  /** The tags of the broker's row, apart from the caller's, and its status as the broker wrote it. */
  readonly brokerTags?: readonly string[];
  readonly brokerStatus?: string | null;
  /** Absent where the last book that was read does not have the order. */
  readonly details?: BrokerOrderDetails;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** The status that callers see (docs/orders.md says what each promises). */
export const ORDER_STATUSES = [
  'accepted',
  'sending',
  'working',
  'filled',
  'partial',
  'cancelled',
  'rejected',
  'uncertain',
  'not_sent',
  'disputed',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/**
 * The status of a broker's row, read by the spec's rules: one of five, or `unrecognised` for a
 * status that the broker has not documented.
 */
export type RowStatus =
  'working' | 'filled' | 'partial' | 'cancelled' | 'rejected' | 'unrecognised';

const FINAL: ReadonlySet<OrderStatus> = new Set([
  'filled',
  'partial',
  'cancelled',
  'rejected',
  'not_sent',
]);

/** Final: no later observation is expected to change it. `disputed` is not: it waits for a person. */
export function isFinal(status: OrderStatus): boolean {
  return FINAL.has(status);
}

/**
 * What may still fill of an order: nothing once it is over, whatever of it was filled; null while that is
 * not known.
 */
export function remainingQuantityOf(
  status: OrderStatus,
  quantity: number,
  filledQuantity: number | null,
): number | null {
  if (isFinal(status)) return 0;
  return filledQuantity === null ? null : quantity - filledQuantity;
}

/** What can be said of an order that ended unfilled at a broker that gives no reason; null for any other. */
export function reasonOfEnd(status: OrderStatus, rawStatus: string | undefined): string | null {
  if (!rawStatus || !['cancelled', 'partial', 'rejected'].includes(status)) return null;
  return `the broker says ${rawStatus} and gives no reason`;
}

export function isFinalRow(status: RowStatus): boolean {
  return status !== 'working' && status !== 'unrecognised';
}
