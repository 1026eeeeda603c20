import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { Holding, Position, UnreadPortfolioRow } from '../../domain/portfolio.ts';
import type { Signal } from '../../domain/signal.ts';
import type { GatewayEvent } from '../../events/event-log.ts';
import type { AttemptRecord } from '../order/attempt.ts';
import type { FillRecord } from '../order/fills.ts';
import type { ClosingRecord } from '../closings/closing.ts';
import type { CancelRunRecord } from '../cancel-all/cancel-run.ts';
import type { ExternalChangeRecord } from '../external/external-change.ts';
import type { ExitRecord } from '../exits/exit.ts';
import type { OrderRecord } from '../order/order.ts';
import type { TriggerChangeRecord, TriggerRecord } from '../triggers/trigger.ts';
import type {
  AttemptId,
  BrokerOrderId,
  ClosingId,
  EpochMs,
  OrderId,
  TradingDay,
} from '../../units/branded.ts';

/** An id that was seen in a broker's book or came in an acknowledgement. */
export interface ObservedOrder {
  readonly broker: BrokerId;
  readonly day: TradingDay;
  readonly brokerOrderId: BrokerOrderId;
  /** Our order; null for one placed elsewhere. */
  readonly orderId: OrderId | null;
  /** The order that it was bound to before, by an acknowledgement that named the wrong order. */
  readonly movedFrom?: string;
  /**
   * A later book may be complete without it: a row of the day before that was still in the book when the
   * day turned, or an acknowledged id that no book has shown.
   */
  readonly leaving: boolean;
  /**
   * One read has shown it, and it may be the row of an order of ours with a wrong id: it has the tag of an
   * order that is bound to another row, which that read lacks, or no tag and the terms of an uncertain order.
   */
  readonly unconfirmed?: true;
  /** A book or the trades have shown something of another order under this id of an order of ours. */
  readonly shared?: true;
  /** The trades have shown one trade of this order of ours with other figures than before; a person was told. */
  readonly tradesDiffer?: true;
  /** The exchange's own id of one that was placed elsewhere, where its first row had one. */
  readonly exchangeOrderId?: string;
  /** The account in whose book it was; absent where that was not known. */
  readonly account?: string;
  /** Epoch ms. */
  readonly seenAt: EpochMs;
  /** The last event before it was seen, which no clock can change; absent in rows of older versions. */
  readonly seenAfter?: number;
}

export interface PostbackRecord {
  readonly digest: string;
  readonly broker: BrokerId;
  readonly brokerOrderId: BrokerOrderId;
  readonly rawStatus: string;
  /** Epoch ms. */
  readonly receivedAt: EpochMs;
}

/** The last known portfolio of an account. The exit guard and the kill switch use it. */
export interface PortfolioRecord {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** Epoch ms before the first of its reads began. */
  readonly readAt: EpochMs;
  /** Whose account it is, as the broker names it; absent where that was not known. */
  readonly account?: string;
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
  /** Rows that the read could not read; absent where there were none. */
  readonly unread?: readonly UnreadPortfolioRow[];
  /**
   * What an earlier read had shown that this one lacks and that one of its unread rows may be; absent
   * where there is nothing of the kind.
   */
  readonly earlier?: {
    readonly positions: readonly Position[];
    readonly holdings: readonly Holding[];
  };
  /** Rows that the read before had, and this one lacks; absent where there are none (missing-rows.ts). */
  readonly missing?: readonly MissingRow[];
}

/** A row of an account with a quantity that later reads lack. */
export interface MissingRow {
  readonly list: UnreadPortfolioRow['list'];
  readonly instrument: InstrumentName;
  readonly product: string;
  /** As it was last read. */
  readonly quantity: number;
  /** Epoch ms before the first read that lacked it. */
  readonly since: EpochMs;
}

export interface KillSwitchRecord {
  readonly engaged: boolean;
  readonly reason: string | null;
  /** Epoch ms. */
  readonly changedAt: EpochMs;
  /** The caller who engaged or released it; null for the gateway itself. */
  readonly changedBy: string | null;
  /** The accounts whose daily loss has reached the limit, one entry each; absent where there is none. */
  readonly losses?: readonly LossRecord[];
}

