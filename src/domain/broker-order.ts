import type { BrokerId } from './broker.ts';
import type { InstrumentName } from './instrument.ts';
import type { RowStatus, Side } from './order.ts';
import type { RejectionClass } from './rejection.ts';
import type { BrokerOrderId, EpochMs } from '../units/branded.ts';

/**
 * The leg of an iceberg order that a row shows. The broker places the legs one after the other, and the row's
 * quantities are those of this leg alone.
 */
export interface IcebergLeg {
  /** 1 for the first of `legs`. */
  readonly leg: number;
  readonly legs: number;
  /** The quantity of the whole order, and of it what the later legs may still fill. */
  readonly total: number;
  readonly later: number;
}

/**
 * A row of a broker's order book, read by the spec's rules. Enum values that the gateway does not
 * know stay as the broker has them, in capitals: they never cause a row to be dropped.
 */
export interface BrokerOrder {
  readonly brokerOrderId: BrokerOrderId;
  /** Null until the order reaches the exchange. */
  readonly exchangeOrderId: string | null;
  /** Canonical name, or as the broker wrote it when no instrument list has it. */
  readonly instrument: InstrumentName;
  readonly side: Side;
  readonly quantity: number;
  /** Null when the row has no figure, or one that its status contradicts. */
  readonly filledQuantity: number | null;
  /**
   * Of an open row whose quantities contradict one another: the most that it may still fill, null where nobody knows.
   * Absent on all others, of which it is what the quantity leaves.
   */
  readonly mostLeft?: number | null;
  /** Rupees; null until there is a fill. */
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
  /** Set where the row is rejected: its class, by the text of its reason. */
  readonly rejection?: RejectionClass;
  /** The tags that the broker returned: `tag` and `tags[]`, or `remarks`. */
  readonly tags: readonly string[];
  /** The order of this book that created this one, and whose row already includes its fills. */
  readonly childOf?: BrokerOrderId;
  /** Of an iceberg order; null where its legs cannot be read, and absent on all other rows. */
  readonly iceberg?: IcebergLeg | null;
  /**
   * Epoch ms at the broker's own resolution (a second, at some brokers); null when the row has
   * none.
   */
  readonly createdAt: EpochMs | null;
  readonly updatedAt: EpochMs | null;
}

/** What of a row tells which session its order is of, and whether it outlives that. */
export type RowTiming = Pick<BrokerOrder, 'createdAt' | 'updatedAt' | 'validity' | 'triggerPrice'>;

/**
 * A row of a broker's order book or trade book that could not be read whole, with what of it could: null
 * is unreadable. It may be any order that nothing readable contradicts.
 */
export interface UnreadRow {
  readonly brokerOrderId: BrokerOrderId | null;
  readonly exchangeOrderId: string | null;
  readonly instrument: InstrumentName | null;
  readonly side: Side | null;
  readonly quantity: number | null;
  /** As that of a BrokerOrder; absent where it could not be read. */
  readonly product?: string;
  /** The same; what has filled may be unreadable beside it. */
  readonly status?: RowStatus;
  /** What tells the session of its order; absent where any of it could not be read. */
  readonly timing?: RowTiming;
  /** As those of a BrokerOrder: empty where none could be read. */
  readonly tags: readonly string[];
  /** What is wrong with it, without its values. */
  readonly reason: string;
}

/** An unread row whose id could be read. */
export type IdentifiedRow = UnreadRow & { readonly brokerOrderId: BrokerOrderId };

/** The id of an order that was placed elsewhere. */
export const externalId = (broker: BrokerId, brokerOrderId: BrokerOrderId): string =>
  `${broker}:${brokerOrderId}`;

/** Whether a row could be read whole. */
export const isWholeRow = (row: BrokerOrder | UnreadRow): row is BrokerOrder =>
  OF_WHOLE_ROWS in row;

/** A field that no unread row has: with one that both have, an unread row would pass for a whole one. */
const OF_WHOLE_ROWS: Exclude<keyof BrokerOrder, keyof UnreadRow> = 'createdAt';

const WORDS_FOR_NONE = /^(?:na|nan|nil|none|null|undefined)$/i;

/**
 * An id as it joins rows and trades; null for what brokers write where there is none: nothing, zeros, `NA`
 * and the like, a negative number. Two rows with such a text have no id in common.
 */
export function realId(text: string | null | undefined): string | null {
  const id = text?.trim() ?? '';
  const bare = id.replace(/[^a-z0-9]/gi, '');
  const isNone = /^0*$/.test(bare) || WORDS_FOR_NONE.test(bare) || /^-\d+$/.test(id);
  return isNone ? null : id;
}

/** One execution, as in a broker's trade list. */
export interface BrokerFill {
  /** The exchange's fill id: unique only together with exchange, segment and day. */
  readonly fillId: string;
  readonly brokerOrderId: BrokerOrderId | null;
  readonly exchangeOrderId: string | null;
  readonly exchange: string | null;
  /** Canonical name; absent where the broker does not tell it with a trade, as the side. */
  readonly instrument?: InstrumentName;
  readonly side?: Side;
  readonly quantity: number;
  /** Rupees. */
  readonly price: number;
  /** Epoch ms. */
  readonly at: EpochMs | null;
}

/** The row of an order in a book; undefined where it has none that could be read whole. */
export const rowIn = (
  book: { readonly rows: readonly BrokerOrder[] } | null,
  id: BrokerOrderId,
): BrokerOrder | undefined => book?.rows.find(({ brokerOrderId }) => brokerOrderId === id);
