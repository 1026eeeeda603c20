import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { Holding, Position } from '../../domain/portfolio.ts';
import type { GatewayEvent } from '../../events/event.ts';
import type { AttemptRecord } from '../order/attempt.ts';
import type { FillRecord } from '../order/fills.ts';
import type { OrderRecord } from '../order/order.ts';

/** An id that was seen in a broker's book or came in an acknowledgement. */
export interface ObservedOrder {
  readonly broker: BrokerId;
  readonly day: string;
  readonly brokerOrderId: string;
  /** Our order; null for one placed elsewhere. */
  readonly orderId: string | null;
  /** The order that it was bound to before, by an acknowledgement that named the wrong order. */
  readonly movedFrom?: string;
  /** A row of the day before that was still in the book when the day turned; it will disappear soon. */
  readonly leaving: boolean;
  /** Epoch ms. */
  readonly seenAt: number;
}

export interface PostbackRecord {
  readonly digest: string;
  readonly broker: BrokerId;
  readonly brokerOrderId: string;
  readonly rawStatus: string;
  /** Epoch ms. */
  readonly receivedAt: number;
}

/** The last known portfolio of an account. The exit guard and the kill switch use it. */
export interface PortfolioRecord {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** Epoch ms before the first of its reads began. */
  readonly readAt: number;
  readonly positions: readonly Position[];
  readonly holdings: readonly Holding[];
}

export interface KillSwitchRecord {
  readonly engaged: boolean;
  readonly reason: string | null;
  /** Epoch ms. */
  readonly changedAt: number;
  /** The caller who engaged or released it; null for the gateway itself. */
  readonly changedBy: string | null;
}

/** The day on which a broker was last seen to hand a tag back. */
export interface EchoRecord {
  readonly broker: BrokerId;
  readonly day: string;
}

/**
 * What a caller asked to change under an idempotency key of its own: a cancel, a modification, a
 * resolution.
 */
export interface AmendmentRecord {
  readonly caller: string;
  readonly method: AmendmentMethod;
  readonly orderId: string;
  readonly idempotencyKey: string;
  /** SHA-256 of what was asked for: tells a repeat from another request under the same key. */
  readonly requestHash: string;
  /** The request that was sent for it; null for a cancel that is kept, and for a resolution. */
  readonly attemptId: string | null;
  /** `freed` once it is known that nothing was sent: the key may be used again. */
  readonly state: 'used' | 'freed';
  /** Epoch ms. */
  readonly at: number;
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

export const observedKey = (broker: BrokerId, day: string, brokerOrderId: string): string =>
  `${broker}|${day}|${brokerOrderId}`;

export const callerKey = (caller: string, idempotencyKey: string): string =>
  `${caller}\n${idempotencyKey}`;

/** What a caller asks for under a key: a repeat is told from another request by the hash. */
export type AmendmentRequest = Pick<
  AmendmentRecord,
  'caller' | 'method' | 'orderId' | 'idempotencyKey' | 'requestHash'
>;

export const amendmentKey = (row: Omit<AmendmentRequest, 'requestHash'>): string =>
  [row.method, row.orderId, row.caller, row.idempotencyKey].join('\n');
