import type { BrokerOrder } from '../../domain/broker-order.ts';
import type { BrokerId } from '../../domain/broker.ts';
import { type InstrumentLookup, qualifiedSecurityId } from '../../domain/instrument.ts';
import {
  needsPrice,
  needsTrigger,
  ORDER_TYPES,
  type OrderMarks,
  type OrderModification,
  type OrderTerms,
} from '../../domain/order.ts';
import type { NotSentReason, Outcome } from '../../domain/outcome.ts';
import type { RejectionClass } from '../../domain/rejection.ts';
import type { OrderTimes } from '../../domain/order-times.ts';
import type { OrderRecord } from './order.ts';
import type {
  AttemptId,
  BrokerOrderId,
  EpochMs,
  OrderId,
  TradingDay,
} from '../../units/branded.ts';

/** Clocks of host and broker may differ by this much, and rows have a grain of a second. */
export const CLOCK_SKEW_MS = 5_000;

/** Two correct clocks differ by no more than this; a Date header has whole seconds besides. */
export const CLOCKS_AGREE_MS = 60_000;

/**
 * How long a book may lag behind an accepted modification. What a book shows that was asked for later wins: an
 * exchange can refuse what its broker has accepted (decision 0058).
 */
export const BOOK_LAG_MS = 10_000;

/** How far a request has got, and what is known of it. Times are epoch ms. */
export type AttemptState =
  /** On disk; the request may have left. After a crash this means uncertain. */
  | { readonly kind: 'sending' }
  | {
      readonly kind: 'acknowledged';
      readonly settledAt: EpochMs;
      readonly brokerOrderId: BrokerOrderId;
      /** Of a change: the broker's time at its answer; absent where it had not told the time just before. */
      readonly brokerAt?: EpochMs;
    }
  | {
      readonly kind: 'refused';
      readonly settledAt: EpochMs;
      readonly reason: string;
      /** Absent in attempts of older versions. */
      readonly rejection?: RejectionClass;
      /** What the broker's clock said in its answer, to the second; absent where it told no time. */
      readonly toldAt?: EpochMs;
    }
  | {
      readonly kind: 'not_sent';
      readonly settledAt: EpochMs;
      readonly reason: string;
      /** Absent in attempts of older versions. */
      readonly cause?: NotSentReason;
    }
  | { readonly kind: 'uncertain'; readonly settledAt: EpochMs; readonly reason: string }
  /**
   * Was uncertain until a person, or the last book of the day, said that the order was not taken. A row
   * may still prove them wrong.
   */
  | { readonly kind: 'absent'; readonly settledAt: EpochMs; readonly reason: string };

export type AttemptStateKind = AttemptState['kind'];

interface AttemptIdentity {
  readonly id: AttemptId;
  readonly orderId: OrderId;
  readonly broker: BrokerId;
  /** The broker's day on which it was sent. */
  readonly day: TradingDay;
  /** Epoch ms. */
  readonly sentAt: EpochMs;
}

/** One request to place an order. */
export interface PlaceAttemptRecord extends AttemptIdentity {
  readonly kind: 'place';
  /** Ours, 20 letters and digits, unique in the journal. */
  readonly tag: string;
  /** Whether the request carried the tag: only then can a row hand it back. */
  readonly tagSent: boolean;
  /** What a row must equal to be this attempt's where tags do not come back. */
  readonly fingerprint: string;
  /** Ids in the book before the send; null where tags come back, and once the outcome is known. */
  readonly baseline: readonly string[] | null;
  /** Set where the book could not be read before it: the baseline is what was seen earlier that day. */
  readonly sentUnwatched?: true;
  /** The account that it was sent for; absent where that was not known. */
  readonly account?: string;
  /** The last event before it was decided on; absent in attempts of older versions. */
  readonly sentAfter?: number;
  /** The broker's time at the send (epoch ms); absent where it had not told the time just before. */
  readonly brokerAt?: EpochMs;
  /** The id that its acknowledgement named and no book has shown since, while it is uncertain. */
  readonly namedId?: BrokerOrderId;
  /** What its request carried of the order, of its key, or of the settings; absent in older attempts. */
  readonly marks?: OrderMarks;
  /** Absent until it is answered, and in attempts of older versions. */
  readonly times?: OrderTimes;
  readonly state: AttemptState;
}

interface AskedFor {
  /** Who asked for it: a caller, or an exit; absent for the gateway itself, and in attempts of older versions. */
  readonly by?: string;
}

/** One request to cancel an order. */
export interface CancelAttemptRecord extends AttemptIdentity, AskedFor {
  readonly kind: 'cancel';
  readonly state: Exclude<AttemptState, { readonly kind: 'absent' }>;
}

/** One request to modify an order. */
export interface ModifyAttemptRecord extends AttemptIdentity, AskedFor {
  readonly kind: 'modify';
  readonly changes: OrderModification;
  readonly state: Exclude<AttemptState, { readonly kind: 'absent' }>;
}

/** One request to one broker that changes something there. */
export type AttemptRecord = PlaceAttemptRecord | CancelAttemptRecord | ModifyAttemptRecord;

/** What an outcome makes of a request that was on its way; `brokerAt` is the broker's time then, of a change. */
export function settledState(
  outcome: Outcome,
  at: EpochMs,
  brokerAt: EpochMs | null = null,
): Exclude<AttemptState, { readonly kind: 'absent' | 'sending' }> {
  if (outcome.kind === 'acknowledged') {
    const settled = { settledAt: at, ...(brokerAt === null ? {} : { brokerAt }) };
    return { kind: 'acknowledged', ...settled, brokerOrderId: outcome.brokerOrderId };
  }
  const settled = { settledAt: at, reason: outcome.reason };
  switch (outcome.kind) {
    case 'refused':
      return { kind: 'refused', ...settled, rejection: outcome.rejection };
    case 'not_sent':
      return { kind: 'not_sent', ...settled, cause: outcome.cause };
    case 'uncertain':
      return { kind: 'uncertain', ...settled };
  }
}

