import type { InstrumentName } from '../../domain/instrument.ts';
import type { OrderTerms, Product, Side } from '../../domain/order.ts';
import { ZERO, type Decimal } from '../../domain/money.ts';
import type { AttemptId, BrokerOrderId, EpochMs, TradingDay } from '../../units/branded.ts';

/** Money is in rupees, times in epoch ms, quantities in shares. */
export interface PaperAccount {
  /** The broker's day (06:00 to 06:00 IST) that the ledger has reached. */
  readonly day: TradingDay;
  /** The start of the numbers of orders and fills, so that two ledgers never share an id. */
  readonly series: number;
  readonly openingCash: Decimal;
  /** openingCash - buys + sells - brokerage, exactly. */
  readonly cash: Decimal;
  readonly brokerage: Decimal;
  readonly realised: Decimal;
}

export const PAPER_STATUSES = ['working', 'filled', 'partial', 'cancelled', 'rejected'] as const;
export type PaperStatus = (typeof PAPER_STATUSES)[number];

export interface PaperOrder extends OrderTerms {
  /** Increases for the life of the account; part of the id. */
  readonly number: number;
  readonly id: BrokerOrderId;
  readonly attemptId: AttemptId;
  readonly tag: string;
  /** The day of the last change: a final order leaves the book when that day is over. */
  readonly day: TradingDay;
  readonly status: PaperStatus;
  readonly reason: string | null;
  readonly triggered: boolean;
  readonly filledQuantity: number;
  /** Sum of price times quantity over its fills. */
  readonly filledValue: Decimal;
  /** The price at which money is blocked while the order rests, rupees a share. */
  readonly reservePrice: number;
  /** The money blocked for the rest of the order. */
  readonly reserved: Decimal;
  /** The part of the rest that would close a position, and so needs no money of its own. */
  readonly closing: number;
  /** When it starts to trade; later than `createdAt` for an after-market order. */
  readonly activeFrom: EpochMs;
  readonly expiresAt: EpochMs;
  readonly createdAt: EpochMs;
  readonly updatedAt: EpochMs;
}

export interface PaperFill {
  readonly number: number;
  /** The fill's own id. */
  readonly id: string;
  readonly orderNumber: number;
  readonly orderId: BrokerOrderId;
  readonly price: number;
  readonly quantity: number;
  readonly at: EpochMs;
}

export interface PaperPosition {
  readonly instrument: InstrumentName;
  readonly product: Product;
  /** Negative when short, or, for CNC, when holdings were sold. */
  readonly quantity: number;
  /** The cost of the open quantity, or the proceeds of a negative one. Never negative. */
  readonly cost: Decimal;
  readonly realised: Decimal;
  readonly buyQuantity: number;
  readonly sellQuantity: number;
}

export interface PaperHolding {
  readonly instrument: InstrumentName;
  readonly quantity: number;
  readonly cost: Decimal;
}

/**
 * The ledger in memory: the rows that a working day needs, and sums over them, so that no decision
 * takes longer the more rows there are. Only `apply` (changes.ts) writes to it.
 */
export interface LedgerState {
  account: PaperAccount;
  /** The book by order id: the orders of the day, and those still working. */
  readonly orders: Map<BrokerOrderId, PaperOrder>;
  readonly fills: Map<BrokerOrderId, PaperFill[]>;
  readonly positions: Map<string, PaperPosition>;
  readonly holdings: Map<InstrumentName, PaperHolding>;
  nextOrder: number;
  nextFill: number;
  /** Derived from the rows above. */
  readonly byAttempt: Map<AttemptId, BrokerOrderId>;
  readonly byTag: Map<string, BrokerOrderId>;
  readonly resting: Map<BrokerOrderId, PaperOrder>;
  readonly expiries: Map<EpochMs, Set<BrokerOrderId>>;
  /** Sum of `closing` of resting orders, by position and side. */
  readonly closing: Map<string, number>;
  reserved: Decimal;
  shortBlocked: Decimal;
}

export function emptyLedger(account: PaperAccount): LedgerState {
  return {
    account,
    orders: new Map(),
    fills: new Map(),
    positions: new Map(),
    holdings: new Map(),
    nextOrder: account.series,
    nextFill: account.series,
    byAttempt: new Map(),
    byTag: new Map(),
    resting: new Map(),
    expiries: new Map(),
    closing: new Map(),
    reserved: ZERO,
    shortBlocked: ZERO,
  };
}

export function positionKey(of: { instrument: InstrumentName; product: Product }): string {
  return `${of.product} ${of.instrument}`;
}

export function closingKey(of: {
  instrument: InstrumentName;
  product: Product;
  side: Side;
}): string {
  return `${of.side} ${of.product} ${of.instrument}`;
}

export function remainingOf(order: PaperOrder): number {
  return order.quantity - order.filledQuantity;
}

/**
 * What a short position blocks: its proceeds, which buy the shares back, and the same again as
 * margin (100 % of the value). CNC is never short: only holdings are sold.
 */
export function shortBlockOf(position: PaperPosition | null): Decimal {
  if (position === null || position.product === 'CNC' || position.quantity >= 0) return ZERO;
  return position.cost.times(2);
}

/** Buying power: the cash that neither resting orders nor short positions block. */
export function availableCash(state: LedgerState): Decimal {
  return state.account.cash.minus(state.reserved).minus(state.shortBlocked);
}
