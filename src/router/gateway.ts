import type { Answer } from '../domain/answer.ts';
import type { BasketAnswer, BasketOrderAnswer, BasketRequest } from '../domain/basket.ts';
import type { BrokerId, Mode } from '../domain/broker.ts';
import type { CancelAllAnswer, CancelAllRequest, CancelledOrder } from '../domain/cancel-all.ts';
import type { Candle, CandleInterval } from '../domain/candle.ts';
import type { ClosingResponse } from '../domain/closing.ts';
import type { ContractNote, ContractNoteQuery } from '../domain/contract-note.ts';
import type { DayReportRead } from '../domain/day-report.ts';
import type { ExecutionResult } from '../domain/execution-result.ts';
import type { ExitResponse } from '../domain/exit.ts';
import type { LimitBucket } from '../domain/limits.ts';
import type { OrderHistory } from '../domain/order-history.ts';
import type { MarginEstimate } from '../domain/margin.ts';
import type { OptionChain } from '../domain/option-chain.ts';
import type {
  OrderModification,
  OrderRequest,
  OrderResponse,
  OrderStatus,
  Product,
} from '../domain/order.ts';
import type { Funds, Holding, Position, Profile } from '../domain/portfolio.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';
import type { DailyLosses } from '../execution/loss/loss-watches.ts';
import type { LimitsInUse } from '../execution/submit/limits-in-use.ts';
import type { Moment } from '../platform/clock.ts';
import type { InstrumentReads } from './instrument-reads.ts';
import type { BookOfList } from './books-of-list.ts';
import type { BrokerNotSetUp, BrokerStatus } from './broker-status.ts';
import type { CloseAllRequest, CloseAllResult } from './closings.ts';
import type { KeyPositionReads } from './key-account.ts';
import type { OverviewRead } from './overview.ts';
import type { OrderTimesRead } from './placing-times.ts';
import type { TradeReads } from './trades.ts';
import type { TriggerCalls } from './triggers.ts';
import type {
  BrokerOrderId,
  EpochMs,
  ClosingId,
  ExitId,
  OrderId,
  TradingDay,
  TriggerId,
} from '../units/branded.ts';

/**
 * The shared interface over all brokers, for every entry point and for a program in the same
 * process. The names are the spec's (docs/spec/shared-interface.md). Calls reject with a
 * GatewayProblem, and with nothing else; a failed read never gives an empty list.
 */
