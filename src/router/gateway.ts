import type { Answer } from '../domain/answer.ts';
import type { BrokerId } from '../domain/broker.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { OrderModification, OrderRequest, OrderResponse } from '../domain/order.ts';
import type { OrderStatus } from '../domain/order-status.ts';
import type { Funds, Holding, Position, Profile } from '../domain/portfolio.ts';
import type { LastPrice, Quote } from '../domain/quote.ts';

/**
 * The shared interface over all brokers: what every face, and a program in the same process, sees.
 * The names are the spec's (docs/spec/shared-interface.md). Calls reject with a GatewayProblem, and
 * with nothing else; a read that failed never answers an empty list.
 */
export interface Gateway {
  /** Quotes keyed by the instrument as the caller wrote it; those without one under `errors`. */
  getQuotes(instruments: readonly string[], options?: ReadOptions): Promise<Answer<Found<Quote>>>;
  getQuote(instrument: string, options?: ReadOptions): Promise<Answer<Quote>>;
  getLastPrices(
    instruments: readonly string[],
    options?: ReadOptions,
  ): Promise<Answer<Found<LastPrice>>>;
  getInstruments(query: InstrumentQuery): Promise<readonly Instrument[]>;
  /** By name or scrip code. */
  getInstrument(instrument: string): Promise<Instrument>;

  getPositions(options?: ReadOptions): Promise<Answer<readonly Position[]>>;
  getHoldings(options?: ReadOptions): Promise<Answer<readonly Holding[]>>;
  getFunds(options?: ReadOptions): Promise<Answer<Funds>>;
  getProfile(options?: ReadOptions): Promise<Answer<Profile>>;

  /** Orders of one trading day, newest first: ours, and those placed elsewhere. */
  getOrders(query?: OrderQuery): Promise<Answer<readonly OrderResponse[]>>;
  /** By our id, or `<broker>:<brokerOrderId>` for an order placed elsewhere. */
  getOrder(id: string): Promise<OrderResponse>;
  getFills(id: string): Promise<readonly OrderFill[]>;
  placeOrder(order: OrderRequest, context: CallContext): Promise<ExecutionResult>;
  cancelOrder(id: string, context: CallContext): Promise<ExecutionResult>;
  modifyOrder(
    id: string,
    changes: OrderModification,
    context: CallContext,
  ): Promise<ExecutionResult>;
  /** A person's word on an order that is uncertain or disputed. */
  resolveOrder(id: string, word: ResolveWord, context: CallContext): Promise<OrderResponse>;

  getKillSwitch(): KillSwitchState;
  setKillSwitch(thrown: boolean, reason: string, context: CallContext): Promise<KillSwitchState>;

  /** Takes a postback's raw text; resolves once it is in the inbox. */
  receivePostback(body: string): Promise<PostbackReceipt>;
  getBrokers(): readonly BrokerStatus[];
}

export interface ReadOptions {
  /** Names the broker; otherwise the route chooses. */
  readonly broker?: BrokerId | undefined;
  /** How old an answer may be; 0 asks the broker now. */
  readonly maxAgeMs?: number | undefined;
}

export interface Found<T> {
  readonly found: ReadonlyMap<string, T>;
  /** By instrument as the caller wrote it: why there is no answer. */
  readonly errors: ReadonlyMap<string, string>;
}

export interface InstrumentQuery {
  /** Part of a symbol or a name; every instrument when absent. */
  readonly text?: string | undefined;
  readonly exchange?: string | undefined;
  readonly limit: number;
}

export interface OrderQuery {
  readonly broker?: BrokerId | undefined;
  readonly status?: OrderStatus | undefined;
  /** IST day `YYYY-MM-DD`; today when absent. */
  readonly day?: string | undefined;
  readonly limit?: number | undefined;
  readonly maxAgeMs?: number | undefined;
}

export interface OrderFill {
  readonly id: string;
  readonly orderId: string;
  readonly quantity: number;
  readonly price: number;
  /** Epoch ms. */
  readonly at: number;
}

export interface CallContext {
  /** The caller's identity: its key record's, which outlives a rotated secret. */
  readonly caller: string;
  /** 1 to 64 printable characters; null makes one, which is returned. */
  readonly idempotencyKey: string | null;
}

/**
 * What became of an order change (the spec's ExecutionResult). `order` is the order as it now
 * stands; `settled` is false while its outcome is open (HTTP 202).
 */
export interface ExecutionResult {
  readonly order: OrderResponse;
  readonly idempotencyKey: string;
  readonly settled: boolean;
  /** True when the key had been used and this is the order that it made. */
  readonly repeated: boolean;
}

export type ResolveWord =
  { readonly kind: 'placed'; readonly brokerOrderId: string } | { readonly kind: 'absent' };

export interface KillSwitchState {
  readonly thrown: boolean;
  readonly reason: string | null;
  /** Epoch ms of the last change; null when it was never thrown. */
  readonly changedAt: number | null;
}

export type PostbackReceipt =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'forged' };

export interface BrokerStatus {
  readonly broker: BrokerId;
  readonly mode: 'live' | 'paper';
  /** What it serves now, by the routes. */
  readonly serves: readonly ('market_data' | 'account' | 'trading')[];
  readonly available: boolean;
  /** Why not; null when available. */
  readonly reason: string | null;
}
