import type { BrokerId, Mode } from '../../domain/broker.ts';
import type { ExitEnd, ExitStop } from '../../domain/exit.ts';
import type { InstrumentName } from '../../domain/instrument.ts';
import type { Product, Side } from '../../domain/order.ts';
import type { EpochMs, ExitId, OrderId, TradingDay } from '../../units/branded.ts';

/** One order of an exit. The order is found by its key (`legKey`), also where a crash came between. */
export interface ExitLeg {
  /** 1, 2, 3, … */
  readonly number: number;
  readonly orderType: 'LIMIT' | 'MARKET';
  readonly quantity: number;
  /** Rupees; null for MARKET. */
  readonly price: number | null;
  /** It stands at the circuit or the band: it keeps its place and is not replaced. */
  readonly atBand: boolean;
  /** It stands at the edge of the exchange's price protection: no LIMIT further from the market is taken now. */
  readonly atProtection?: true;
  /** It was sent although nobody bids: the exit ends with it in the book (APP_EXIT_REST_WITHOUT_BID). */
  readonly withoutBid?: true;
  /** Epoch ms. */
  readonly at: EpochMs;
  /** Whether the exit has taken in how it ended. */
  readonly isOver: boolean;
}

/** What the next leg is to be. */
export interface ExitPlan {
  readonly orderType: 'LIMIT' | 'MARKET';
  /** 1, 2, 3, …: each is a price further from the market than the one before. */
  readonly attempt: number;
  /**
   * Rupees: the LIMIT of this attempt has not filled at this edge of the exchange's price protection, so a MARKET takes
   * its place. Absent where it was not so.
   */
  readonly protectedAt?: number;
  /** The broker has said that it takes no MARKET orders for the instrument. */
  readonly isMarketBlocked: boolean;
  /** The most that a leg may have, after a refusal for its quantity; null without one. */
  readonly most: number | null;
  /** How often it has waited after `rate_limited` and `not_sent`: 1, 2, 4, 8 s, at most 15 s in all. */
  readonly waits: number;
}

export const FIRST_PLAN: ExitPlan = {
  orderType: 'LIMIT',
  attempt: 1,
  isMarketBlocked: false,
  most: null,
  waits: 0,
};

/** How an exit has ended. */
export interface ExitOver {
  readonly end: ExitEnd;
  /** Null for `flat`. */
  readonly why: ExitStop | null;
  /** For people: what happened, and what to do. */
  readonly detail: string;
  /** Shares still held, as far as known; null where that is not known. */
  readonly held: number | null;
  /** Epoch ms. */
  readonly at: EpochMs;
}

/**
 * What had been filled on the side of the legs when the quantity of the exit was worked out: what others of these orders
 * fill after that is a part of the quantity, and is not sold again.
 */
export interface FilledBefore {
  readonly quantity: number;
  /** By orders of every caller, not of the exit's alone. */
  readonly byAll?: true;
}

/**
 * What bounds all legs of an exit together, whatever the broker says later of the position. Both are of the moment
 * before the first leg that has filled.
 */
export interface KnownAtBegin {
  /** The most that was known to be held, shares or units. */
  readonly most: number;
  /** What orders of the gateway had filled that day in the direction that opens the position. */
  readonly opened: number;
  /** The same in the direction of the legs; absent in rows of older versions. */
  readonly ended?: number;
  /** What the last read of the account lacked of it that the one before had (missing-rows.ts); absent for nothing. */
  readonly missing?: number;
}

/** A way out of a position, as the journal has it: what was asked for, its legs, and how it ended. */
export interface ExitRecord {
  readonly id: ExitId;
  readonly caller: string;
  readonly idempotencyKey: string;
  /** SHA-256 of the request: tells a repeat from another request under the same key. */
  readonly requestHash: string;
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** The account that it began for: it does nothing in another one. Absent where the broker did not tell it. */
  readonly account?: string;
  readonly instrument: InstrumentName;
  readonly product: Product;
  /** The side of its legs: SELL ends a long position. */
  readonly side: Side;
  /** Shares or units; null for all. */
  readonly quantity: number | null;
  /** Of a closing whose quantities are those of its plan; absent elsewhere. */
  readonly filledBefore?: FilledBefore;
  /** The resting order that it takes the place of; null where it is about the position. */
  readonly orderId: OrderId | null;
  /** Orders placed elsewhere that rest for the position are cancelled as well. */
  readonly cancelExternal?: true;
  /** The broker's day on which it was asked for. */
  readonly day: TradingDay;
  readonly plan: ExitPlan;
  readonly legs: readonly ExitLeg[];
  /** Absent before the first leg, and in rows of older versions. */
  readonly known?: KnownAtBegin;
  /** A caller has asked that no further leg be sent. */
  readonly isCancelWanted: boolean;
  /** What it does now, for people. */
  readonly doing: string;
  readonly over: ExitOver | null;
  /** Epoch ms, as `updatedAt`. */
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

/** The key of a leg's order. Callers cannot use it: it names an id that is ours. */
export const legKey = (exitId: ExitId, number: number): string => `${exitId}#${number}`;

/** Whether two exits are ways out of the same position. */
export function isSamePosition(
  one: Pick<ExitRecord, 'broker' | 'instrument' | 'product'>,
  other: Pick<ExitRecord, 'broker' | 'instrument' | 'product'>,
): boolean {
  return (
    one.broker === other.broker &&
    one.instrument === other.instrument &&
    one.product === other.product
  );
}