/** Whether nothing proves yet whether the broker took it. */
export function isOpenPlace(attempt: AttemptRecord): boolean {
  const { kind } = attempt.state;
  return attempt.kind === 'place' && (kind === 'sending' || kind === 'uncertain');
}

/** Whether a broker has refused it: a row that was made before the refusal may prove that wrong. */
export const isRefusedPlace = (attempt: AttemptRecord): boolean =>
  attempt.kind === 'place' && attempt.state.kind === 'refused';

/** When the outcome of a request was known (epoch ms); when it was sent, while it is not. */
export const answeredAt = ({ state, sentAt }: AttemptRecord): number =>
  state.kind === 'sending' ? sentAt : state.settledAt;

/**
 * What an order and a row of a book must have in common to be taken for one another where a broker
 * hands no tag back. A price counts where the order's type has one.
 */
export function fingerprint(broker: BrokerId, terms: OrderTerms): string {
  return [
    broker,
    terms.instrument,
    terms.side,
    terms.product,
    terms.orderType,
    terms.validity,
    terms.quantity,
    needsPrice(terms.orderType) ? terms.price : null,
    needsTrigger(terms.orderType) ? terms.triggerPrice : null,
  ].join('|');
}

const TYPE_IN_FINGERPRINT = 4;
const QUANTITY_IN_FINGERPRINT = 6;
const PRICE_IN_FINGERPRINT = 7;
const TRIGGER_IN_FINGERPRINT = 8;

/** What an order was placed with: its terms follow its row, and what was asked for is in the fingerprint. */
export function placedTerms({
  fingerprint: asked,
}: Pick<PlaceAttemptRecord, 'fingerprint'>): Omit<OrderModification, 'validity'> {
  const fields = asked.split('|');
  const figure = (index: number): number | null => (fields[index] ? Number(fields[index]) : null);
  return {
    orderType: ORDER_TYPES.find((type) => type === fields[TYPE_IN_FINGERPRINT]) ?? null,
    quantity: figure(QUANTITY_IN_FINGERPRINT),
    price: figure(PRICE_IN_FINGERPRINT),
    triggerPrice: figure(TRIGGER_IN_FINGERPRINT),
  };
}

export function rowFingerprint(broker: BrokerId, row: BrokerOrder, order: OrderRecord): string {
  return [
    broker,
    isInstrumentOf(order, row) ? order.terms.instrument : row.instrument,
    row.side,
    row.product,
    row.orderType,
    row.validity,
    row.quantity,
    needsPrice(row.orderType) ? row.price : null,
    needsTrigger(row.orderType) ? row.triggerPrice : null,
  ].join('|');
}

/**
 * Whether a row has the terms of a placing. With `marketAsLimit` (Trading), that of a MARKET order may be a
 * LIMIT one of any price.
 */
export function hasTermsOf(
  { broker, fingerprint: asked }: Pick<PlaceAttemptRecord, 'broker' | 'fingerprint'>,
  row: BrokerOrder,
  order: OrderRecord,
  marketAsLimit: boolean,
): boolean {
  return couldShareRow(rowFingerprint(broker, row, order), asked, marketAsLimit && isMarket(asked));
}

/** Whether one row could have the terms of two fingerprints; `marketAsLimit` as in `hasTermsOf`. */
export function couldShareRow(one: string, other: string, marketAsLimit: boolean): boolean {
  if (one === other) return true;
  if (!marketAsLimit || !(isMarket(one) || isMarket(other))) return false;
  return asMarket(one) === asMarket(other);
}

const isMarket = (print: string): boolean => print.split('|')[TYPE_IN_FINGERPRINT] === 'MARKET';

/** The fingerprint of a LIMIT order as that of a MARKET order; any other as it is. */
function asMarket(print: string): string {
  const fields = print.split('|');
  if (fields[TYPE_IN_FINGERPRINT] !== 'LIMIT') return print;
  return fields.with(TYPE_IN_FINGERPRINT, 'MARKET').with(PRICE_IN_FINGERPRINT, '').join('|');
}

/** The instrument that an order was asked for, by every name that the gateway knows of it. */
export type InstrumentAsked = Partial<Pick<OrderRecord, 'scripCode' | 'segment'>> & {
  readonly terms: Pick<OrderTerms, 'instrument'>;
};

/** Whether a row is of another instrument: `isInstrumentOf` where no instrument list is at hand. */
export type IsOtherInstrument = (
  order: InstrumentAsked,
  row: Pick<BrokerOrder, 'instrument'>,
) => boolean;

/**
 * Tells by the instrument lists whether a row is of another instrument than an order. A row whose
 * instrument no list has may be of any: that is no disagreement.
 */
export function otherInstrumentBy(lookup: Pick<InstrumentLookup, 'byName'>): IsOtherInstrument {
  return (order, row) => {
    if (isInstrumentOf(order, row)) return false;
    const found = lookup.byName(row.instrument);
    if (!found || found.name === order.terms.instrument) return false;
    // A list that arrives later can change an instrument's name.
    const id = qualifiedSecurityId(found);
    return id === null || id !== order.scripCode || found.segment !== order.segment;
  };
}

/**
 * Whether a row is about an order's instrument. Until the masters are loaded, rows of some brokers
 * name instruments by scrip code.
 */
export function isInstrumentOf(
  order: InstrumentAsked,
  row: Pick<BrokerOrder, 'instrument'>,
): boolean {
  return row.instrument === order.terms.instrument || row.instrument === order.scripCode;
}
