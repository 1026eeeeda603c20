import { BrokerError } from '../../domain/outcome.ts';
import { lastOnly } from '../../platform/last-only.ts';
import type { Call, Connection } from './connection.ts';
import {
  readCsvText,
  readLenient,
  readList,
  readObject,
  readStrict,
  type Fields,
} from './envelope.ts';
import { readAcknowledgement, type Acknowledgement } from './mapping.ts';
import { positionList } from './portfolio-mapping.ts';
import type { RateLimitQueues } from './rate-limits.ts';
import type { BuiltRequest } from './request.ts';
import type { BrokerOrderId } from '../../units/branded.ts';

export type OrderSegment = 'EQUITY' | 'DERIVATIVE';

/**
 * The broker's endpoints, with the broker's names. A call resolves with the payload inside the
 * envelope, unchecked (docs/spec/primary-brokerage.md, "Endpoints"), and rejects only with a
 * BrokerError.
 */
export interface PrimaryClient {
  /** Keyed by scrip code. `leaves` is called when the request leaves. */
  quotes(codes: readonly string[], leaves?: () => void): Promise<Fields>;
  lastPrices(codes: readonly string[], leaves?: () => void): Promise<Fields>;
  /** CSV text. */
  instruments(source: string): Promise<string>;
  /** A way out is sent whatever the breaker says. Null where the reply does not name one order. */
  change(
    request: Extract<BuiltRequest, { kind: 'built' }>,
    purpose: 'placing' | 'changing',
    leaving: Pick<Call<unknown>, 'wayOut' | 'mayLeave'>,
  ): Promise<Acknowledgement | null>;
  /** The same object as long as the reply is the same: the book is read every second. */
  orderBook(): Promise<readonly unknown[]>;
  order(orderId: BrokerOrderId, segment: OrderSegment): Promise<Fields>;
  orderTrades(orderId: BrokerOrderId, segment: OrderSegment): Promise<readonly unknown[]>;
  /** As `orderBook`. */
  tradeBook(segment: OrderSegment): Promise<readonly unknown[]>;
  /** Whichever form the broker gives them in. */
  positions(query: Readonly<Record<string, string>> | null): Promise<readonly unknown[]>;
  holdings(): Promise<readonly unknown[]>;
  funds(): Promise<Fields>;
  profile(): Promise<Fields>;
}

/** The whole list is tens of megabytes. */
const INSTRUMENTS_DEADLINE_MS = 30_000;

export function createClient(connection: Connection, queues: RateLimitQueues): PrimaryClient {
  const get = { method: 'GET' } as const;
  const readBook = lastOnly(readList);
  const readTrades = { EQUITY: lastOnly(readList), DERIVATIVE: lastOnly(readList) };

  async function list(
    path: string,
    asked: Pick<Call<readonly unknown[]>, 'query' | 'body'> = {},
    read = readList,
  ): Promise<readonly unknown[]> {
    return connection.exchange({ ...get, queue: queues.books, path, ...asked, read });
  }

  async function codes(path: string, asked: readonly string[], leaves?: () => void) {
    const query = { 'scrip-codes': asked.join(',') };
    const call = { ...get, queue: queues.quotes, path, query, read: readLenient };
    return connection.exchange({ ...call, ...(leaves ? { leaves } : {}) });
  }

  async function object(path: string) {
    const call = { ...get, queue: queues.account, path, read: readObject };
    return connection.exchange(call);
  }

  return {
    quotes: (asked, leaves) => codes('/market/quotes/full', asked, leaves),
    lastPrices: (asked, leaves) => codes('/market/quotes/ltp', asked, leaves),
    instruments: (source) =>
      connection.exchange({
        ...get,
        queue: queues.data,
        path: '/market/instruments',
        query: { source },
        deadlineMs: INSTRUMENTS_DEADLINE_MS,
        read: readCsvText,
      }),

    async change({ path, body }, purpose, leaving) {
      const queue = queues[purpose];
      const call = { queue, method: 'POST', path, body, ...leaving, read: readStrict } as const;
      return readAcknowledgement(await connection.exchange(call));
    },
    orderBook: () => list('/order-book', {}, readBook),
    async order(orderId, segment) {
      // The documentation puts them in the body, and its own clients send query and body.
      const named = { order_id: orderId, segment };
      return connection.exchange({
        ...get,
        queue: queues.books,
        path: '/order',
        query: named,
        body: named,
        read: readObject,
      });
    },
    async orderTrades(orderId, segment) {
      const named = { order_id: orderId, segment };
      try {
        return await list('/order/trades', { query: named, body: named });
      } catch (error) {
        if (!isMissingPath(error)) throw error;
        return list(`/trades/${encodeURIComponent(orderId)}`);
      }
    },
    tradeBook: (segment) => list('/trade-book', { query: { segment } }, readTrades[segment]),

    async positions(query) {
      const call = {
        ...get,
        queue: queues.account,
        path: '/portfolio/positions',
        read: readStrict,
      };
      return positionList(await connection.exchange({ ...call, ...(query ? { query } : {}) }));
    },
    holdings: () =>
      connection.exchange({
        ...get,
        queue: queues.account,
        path: '/portfolio/holdings',
        read: readList,
      }),
    funds: () => object('/funds'),
    profile: () => object('/user/profile'),
  };
}

/** Whether the broker lacks this path, so that another form of the call may work. */
export function isMissingPath(error: unknown): boolean {
  return (
    error instanceof BrokerError &&
    error.failure.kind === 'http' &&
    (error.failure.status === 404 || error.failure.status === 405)
  );
}
