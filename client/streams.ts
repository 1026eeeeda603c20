import { follow, type FollowedStream } from './follow.ts';
import type { Connection } from './request.ts';
import type { Runtime } from './runtime.ts';
import type { Schemas } from './types.ts';

export type StreamedEvent = Schemas['Event'];

interface StreamOptions {
  /** Ends the loop. */
  readonly signal?: AbortSignal;
  /** For this stream instead of that of the client: how long to try for a connection, ms. */
  readonly patienceMs?: number;
}

/** Which events: docs/events.md, "Filters". */
export interface EventsInput extends StreamOptions {
  /** Events after this one: the id of the last one that you have handled. Absent: from now on. */
  readonly after?: string;
  readonly type?: string;
  readonly order?: string;
  readonly instrument?: string;
  readonly scope?: 'mine' | 'account';
  readonly key?: string;
}

export type PriceMode = 'ltp' | 'quote' | 'full';

export interface PricesInput extends StreamOptions {
  /** At most 3,000, written as everywhere: NSE:INFY, NSE_1594 or INFY. */
  readonly instruments: readonly string[];
  /** `ltp` when absent. */
  readonly mode?: PriceMode;
}

/** A price in rupees; figures that the mode does not have are absent, and null where the broker has none. */
export interface StreamedPrice {
  /** By its name, whatever you wrote. */
  readonly instrument: string;
  readonly mode: PriceMode;
  readonly lastPrice: number;
  readonly open?: number | null;
  readonly high?: number | null;
  readonly low?: number | null;
  readonly previousClose?: number | null;
  readonly change?: number | null;
  readonly changePercent?: number | null;
  readonly volume?: number | null;
  readonly averagePrice?: number | null;
  readonly lastQuantity?: number | null;
  readonly buyQuantity?: number | null;
  readonly sellQuantity?: number | null;
  readonly bid?: number | null;
  readonly ask?: number | null;
  readonly depth?: Schemas['Quote']['depth'];
  readonly upperCircuit?: number | null;
  readonly lowerCircuit?: number | null;
  readonly lastTradeAt?: string | null;
  readonly openInterest?: number | null;
  readonly openInterestHigh?: number | null;
  readonly openInterestLow?: number | null;
  readonly exchangeAt: string | null;
  readonly receivedAt: string;
  readonly broker: string;
  readonly source: 'ticks' | 'polling';
  /** Do not take it for the price of now. */
  readonly stale: boolean;
}

/** docs/streaming.md, "Messages". */
export type PriceUpdate =
  | { readonly type: 'snapshot' | 'ticks'; readonly prices: readonly StreamedPrice[] }
  | {
      readonly type: 'feed';
      readonly source: 'ticks' | 'polling' | 'none';
      readonly broker: string | null;
      readonly instruments: readonly string[];
    }
  | {
      readonly type: 'subscribed';
      /** The name of each instrument, by how you wrote it. */
      readonly instruments: Readonly<Record<string, string>>;
      /** Why there are no prices of an instrument, by how you wrote it. */
      readonly refused: Readonly<Record<string, string>>;
    }
  /** The connection has ended: no price that came before is that of now, until the next snapshot. */
  | { readonly type: 'lost' };

export interface Streams {
  /**
   * Events as they happen, each in order and none left out, over as many connections as it takes. An event that was
   * not handled when your program ended comes again where you begin with `after`.
   */
  events(input?: EventsInput): AsyncGenerator<StreamedEvent, void, undefined>;
  /** Prices as they come. After a connection was lost, they begin with a snapshot again. */
  prices(input: PricesInput): AsyncGenerator<PriceUpdate, void, undefined>;
}

/** Twice the time within which something comes at least. */
const SILENCE_MS = { events: 30_000, prices: 10_000 };
const OF_STREAM: ReadonlySet<unknown> = new Set(['heartbeat', 'stream.closing']);
const PRICE_TYPES: ReadonlySet<unknown> = new Set(['snapshot', 'ticks', 'feed', 'subscribed']);

export function streamsOf(
  { baseUrl, key }: Connection,
  patienceMs: number,
  runtime: Runtime,
): Streams {
  function stream(
    name: string,
    path: string,
    query: Readonly<Record<string, string | undefined>>,
    options: StreamOptions,
  ): Omit<FollowedStream, 'after' | 'silenceMs'> {
    const given = Object.entries(query).filter(
      (each): each is [string, string] => each[1] !== undefined,
    );
    return {
      ...{ name, url: `${baseUrl}${path}?${new URLSearchParams(given).toString()}` },
      headers: { Authorization: `Bearer ${key}` },
      ...{ patienceMs: options.patienceMs ?? patienceMs, signal: options.signal ?? null },
    };
  }

  return {
    async *events({ signal, patienceMs: patience, after = null, ...filters } = {}) {
      const options = {
        ...(signal && { signal }),
        ...(patience !== undefined && { patienceMs: patience }),
      };
      const followed = stream('getEvents', '/api/v1/events', { ...filters }, options);
      const silenceMs = SILENCE_MS.events;
      for await (const each of follow({ ...followed, after, silenceMs }, runtime)) {
        if (each.kind === 'lost' || OF_STREAM.has(each.value.type)) continue;
        // The gateway writes events as the document has them.
        yield each.value as unknown as StreamedEvent;
      }
    },
    async *prices({ instruments, mode = 'ltp', ...options }) {
      if (instruments.length === 0) throw new TypeError('prices: name at least one instrument');
      const query = { instruments: instruments.join(','), mode };
      const followed = stream('streamPrices', '/api/v1/stream', query, options);
      const silenceMs = SILENCE_MS.prices;
      for await (const each of follow({ ...followed, after: null, silenceMs }, runtime)) {
        if (each.kind === 'lost') yield { type: 'lost' };
        else if (PRICE_TYPES.has(each.value.type)) yield each.value as unknown as PriceUpdate;
      }
    },
  };
}
