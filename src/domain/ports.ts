import type { BrokerFill, BrokerOrder } from './broker-order.ts';
import type { BrokerId, Mode } from './broker.ts';
import type { Candle, CandleQuery } from './candle.ts';
import type { Instrument, InstrumentName, Segment } from './instrument.ts';
import type { LimitBucket } from './limits.ts';
import type { MarginEstimate, MarginQuery } from './margin.ts';
import type { OptionChain, OptionChainQuery } from './option-chain.ts';
import type { CancelAttempt, ModifyAttempt, PlaceAttempt } from './order.ts';
import type { NotSent, Outcome } from './outcome.ts';
import type { Funds, Holding, Position, Profile } from './portfolio.ts';
import type { LastPrice, Quote } from './quote.ts';
import type { TickFeed } from './tick.ts';

/**
 * What a broker gives. Every read rejects with a BrokerError and with nothing else; a failed read
 * never resolves to an empty list.
 */

/** Instruments that the broker does not know are absent from the map. Keys are canonical names. */
export interface MarketData {
  readonly broker: BrokerId;
  quotes(instruments: readonly Instrument[]): Promise<ReadonlyMap<InstrumentName, Quote>>;
  lastPrices(instruments: readonly Instrument[]): Promise<ReadonlyMap<InstrumentName, LastPrice>>;
  /** Oldest first; empty where nothing was traded. Absent where the broker has none. */
  candles?(query: CandleQuery): Promise<readonly Candle[]>;
  optionChain?(query: OptionChainQuery): Promise<OptionChain>;
  /** IST days `YYYY-MM-DD`, ascending. */
  expiries?(underlying: Instrument): Promise<readonly string[]>;
}

export interface Account {
  readonly broker: BrokerId;
  positions(): Promise<readonly Position[]>;
  holdings(): Promise<readonly Holding[]>;
  funds(): Promise<Funds>;
  profile(): Promise<Profile>;
  /** What orders would block and cost, asked before they are sent. */
  margins?(orders: readonly MarginQuery[]): Promise<MarginEstimate>;
}

/** The broker's master lists. */
export interface InstrumentSource {
  readonly broker: BrokerId;
  /**
   * Where the list comes from. One that was kept from another address has other ids: orders by them
   * would be for something else.
   */
  readonly address?: string;
  /** How old a list may become before it is asked for again, ms; it is the day's when absent. */
  readonly freshForMs?: number;
  /** In the order in which they are read. Each is loaded, kept and replaced by itself. */
  readonly lists: readonly InstrumentList[];
}

export interface InstrumentList {
  /** Lower-case letters: it names the list in the log, on disk and in `/api/v1/brokers`. */
  readonly name: string;
  /** What the list may hold. No other list of the broker holds instruments of these segments. */
  readonly segments: readonly Segment[];
  /** Never empty; null where the broker answers that it does not serve this list. */
  read(): Promise<readonly Instrument[] | null>;
}

export interface Trading {
  readonly broker: BrokerId;
  readonly mode: Mode;
  /**
   * Whether rows of the book carry our tag: always, never, or only once a row of the day has
   * echoed one (until then the rules without tags hold).
   */
  readonly tagging: 'always' | 'once_echoed' | 'never';
  /** Why a request could not leave now (no token, not open), looked at without waiting. */
  blocked(): NotSent | null;
  /** Waits in a fair queue, at most `waitMs`, for the broker's limit on order requests. */
  permit(waitMs: number): Promise<NotSent | null>;
  /**
   * One request, once: no retry, no redirect, a deadline of its own. Never rejects.
   * A permit has been taken and the attempt is on disk before this is called.
   */
  place(attempt: PlaceAttempt): Promise<Outcome>;
  cancel(attempt: CancelAttempt): Promise<Outcome>;
  modify(attempt: ModifyAttempt): Promise<Outcome>;
  /** The whole book of the day, rows of other origin included. */
  orderBook(): Promise<readonly BrokerOrder[]>;
  /** All executions of the day. */
  trades(): Promise<readonly BrokerFill[]>;
}

/**
 * The connection over which a broker sends by itself: ticks, word of orders, or both. Word of orders
 * goes to the gateway through the `wake` that the broker was made with.
 */
export interface BrokerStream {
  /** The session may have changed: connects, connects anew, or ends. The first call starts it. */
  follow(): void;
  /** For good. */
  stop(): void;
}

/**
 * A broker instance, whole. A part that the broker lacks is absent, and a caller who asks for it is
 * answered `not_supported`.
 */
export interface Broker {
  readonly id: BrokerId;
  readonly mode: Mode;
  readonly marketData?: MarketData;
  readonly account?: Account;
  /** Needs an account: the exit guard and the kill switch go by its positions. */
  readonly trading?: Trading;
  readonly instruments?: InstrumentSource;
  /** What is left of its limits on calls; absent where there are none. */
  readonly limits?: () => readonly LimitBucket[];
  /** A daily login by a person, in a browser. */
  readonly login?: LoginBroker;
  /** The broker posts changes of orders to the gateway. */
  readonly postbacks?: PostbackReader;
  readonly ticks?: TickFeed;
  readonly stream?: BrokerStream;
  /** Sees to it that each day has a token, without a person; until what it returns is called. */
  readonly keepSession?: () => () => void;
  /** Ends what the broker has under way, before its database is closed. */
  [Symbol.asyncDispose]?(): PromiseLike<void>;
}

/** What a successful exchange of a request token gives. Times are epoch ms. */
export interface SessionGrant {
  readonly accessToken: string;
  readonly userId: string;
  readonly obtainedAt: number;
  /** How far this computer's clock is ahead of the broker's, ms; there only when it is minutes. */
  readonly clockAheadMs?: number;
}

/** A broker's daily login, as a session drives it. Rejects with BrokerError. */
export interface LoginBroker {
  readonly broker: BrokerId;
  /** The page to send the browser to; `state` comes back on the callback. */
  loginUrl(state: string): string;
  /** A request token works once. */
  exchange(requestToken: string): Promise<SessionGrant>;
  /** Tries a token; resolves with the user when the broker takes it, null when it says it is dead. */
  verify(accessToken: string): Promise<{ readonly userId: string } | null>;
  /** Ends the session at the broker. */
  end(accessToken: string): Promise<void>;
  /** What a person can do about a refused login, in full sentences; null for no special advice. */
  explainRefusal?(message: string): string | null;
}

/** A postback whose checksum holds: a hint to read an order again, never the truth itself. */
export interface PostbackHint {
  readonly broker: BrokerId;
  readonly brokerOrderId: string;
  /** Names this very message: a repeat has the same. */
  readonly digest: string;
  readonly rawStatus: string;
}

export type PostbackReading =
  | { readonly kind: 'genuine'; readonly hint: PostbackHint }
  | { readonly kind: 'malformed'; readonly detail: string }
  | { readonly kind: 'forged' };

export interface PostbackReader {
  readonly broker: BrokerId;
  /** `body` is the raw text as it came. Never throws. */
  readPostback(body: string): PostbackReading;
}
