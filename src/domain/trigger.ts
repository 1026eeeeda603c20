import type { InstrumentName } from './instrument.ts';
import type { Side } from './order.ts';
import type { BrokerOrderId, EpochMs } from '../units/branded.ts';

/**
 * What a trigger still does. `waiting`: it can place an order at any time. `triggered`: it has placed its
 * order, or tried to. `ended`: it never will. `unrecognised`: a word of the broker's that the gateway does
 * not know; such a trigger counts as waiting.
 */
export const TRIGGER_STATUSES = ['waiting', 'triggered', 'ended', 'unrecognised'] as const;
export type TriggerStatus = (typeof TRIGGER_STATUSES)[number];

/** The order that a trigger places once its price is reached. Rupees; shares or units. */
export interface TriggerLeg {
  /** Null where the broker's row has no such price. */
  readonly triggerPrice: number | null;
  readonly side: Side;
  readonly quantity: number;
  /** The gateway's word for the product, or the broker's where it knows none. */
  readonly product: string;
  readonly orderType: string;
  readonly price: number | null;
  /** The order that it has placed; null until then, where that was refused, and where the broker does not say. */
  readonly brokerOrderId: BrokerOrderId | null;
  /** Why its order was refused; null without a refusal. */
  readonly reason: string | null;
}

/**
 * An order that waits at the broker for a price: a GTT at the alternative broker, a smart order at the
 * primary brokerage (docs/triggers.md). Times are epoch ms, null where the row has none.
 */
export interface BrokerTrigger {
  readonly triggerId: string;
  readonly instrument: InstrumentName;
  readonly status: TriggerStatus;
  /** The status as the broker wrote it: for people, never for rules. */
  readonly rawStatus: string;
  /** One, or two of which the first to be reached ends the other. */
  readonly legs: readonly TriggerLeg[];
  readonly createdAt: EpochMs | null;
  readonly updatedAt: EpochMs | null;
  readonly expiresAt: EpochMs | null;
}

/** A row of a list of triggers that could not be read, with what of it could: null is unreadable. */
export interface UnreadTrigger {
  readonly triggerId: string | null;
  readonly instrument: InstrumentName | null;
  /** What is wrong with it, without its values. */
  readonly reason: string;
}

/** A whole list, with those of its rows that cannot be read: a bad row never hides the others. */
export interface TriggerList {
  readonly triggers: readonly BrokerTrigger[];
  readonly unread: readonly UnreadTrigger[];
}

/** Whether it may still place an order. */
export const mayTrigger = ({ status }: Pick<BrokerTrigger, 'status'>): boolean =>
  status === 'waiting' || status === 'unrecognised';
