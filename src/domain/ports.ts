import type { BrokerFill, BrokerOrder, UnreadRow } from './broker-order.ts';
import type { BrokerOrderDetails } from './broker-order-details.ts';
import type { BrokerId, Mode } from './broker.ts';
import type { Candle, CandleQuery } from './candle.ts';
import type { ExecutedOrder, OrderCharges } from './contract-note.ts';
import type { Instrument, InstrumentName, InstrumentRows, Segment } from './instrument.ts';
import type { LimitBucket } from './limits.ts';
import type { MarginEstimate, MarginQuery } from './margin.ts';
import type { OptionChain, OptionChainQuery } from './option-chain.ts';
import type { CancelAttempt, ModifyAttempt, PlaceAttempt, Purpose } from './order.ts';
import type { OrderMarks, OrderTerms } from './order.ts';
import type { NotSent, Outcome } from './outcome.ts';
import type { Funds, Holding, Position, Profile, UnreadPortfolioRow } from './portfolio.ts';
import type { PostbackReader } from './postback.ts';
import type { LastPrice, Quote } from './quote.ts';
import type { TickFeed } from './tick.ts';
import type { TriggerAttempt, TriggerList } from './trigger.ts';
import type { BrokerOrderId, ElapsedMs, EpochMs, TradingDay } from '../units/branded.ts';

/**
 * The ports that a broker implements. Every read rejects with a BrokerError and with nothing else;
 * a failed read never resolves to an empty list.
 */

/**
 * Instruments that the broker does not know are absent from the map. Keys are canonical names.
 * `leaves` is called when a request leaves, after any wait for the broker's rate limit: prices are
 * dated with the first one of a call.
 */
export interface MarketData {
  readonly broker: BrokerId;
  /** The most instruments of one request; absent where there is no such limit. */
  readonly atOnce?: { readonly quotes: number; readonly lastPrices: number };
  /**
   * A price that is older (ms) does not serve a caller in place of a newer one: its rate limit lets all that is
   * wanted be read in less time. Absent where nothing is known of that.
   */
  readonly servesMs?: number;
  quotes(
    instruments: readonly Instrument[],
    leaves?: () => void,
  ): Promise<ReadonlyMap<InstrumentName, Quote>>;
  lastPrices(
    instruments: readonly Instrument[],
    leaves?: () => void,
  ): Promise<ReadonlyMap<InstrumentName, LastPrice>>;
  /** Oldest first; empty where nothing was traded. Absent where the broker offers no candles. */
  candles?(query: CandleQuery): Promise<readonly Candle[]>;
  optionChain?(query: OptionChainQuery): Promise<OptionChain>;
  /** IST days `YYYY-MM-DD`, ascending. */
  expiries?(underlying: Instrument): Promise<readonly string[]>;
}

/** Who needs a read: what watches orders and accounts goes before what a caller asks for. */
export type Reader = 'watch' | 'caller';

export interface Account {
  readonly broker: BrokerId;
  /** `watch` when `reader` is absent, also in `holdings`. */
  positions(reader?: Reader): Promise<readonly Position[]>;
  /** What was traded today alone, for callers; absent where the broker keeps no such list. */
  dayPositions?(): Promise<readonly Position[]>;
  holdings(reader?: Reader): Promise<readonly Holding[]>;
  funds(): Promise<Funds>;
  profile(): Promise<Profile>;
  /**
   * The rows that could not be read of a list that `positions` or `holdings` resolved with, the same
   * object. One bad row never fails a whole read. Absent where every row can be read.
   */
  readonly unread?: (
    list: readonly Position[] | readonly Holding[],
  ) => readonly UnreadPortfolioRow[];
  /** What orders would block and cost, before they are placed. */
  margins?(orders: readonly MarginQuery[]): Promise<MarginEstimate>;
  /** What filled orders cost, in their order, of a whole day at once; null where it is not computed. */
  charges?(orders: readonly ExecutedOrder[]): Promise<readonly (OrderCharges | null)[]>;
}

/** The broker's instrument lists. */
export interface InstrumentSource {
  readonly broker: BrokerId;
  /**
   * Where the list comes from. A list from another address has other ids: an order that used them
   * would be for another instrument.
   */
  readonly address?: string;
  /** How old a list may become before the gateway reads it again, ms; absent means once a day. */
  readonly freshForMs?: number;
  /** In the order in which they are read. Each is loaded, kept and replaced by itself. */
  readonly lists: readonly InstrumentList[];
}