export interface Gateway
  extends
    InstrumentReads,
    TradeReads,
    OrderTimesRead,
    TriggerCalls,
    KeyPositionReads,
    OverviewRead,
    DayReportRead {
  /** Quotes by instrument as the caller wrote it; instruments without one are under `errors`. */
  getQuotes(instruments: readonly string[], options?: ReadOptions): Promise<Answer<Found<Quote>>>;
  getQuote(instrument: string, options?: ReadOptions): Promise<Answer<Quote>>;
  getLastPrices(
    instruments: readonly string[],
    options?: ReadOptions,
  ): Promise<Answer<Found<LastPrice>>>;
  /** A range of any length, oldest first; empty where nothing was traded. */
  getCandles(query: CandleRequest, options?: ReadOptions): Promise<Answer<readonly Candle[]>>;
  getOptionChain(query: ChainRequest, options?: ReadOptions): Promise<Answer<OptionChain>>;
  /** IST days `YYYY-MM-DD` on which options on the underlying expire, ascending. */
  getExpiries(underlying: string, options?: ReadOptions): Promise<Answer<readonly string[]>>;

  getPositions(options?: ReadOptions): Promise<Answer<readonly Position[]>>;
  /** What was traded today alone, as the broker lists it. */
  getDayPositions(options?: ReadOptions): Promise<Answer<readonly Position[]>>;
  getHoldings(options?: ReadOptions): Promise<Answer<readonly Holding[]>>;
  getFunds(options?: ReadOptions): Promise<Answer<Funds>>;
  getProfile(options?: ReadOptions): Promise<Answer<Profile>>;
  /** What one order or several would block and cost at one account; nothing is placed. */
  getMargins(
    orders: readonly OrderRequest[],
    options?: ReadOptions,
  ): Promise<Answer<MarginEstimate>>;

  /** What the orders of an account cost that have filled today. */
  getContractNote(query?: ContractNoteQuery): Promise<Answer<ContractNote>>;

  /** A page of the orders of one trading day, newest first: ours, and those placed elsewhere. */
  getOrders(query?: OrderQuery): Promise<OrderPage>;
  /** By our order id, or `<broker>:<brokerOrderId>` for an order placed elsewhere. */
  getOrder(id: string): Promise<OrderResponse>;
  /** The same, with how old what is said of it may be. */
  getDatedOrder(id: string): Promise<Answer<OrderResponse>>;
  getFills(id: string): Promise<readonly OrderFill[]>;
  getOrderHistory(id: string): Promise<OrderHistory>;
  placeOrder(order: OrderRequest, context: CallContext): Promise<ExecutionResult>;
  /**
   * Places many orders, each under its own key, once all of them have passed the checks. Rejects with the
   * errors of all orders where one does not, unless an order of the basket was placed before.
   */
  placeBasket(basket: BasketRequest, caller: string): Promise<BasketAnswer>;
  cancelOrder(id: string, context: CallContext): Promise<ExecutionResult>;
  /** Cancels many orders, each for itself; resolves after ten seconds at most, and the rest goes on. */
  cancelAll(request: CancelAllRequest, context: CallContext): Promise<CancelAllAnswer>;
  modifyOrder(
    id: string,
    changes: OrderModification,
    context: CallContext,
  ): Promise<ExecutionResult>;
  /** A manual resolution: a person says what became of an uncertain or disputed order. */
  resolveOrder(id: string, word: ResolveWord, context: CallContext): Promise<ExecutionResult>;

  /** Resolves once the exit is on disk; it is carried out meanwhile (docs/exits.md). */
  startExit(request: ExitRequest, context: CallContext): Promise<ExitResult>;
  getExit(id: ExitId): Promise<ExitWithLegs>;
  /** Of one of the broker's days, today when null; oldest first. */
  getExits(day: TradingDay | null): Promise<readonly ExitResponse[]>;
  cancelExit(id: ExitId): Promise<ExitResponse>;

  /** Ends many positions, each by an exit (docs/exits.md, "Closing all"). */
  closeAll(request: CloseAllRequest, context: CallContext): Promise<CloseAllResult>;
  getClosing(id: ClosingId): Promise<ClosingResponse>;
  /** Of a trading day, oldest first. */
  getClosings(day: TradingDay): Promise<readonly ClosingResponse[]>;
  cancelClosing(id: ClosingId): Promise<ClosingResponse>;

  getKillSwitch(): KillSwitchState;
  setKillSwitch(engaged: boolean, reason: string, context: CallContext): Promise<KillSwitchState>;

  /** Accepts a postback's raw text; resolves once it is in the inbox. */
  receivePostback(body: string): Promise<PostbackReceipt>;
  getBrokers(): readonly BrokerStatus[];
  /** Brokers of the settings that are not set up, and what to set. */
  getBrokersNotSetUp(): readonly BrokerNotSetUp[];
  /** The rate limits of every broker that has some, or of the named one. */
  getLimits(options?: { readonly broker?: BrokerId | undefined }): readonly BrokerLimits[];
  /** The gateway's own limits: what is set, and what is used. */
  getBrakes(): Brakes;
}

export interface ReadOptions {
  /** The broker to use; absent lets the route choose. */
  readonly broker?: BrokerId | undefined;
  /** How old an answer may be, ms; 0 reads it from the broker now. */
  readonly maxAgeMs?: number | undefined;
}

export interface Found<T> {
  readonly found: ReadonlyMap<string, T>;
  /** By instrument as the caller wrote it: the reason why there is no answer. */
  readonly errors: ReadonlyMap<string, string>;
}

