import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { Segment } from '../../domain/instrument.ts';
import {
  type BoundBy,
  type FillPriceSource,
  isFinal,
  type OrderStatus,
  type OrderTerms,
} from '../../domain/order.ts';
import type { BrokerOrderId, EpochMs, OrderId, TradingDay } from '../../units/branded.ts';

/** Which row of a broker's book an order is. An order that has none has no binding. */
export interface Binding {
  readonly brokerOrderId: BrokerOrderId;
  /** How the row was found to be this order's. */
  readonly by: BoundBy;
  /** A person has said so although the row differed, or could not be compared. */
  readonly isForced?: true;
  /** The exchange's own id; null until the order has reached the exchange. */
  readonly exchangeOrderId: string | null;
  /** What the broker last said of the order; null until a book has shown it. */
  readonly row: BrokerOrder | null;
}

/** How much has filled, and at what price (docs/spec/derived-fills.md). */
export interface FillProgress {
  /** Null while unknown: never 0 by default. */
  readonly filledQuantity: number | null;
  /** What had been told before it became unknown: it is never less. */
  readonly atLeast?: number;
  /** Rupees. */
  readonly averagePrice: number | null;
  readonly fillPriceSource: FillPriceSource | null;
}

/** Who called an uncertain order absent: a whole book after the close of its day, or a person. */
export interface CalledAbsent {
  readonly by: 'close' | 'person';
  /** Epoch ms; `after` is the last event before a person said so, absent in older orders. */
  readonly at: EpochMs;
  readonly after?: number;
  /** The day's book is gone, and none has borne out what the person said. */
  readonly bookGone?: true;
}

/** Not sent to any broker yet, or between two: the last one tried is known not to have it. */
export interface Accepted {
  readonly kind: 'accepted';
  /** Why the broker tried before did not get it; null when none was tried. */
  readonly reason: string | null;
  readonly cancelWanted: boolean;
}

/** Its request may be on its way. */
export interface Sending {
  readonly kind: 'sending';
  readonly cancelWanted: boolean;
}

/** The broker has it. */
export interface Working {
  readonly kind: 'working';
  readonly binding: Binding;
  readonly fill: FillProgress;
  /** A cancel is to be sent, or tried again. */
  readonly cancelWanted: boolean;
  /** Set where nobody has asked for that cancel: the gateway cancels an order for a status that it does not know. */
  readonly cancelByGateway?: true;
  /** When a status that the gateway does not know was first seen (epoch ms); null for a known one. */
  readonly unrecognisedSince: EpochMs | null;
}

/** Filled whole. */
export interface Filled {
  readonly kind: 'filled';
  readonly binding: Binding;
  readonly fill: FillProgress;
}

/** Over at the broker: partly filled, cancelled without a fill, or thrown out after it was taken. */
export interface Ended {
  readonly kind: 'partial' | 'cancelled' | 'rejected';
  readonly binding: Binding;
  readonly fill: FillProgress;
  readonly reason: string | null;
}

/** Set where a cancel was asked for of an order called not placed: it is sent if a row appears. */
interface MayHaveCancel {
  readonly cancelWanted?: true;
}

/** The broker refused the request: known not to be placed. Callers see `rejected`. */
export interface Refused extends MayHaveCancel {
  readonly kind: 'refused';
  readonly reason: string;
}

/** Was uncertain, and is called not placed. Callers see `rejected`. A row may still prove it wrong. */
export interface Absent extends MayHaveCancel {
  readonly kind: 'absent';
  readonly reason: string;
  readonly calledAbsent: CalledAbsent;
  /** Since when complete books have lacked it (epoch ms); null where that never was evidence. */
  readonly absentSince: EpochMs | null;
}

/** No request has left this machine. */
export interface NotSent extends MayHaveCancel {
  readonly kind: 'not_sent';
  readonly reason: string;
}

/** Whether the broker has it is not known. */
export interface Uncertain {
  readonly kind: 'uncertain';
  readonly reason: string;
  /** Since when complete books have lacked it (epoch ms), once that is evidence. */
  readonly absentSince: EpochMs | null;
  /** A cancel is sent as soon as the order is bound. */
  readonly cancelWanted: boolean;
}

/** A person has to look. */
export interface Disputed {
  readonly kind: 'disputed';
  readonly cause: string;
  /** Null where no row is known to be this order's. */
  readonly binding: Binding | null;
  readonly fill: FillProgress;
  readonly absentSince: EpochMs | null;
  readonly calledAbsent: CalledAbsent | null;
  readonly cancelWanted: boolean;
  /** Set where the only cause is that the day's book was gone: a book that is there after all decides. */
  readonly bookGone?: true;
  /** Set where the only cause is that a book showed others' rows alone under its id: its own row decides. */
  readonly othersRow?: true;
  /** A row with its tag at a broker that had refused it: two live orders may exist, so it stays disputed. */
  readonly twin?: { readonly broker: BrokerId; readonly brokerOrderId: BrokerOrderId };
}

