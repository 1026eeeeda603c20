import type { InstrumentName } from './instrument.ts';
import type { Side } from './order.ts';
import type { RowStatus } from './order-status.ts';

/**
 * A row of a broker's order book, read by the spec's rules. Enums that the gateway does not know
 * pass through as the broker wrote them: a row is never dropped for them.
 */
export interface BrokerOrder {
  readonly brokerOrderId: string;
  /** Null until the order reaches the exchange. */
  readonly exchangeOrderId: string | null;
  /** Canonical name, or as the broker wrote it when no master knows the instrument. */
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: number;
  /** Null when the row does not say, or says something that its status contradicts. */
  readonly filledQuantity: number | null;
  /** Rupees; null until something fills. */
  readonly averagePrice: number | null;
  readonly orderType: string;
  readonly product: string;
  readonly validity: string;
  readonly price: number | null;
  readonly triggerPrice: number | null;
  readonly status: RowStatus;
  /** The status as the broker wrote it: for logs, never for rules. */
  readonly rawStatus: string;
  readonly reason: string | null;
  /** What came back of the tag that was sent: `tag` and `tags[]`, or `remarks`. */
  readonly tags: readonly string[];
  /** The order of this book that it was made by, and that tells of it already. */
  readonly childOf?: string;
  /** Epoch ms, with the broker's own grain (a second, at some); null when the row has none. */
  readonly createdAt: number | null;
  readonly updatedAt: number | null;
}

/** One execution, as a broker's trade list has it. */
export interface BrokerFill {
  /** The exchange's fill id: unique with exchange, segment and day only. */
  readonly fillId: string;
  readonly brokerOrderId: string | null;
  readonly exchangeOrderId: string | null;
  readonly exchange: string | null;
  readonly quantity: number;
  /** Rupees. */
  readonly price: number;
  /** Epoch ms. */
  readonly at: number | null;
}
