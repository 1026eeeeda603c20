import type { EpochMs } from '../units/branded.ts';
import type { InstrumentName } from './instrument.ts';

/** Quantities are signed: a short position is negative. Rupees; null where the broker has no figure. */
export interface Position {
  readonly instrument: InstrumentName;
  readonly product: string;
  readonly quantity: number;
  readonly averagePrice: number | null;
  readonly lastPrice: number | null;
  readonly realisedPnl: number | null;
  readonly unrealisedPnl: number | null;
  readonly buyQuantity: number;
  readonly sellQuantity: number;
  /** Units of one of `quantity`, where the broker writes lots: of commodities. 1 when absent. */
  readonly multiplier?: number;
  /** The part traded today; absent where the broker does not distinguish it. */
  readonly day?: Turnover;
  /** The part carried over from earlier days; absent likewise. */
  readonly carried?: Turnover;
  /**
   * What the row's other figures make of `quantity`, where they contradict it: what it has bought and sold, and what was
   * carried over. Absent where all figures agree.
   */
  readonly otherQuantities?: readonly number[];
  /** Set where the broker tells that it is one, at brokers that may refuse to list them. */
  readonly derivative?: ListedDerivative;
  /** Absent in the reads of a watch: nothing decides by these figures, they are only shown. */
  readonly details?: PositionDetails;
}

/** What is kept of a derivative, so that it is not taken for none where the broker refuses to list it later. */
export interface ListedDerivative {
  /** `YYYY-MM-DD`; null where neither the row nor an instrument list says it. */
  readonly expiry: string | null;
  /** The broker listed it without being asked for derivatives. */
  readonly inOlderForm?: true;
}

/** What a broker tells of a position besides, rupees; null where it does not tell it. */
export interface PositionDetails {
  readonly isin: string | null;
  /** As the broker states it; the gateway assumes 1 where it states none. */
  readonly multiplier: number | null;
  /** Carried over from the day before, negative when short. */
  readonly overnightQuantity: number | null;
  /** Of the day before. */
  readonly closePrice: number | null;
  /** Received less paid. */
  readonly value: number | null;
  readonly pnl: number | null;
  /** Profit since the close of the day before, by the broker's own count. */
  readonly m2m: number | null;
  readonly bought: TurnoverDetails;
  readonly sold: TurnoverDetails;
  /** Average prices of what was traded today. */
  readonly dayBuyPrice: number | null;
  readonly daySellPrice: number | null;
}

/** One side of a position; `m2m` is its value with what was carried over at the last close. */
export interface TurnoverDetails {
  readonly price: number | null;
  readonly value: number | null;
  readonly m2m: number | null;
}

/** Shares or units, and rupees. */
export interface Turnover {
  readonly buyQuantity: number;
  readonly buyValue: number;
  readonly sellQuantity: number;
  readonly sellValue: number;
}

export interface Holding {
  readonly instrument: InstrumentName;
  readonly isin: string | null;
  /** All shares, T1 included (docs/spec/portfolio.md). */
  readonly quantity: number;
  /** Pledged, sold or otherwise blocked; not subtracted from `quantity`. */
  readonly usedQuantity: number;
  /** The part of `usedQuantity` sold today, on any exchange; absent if the broker does not tell it, or nothing was sold. */
  readonly soldToday?: number;
  readonly t1Quantity: number;
  /**
   * Held under MTF, and pledged: no order of the gateway sells them, so that an exit is not flat while there are any.
   * Absent where the broker tells of none; null where its figure cannot be read.
   */
  readonly mtfQuantity?: number | null;
  readonly pledgedQuantity?: number | null;
  readonly averagePrice: number | null;
  readonly lastPrice: number | null;
  /** Absent in the reads of a watch, as those of a position. */
  readonly details?: HoldingDetails;
}

/** What a broker tells of a holding besides, shares and rupees; null where it does not tell it. */
export interface HoldingDetails {
  readonly product: string | null;
  readonly t1AveragePrice: number | null;
  /** Delivered to the demat account: all shares but T1. */
  readonly deliveredQuantity: number | null;
  readonly deliveredAveragePrice: number | null;
  /** Held when the day began. */
  readonly openingQuantity: number | null;
  readonly shortQuantity: number | null;
  /** May be sold today by the owner's authorisation at the depository, and since when. */
  readonly authorisedQuantity: number | null;
  readonly authorisedAt: EpochMs | null;
  /** Pledged for margin. */
  readonly collateralQuantity: number | null;
  readonly collateralType: string | null;
  /** Whether the broker says that its figures of this holding need a correction. */
  readonly discrepancy: boolean | null;
  /** Of the day before. */
  readonly closePrice: number | null;
  readonly pnl: number | null;
  /** Of one share, since the close of the day before. */
  readonly dayChange: number | null;
  readonly dayChangePercent: number | null;
  /** Bought with the broker's money (margin trading facility); not counted in `quantity`. */
  readonly mtf: MtfHolding | null;
}