/**
 * Went to its broker in slices, each an order of its own: it has no request itself, and what callers
 * see of it follows from its slices.
 */
export interface Sliced {
  readonly kind: 'sliced';
  readonly status: OrderStatus;
  readonly reason: string | null;
  readonly fill: FillProgress;
}

/** Where an order is in its life. Each state has its own fields and no others. */
export type OrderState =
  | Accepted
  | Sending
  | Working
  | Filled
  | Ended
  | Refused
  | Absent
  | NotSent
  | Uncertain
  | Disputed
  | Sliced;

export type StateKind = OrderState['kind'];

/** An order as the journal has it: who asked for what, and where it is in its life. */
export interface OrderRecord {
  readonly id: OrderId;
  readonly caller: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the request: tells a repeat from another request under the same key. */
  readonly requestHash: string;
  /** The order that this one is a slice of; null for an order of its own. */
  readonly parentId: OrderId | null;
  /** The broker's day on which it was asked for (domain/ist.ts, tradingDay). */
  readonly day: TradingDay;
  readonly terms: OrderTerms;
  /** `<EXCH>_<SECURITY_ID>`; null where the exchange's id is not known. */
  readonly scripCode: string | null;
  /** The instrument as the caller wrote it, in capitals; absent where that is its name. */
  readonly writtenAs?: string;
  readonly segment: Segment;
  /** The caller's own tag: kept here and answered, never sent. */
  readonly callerTag: string | null;
  /** The broker that has it, or that is tried. */
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly state: OrderState;
  /** Epoch ms, as `updatedAt`. */
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** An order of which it is known in which of some states it is. */
export type OrderIn<Kind extends StateKind> = OrderRecord & {
  readonly state: Extract<OrderState, { readonly kind: Kind }>;
};

export const NOTHING_FILLED: FillProgress = {
  filledQuantity: 0,
  averagePrice: null,
  fillPriceSource: null,
};

export const FILL_UNKNOWN: FillProgress = { ...NOTHING_FILLED, filledQuantity: null };

/** Whether two live orders may exist of an order: then it stays disputed, whatever becomes of one. */
export const hasTwin = ({ state }: OrderRecord): boolean =>
  state.kind === 'disputed' && state.twin !== undefined;

/** The status that callers see. */
export function statusOf({ state }: OrderRecord): OrderStatus {
  if (state.kind === 'sliced') return state.status;
  return state.kind === 'refused' || state.kind === 'absent' ? 'rejected' : state.kind;
}

/** Final: no later observation is expected to change it. */
export const isOver = (order: OrderRecord): boolean => isFinal(statusOf(order));

/** The row of the broker's book that an order is; null while it has none. */
export function bindingOf({ state }: OrderRecord): Binding | null {
  return 'binding' in state ? state.binding : null;
}

export function brokerOrderIdOf(order: OrderRecord): BrokerOrderId | null {
  return bindingOf(order)?.brokerOrderId ?? null;
}

export function fillOf({ state }: OrderRecord): FillProgress {
  switch (state.kind) {
    case 'refused':
    case 'absent':
    case 'not_sent':
      return NOTHING_FILLED;
    case 'accepted':
    case 'sending':
    case 'uncertain':
      return FILL_UNKNOWN;
    default:
      return state.fill;
  }
}

/** Why an order is what it is, in words; null where nothing needs to be said. */
export function reasonOf({ state }: OrderRecord): string | null {
  if (state.kind === 'disputed') return state.cause;
  return 'reason' in state ? state.reason : null;
}

export const absentSinceOf = ({ state }: OrderRecord): EpochMs | null =>
  'absentSince' in state ? state.absentSince : null;

export const calledAbsentOf = ({ state }: OrderRecord): CalledAbsent | null =>
  'calledAbsent' in state ? state.calledAbsent : null;

/** Whether a cancel of the order is to be sent, once that can be. */
export function isCancelWanted({ state }: OrderRecord): boolean {
  return 'cancelWanted' in state && state.cancelWanted === true;
}

/** Whether the cancel that is wanted is the gateway's own, and nobody has asked for it. */
export const isCancelByGateway = ({ state }: OrderRecord): boolean =>
  state.kind === 'working' && state.cancelWanted && state.cancelByGateway === true;

export const unrecognisedSinceOf = ({ state }: OrderRecord): EpochMs | null =>
  state.kind === 'working' ? state.unrecognisedSince : null;

/** Whether an order is in one of some states, for the type of its `state`. */
export function isIn<Kind extends StateKind>(
  order: OrderRecord,
  kinds: readonly Kind[],
): order is OrderIn<Kind> {
  return kinds.some((kind) => kind === order.state.kind);
}

/** What an order may have filled: all of it where it is over and nobody knows how much. */
export function mostFilled(order: OrderRecord): number {
  const { filledQuantity } = fillOf(order);
  if (filledQuantity !== null) return filledQuantity;
  return isOver(order) && brokerOrderIdOf(order) !== null ? order.terms.quantity : 0;
}
