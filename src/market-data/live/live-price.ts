import type { BrokerId } from '../../domain/broker.ts';
import type { Instrument, InstrumentName } from '../../domain/instrument.ts';
import type { Quote } from '../../domain/quote.ts';
import type { TickMode } from '../../domain/tick.ts';
import type { ElapsedMs, EpochMs } from '../../units/branded.ts';

/** From where the prices of an instrument come; `none` while no broker gives them. */
export const FEED_SOURCES = ['ticks', 'polling', 'none'] as const;
export type FeedSource = (typeof FEED_SOURCES)[number];

/** The same object for the same source and broker. */
export interface Feed {
  readonly source: FeedSource;
  readonly broker: BrokerId | null;
}

/** The latest price of an instrument, in rupees. The same object for all readers. */
export interface LivePrice {
  readonly instrument: InstrumentName;
  readonly lastPrice: number;
  /** Which figures it has. */
  readonly mode: TickMode;
  /** Null where only the last price is known. */
  readonly quote: Quote | null;
  readonly broker: BrokerId;
  readonly source: Exclude<FeedSource, 'none'>;
  /** When the tick arrived; of a polled price, when its request left. */
  readonly receivedAt: EpochMs;
  readonly received: ElapsedMs;
  /** It may not be the price of now: it is polled and old, or its ticker is silent (docs/streaming.md). */
  readonly stale: boolean;
}

/** An instrument that somebody streams. */
export interface LiveInstrument {
  /** As the lists have it; one of the same name takes its place when its ids change. */
  instrument: Instrument;
  /** The readers that want it. */
  readonly wants: Set<Want>;
  /** How many readers of each caller want it. */
  readonly callers: Map<string, number>;
  /** The richest mode that a reader wants. */
  mode: TickMode;
  price: LivePrice | null;
  /** Null until it is known. */
  feed: Feed | null;
  /** Whether live ticks carry it, in its mode; otherwise it is polled. */
  isCarried: boolean;
  /** Whether it has expired: then no broker is asked for it any more. */
  isOver: boolean;
}

/** What one reader wants of an instrument. */
export interface Want {
  readonly live: LiveInstrument;
  readonly mode: TickMode;
  /** Something new is there for its reader. */
  readonly note: () => void;
}

/** What a reader is told, in the order of `seq`, which grows by one with each message. */
export type PriceMessage =
  | {
      /** `snapshot`: the first price of each of these instruments since it was wanted in this mode. */
      readonly type: 'snapshot' | 'ticks';
      readonly seq: number;
      readonly prices: readonly ToldPrice[];
    }
  | {
      /** From where the prices of these instruments come from now on. */
      readonly type: 'feed';
      readonly seq: number;
      readonly feed: Feed;
      readonly instruments: readonly InstrumentName[];
    };

export interface ToldPrice {
  readonly price: LivePrice;
  /** What the reader asked for: `price` may have more. */
  readonly mode: TickMode;
}