/** By name or security id. Epoch ms; `from` is included, `to` is not. */
export interface CandleRequest {
  readonly instrument: string;
  readonly interval: CandleInterval;
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export interface ChainRequest {
  /** By name (NSE:INFY) or security id (NSE_1594). */
  readonly underlying: string;
  /** IST day `YYYY-MM-DD`; null takes the nearest. */
  readonly expiry: string | null;
  /** The number on either side of the price; null takes the broker's default. */
  readonly strikes: number | null;
}

export interface OrderQuery {
  readonly broker?: BrokerId | undefined;
  /** Only the orders of this caller; absent for those of the account. */
  readonly caller?: string | undefined;
  /** Any of these; all when absent. */
  readonly status?: readonly OrderStatus[] | undefined;
  /** IST day `YYYY-MM-DD`; today when absent. */
  readonly day?: TradingDay | undefined;
  /** Orders in the page, at most 1,000, which is the default. A page of long orders has fewer. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page; absent gives the first page. */
  readonly cursor?: string | undefined;
  readonly maxAgeMs?: number | undefined;
}

export interface OrderPage extends Answer<readonly OrderResponse[]> {
  /** The cursor of the next page; null when this is the last one. */
  readonly nextCursor: string | null;
  /** Whose orders placed elsewhere are in the list, and whose are not. */
  readonly books: readonly BookOfList[];
  /**
   * Of a caller's list of today: its triggers that may have placed an order that the list does not have
   * (docs/triggers.md). Absent from other lists.
   */
  readonly uncertainTriggers?: readonly TriggerId[];
}

export interface OrderFill {
  readonly id: string;
  readonly orderId: OrderId;
  readonly quantity: number;
  readonly price: number;
  /** Epoch ms; null where the broker tells no time of a fill of an order placed elsewhere. */
  readonly at: EpochMs | null;
}

export interface CallContext {
  /** The caller's id: that of its key record, which stays when the key is rotated. */
  readonly caller: string;
  /** 1 to 64 printable characters; null makes one, which is returned. */
  readonly idempotencyKey: string | null;
  /**
   * Placing only, and of admins only: lets an exit pass the kill switch where its account cannot be
   * read. False when absent.
   */
  readonly force?: boolean;
  /** Placing only: when the request came, if it has waited since. An order leaves soon after it, or not at all. */
  readonly arrived?: Moment;
}

export type { ExecutionResult };

export type { BasketAnswer, BasketOrderAnswer, BasketRequest };
export type { CancelAllAnswer, CancelAllRequest, CancelledOrder };

/** A way out of a position, or of what is left of a resting order. */
export type ExitRequest =
  | {
      readonly kind: 'position';
      readonly instrument: string;
      readonly product: Product;
      /** Shares or units; null for all. */
      readonly quantity: number | null;
      /** Null: the account that holds it. */
      readonly broker: BrokerId | null;
      /** What the caller's key may use; any where it is absent or null. */
      readonly mode?: Mode | null;
      /** Also cancels orders placed elsewhere that rest for the position; false when absent. */
      readonly cancelExternal?: boolean;
    }
  | { readonly kind: 'order'; readonly orderId: string };

export interface ExitResult {
  readonly exit: ExitResponse;
  readonly repeated: boolean;
}

/** An exit with the orders that were sent for it, oldest first. */
export interface ExitWithLegs extends ExitResponse {
  readonly orders: readonly OrderResponse[];
}

export type ResolveWord =
  | { readonly kind: 'placed'; readonly brokerOrderId: BrokerOrderId; readonly force?: true }
  | { readonly kind: 'absent' };

export interface KillSwitchState {
  readonly engaged: boolean;
  readonly reason: string | null;
  /** Epoch ms of the last change; null when it was never engaged. */
  readonly changedAt: EpochMs | null;
  /** The caller who changed it last; null for the gateway itself, and when it was never changed. */
  readonly changedBy: string | null;
  /** False while an engaged switch could not be written yet: it holds until a restart. */
  readonly onDisk: boolean;
}

export type PostbackReceipt =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'forged' };

/** Brakes of the settings (docs/brakes.md), each off unless it is set. */
export interface Brakes {
  readonly orders: LimitsInUse;
  /** Null without a limit on it. */
  readonly dailyLoss: DailyLosses | null;
}

export interface BrokerLimits {
  readonly broker: BrokerId;
  readonly buckets: readonly LimitBucket[];
}
