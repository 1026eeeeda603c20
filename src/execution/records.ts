import type { BrokerId, Mode } from '../domain/broker.ts';
import type { BrokerOrder } from '../domain/broker-order.ts';
import type { Segment } from '../domain/instrument.ts';
import type { BoundBy, FillPriceSource, OrderModification, OrderTerms } from '../domain/order.ts';
import type { OrderStatus } from '../domain/order-status.ts';
import type { Holding, Position } from '../domain/portfolio.ts';
import type { GatewayEvent } from '../events/event.ts';

/** An order as the journal has it. Times are epoch ms. */
export interface OrderRecord {
  readonly id: string;
  readonly caller: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the request: tells a repeat from another request under the same key. */
  readonly requestHash: string;
  /** The order that this one is a slice or a leg of. */
  readonly parentId: string | null;
  /** The broker's day on which it was asked for (domain/ist.ts, tradingDay). */
  readonly day: string;
  readonly terms: OrderTerms;
  /** `<EXCH>_<SECURITY_ID>`; null where the exchange's id is not known. */
  readonly scripCode: string | null;
  readonly segment: Segment;
  /** The caller's own tag: kept here and answered, never sent. */
  readonly callerTag: string | null;
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly filledQuantity: number | null;
  readonly averagePrice: number | null;
  readonly fillPriceSource: FillPriceSource | null;
  readonly brokerOrderId: string | null;
  readonly exchangeOrderId: string | null;
  readonly boundBy: BoundBy | null;
  /** What the broker last said of it. */
  readonly row: BrokerOrder | null;
  /** Since when complete reads have lacked it, once that is evidence; null before. */
  readonly absentSince: number | null;
  /** Why it is called not placed although its outcome had been uncertain. */
  readonly calledAbsent: { readonly by: 'close' | 'person'; readonly at: number } | null;
  /** A cancel that waits for the order to be bound, or that is to be tried again. */
  readonly cancelWanted: boolean;
  /** When its status was first seen that nobody declares; null when it is a known one. */
  readonly unrecognisedSince: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export type AttemptKind = 'place' | 'cancel' | 'modify';

/**
 * `sending` after a crash means uncertain: the request may have left. `absent` was uncertain until
 * a person, or the day's last book, said that it was not taken; a row may still prove them wrong.
 */
export type AttemptState =
  'sending' | 'acknowledged' | 'refused' | 'not_sent' | 'uncertain' | 'absent';

/** One request to one broker. */
export interface AttemptRecord {
  readonly id: string;
  readonly orderId: string;
  readonly kind: AttemptKind;
  readonly broker: BrokerId;
  readonly day: string;
  readonly state: AttemptState;
  /** Ours, 20 letters and digits, unique in the journal; null but for `place`. */
  readonly tag: string | null;
  /** Whether the request carried the tag: only then can a row hand it back. */
  readonly tagSent: boolean;
  /** What a row must equal to be this attempt's where tags do not come back. */
  readonly fingerprint: string | null;
  /** Ids in the book before the send, where tags do not come back. */
  readonly baseline: readonly string[] | null;
  readonly changes: OrderModification | null;
  readonly sentAt: number;
  readonly settledAt: number | null;
  readonly detail: string | null;
}

export interface FillRecord {
  /** Unique: broker, day, exchange, broker order, exchange fill id. */
  readonly key: string;
  readonly orderId: string;
  readonly broker: BrokerId;
  readonly day: string;
  readonly exchange: string;
  readonly brokerOrderId: string;
  readonly fillId: string;
  readonly quantity: number;
  readonly price: number;
  /** When it happened, by the broker's clock; when we read it, if the broker does not say. */
  readonly at: number;
  /** The broker named no order with it: it was joined by the exchange's id of the order. */
  readonly joined?: true;
}

/** An id that was seen in a broker's book or came in an acknowledgement. */
export interface SeenOrder {
  readonly broker: BrokerId;
  readonly day: string;
  readonly brokerOrderId: string;
  /** Our order; null for one placed elsewhere. */
  readonly orderId: string | null;
  /** The order that it had been taken for, by an acknowledgement that named the wrong one. */
  readonly movedFrom?: string;
  /** A row of the day before, still in the book when the day turned: it will not be there for long. */
  readonly leaving: boolean;
  readonly seenAt: number;
}

export interface PostbackRecord {
  readonly digest: string;
  readonly broker: BrokerId;
  readonly brokerOrderId: string;
  readonly rawStatus: string;
  readonly receivedAt: number;
}

/** What was last known of an account: what the exit guard and the kill switch go by. */
export interface PortfolioRecord {
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly readAt: number;
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
}

export interface KillSwitchRecord {
  readonly thrown: boolean;
  readonly reason: string | null;
  readonly changedAt: number;
}

/** The day on which a broker was last seen to hand a tag back. */
export interface EchoRecord {
  readonly broker: BrokerId;
  readonly day: string;
}

export interface Tables {
  orders: OrderRecord;
  attempts: AttemptRecord;
  fills: FillRecord;
  seen: SeenOrder;
  postbacks: PostbackRecord;
  portfolios: PortfolioRecord;
  killSwitch: KillSwitchRecord;
  echoes: EchoRecord;
  events: GatewayEvent;
}

export type TableName = keyof Tables;

/** One row put in its table; null takes it out, which only the undoing of a failed commit does. */
export type Change = {
  readonly [Name in TableName]: {
    readonly table: Name;
    readonly key: string;
    readonly row: Tables[Name] | null;
  };
}[TableName];

export const seenKey = (broker: BrokerId, day: string, brokerOrderId: string): string =>
  `${broker}|${day}|${brokerOrderId}`;

export const callerKey = (caller: string, idempotencyKey: string): string =>
  `${caller}\n${idempotencyKey}`;