export interface MtfHolding {
  readonly quantity: number | null;
  readonly usedQuantity: number | null;
  readonly averagePrice: number | null;
  readonly value: number | null;
  readonly initialMargin: number | null;
}

/**
 * A row of positions or holdings that could not be read, with what of it could: null is unreadable. It
 * may be any position that nothing readable contradicts.
 */
export interface UnreadPortfolioRow {
  readonly list: 'positions' | 'holdings';
  readonly instrument: InstrumentName | null;
  /** Null for a holding, which is of every product that delivers. */
  readonly product: string | null;
  readonly quantity: number | null;
  /** What is wrong with it, without its values. */
  readonly reason: string;
  /** As that of a position. */
  readonly derivative?: ListedDerivative;
  /** What a position has traded, where all of its quantities could be read; absent otherwise, and for a holding. */
  readonly traded?: TradedOfRow;
  /** As those of a position, where all of its quantities could be read. */
  readonly otherQuantities?: readonly number[];
}

/** The quantities that a row of the positions has traded, without money: all days, today, and before. */
export interface TradedOfRow extends TradedQuantities {
  readonly day?: TradedQuantities;
  readonly carried?: TradedQuantities;
}

export type TradedQuantities = Pick<Turnover, 'buyQuantity' | 'sellQuantity'>;

/** Rupees. */
export interface Funds {
  /** Buying power. */
  readonly available: number;
  readonly used: number | null;
  readonly total: number | null;
  /** Buying power by product, where the broker distinguishes products. */
  readonly byProduct: Readonly<Record<string, number>>;
  /** Absent where the broker tells nothing else. */
  readonly details?: FundsDetails;
  /** Of the account's commodity segment, where it is separate; absent where the broker tells none. */
  readonly commodity?: SegmentFunds;
}

/** The funds of a segment that is kept apart from those of shares and their derivatives. */
export interface SegmentFunds {
  readonly available: number | null;
  readonly used: number | null;
  readonly total: number | null;
  readonly details: FundsDetails;
}

/** The figures of funds besides buying power, rupees, each as a broker that does not tell it. */
export const UNTOLD_FIGURES = {
  /** Without collateral. */
  cash: null,
  openingBalance: null,
  liveBalance: null,
  /** Margin for pledged securities, what of it is left, and what of it is used, by its kind. */
  collateral: null,
  collateralLeft: null,
  liquidCollateral: null,
  stockCollateral: null,
  adhocMargin: null,
  /** Paid in and out today, and what could be paid out. */
  payin: null,
  payout: null,
  withdrawable: null,
  /** What positions and orders use, by its kind. */
  span: null,
  exposure: null,
  optionPremium: null,
  delivery: null,
  holdingSales: null,
  turnover: null,
  /** The day's profit by the broker's own count. */
  realisedPnl: null,
  unrealisedPnl: null,
  /** Charges of the day. */
  brokerage: null,
  equityCharges: null,
  derivativeCharges: null,
} as const;

export type FundsFigure = keyof typeof UNTOLD_FIGURES;

/** Null where the broker does not tell a figure, which is not 0. */
export interface FundsDetails {
  /** Whether the account may trade the segment. */
  readonly enabled: boolean | null;
  readonly figures: Readonly<Partial<Record<FundsFigure, number | null>>>;
}

export interface Profile {
  readonly userId: string;
  readonly name: string | null;
  readonly email: string | null;
  /** Absent where the broker tells nothing else. */
  readonly details?: ProfileDetails;
}

/** Words as the broker writes them; null where it does not tell them. */
export interface ProfileDetails {
  readonly shortName: string | null;
  readonly userType: string | null;
  /** Where the account may trade, and with which products and types of orders. */
  readonly exchanges: readonly string[] | null;
  readonly products: readonly string[] | null;
  readonly orderTypes: readonly string[] | null;
  readonly dematId: string | null;
  /** How the owner lets the broker deliver shares that are sold, such as `physical`. */
  readonly dematConsent: string | null;
  /** The client's code at the exchange. */
  readonly clientCode: string | null;
}