export interface InstrumentList {
  /** Lower-case letters: it names the list in the log, on disk and in `/api/v1/brokers`. */
  readonly name: string;
  /**
   * The segments that the list may contain. No other list of the broker has instruments of them.
   */
  readonly segments: readonly Segment[];
  /** Null when the broker answers that it does not offer this list. */
  read(): Promise<InstrumentRows | null>;
}

/** What time it is by a broker's own clock. */
export interface BrokerTime {
  /** Epoch ms, to the second. */
  readonly at: EpochMs;
  /** By this computer's clock when the gateway was told. */
  readonly localAt: EpochMs;
  /** When the gateway was told, by the clock that never steps. */
  readonly receivedAt: ElapsedMs;
}

export interface Trading {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /**
   * The time that the broker told last; null before it has told one. Absent at a broker that tells
   * none: then the times on its rows are all that is known of its clock.
   */
  readonly brokerTime?: () => BrokerTime | null;
  /**
   * Set where the broker is part of this process, like the paper account: its book is its own
   * record, never late, and on this computer's clock.
   */
  readonly isLocal?: true;
  /** Set where its orders fill at prices of the market-data route: without them it takes none. */
  readonly needsPrices?: true;
  /**
   * Whether rows of the book carry our tag: always, never, or once a row of the day has returned
   * one (until then the rules without tags apply).
   */
  readonly tagging: 'always' | 'once_echoed' | 'never';
  /** Set where the broker makes a MARKET order a LIMIT one, at a price of its own: its row says so. */
  readonly marketAsLimit?: true;
  /**
   * Why a request could not leave now (no token, not open); answers without waiting. `purpose` is
   * `place` when absent; nothing but a missing session holds back a way out.
   */
  blocked(purpose?: Purpose): NotSent | null;
  /**
   * The account that requests and reads of the present session are for, as the broker names it; null
   * while that is not known. Never rejects. Absent where there is one account only.
   */
  account?(): Promise<string | null>;
  /** The marks that it sends with an order; absent where it takes none. */
  marks?(terms: OrderTerms): OrderMarks;
  /**
   * Waits in a fair queue, at most `waitMs`, for the broker's limit on order requests. A broker's
   * wish for a pause holds back a way out for ten seconds at most.
   */
  permit(waitMs: number, purpose?: Purpose): Promise<NotSent | null>;
  /**
   * Counts order requests of earlier processes for the broker's limit, by how long ago each was, ms, the oldest
   * first. Called once, before the first permit. Absent where there is no limit.
   */
  readonly countEarlier?: (agoMs: readonly number[]) => void;
  /**
   * Sends one request once: no retry, no redirect, its own deadline. Never rejects. The caller has
   * taken a permit and written the attempt to disk before.
   */
  place(attempt: PlaceAttempt): Promise<Outcome>;
  cancel(attempt: CancelAttempt): Promise<Outcome>;
  modify(attempt: ModifyAttempt): Promise<Outcome>;
  /** The whole order book of the day, with orders that the gateway did not place. */
  orderBook(): Promise<readonly BrokerOrder[]>;
  /** All executions of the day. */
  trades(): Promise<readonly BrokerFill[]>;
  /**
   * The book of an earlier day with its trades, as that day ended; absent at brokers that do not keep
   * it.
   */
  readonly bookOf?: (day: TradingDay) => Promise<{
    readonly rows: readonly BrokerOrder[];
    readonly fills: readonly BrokerFill[];
  }>;
  /**
   * The rows that could not be read of a list that `orderBook` or `trades` resolved with, the same
   * object. One bad row never fails a whole read. Absent where every row can be read.
   */
  readonly unread?: (list: readonly BrokerOrder[] | readonly BrokerFill[]) => readonly UnreadRow[];
  /** Every state that an order went through today, oldest first; absent where the broker does not tell them. */
  orderHistory?(brokerOrderId: BrokerOrderId): Promise<readonly BrokerOrder[]>;
  /** What the last book that was read tells of an order besides; null where it has no such order. */
  readonly details?: (brokerOrderId: BrokerOrderId) => BrokerOrderDetails | null;
}

