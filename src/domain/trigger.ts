import type { BrokerId, Mode } from './broker.ts';
import type { Instrument, InstrumentName } from './instrument.ts';
import type { MayLeave, OrderTerms, Product, Side } from './order.ts';
import type { BrokerOrderId, EpochMs, TriggerId } from '../units/branded.ts';

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
  /** Of one that has `ended`: a person can make it wait again in the broker's app. */
  readonly mayReturn?: true;
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

/** What an account's list says of a trigger: also of one of the gateway that the broker may not have. */
export const LISTED_TRIGGER_STATUSES = [...TRIGGER_STATUSES, 'sending', 'uncertain'] as const;
export type ListedTriggerStatus = (typeof LISTED_TRIGGER_STATUSES)[number];

/** Whether it is over: it has placed its order, or never will. */
export const isTriggerOver = (status: ListedTriggerStatus): boolean =>
  status === 'triggered' || status === 'ended';

/** Whether it may still place an order. */
export const mayTrigger = ({ status }: Pick<BrokerTrigger, 'status'>): boolean =>
  status === 'waiting' || status === 'unrecognised';

/**
 * Whether the word of a broker for a stop order of its book leaves it open that the stop still waits, also where the
 * exchange has it: `SL-PENDING`, and `MODIFIED`, which a stop is called once it was changed.
 */
export const isWordOfWaiting = (rawStatus: string): boolean =>
  /^(?:SL[-_ ]?PENDING|MODIFIED)$/i.test(rawStatus.trim());

/** The LIMIT order that one leg places once its price is reached. Rupees; shares or units. */
export interface TriggerLegTerms {
  readonly triggerPrice: number;
  readonly side: Side;
  readonly quantity: number;
  readonly product: Product;
  readonly price: number;
}

/** One leg, or two of which the first to be reached ends the other. */
export type TriggerLegs =
  readonly [TriggerLegTerms] | readonly [lower: TriggerLegTerms, upper: TriggerLegTerms];

export interface TriggerTerms {
  readonly instrument: InstrumentName;
  /** Of two, the first has the lower trigger price. */
  readonly legs: TriggerLegs;
}

/** What a caller asks for, with the instrument as the caller wrote it. */
export interface TriggerRequest extends TriggerTerms {
  /** Null: the account of the trading route. */
  readonly broker: BrokerId | null;
  /** `live` excludes the paper account. */
  readonly mode: Mode | null;
}

/** What of a leg is to be another; null leaves it as it is. Sides and products do not change. */
export interface TriggerLegChange {
  readonly triggerPrice: number | null;
  readonly quantity: number | null;
  readonly price: number | null;
}

/** One request that places or changes a trigger, as a broker's adapter receives it. */
export interface TriggerAttempt {
  readonly terms: TriggerTerms;
  readonly instrument: Instrument;
  /** The present price, rupees: it tells the broker from which side a trigger is reached. */
  readonly lastPrice: number;
  /** Whether each leg is known to do nothing but reduce a position. */
  readonly wayOut?: boolean;
  readonly mayLeave?: MayLeave;
}

/** What callers see of a trigger that the gateway was asked for (docs/triggers.md says what each promises). */
export const OWN_TRIGGER_STATUSES = [
  'sending',
  'waiting',
  'triggered',
  'ended',
  'refused',
  'not_sent',
  'uncertain',
  'absent',
] as const;
export type OwnTriggerStatus = (typeof OWN_TRIGGER_STATUSES)[number];

export const TRIGGER_CHANGE_KINDS = ['modify', 'delete', 'resolve'] as const;
export type TriggerChangeKind = (typeof TRIGGER_CHANGE_KINDS)[number];

export const TRIGGER_CHANGE_STATUSES = [
  'sending',
  'acknowledged',
  'refused',
  'not_sent',
  'uncertain',
  /** The broker's list has shown it. */
  'taken',
  /** The broker's list has shown that the trigger is as it was. */
  'not_taken',
] as const;
export type TriggerChangeStatus = (typeof TRIGGER_CHANGE_STATUSES)[number];

/** A leg with what the broker's row tells of it besides. */
export interface TriggerLegResponse extends TriggerLegTerms {
  readonly brokerOrderId: BrokerOrderId | null;
  readonly reason: string | null;
  /** What that order has filled, shares or units; null before the order, and while that is not known. */
  readonly filledQuantity: number | null;
  /** Rupees; null where no price is known. */
  readonly averagePrice: number | null;
}

/** A trigger of the gateway as callers see it. Times are epoch ms. */
export interface TriggerResponse {
  readonly id: TriggerId;
  readonly clientOrderId: string;
  readonly broker: BrokerId;
  readonly mode: Mode;
  readonly instrument: InstrumentName;
  readonly status: OwnTriggerStatus;
  /** Why it is refused, not sent, uncertain, absent, or ended; null otherwise. */
  readonly reason: string | null;
  /** The broker's id; null while it has none. */
  readonly triggerId: string | null;
  /** The status of the broker's row, as the broker wrote it; null before a list has shown it. */
  readonly rawStatus: string | null;
  readonly legs: readonly TriggerLegResponse[];
  /** Triggers at the broker of which each could be this one: a person has to say which. */
  readonly candidates: readonly string[];
  /** It is to be deleted as soon as that can be done. */
  readonly deleteWanted: boolean;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
  readonly expiresAt: EpochMs | null;
}

/** The order that a leg would place, as the checks and the brakes of orders see it. */
export function orderOfLeg(instrument: InstrumentName, leg: TriggerLegTerms): OrderTerms {
  const { side, quantity, product, price } = leg;
  return {
    ...{ instrument, side, quantity, product, price, triggerPrice: null },
    ...{ orderType: 'LIMIT', validity: 'DAY', amo: false },
  };
}
