import type { BrokerId, Mode } from './broker.ts';
import type { EpochMs, OrderId, TradingDay } from '../units/branded.ts';

/**
 * Where a figure of a report comes from. `journal`: the gateway's own orders. `positions`: what the broker says that
 * the account holds. `broker_charges`: the broker's own computation of the charges. `settings`: the brokerage of the
 * paper account.
 */
export const FIGURE_SOURCES = ['journal', 'positions', 'broker_charges', 'settings'] as const;
export type FigureSource = (typeof FIGURE_SOURCES)[number];

/** One figure, rupees: never 0 where it is not known. */
export interface Figure {
  /** Null where it is not known: then `note` says why. */
  readonly rupees: number | null;
  /** Null where it is not known. */
  readonly source: FigureSource | null;
  /** Whether what is booked in the end may differ: then `note` says by which rule it was computed. */
  readonly estimate: boolean;
  /** For people. */
  readonly note: string | null;
}

/** Orders of a day, by how they stand now. An order that went out in slices counts once. */
export interface OrderCounts {
  readonly placed: number;
  readonly filled: number;
  readonly partial: number;
  readonly cancelled: number;
  readonly rejected: number;
  readonly notSent: number;
  /** Neither over nor in doubt. */
  readonly open: number;
  readonly uncertain: number;
  readonly disputed: number;
}

/** What was filled on the day by orders of the gateway. */
export interface FillTotals {
  /** Null where the trades of an order are not all known. */
  readonly count: number | null;
  /** Rupees; null where a price is not known. */
  readonly bought: number | null;
  readonly sold: number | null;
  /** Why one of them is not known, for people; null where all are. */
  readonly note: string | null;
}

/** What was done at one account on one day: by all, or by one key. */
export interface AccountReport {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /** The user at the broker; null where it is not known. */
  readonly account: string | null;
  readonly orders: OrderCounts;
  readonly fills: FillTotals;
  readonly charges: Figure;
  /** Made by what was closed on the day, against its average cost; by orders of the gateway. */
  readonly realised: Figure;
  /** The profit of the day, without charges (docs/spec/daily-profit.md). */
  readonly profit: Figure;
  /** The profit less the charges. */
  readonly net: Figure;
  /** Orders of which it is not known how much they have filled; each is in no figure of the journal. */
  readonly uncertainOrders: readonly OrderId[];
}

/** An account with the orders placed elsewhere. */
export interface WholeAccountReport extends AccountReport {
  /** Orders placed elsewhere that have filled; null where the broker's book of the day cannot be read. */
  readonly elsewhere: number | null;
}

export interface KeyReport {
  /** The id of the key. */
  readonly key: string;
  readonly accounts: readonly AccountReport[];
}

/** What was done on one of the broker's days (docs/reports.md). */
export interface DayReport {
  readonly day: TradingDay;
  /** Whether the day is not over: its figures still change. */
  readonly isToday: boolean;
  readonly isTradingDay: boolean;
  readonly asOf: EpochMs;
  /** Each broker and the paper account apart; null where the report is of one key. */
  readonly accounts: readonly WholeAccountReport[] | null;
  /** Those that have traded on the day; the one that asks is always there. */
  readonly keys: readonly KeyReport[];
  /** Orders whose rows in the journal cannot be read: they are in no figure. */
  readonly unreadOrders: readonly OrderId[];
}

export interface DayReportQuery {
  /** Absent for today. */
  readonly day?: TradingDay | undefined;
  /** Only this key; absent for all keys and accounts. */
  readonly caller?: string | undefined;
  readonly broker?: BrokerId | undefined;
}

export interface DayReportRead {
  /**
   * What was done on a day: orders, fills, charges and profit (docs/reports.md). Rejects for a day that has not
   * begun, and for one before the first order or trigger of the journal.
   */
  getDayReport(query?: DayReportQuery): Promise<DayReport>;
}
