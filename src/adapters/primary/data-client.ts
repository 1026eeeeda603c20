import type { CandleInterval } from '../../domain/candle.ts';
import type { Connection } from './connection.ts';
import { readHistory, readList, readObject, type Fields, type History } from './envelope.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import type { EpochMs } from '../../units/branded.ts';

export interface ChainRequest {
  readonly exchange: string;
  readonly segment: 'INDEX' | 'EQUITY';
  readonly securityId: string;
  /** `YYYY-MM-DD`; with null the broker chooses. */
  readonly expiry: string | null;
  /** With null the broker chooses. */
  readonly strikeCount: number | null;
}

/**
 * The broker's data endpoints, with the broker's names (docs/spec/primary-brokerage.md,
 * "Endpoints"). Every call rejects only with a BrokerError.
 */
export interface DataClient {
  /** At most 5 codes; epoch ms, `to` exclusive. */
  historical(
    interval: CandleInterval,
    codes: readonly string[],
    from: EpochMs,
    to: EpochMs,
  ): Promise<History>;
  optionChain(request: ChainRequest): Promise<Fields>;
  /** The older form, by symbol alone. */
  olderOptionChain(symbol: string): Promise<Fields>;
  expiries(underlying: string): Promise<readonly unknown[]>;
}

/** A page holds thousands of candles, and may wait behind other pages for its permit. */
const HISTORY_DEADLINE_MS = 10_000;

export function createDataClient(connection: Connection, queues: RateLimitQueues): DataClient {
  const get = { method: 'GET', queue: queues.data } as const;
  return {
    historical: (interval, codes, from, to) =>
      connection.exchange({
        ...get,
        path: `/market/historical/${interval}`,
        query: {
          'scrip-codes': codes.join(','),
          start_time: String(from),
          end_time: String(to),
        },
        deadlineMs: HISTORY_DEADLINE_MS,
        read: readHistory,
      }),
    optionChain: ({ exchange, segment, securityId, expiry, strikeCount }) =>
      connection.exchange({
        ...get,
        path: '/market/option-chain',
        query: {
          exchange,
          segment,
          'underlying-scrip': securityId,
          ...(expiry === null ? {} : { expiry }),
          ...(strikeCount === null ? {} : { strike_count: String(strikeCount) }),
        },
        read: readObject,
      }),
    olderOptionChain: (symbol) =>
      connection.exchange({
        ...get,
        path: '/option-chain',
        query: { symbol },
        read: readObject,
      }),
    expiries: (underlying) =>
      connection.exchange({
        ...get,
        path: '/market/instruments/expiries',
        query: { underlying, segment: 'DERIVATIVE' },
        read: readList,
      }),
  };
}