/** Orders that wait at the broker for a price, and are not in the order book until then (docs/triggers.md). */
export interface Triggers {
  readonly broker: BrokerId;
  /**
   * Whether its triggers are rows of the order book as well, as those of the primary brokerage are: then
   * whoever reads the book sees them, and they are cancelled as orders are.
   */
  readonly inBook: boolean;
  /** The whole list; `watch` when `reader` is absent. */
  list(reader?: Reader): Promise<TriggerList>;
  /** Set where triggers are placed, changed and ended by calls of their own, and not as orders are. */
  readonly calls?: TriggerPort;
}

/** Each sends one request, once, and never rejects; the list tells what has become of it. */
export interface TriggerPort {
  place(attempt: TriggerAttempt): Promise<TriggerOutcome>;
  /** Replaces the whole of it; its id stays. */
  modify(triggerId: string, attempt: TriggerAttempt): Promise<TriggerOutcome>;
  /** As a way out. */
  remove(triggerId: string): Promise<TriggerOutcome>;
}

/** The outcome of a call about a trigger: that of an order, except that a trigger has an id of its own. */
export type TriggerOutcome =
  | { readonly kind: 'acknowledged'; readonly triggerId: string }
  | Exclude<Outcome, { readonly kind: 'acknowledged' }>;

/**
 * The connection over which a broker sends ticks, changes of orders, or both. For a change of an
 * order the broker calls the `wake` that it was created with.
 */
export interface BrokerStream {
  /**
   * Call when the session may have changed: it connects, reconnects, or ends. The first call starts
   * it.
   */
  follow(): void;
  /** Whether it is open, and was heard within the last seconds. */
  isOpen(): boolean;
  /** Ends the connection for good. */
  stop(): void;
}

/**
 * A broker instance with all its parts. A part that the broker does not offer is absent, and
 * callers who ask for it get `not_supported`.
 */
export interface Broker {
  readonly id: BrokerId;
  readonly mode: Mode;
  readonly marketData?: MarketData;
  readonly account?: Account;
  /** Requires `account`: the exit guard and the kill switch read its positions. */
  readonly trading?: Trading;
  readonly instruments?: InstrumentSource;
  readonly triggers?: Triggers;
  /** What is left of its rate limits; absent where there are none. */
  readonly limits?: () => readonly LimitBucket[];
  /** A daily login by a person, in a browser. */
  readonly login?: LoginBroker;
  /** The broker posts changes of orders to the gateway. */
  readonly postbacks?: PostbackReader;
  readonly ticks?: TickFeed;
  readonly stream?: BrokerStream;
  /**
   * What a person has to do about a token that the broker has called dead, and that the gateway cannot replace; null
   * where the last answer did not. It is sent all the same: a broker may be wrong, and a way out must not wait for that.
   */
  readonly deadToken?: () => string | null;
  /** Obtains each day's token without a person, until the returned function is called. */
  readonly keepSession?: () => () => void;
  /** Ends the broker's work in progress, before its database is closed. */
  [Symbol.asyncDispose]?(): PromiseLike<void>;
}

/** The result of exchanging a request token. Times are epoch ms. */
export interface SessionGrant {
  readonly accessToken: string;
  readonly userId: string;
  readonly obtainedAt: EpochMs;
  /**
   * How far this computer's clock is ahead of the broker's, ms; present only for minutes or more.
   */
  readonly clockAheadMs?: number;
}

/** A broker's daily login, which a session calls. Rejects with BrokerError. */
export interface LoginBroker {
  readonly broker: BrokerId;
  /** The page to send the browser to; the callback returns `state`. */
  loginUrl(state: string): string;
  /** A request token works once. */
  exchange(requestToken: string): Promise<SessionGrant>;
  /**
   * Tests a token; resolves with the user when the broker accepts it, null when it calls it
   * invalid.
   */
  verify(accessToken: string): Promise<{ readonly userId: string } | null>;
  /** Ends the session at the broker. */
  end(accessToken: string): Promise<void>;
  /** What a person can do about a refused login, in full sentences; null without special advice. */
  explainRefusal?(message: string): string | null;
}