/** An account whose daily loss reached the limit, and what has become of that (docs/brakes.md). */
export interface LossRecord {
  readonly broker: BrokerId;
  /** It says nothing of any other day. */
  readonly day: TradingDay;
  /** The day's profit that engaged the kill switch, and the limit, rupees. */
  readonly profit: number;
  readonly limit: number;
  /** Epoch ms. */
  readonly at: EpochMs;
  readonly state:
    | { readonly kind: 'engaged' }
    /** An admin has released the kill switch: the next figure is where the limit begins anew. */
    | { readonly kind: 'released' }
    /** The limit counts from this profit of the day, rupees. */
    | { readonly kind: 'armed'; readonly from: number };
  /** Absent where the settings did not ask for a closing of the intraday positions. */
  readonly closing?: LossClosing;
}

/** What has become of the closing of the intraday positions that a daily loss asks for. */
export type LossClosing =
  | { readonly kind: 'wanted' }
  | { readonly kind: 'begun'; readonly id: ClosingId }
  /** It will not begin any more. */
  | { readonly kind: 'not_begun'; readonly reason: string };

/** The day on which a broker was last seen to hand a tag back. */
export interface EchoRecord {
  readonly broker: BrokerId;
  readonly day: TradingDay;
}

/**
 * What a caller asked to change under an idempotency key of its own: a cancel, a modification, a
 * resolution.
 */
export interface AmendmentRecord {
  readonly caller: string;
  readonly method: AmendmentMethod;
  readonly orderId: OrderId;
  readonly idempotencyKey: string;
  /** SHA-256 of what was asked for: tells a repeat from another request under the same key. */
  readonly requestHash: string;
  /** The request that was sent for it; null for a cancel that is kept, and for a resolution. */
  readonly attemptId: AttemptId | null;
  /** `freed` once it is known that nothing was sent: the key may be used again. */
  readonly state: 'used' | 'freed';
  /** Epoch ms. */
  readonly at: EpochMs;
}

export type AmendmentMethod = 'cancel' | 'modify' | 'resolve';

export interface Tables {
  orders: OrderRecord;
  attempts: AttemptRecord;
  fills: FillRecord;
  observed: ObservedOrder;
  postbacks: PostbackRecord;
  portfolios: PortfolioRecord;
  killSwitch: KillSwitchRecord;
  echoes: EchoRecord;
  amendments: AmendmentRecord;
  exits: ExitRecord;
  closings: ClosingRecord;
  cancelRuns: CancelRunRecord;
  externalChanges: ExternalChangeRecord;
  triggers: TriggerRecord;
  triggerChanges: TriggerChangeRecord;
  signals: Signal;
  events: GatewayEvent;
}

export type TableName = keyof Tables;

/** The key of a table's rows: an id of ours, or a text made of several fields. */
export type KeyOf<Name extends TableName> = Name extends 'orders'
  ? OrderId
  : Name extends 'attempts' | 'externalChanges'
    ? AttemptId
    : string;

/** One row put in its table; null takes it out, which only the undoing of a failed commit does. */
export type Change = {
  readonly [Name in TableName]: {
    readonly table: Name;
    readonly key: string;
    readonly row: Tables[Name] | null;
  };
}[TableName];

/** Whether something of one account is of another than `account`. What is not known counts as the same. */
export function isOfOtherAccount(
  of: { readonly account?: string },
  account: string | null,
): boolean {
  return of.account !== undefined && account !== null && !isSameAccount(of.account, account);
}

/** A broker may write one user's id in another case from one day to the next, or pad it. */
export const isSameAccount = (one: string, other: string): boolean =>
  one.trim().toUpperCase() === other.trim().toUpperCase();

/** `account` as a record keeps it: absent where it is not known. */
export const accountField = (account: string | null): { readonly account?: string } =>
  account === null ? {} : { account };

export const observedKey = (
  broker: BrokerId,
  day: TradingDay,
  brokerOrderId: BrokerOrderId,
): string => `${broker}|${day}|${brokerOrderId}`;

export const callerKey = (caller: string, idempotencyKey: string): string =>
  `${caller}\n${idempotencyKey}`;

/** What a caller asks for under a key: a repeat is told from another request by the hash. */
export type AmendmentRequest = Pick<
  AmendmentRecord,
  'caller' | 'method' | 'orderId' | 'idempotencyKey' | 'requestHash'
>;

export const amendmentKey = (row: Omit<AmendmentRequest, 'requestHash'>): string =>
  [row.method, row.orderId, row.caller, row.idempotencyKey].join('\n');
